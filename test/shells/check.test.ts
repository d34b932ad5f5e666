import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { Station } from '#shared/api/station.ts';
import { beginCheck, check, stateOf } from './checked.ts';
import { API_KEY, folderOnDisk, spawnStation, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DEVICE = '51D000:000001';

let stops: AsyncDisposableStack;
let parent: string;
let folder: string;

beforeEach(() => {
  stops = new AsyncDisposableStack();
  parent = folderOnDisk('check');
  stops.defer(() => rmSync(parent, { recursive: true }));
  folder = join(parent, 'data');
});

afterEach(() => stops.disposeAsync());

function start(port = 0): StationProcess {
  const station = spawnStation({ dataFolder: folder, simulate: 3, port });
  stops.defer(() => station.kill());
  return station;
}

async function ask<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const answer = await fetch(new URL(path, url), { method, headers, body: sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Creates the data of a station that was stopped or killed. */
async function leaveData(end: 'stop' | 'kill' = 'stop', prepare?: (url: string) => Promise<unknown>): Promise<void> {
  const station = start();
  await prepare?.(await station.ready);
  await station.ready;
  await station[end]();
}

/** Counts connections to a port on this machine. Rejects if another program uses the port. */
async function listenFor(at = 0): Promise<{ port: number; connections: () => number; stop: () => Promise<void> }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, '127.0.0.1', resolve);
  });
  const stop = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  stops.defer(stop);
  return { port: (server.address() as AddressInfo).port, connections: () => connections, stop };
}

test('--check reports that a start would create a new station in a missing folder, and creates nothing', async () => {
  const { code, out } = await check(folder, ['--port', '0']);
  expect(out).toMatch(/^The next start will work\. It begins a new station in .*data\. It takes a free port\.\n$/);
  expect(code).toBe(0);
  expect(existsSync(folder)).toBe(false);
});

test('--check works next to a running station, and changes neither its data nor its lights', async () => {
  const station = start();
  const url = await station.ready;
  await ask(url, 'POST', `/api/device/${DEVICE}/`, { line1: 'lit', nonce: 'lit', seconds: 0 });
  // Wait until the command is shown: each step on the way creates a revision.
  const shown = async () => (await ask<Device>(url, 'GET', `/api/device/${DEVICE}/`)).commands[0]?.state === 'shown';
  await until('the light', shown);
  // The station's own commits, such as those of device reports, do not create a revision.
  const revision = async () => (await ask<Station>(url, 'GET', '/api/station/')).revision;
  const before = await revision();
  const { code, out } = await check(folder, ['--port', new URL(url).port, '--simulate', '3']);
  expect(out).toContain('The next start will work. Version ');
  expect(out).toContain('3 devices');
  expect(out).toContain(`The station runs now, at ${url}.`);
  expect(code).toBe(0);
  expect(await revision()).toBe(before);
  expect(await ask(url, 'GET', `/api/device/${DEVICE}/`)).toMatchObject({ state: 'active', online: true });
  expect(readdirSync(folder)).not.toContain('check');
});

test.each(['stop', 'kill'] as const)(
  '--check changes no byte and no modification time in the folder after a %s',
  async (end) => {
    await leaveData(end, async (url) => {
      await ask(url, 'POST', `/api/device/${DEVICE}/`, { line1: 'lit', nonce: 'lit', seconds: 0 });
      await ask(url, 'POST', '/api/backups/');
    });
    const before = stateOf(folder);
    expect(await check(folder, ['--port', '0'])).toMatchObject({ code: 0, err: '' });
    expect(stateOf(folder)).toEqual(before);
  },
);

test('--check does not send anything, move files or connect to hardware', async () => {
  const all = await Promise.all(Array.from({ length: 7 }, () => listenFor()));
  const [callbacks, broker, mail, sheet, ...hardware] = all;
  const [inbox, outbox] = [join(parent, 'inbox'), join(parent, 'outbox')];
  for (const each of [inbox, outbox]) mkdirSync(each);
  await leaveData('kill', async (url) => {
    await ask(url, 'PATCH', '/api/settings/', {
      callback_url: `http://127.0.0.1:${callbacks?.port}/`,
      mqtt_url: `mqtt://127.0.0.1:${broker?.port}`,
      inbox_folder: inbox,
      outbox_folder: outbox,
      orders_sheet_url: `http://127.0.0.1:${sheet?.port}/sheet.csv`,
      mail_host: '127.0.0.1',
      mail_port: mail?.port,
      mail_security: 'none',
      mail_from: 'a@example.com',
      mail_to: ['b@example.com'],
    });
    for (const [index, kind] of (['wled', 'openepaperlink', 'opendisplay'] as const).entries()) {
      const scheme = kind === 'opendisplay' ? 'opendisplay' : 'http';
      await ask(url, 'POST', '/api/turbo/links/', { kind, url: `${scheme}://127.0.0.1:${hardware[index]?.port}` });
    }
    await ask(url, 'POST', '/api/mail/test/').catch(() => undefined);
    await ask(url, 'POST', `/api/device/${DEVICE}/`, { line1: 'lit', nonce: 'lit', seconds: 0 });
    const shown = async () => (await ask<Device>(url, 'GET', `/api/device/${DEVICE}/`)).commands[0]?.state === 'shown';
    await until('the light', shown);
    await ask(url, 'POST', `/api/simulator/devices/${DEVICE}/press/`, { button: 'front' });
    const reached = () => [callbacks, broker, ...hardware].every((each) => (each?.connections() ?? 0) > 0);
    await until('the station to reach all of them', reached);
  });
  writeFileSync(join(inbox, 'order.csv'), 'order_number,name,ordered_quantity\nN1,thing,1\n');
  const before = all.map((each) => each?.connections());
  expect(await check(folder, ['--port', '0'])).toMatchObject({ code: 0, err: '' });
  expect(all.map((each) => each?.connections())).toEqual(before);
  expect(readdirSync(inbox)).toContain('order.csv');
  expect(readdirSync(outbox)).toEqual([]);
});

