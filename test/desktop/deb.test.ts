import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backup } from '#shared/api/backup.ts';
import { ADMIN_PASSWORD, API_KEY, folderOnDisk } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import {
  giveToUser,
  installDebian,
  startMachine,
  visibleWindows,
  type CleanMachine,
  type Told,
} from './cleanMachine.ts';
import { call, ROOT, runtimeFolder } from './desktop.ts';
import { makeNextVersion } from './nextVersion.ts';
import { openPage } from './packagedPage.ts';

/** These tests depend on each other in this order: install, start, update, remove. */

const UNPACKED = join(ROOT, 'dist', 'packages', 'linux-unpacked');
const OLD_DATABASE = join(ROOT, 'test', 'migrations', '0002-sharedBatches.sqlite');
const DATA = '.local/share/pickstation';
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const NEXT = '999.0.0';
const NEXT_DEB = '/root/next.deb';

/**
 * Bytes of memory for the files. They are kept in memory, because on a disk each of Debian's thousands of files would
 * be synced.
 */
const SPACE = 4e9;

let folder: string;
let machine: CleanMachine;
let running: Told | undefined;

beforeAll(async () => {
  runtimeFolder();
  folder = folderOnDisk('deb');
  if (freemem() > SPACE) execFileSync('mount', ['-t', 'tmpfs', `-osize=${SPACE}`, 'tmpfs', folder]);
  const deb = makePackage('deb', UNPACKED, folder);
  const root = join(folder, 'root');
  mkdirSync(root);
  const installing = installDebian(root, [deb]);
  const next = join(folder, 'next');
  makeNextVersion(UNPACKED, next, NEXT);
  const nextDeb = makePackage('deb', next, folder);
  await installing;
  copyFileSync(nextDeb, join(root, NEXT_DEB));
  machine = await startMachine(root);
}, 900_000);

afterAll(async () => {
  await machine?.stop();
  if (isMounted(folder)) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
});

function isMounted(path: string): boolean {
  return readFileSync('/proc/mounts', 'utf8').includes(` ${path} `);
}

function makePackage(kind: 'deb' | 'rpm', unpacked: string, outFolder: string): string {
  const args = ['tools/packages.ts', kind, '--fast', '--unpacked', unpacked, '--out', outFolder];
  const [line = ''] = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).split(': ');
  return line;
}

function start(...args: string[]): Told {
  running = machine.startAsUser(['pickstation', '--port', '0', '--remote-debugging-port=0', ...args], {
    PICKSTATION_API_KEY: API_KEY,
    PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD,
  });
  return running;
}

/** Lists the user's processes with their Chromium type, which is '' for the main process. */
async function processes(): Promise<{ type: string; seccomp: string; command: string }[]> {
  const script =
    'for one in /proc/[0-9]*; do readlink $one/exe | grep -q ^/opt/pickstation/ && echo ${one#/proc/}; done; :';
  const pids = (await machine.run('sh', '-c', script)).match(/\d+/g);
  const found = await Promise.all(
    (pids ?? []).map(async (pid) => {
      const text = await machine.run('sh', '-c', `tr '\\0' ' ' </proc/${pid}/cmdline; echo; cat /proc/${pid}/status`);
      const command = text.split('\n', 1)[0] ?? '';
      const seccomp = /^Seccomp:\s+(\d)$/m.exec(text)?.[1] ?? '';
      return { type: / --type=(\S+)/.exec(command)?.[1] ?? '', seccomp, command };
    }),
  );
  return found;
}

async function versionAt(url: string): Promise<unknown> {
  return (await fetch(new URL('/healthz', url))).json();
}

type Device = { commands: { delivery: string }[] };

async function orderNumbers(url: string): Promise<string[]> {
  const orders = (await call(url, 'GET', '/api/orders/')) as { order_number: string }[];
  return orders.map(({ order_number: number }) => number);
}

