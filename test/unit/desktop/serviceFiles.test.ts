import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { windowsArgument } from '../../../electron/headless/service/quoting.ts';
import { serviceCommand } from '../../../electron/headless/service/service.ts';
import type { Surroundings } from '../../../electron/headless/service/surroundings.ts';
import { readConfig, type StationConfig } from '../../../electron/server/config.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const HARD_NAME = `dätä 100%h $HOME "two" 'one' <&> back\\slash\\`;

let folder: string;
let ran: string[];
/** Output of the commands that fail, by the beginning of the command. All other commands succeed. */
let fails: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-service-'));
  ran = [];
  fails = {};
});

afterEach(() => rmSync(folder, { recursive: true }));

function on(platform: NodeJS.Platform, uid = 1_000): Surroundings {
  for (const name of ['booted', 'units', 'home']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'group'), 'root:x:0:\ndialout:x:20:\n');
  return {
    platform,
    uid,
    userName: 'anna',
    home: join(folder, 'home'),
    environment: {},
    booted: join(folder, 'booted'),
    systemUnits: join(folder, 'units'),
    groups: join(folder, 'group'),
    run(command, args) {
      const line = [command, ...args].join(' ');
      ran.push(line);
      const [, err] = Object.entries(fails).find(([begin]) => line.startsWith(begin)) ?? [];
      return { status: err === undefined ? 0 : 1, out: '', err: err ?? '' };
    },
  };
}

function config(...args: string[]): StationConfig {
  const read = readConfig(args, { HOME: folder });
  if (read === 'help') throw new Error('help');
  return read;
}

const print = async (system: Surroundings, ...args: string[]): Promise<string> =>
  (await serviceCommand('print', config(...args), ROOT, system)).says;

/** Splits a command line as Windows programs do. */
function takeApart(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let isQuoted = false;
  let isOpen = false;
  for (let at = 0; at < line.length; at += 1) {
    const slashes = /^\\+/.exec(line.slice(at))?.[0].length ?? 0;
    const sign = line[at + slashes];
    if (slashes > 0 && sign === '"') {
      word += '\\'.repeat(Math.floor(slashes / 2));
      at += slashes - (slashes % 2 === 0 ? 1 : 0);
      if (slashes % 2 === 1) word += '"';
      isOpen = true;
    } else if (slashes > 0) {
      word += '\\'.repeat(slashes);
      at += slashes - 1;
      isOpen = true;
    } else if (sign === '"') {
      isQuoted = !isQuoted;
      isOpen = true;
    } else if (sign === ' ' && !isQuoted) {
      if (isOpen) words.push(word);
      word = '';
      isOpen = false;
    } else {
      word += sign ?? '';
      isOpen = true;
    }
  }
  return isOpen ? [...words, word] : words;
}

/** Returns the texts of all elements with this name. Throws on malformed XML. */
function elements(xml: string, name: string): string[] {
  const found: string[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', () => (text = ''));
  parser.on('text', (part) => (text += part));
  parser.on('closetag', (tag) => {
    if (tag.name === name) found.push(text);
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return found;
}

test('the macOS agent gets each argument unchanged, and restarts after an unsuccessful exit', async () => {
  const text = await print(on('darwin'), '--data', join(folder, HARD_NAME), '--port', '4700', '--host', '::');
  expect(elements(text, 'string').slice(0, 11)).toEqual([
    'org.pickstation.station',
    process.execPath,
    '--max-semi-space-size=16',
    join(ROOT, 'electron', 'headless', 'start.mjs'),
    '--host',
    '::',
    '--port',
    '4700',
    '--data',
    join(folder, HARD_NAME),
    join(folder, 'home', 'Library', 'Logs', 'Pickstation', 'service.log'),
  ]);
  expect(text).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
});

const python = spawnSync('python3', ['-c', 'import plistlib']).status === 0;

test.skipIf(!python)('the macOS agent is a valid property list', async () => {
  const text = await print(on('darwin'), '--data', join(folder, HARD_NAME));
  const read = 'import plistlib, sys, json; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const { stdout, stderr } = spawnSync('python3', ['-c', read], { input: text, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ RunAtLoad: true, KeepAlive: { SuccessfulExit: false } });
});

test('the Windows task starts with the machine and again every minute, with its arguments unchanged', async () => {
  const text = await print(on('win32'), '--data', join(folder, HARD_NAME), '--simulate', '2');
  expect(elements(text, 'Command')).toEqual([process.execPath]);
  const [line = ''] = elements(text, 'Arguments');
  expect(takeApart(line)).toEqual([
    '--max-semi-space-size=16',
    join(ROOT, 'electron', 'headless', 'start.mjs'),
    '--simulate',
    '2',
    '--data',
    join(folder, HARD_NAME),
  ]);
  expect(elements(text, 'LogonType')).toEqual(['S4U']);
  expect(elements(text, 'Interval')).toEqual(['PT1M', 'PT1M']);
  expect(elements(text, 'MultipleInstancesPolicy')).toEqual(['IgnoreNew']);
  expect(elements(text, 'ExecutionTimeLimit')).toEqual(['PT0S']);
});

test.each(['', 'plain', 'a b', 'C:\\a b\\', '"', '\\"', 'a\\\\"b c\\\\'])(
  'quotes %j as one argument on Windows',
  (text) => {
    expect(takeApart(`x ${windowsArgument(text)} y`)).toEqual(['x', text, 'y']);
  },
);

test('installs a Windows task only after the station has run once, from a UTF-16 file without secrets', async () => {
  const given = config('--data', join(folder, 'data'), '--port', '0');
  await expect(serviceCommand('install', given, ROOT, on('win32'))).rejects.toThrow(/Start the station once by hand/);
  expect(ran.filter((line) => line.startsWith('schtasks'))).toEqual([]);
  mkdirSync(given.dataFolder);
  writeFileSync(join(given.dataFolder, 'pickstation.sqlite'), '');
  fails = { 'schtasks.exe /create': 'Access is denied.' };
  await expect(serviceCommand('install', given, ROOT, on('win32'))).rejects.toThrow(
    /nothing is left of it\. schtasks \/create failed: Access is denied\. It needs a console that was opened as administrator/,
  );
  expect(readdirSync(given.dataFolder)).toEqual(['pickstation.sqlite']);
  fails = {};
  const secret = { ...given, apiKey: 'a-key-of-the-environment' };
  const { says } = await serviceCommand('install', secret, ROOT, on('win32'));
  expect(says).toContain('Passwords and keys of the environment were not written into the service');
  expect(says).toContain('within a minute after it has ended');
  const bytes = readFileSync(join(given.dataFolder, 'service-task.xml'));
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]));
  expect(bytes.toString('utf16le')).not.toContain('a-key-of-the-environment');
});

