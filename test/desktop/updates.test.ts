import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Backup } from '#shared/api/backup.ts';
import type { UpdateStatus } from '#shared/api/updates.ts';
import { signRelease } from '../../electron/server/update/signRelease.ts';
import { commandLineOf } from '../helpers/processes.ts';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { ADMIN_PASSWORD, API_KEY, folderOnDisk } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { call, ownFolder, ROOT, ROOT_SWITCHES, runtimeFolder } from './desktop.ts';
import { makeNextVersion } from './nextVersion.ts';

/**
 * A packaged program gets releases from a local feed with electron-updater. Only the AppImage is fake: a script
 * starts an unpacked program as a mounted AppImage would.
 */

const UNPACKED = join(ROOT, 'dist', 'packages', 'linux-unpacked');
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const GOOD = '999.0.0';
/**
 * Changes that break a release, by version. The first release fails after it has updated the database, the second
 * before any of our code runs.
 */
const BROKEN: Record<string, (text: string, name: string) => string> = {
  '999.1.0': (text) =>
    text.replace(
      /endTrial\(config\.dataFolder, [^)]+\);(?=\s*lifecycle\.start)/,
      'throw new Error("a broken release");',
    ),
  '999.2.0': (text, name) => (name === 'main.js' ? 'process.exit(7);' : text),
};

/** Time limit for releases in milliseconds. A broken release is started three times. */
const RELEASES_WITHIN_MS = 600_000;

const LIST = 'latest-linux';
const OTHER_FILE = `The download of version ${GOOD} is not what the makers of this program signed, and was removed. Nothing was changed.`;
const keys = generateKeyPairSync('ed25519');

let folder: string;
let feed: Feed;
/**
 * How the feed misbehaves, by file name. `stalled` means that the answer stops in the middle, `failing` that an error
 * answer never ends.
 */
let bad: Partial<Record<string, 'silent' | 'endless' | 'stalled' | 'failing' | 'redirecting'>> = {};
/** State of the last endless answer. */
let endless = { bytes: 0, isOpen: false };
let redirects = 0;
const ENDLESS_BYTES = 256 * 2 ** 20;

type Feed = { folder: string; url: string; stop(): Promise<void> };

async function startFeed(root: string): Promise<Feed> {
  mkdirSync(root);
  const server = createServer((req, res) => {
    const name = basename(new URL(req.url ?? '/', 'http://feed').pathname);
    const file = join(root, name);
    if (bad[name] === 'silent') return;
    if (bad[name] === 'redirecting') {
      redirects += 1;
      return void res.writeHead(302, { location: req.url }).end();
    }
    if (bad[name] === 'failing') res.writeHead(500);
    if (bad[name] === 'endless' || bad[name] === 'failing') return sendWithoutEnd(res);
    if (!existsSync(file)) res.writeHead(404).end();
    else if (bad[name] === 'stalled') res.write(readFileSync(file).subarray(0, 8));
    else res.end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    folder: root,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => new Promise((done) => server.close(() => done())),
  };
}

function sendWithoutEnd(res: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, ' ');
  const mine = { bytes: 0, isOpen: true };
  endless = mine;
  res.once('close', () => (mine.isOpen = false));
  const send = (): void => {
    if (!mine.isOpen || mine.bytes >= ENDLESS_BYTES) return void res.end();
    mine.bytes += chunk.length;
    res.write(chunk, send);
  };
  send();
}