/** Lights a simulated device, presses its button, and waits until the station has counted the press. */
async function lightAndPress(url: string, deviceid: string, meanwhile: () => Promise<void>): Promise<void> {
  await call(url, 'PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
  await call(url, 'POST', `/api/device/${deviceid}/`, { command: 'pick', line1: 'M8 nut', color: 'b', seconds: 0 });
  const waiting = async () => ((await call(url, 'GET', `/api/device/${deviceid}/`)) as Device).commands;
  await until('the device to be lit', async () => (await waiting())[0]?.delivery === 'shown');
  await meanwhile();
  await call(url, 'POST', `/api/simulator/devices/${deviceid}/press/`, { button: 'front' });
  await until('the press to be counted', async () => (await waiting()).length === 0);
}

test('apt installs the package on a clean Debian, with everything that it needs', async () => {
  expect(await machine.run('dpkg', '--status', 'pickstation')).toMatch(/^Status: install ok installed$/m);
  expect(await machine.run('dpkg', '--verify', 'pickstation')).toBe('');
  // The libraries next to the program can be found only through its own search path.
  const libraries = await machine.run(
    'sh',
    '-c',
    'find /opt/pickstation -type f \\( -name "*.so*" -o -name "*.node" -o -perm -1 \\) | xargs ldd 2>&1 || true',
  );
  expect(libraries).toContain('libgtk-3.so.0 => /');
  expect(libraries).not.toContain('not found');
  expect(await machine.run('pickstation', '--no-sandbox', '--version').catch(String)).not.toContain(
    'error while loading',
  );
  expect(await machine.run('systemd-analyze', 'verify', '--man=no', '/usr/lib/systemd/user/pickstation.service')).toBe(
    '',
  );
  const rules = await machine.run('udevadm', 'test', '/sys/class/tty/console');
  expect(rules).toContain('Reading rules file: /usr/lib/udev/rules.d/70-pickstation.rules');
  expect(rules).not.toMatch(/70-pickstation\.rules:\d/);
  expect(await machine.run('getent', 'group', 'dialout')).toContain('dialout:');
});

test('a normal user starts the program on an older database, in the Chromium sandbox, and sees the window', async () => {
  giveToUser(machine, OLD_DATABASE, `${DATA}/pickstation.sqlite`);
  const { said } = start('--simulate', '2');
  const { page, url } = await openPage(said);
  expect(await versionAt(url)).toEqual({ status: 'ok', version: VERSION });
  expect(await orderNumbers(url)).toEqual(['SO-1']);
  await page.getByRole('main').waitFor();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  expect(visibleWindows('Pickstation')).toBe(1);
  // A picture of a single color would be smaller.
  expect((await page.screenshot()).length).toBeGreaterThan(10_000);
  const all = await processes();
  expect(all.filter(({ command }) => command.includes('no-sandbox'))).toEqual([]);
  const renderers = all.filter(({ type }) => type === 'renderer');
  expect(renderers.length).toBeGreaterThan(0);
  for (const { seccomp } of renderers) expect(seccomp).toBe('2');
});

test('an update leaves the running station working, and the next start runs the new version with all data', async () => {
  if (running === undefined) throw new Error('It does not run');
  const { page, url } = await openPage(running.said);
  const devices = (await call(url, 'GET', '/api/device/')) as string[];
  const simulated = devices.at(-1) ?? '';
  await lightAndPress(url, simulated, async () => {
    expect(await machine.run('dpkg', '--install', NEXT_DEB)).toContain('keeps working in its earlier version');
  });
  expect(await versionAt(url)).toEqual({ status: 'ok', version: VERSION });
  // Use files that have not been read before: other pages, and the program that makes backups.
  await page.goto(`${url}settings`);
  await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
  const backup = (await call(url, 'POST', '/api/backups/')) as Backup;
  expect(await running.end()).toBe(0);

  const { page: nextPage, url: nextUrl } = await openPage(start().said);
  expect(await versionAt(nextUrl)).toEqual({ status: 'ok', version: NEXT });
  expect(await call(nextUrl, 'GET', '/api/device/')).toEqual(devices);
  expect(await orderNumbers(nextUrl)).toEqual(['SO-1']);
  const backups = (await call(nextUrl, 'GET', '/api/backups/')) as Backup[];
  expect(backups).toContainEqual(backup);
  expect(backups.length).toBeGreaterThan(1);
  await lightAndPress(nextUrl, simulated, () => Promise.resolve());
  await nextPage.getByRole('main').waitFor();
  expect(await running.end()).toBe(0);
  const db = new Database(join(machine.home, DATA, 'pickstation.sqlite'), { readonly: true });
  expect(db.prepare('SELECT * FROM of_the_next_version').all()).toEqual([]);
  db.close();
});

test('removing and purging the package leaves only the data', async () => {
  const data = (): string[] => readdirSync(join(machine.home, DATA), { recursive: true, encoding: 'utf8' }).toSorted();
  const before = data();
  expect(before).toContain('pickstation.sqlite');
  const files = (await machine.run('dpkg', '--listfiles', 'pickstation')).trim().split('\n');
  await machine.run('dpkg', '--remove', 'pickstation');
  await machine.run('dpkg', '--purge', 'pickstation');
  const left = files.filter((file) => /pickstation/.test(file) && existsSync(join(machine.root, file)));
  expect(left).toEqual([]);
  expect(data()).toEqual(before);
});

test('the rpm installs the same program, which also starts', async () => {
  const rpm = makePackage('rpm', UNPACKED, folder);
  const requires = execFileSync('rpm', ['--query', '--requires', '--package', rpm], { encoding: 'utf8' });
  for (const name of ['libgtk-3.so.0()(64bit)', 'libX11-xcb.so.1()(64bit)', 'libnss3.so()(64bit)'])
    expect(requires).toContain(name);
  // The rpm does not require the program's own libraries from the system.
  expect(requires).not.toMatch(/libffmpeg|libEGL|libvk_swiftshader/);
  // Debian has no rpm database, so the dependencies cannot be checked.
  execFileSync('rpm', [`--root=${machine.root}`, '--force-debian', '--install', '--nodeps', rpm], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await machine.run('stat', '--format=%a %U', '/opt/pickstation/chrome-sandbox')).toBe('4755 root\n');
  giveToUser(machine, OLD_DATABASE, 'of-rpm/pickstation.sqlite');
  const { page, url } = await openPage(start('--data', '/home/shop/of-rpm').said);
  expect(await versionAt(url)).toEqual({ status: 'ok', version: VERSION });
  await page.getByRole('main').waitFor();
  expect(await running?.end()).toBe(0);
  execFileSync('rpm', [`--root=${machine.root}`, '--force-debian', '--erase', 'pickstation']);
  expect(existsSync(join(machine.root, 'opt', 'pickstation'))).toBe(false);
});