test.each(['\r', '\n', '\t', '\u0000', '\u001B'])(
  'refuses the control character %j in a path on every system',
  async (sign) => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      for (const wish of ['print', 'install'] as const) {
        const given = { ...config(), dataFolder: join(folder, `a${sign}ExecStartPre=/bin/false`) };
        const refused = serviceCommand(wish, given, ROOT, on(platform));
        await expect(refused).rejects.toThrow(/^".*ExecStartPre.*" contains a control character.*rename the folder/);
      }
    }
    expect(ran).toEqual([]);
    expect(readdirSync(join(folder, 'home'))).toEqual([]);
  },
);

const WITHOUT_DATA = ['--port', '0'];

test('says why it installs nothing: no systemd, no answer from systemd, sudo on macOS, or root in a private folder', async () => {
  const install = (system: Surroundings, ...args: string[]) => serviceCommand('install', config(...args), ROOT, system);
  const data = ['--data', join(folder, 'data')];
  await expect(install({ ...on('linux'), booted: join(folder, 'none') }, ...data)).rejects.toThrow(
    'This system was not started by systemd, so that no service was installed.',
  );
  fails = { 'systemctl --user show-environment': 'No medium found' };
  await expect(install(on('linux'), ...data)).rejects.toThrow(/^systemd does not answer anna \(No medium found\)/);
  await expect(install(on('darwin', 0), ...data)).rejects.toThrow('without sudo');
  const root = join(folder, 'program');
  mkdirSync(root);
  symlinkSync(join(ROOT, 'resources'), join(root, 'resources'));
  await expect(serviceCommand('install', config(...WITHOUT_DATA), root, on('linux', 0))).rejects.toThrow(
    `Other users may not enter ${folder}`,
  );
  expect(readdirSync(join(folder, 'home'))).toEqual([]);
  expect(readdirSync(join(folder, 'units'))).toEqual([]);
});

test('the system unit runs as its own user or as the owner of the data, and opens a low port', async () => {
  const own = await print(on('linux', 0), ...WITHOUT_DATA);
  expect(own).toContain('DynamicUser=yes\nStateDirectory=pickstation\n');
  expect(own).toContain('"--data" "/var/lib/pickstation"');
  expect(own).toMatch(/^SupplementaryGroups=dialout$/m);
  expect(own).toMatch(/^AmbientCapabilities=$/m);
  const data = join(folder, 'data 1');
  mkdirSync(data);
  const given = await print(on('linux', 0), '--port', '443', '--data', data);
  expect(given).toContain(`User=${process.getuid?.()}\nReadWritePaths="${data}"\n`);
  expect(given).toMatch(/^AmbientCapabilities=CAP_NET_BIND_SERVICE$/m);
});

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;

test.skipIf(!analyze)('systemd accepts the units, and rates the system unit as protected', async () => {
  for (const uid of [0, 1_000]) {
    const file = join(folder, 'pickstation-station.service');
    writeFileSync(file, await print(on('linux', uid), ...(uid === 0 ? WITHOUT_DATA : ['--data', join(folder, 'a b')])));
    const scope = uid === 0 ? [] : ['--user'];
    const env = { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder };
    const verified = spawnSync('systemd-analyze', [...scope, 'verify', '--man=no', file], { encoding: 'utf8', env });
    expect(verified.stderr.split('\n').filter((line) => line.includes('pickstation'))).toEqual([]);
    if (uid !== 0) continue;
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
      encoding: 'utf8',
    });
    const [, exposure = '10'] = /Overall exposure level for \S+: ([\d.]+)/.exec(rated.stdout) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(2);
  }
});