beforeAll(async () => {
  runtimeFolder();
  folder = folderOnDisk('updates');
  writeFileSync(join(folder, 'key.pem'), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  feed = await startFeed(join(folder, 'feed'));
  const programs: [version: string, change?: (text: string, name: string) => string][] = [
    [GOOD],
    ...Object.entries(BROKEN),
  ];
  execFileSync('cp', ['-al', UNPACKED, unpackedOf(VERSION)]);
  for (const [version, change] of programs) makeNextVersion(UNPACKED, unpackedOf(version), version, change);
  for (const version of [VERSION, ...programs.map(([name]) => name)]) {
    const resources = join(unpackedOf(version), 'resources');
    // Write the file as electron-builder does.
    const config = `provider: generic\nurl: ${feed.url}\nupdaterCacheDirName: pickstation-updater\n`;
    writeFileSync(join(resources, 'app-update.yml'), config);
    const key = keys.publicKey.export({ type: 'spki', format: 'pem' });
    writeFileSync(join(resources, 'release-feed.json'), JSON.stringify({ url: feed.url, key }));
    writeFileSync(appImageOf(version), script(version), { mode: 0o755 });
  }
});

afterAll(async () => {
  await feed?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const unpackedOf = (version: string): string => join(folder, `unpacked-${version}`);
const appImageOf = (version: string): string => join(feed.folder, `pickstation-${version}.AppImage`);

function script(version: string): string {
  const unpacked = unpackedOf(version);
  return `#!/bin/sh\n# ${version}\nexport APPIMAGE="$(readlink -f "$0")" APPDIR="${unpacked}"\nexec "$APPDIR/pickstation" "$@"\n`;
}

/** Makes the feed offer this version, with a list as electron-builder writes it, signed with our tool. */
function publish(version: string): void {
  const packages = join(folder, `packages-${version}`);
  mkdirSync(packages, { recursive: true });
  writeFileSync(join(packages, `${LIST}.yml`), listOf(version));
  execFileSync(process.execPath, ['tools/release.ts', feed.folder, packages], {
    cwd: ROOT,
    env: { ...process.env, PICKSTATION_RELEASE_KEY: join(folder, 'key.pem') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function listOf(version: string): string {
  const { url, sha512, size } = fileOf(version);
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${url}`,
    `    sha512: ${sha512}`,
    `    size: ${size}`,
    `path: ${url}`,
    `sha512: ${sha512}`,
    "releaseDate: '2026-11-23T00:00:00.000Z'",
    '',
  ].join('\n');
}

function fileOf(version: string): { url: string; sha512: string; size: number } {
  const bytes = readFileSync(appImageOf(version));
  return { url: basename(appImageOf(version)), sha512: hash('sha512', bytes, 'base64'), size: bytes.length };
}

/** Publishes a version as an attacker would. */
function publishForged(version: string, signed: string, key: KeyObject): void {
  const list = signRelease(
    { list: LIST, version: signed, signed_at: new Date().toISOString(), files: [fileOf(version)] },
    key,
  );
  writeFileSync(join(feed.folder, `${LIST}.json`), list.replace(signed, version));
}

type Shop = { data: string; appImage: string; receiver: Receiver };

const cacheOf = ({ appImage }: Pick<Shop, 'appImage'>): string =>
  join(dirname(appImage), 'cache', 'pickstation-updater');

/** Starts the current version as installed in a shop. */
async function openShop(): Promise<Shop> {
  const root = ownFolder();
  const data = join(root, 'data');
  const appImage = join(root, 'Pickstation.AppImage');
  copyFileSync(appImageOf(VERSION), appImage);
  const receiver = await startReceiver();
  onTestFinished(async () => {
    await endAll(root);
    await receiver.stop();
  });
  const shop = { data, appImage, receiver };
  start(shop);
  await running(shop, VERSION);
  return shop;
}

function start({ data, appImage }: Shop): void {
  const args = [...ROOT_SWITCHES, '--data', data, '--port', '0', '--simulate', '1'];
  spawn(appImage, args, {
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      PICKSTATION_API_KEY: API_KEY,
      PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD,
      XDG_CACHE_HOME: dirname(cacheOf({ appImage })),
    },
  }).unref();
}

/** Waits until the station runs this version. Returns its address. */
async function running({ data }: Shop, version: string): Promise<string> {
  let url = '';
  await until(
    `version ${version}`,
    async () => {
      try {
        ({ url } = JSON.parse(readFileSync(join(data, 'address.json'), 'utf8')) as { url: string });
        const health = (await (await fetch(new URL('/healthz', url))).json()) as { status: string; version: string };
        return health.status === 'ok' && health.version === version;
      } catch {
        return false;
      }
    },
    RELEASES_WITHIN_MS,
  );
  return url;
}

/** Lists the ids of a test's processes. All of them have the test's folder in their command line. */
function processesOf(root: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && commandLineOf(pid).includes(root));
}

async function endAll(root: string): Promise<void> {
  await until('its processes to end', () => {
    const left = processesOf(root);
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    }
    return left.length === 0;
  });
}

const guards = ({ data }: Shop): number[] =>
  processesOf(data).filter((pid) => commandLineOf(pid).includes('--guard-update'));

async function status(url: string): Promise<UpdateStatus> {
  return (await call(url, 'GET', '/api/updates/')) as UpdateStatus;
}

async function check(url: string): Promise<UpdateStatus> {
  return (await call(url, 'POST', '/api/updates/check/')) as UpdateStatus;
}

type Device = { commands: { delivery: string; line1: string }[] };

async function commands(url: string): Promise<Device['commands']> {
  const [deviceid = ''] = (await call(url, 'GET', '/api/device/')) as string[];
  return ((await call(url, 'GET', `/api/device/${deviceid}/`)) as Device).commands;
}

/** Lights the simulated device. */
async function light(url: string, receiver: Receiver): Promise<void> {
  await call(url, 'PATCH', '/api/settings/', { callback_url: receiver.url });
  const [deviceid = ''] = (await call(url, 'GET', '/api/device/')) as string[];
  await call(url, 'PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
  await call(url, 'POST', `/api/device/${deviceid}/`, { line1: 'M8 nut', nonce: 'n8', seconds: 0 });
  await until('the device to be lit', async () => (await commands(url))[0]?.delivery === 'shown');
}

async function press(url: string): Promise<void> {
  const [deviceid = ''] = (await call(url, 'GET', '/api/device/')) as string[];
  // A press has no effect before the device shows its command again.
  await until('a press to be counted', async () => {
    await call(url, 'POST', `/api/simulator/devices/${deviceid}/press/`, { button: 'front' });
    return (await commands(url)).length === 0;
  });
}

function schemaObjects({ data }: Shop): string[] {
  const db = new Database(join(data, 'pickstation.sqlite'), { readonly: true });
  try {
    return db.prepare('SELECT name FROM sqlite_master').pluck().all() as string[];
  } finally {
    db.close();
  }
}

test('a good release is downloaded, installed and started with everything still lit, and the old version is removed', async () => {
  publish(GOOD);
  const shop = await openShop();
  const url = await running(shop, VERSION);
  expect(await status(url)).toMatchObject({ can: 'install', state: 'none', mode: 'auto' });
  await light(url, shop.receiver);
  expect(await check(url)).toMatchObject({ found: GOOD, problem: null });
  await expect(call(url, 'POST', '/api/updates/install/', {})).rejects.toThrow('409');
  await call(url, 'POST', '/api/updates/install/', { insist: true });
  const next = await running(shop, GOOD);
  expect(await status(next)).toMatchObject({ version: GOOD, failed: null });
  expect(readFileSync(shop.appImage, 'utf8')).toBe(script(GOOD));
  // The window was open, so the new version does not start hidden.
  expect(processesOf(shop.data).filter((pid) => commandLineOf(pid).includes('--hidden'))).toEqual([]);
  expect(schemaObjects(shop)).toContain('of_the_next_version');
  const backups = (await call(next, 'GET', '/api/backups/')) as Backup[];
  expect(backups.filter(({ kind }) => kind === 'update')).toHaveLength(1);
  expect((await commands(next)).map(({ line1 }) => line1)).toEqual(['M8 nut']);
  await press(next);
  await shop.receiver.received(1);
  expect(shop.receiver.payloads()).toMatchObject([{ nonce: 'n8' }]);
  await until('the guard to end', () => guards(shop).length === 0);
  await until('the kept program to go', () => !existsSync(join(shop.data, 'update', 'pickstation.AppImage')));
  expect(readdirSync(join(shop.data, 'update'))).toEqual(['guard.json', 'lock.sqlite']);
});

test.for(Object.keys(BROKEN))(
  'if release %s never becomes ready, the old version returns with its database and everything lit',
  { timeout: RELEASES_WITHIN_MS },
  async (broken) => {
    publish(broken);
    const shop = await openShop();
    const url = await running(shop, VERSION);
    await light(url, shop.receiver);
    expect(await check(url)).toMatchObject({ found: broken });
    await call(url, 'POST', '/api/updates/install/', { insist: true });
    await until('the station to end', async () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    );
    const back = await running(shop, VERSION);
    expect(await status(back)).toMatchObject({
      version: VERSION,
      failed: { version: broken, problem: 'It ended before it was ready.' },
    });
    expect(readFileSync(shop.appImage, 'utf8')).toBe(script(VERSION));
    expect(schemaObjects(shop)).not.toContain('of_the_next_version');
    expect((await commands(back)).map(({ line1 }) => line1)).toEqual(['M8 nut']);
    await press(back);
    await shop.receiver.received(1);
    await until('the guard to end', () => guards(shop).length === 0);
    // The broken version is found again, and waits for a person.
    expect(await check(back)).toMatchObject({ state: 'available', found: broken });
  },
);

test('refuses a modified file, a list signed with another key, and the signature of another release', async () => {
  const shop = await openShop();
  const url = await running(shop, VERSION);
  publish(GOOD);
  const original = readFileSync(appImageOf(GOOD));
  writeFileSync(
    appImageOf(GOOD),
    original.map((byte, at) => (at === 2 ? byte + 1 : byte)),
  );
  onTestFinished(() => writeFileSync(appImageOf(GOOD), original));
  await check(url);
  await call(url, 'POST', '/api/updates/install/', {});
  await until('the download to fail', async () => (await status(url)).problem !== null);
  expect(await status(url)).toMatchObject({
    version: VERSION,
    state: 'available',
    problem: OTHER_FILE,
  });
  const forgeries: [signed: string, key: KeyObject][] = [
    [GOOD, generateKeyPairSync('ed25519').privateKey],
    // The signature belongs to a different release.
    ['999.0.1', keys.privateKey],
  ];
  for (const forgery of forgeries) {
    publishForged(GOOD, ...forgery);
    expect((await check(url)).problem).toContain(`Version ${GOOD} is not signed by the makers of this program`);
    await expect(call(url, 'POST', '/api/updates/install/', { insist: true })).rejects.toThrow('409');
  }
  expect(readFileSync(shop.appImage, 'utf8')).toBe(script(VERSION));
  rmSync(join(feed.folder, `${LIST}.json`));
  expect((await check(url)).problem).toContain('The releases could not be read (the server answers 404)');
});

async function isCutOff(): Promise<void> {
  await until('the feed to be cut off', () => !endless.isOpen);
  expect(endless.bytes).toBeLessThan(ENDLESS_BYTES / 4);
}

test('reads no more than the signed size from an endless feed', async () => {
  publish(GOOD);
  const shop = await openShop();
  const url = await running(shop, VERSION);
  onTestFinished(() => void (bad = {}));
  bad = { [`${LIST}.json`]: 'endless' };
  expect((await check(url)).problem).toContain('the list is longer than any list');
  await isCutOff();
  for (const [kind, problem] of [
    ['endless', OTHER_FILE],
    ['failing', 'status 500'],
    ['redirecting', 'the server redirects too often'],
  ] as const) {
    bad = { [basename(appImageOf(GOOD))]: kind };
    expect(await check(url)).toMatchObject({ found: GOOD, problem: null });
    await call(url, 'POST', '/api/updates/install/', {});
    // The program may have started a download itself. The call may have started a second one after the first failed.
    let said: string | null = null;
    await until('the downloads to fail, and to leave no file', async () => {
      const now = await status(url);
      said = now.problem;
      // A failed download removes the folder, so it may not exist.
      const cache = cacheOf(shop);
      const files = existsSync(cache) ? readdirSync(cache, { recursive: true, withFileTypes: true }) : [];
      return now.state === 'available' && said !== null && files.every((entry) => !entry.isFile());
    });
    expect(said).toContain(problem);
    await isCutOff();
  }
  expect(redirects).toBeLessThanOrEqual(10);
});

test('gives up on a feed that stops sending, and can try it again', { timeout: RELEASES_WITHIN_MS }, async () => {
  publish(GOOD);
  const [shop, other] = await Promise.all([openShop(), openShop()]);
  const [url, otherUrl] = await Promise.all([running(shop, VERSION), running(other, VERSION)]);
  await check(otherUrl);
  onTestFinished(() => void (bad = {}));
  bad = { [`${LIST}.json`]: 'silent', [basename(appImageOf(GOOD))]: 'stalled' };
  await call(otherUrl, 'POST', '/api/updates/install/', {});
  expect((await check(url)).problem).toContain('could not be read (the server does not answer)');
  await until('the download to be given up', async () => (await status(otherUrl)).problem !== null);
  expect((await status(otherUrl)).problem).toContain('could not be downloaded (the server does not answer)');
  bad = {};
  expect(await check(url)).toMatchObject({ found: GOOD, problem: null });
  await call(otherUrl, 'POST', '/api/updates/install/', {});
  await running(other, GOOD);
});

test(
  'if a new version starts before its guard and breaks the data, both version and data are rolled back',
  { timeout: RELEASES_WITHIN_MS },
  async () => {
    const [broken = ''] = Object.keys(BROKEN);
    publish(broken);
    const shop = await openShop();
    const url = await running(shop, VERSION);
    await light(url, shop.receiver);
    await check(url);
    await call(url, 'POST', '/api/updates/install/', { insist: true });
    // Kill the guard before it has saved anything, as a power cut would.
    await until('the guard', () => {
      for (const pid of guards(shop)) process.kill(pid, 'SIGKILL');
      return guards(shop).length === 0 && readFileSync(shop.appImage, 'utf8') === script(broken);
    });
    await until('its processes to end', () => {
      for (const pid of guards(shop)) process.kill(pid, 'SIGKILL');
      return processesOf(shop.data).length === 0;
    });
    expect(JSON.parse(readFileSync(join(shop.data, 'update', 'trial.json'), 'utf8'))).toMatchObject({
      state: 'installing',
    });
    start(shop);
    await running(shop, VERSION);
    expect(schemaObjects(shop)).not.toContain('of_the_next_version');
    expect(readFileSync(shop.appImage, 'utf8')).toBe(script(VERSION));
  },
);