test('--check updates an older database only in a copy', async () => {
  mkdirSync(folder);
  copyFileSync(join(ROOT, 'test', 'migrations', '0002-sharedBatches.sqlite'), join(folder, 'pickstation.sqlite'));
  const before = stateOf(folder);
  expect(await check(folder, ['--port', '0'])).toMatchObject({ code: 0, err: '' });
  expect(stateOf(folder)).toEqual(before);
});

test('--check reports a database of a newer version or of another program', async () => {
  await leaveData();
  const file = join(folder, 'pickstation.sqlite');
  const change = (pragma: string): void => {
    const db = new Database(file);
    db.pragma(pragma);
    db.close();
  };
  change('user_version = 999');
  expect(await check(folder)).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^The next start will not work\. \S*\/data\/pickstation\.sqlite was written by a newer Pickstation .* Install the newer version again/,
    ) as string,
  });
  change('application_id = 7');
  expect((await check(folder)).err).toContain('belongs to another program');
});

test('--check refuses damaged data and gives the path of the backup to restore', async () => {
  await leaveData('stop', async (url) => void (await ask(url, 'POST', '/api/backups/')));
  const [backup = ''] = readdirSync(join(folder, 'backups')).filter((name) => name.endsWith('.sqlite'));
  writeFileSync(join(folder, 'pickstation.sqlite'), 'this was a database');
  const before = stateOf(folder);
  const { code, err } = await check(folder);
  expect(err).toMatch(/^The next start will not work\. .*pickstation\.sqlite is damaged/);
  expect(err).toContain(`start once with --restore "${join(folder, 'backups', backup)}"`);
  expect(code).toBe(1);
  rmSync(join(folder, 'pickstation.sqlite'));
  expect((await check(folder)).err).toContain('pickstation.sqlite is gone');
  expect(stateOf(folder)).toEqual(
    Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'pickstation.sqlite')),
  );
});

test('--check finds damage that a start would not notice', async () => {
  await leaveData();
  const edit = (change: (db: Database.Database) => void): void => {
    const db = new Database(join(folder, 'pickstation.sqlite'));
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    change(db);
    db.close();
  };
  // Make an index contradict its table. Everything that is checked at startup stays intact.
  let index: unknown[] = [];
  edit((db) => {
    index = db.prepare("SELECT * FROM sqlite_master WHERE name = 'devices_label'").raw().get() as unknown[];
    db.exec("DELETE FROM sqlite_master WHERE name = 'devices_label'");
  });
  edit((db) => void db.exec("UPDATE devices SET label_key = 'elsewhere' || device_id"));
  edit((db) => void db.prepare('INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)').run(...index));
  const { code, err } = await check(folder, ['--port', '0']);
  expect(err).toContain('although it opens');
  expect(code).toBe(1);
});

test('--check reports a taken port, a weak key, an invalid certificate and other invalid options', async () => {
  await leaveData();
  const { port } = await listenFor();
  const certificate = join(parent, 'certificate.txt');
  writeFileSync(certificate, 'none');
  expect(await check(folder, ['--port', String(port)])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Port ${port} is taken by another program.`) as string,
  });
  expect((await check(folder, ['--port', '0', '--turbo-port', String(port)])).err).toContain(`Port ${port} is taken`);
  expect((await check(folder, ['--host', '0.0.0.0'], { PICKSTATION_API_KEY: 'short' })).err).toMatch(
    /^The next start will not work\. .*16 characters/,
  );
  expect((await check(folder, ['--tls-cert', certificate, '--tls-key', certificate])).err).toContain(
    'contains no certificate',
  );
  expect((await check(join(certificate, 'data'), ['--port', '0'])).err).toContain(`${certificate} is a file.`);
  expect((await check(folder, ['--port', 'x'])).err).toContain('--port must be a whole number');
});

test('--check uses the port from the settings if no option gives one', async () => {
  // If another program takes the port between the two steps, try a different port.
  for (let tries = 1; ; tries += 1) {
    const free = await listenFor();
    await free.stop();
    await leaveData('stop', (url) => ask(url, 'PATCH', '/api/settings/', { port: free.port }));
    const { out } = await check(folder);
    const [taken, lost] = await listenFor(free.port).then(
      (listener) => [listener, undefined] as const,
      (error: unknown) => [undefined, error] as const,
    );
    if (taken === undefined && tries < 5) continue;
    expect(lost).toBeUndefined();
    expect(out).toContain(`Port ${free.port} is free.`);
    expect((await check(folder)).err).toContain(`Port ${free.port} is taken`);
    return;
  }
});

test('the next check or start removes what a killed check left, and a second simultaneous check is refused', async () => {
  await leaveData();
  const place = join(folder, 'check');
  const leave = async (): Promise<void> => {
    const begun = beginCheck(folder, ['--port', '0']);
    await until('the copy', () => existsSync(join(place, 'data', 'pickstation.sqlite')));
    begun.process.kill('SIGSTOP');
    expect((await check(folder, ['--port', '0'])).err).toContain('Another check of these data is running');
    expect(existsSync(join(place, 'data', 'pickstation.sqlite'))).toBe(true);
    begun.process.kill('SIGKILL');
    await begun.exit();
    expect(existsSync(join(place, 'data', 'pickstation.sqlite'))).toBe(true);
  };
  await leave();
  expect((await check(folder, ['--port', '0'])).code).toBe(0);
  expect(existsSync(place)).toBe(false);
  await leave();
  const station = start();
  await station.ready;
  expect(existsSync(place)).toBe(false);
});
