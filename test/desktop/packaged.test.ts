import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Backup, BackupContents } from '#shared/api/backup.ts';
import { API_KEY } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { call, ownFolder, ROOT, ROOT_SWITCHES, runtimeFolder } from './desktop.ts';
import { openPage } from './packagedPage.ts';

const FOLDER = join(ROOT, 'dist', 'packages', 'linux-unpacked');
const PROGRAM = join(FOLDER, 'pickstation');
const RESOURCES = join(FOLDER, 'resources');
/** Suffix of the serial port library's binaries, by processor. */
const SERIAL_TAGS: Record<string, string> = { x64: '', arm64: '.armv8' };

beforeAll(() => {
  runtimeFolder();
  if (!existsSync(PROGRAM)) throw new Error('The program is not packaged: npm run package -- --linux --dir');
});

type Program = { said(): string; ended: Promise<number | null>; kill(signal: NodeJS.Signals): void };

function startProgram(args: string[], env: Record<string, string> = {}): Program {
  const child = spawn(PROGRAM, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { said: () => said, ended, kill: (signal) => void child.kill(signal) };
}

test('on a fresh computer, a person chooses a password, starts the simulated shop, sees the tour and presses a lit device', async () => {
  const dataFolder = ownFolder();
  const args = [...ROOT_SWITCHES, '--remote-debugging-port=0', '--port', '0', '--data', dataFolder];
  const program = startProgram(args, { PICKSTATION_API_KEY: API_KEY });
  const { page, url } = await openPage(program.said);
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  // The list of common passwords is in the package and loads.
  await page.getByRole('textbox', { name: 'Password of admin' }).fill('password123');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('One of the most common passwords').waitFor();
  await page.getByRole('textbox', { name: 'Password of admin' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Try it with simulated devices' }).click();
  await page.getByRole('complementary', { name: 'Tour' }).getByText('A-4-2 lights blue').waitFor();
  await until('the simulated devices', async () => ((await call(url, 'GET', '/api/device/')) as string[]).length > 0);

  // The serial port library is in the package and loads.
  expect(await call(url, 'GET', '/api/turbo/ports/')).toBeInstanceOf(Array);

  const [deviceid = ''] = (await call(url, 'GET', '/api/device/')) as string[];
  await call(url, 'PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
  await call(url, 'POST', `/api/device/${deviceid}/`, { command: 'kill' });
  await call(url, 'POST', `/api/device/${deviceid}/`, { command: 'pick', line1: 'M8 nut', color: 'b', seconds: 0 });
  await page.goto(`${url}devices/${deviceid}`);
  const lit = page.getByRole('button', { name: /^Front button of .+, Lit blue$/ });
  await lit.first().waitFor();
  await lit.last().click();
  await until('the press to be counted', async () => {
    const { commands } = (await call(url, 'GET', `/api/device/${deviceid}/`)) as { commands: unknown[] };
    return commands.length === 0;
  });
  await lit.first().waitFor({ state: 'detached' });

  // The backup program and its modules are in the archive and load, although the package cannot run as plain Node.
  const backup = (await call(url, 'POST', '/api/backups/')) as Backup;
  expect(await call(url, 'GET', '/api/backups/')).toEqual([backup]);
  const { holds } = (await call(url, 'GET', `/api/backups/${backup.name}/contents/`)) as BackupContents;
  expect(holds.devices).toBeGreaterThan(0);

  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(existsSync(join(dataFolder, 'pickstation.sqlite-wal'))).toBe(false);
});

/** A folder of an archive, or a file. A file has no `files`. */
type Folder = { files: Record<string, Folder & { unpacked?: boolean }> };

/** Reads the head of an archive, which lists the archive's files as JSON after four lengths. */
function headOf(archive: Buffer): Folder {
  return JSON.parse(archive.toString('utf8', 16, 16 + archive.readUInt32LE(12))) as Folder;
}

test('the package contains only what runs, with the native libraries next to its archive', () => {
  const archive = readFileSync(join(RESOURCES, 'app.asar'));
  const head = headOf(archive);
  const at = (path: string): string[] =>
    Object.keys(path.split('/').reduce<Folder>((folder, name) => folder.files[name] ?? { files: {} }, head).files);
  expect(Object.keys(head.files).toSorted()).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json', 'resources']);
  expect(at('dist').toSorted()).toEqual(['main', 'openapi', 'preload', 'renderer']);
  expect(at('dist/preload')).toEqual(['preload.cjs']);
  expect(at('node_modules/better-sqlite3').toSorted()).toEqual(['LICENSE', 'lib', 'package.json', 'prebuilds']);
  const modules = at('node_modules');
  for (const name of ['express', 'zod', 'pino', 'better-sqlite3', '@serialport', 'node-gyp-build'])
    expect(modules).toContain(name);
  for (const name of [
    'vite',
    'vitest',
    'react',
    'electron',
    'playwright-core',
    'typescript',
    'oxlint',
    'node-runtime',
  ]) {
    expect(modules).not.toContain(name);
  }
  const libraries = readdirSync(join(RESOURCES, 'app.asar.unpacked'), { recursive: true, encoding: 'utf8' });
  expect(libraries.filter((name) => name.endsWith('.node')).toSorted()).toEqual([
    `node_modules/@napi-rs/canvas-linux-${process.arch}-gnu/skia.linux-${process.arch}-gnu.node`,
    `node_modules/@serialport/bindings-cpp/prebuilds/linux-${process.arch}/@serialport+bindings-cpp${SERIAL_TAGS[process.arch] ?? ''}.glibc.node`,
    `node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
  ]);
  const modulesOfSerial = at('node_modules/@serialport/bindings-cpp');
  expect(modulesOfSerial).toContain('LICENSE');
  expect(modulesOfSerial).not.toContain('src');
});

test('the notices and the bill of materials name every package in the archive', () => {
  const head = headOf(readFileSync(join(RESOURCES, 'app.asar')));
  const shipped = packagesBelow(head, '').toSorted();
  expect(shipped.length).toBeGreaterThan(100);
  const { components } = JSON.parse(readFileSync(join(RESOURCES, 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string }[];
  };
  const named = new Set(components.map(({ name }) => name));
  expect(shipped.filter((name) => !named.has(name))).toEqual([]);
  const notices = readFileSync(join(RESOURCES, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(shipped.filter((name) => !notices.includes(`\n${name} `))).toEqual([]);
  // The notices refer to Electron's own file for Chromium and its components.
  expect(readFileSync(join(FOLDER, 'LICENSES.chromium.html'), 'utf8')).toContain('>ffmpeg<');
  expect(existsSync(join(FOLDER, 'LICENSE.electron.txt'))).toBe(true);
});

/** Lists the names of the packages in a folder of an archive, including nested ones. */
function packagesBelow(folder: Folder, path: string): string[] {
  return Object.entries(folder.files).flatMap(([name, inner]) => {
    const here = `${path}/${name}`;
    const own = /\/node_modules\/((?:@[^/]+\/)?[^/@]+)$/.exec(here)?.[1];
    const isPackage = own !== undefined && inner.files?.['package.json'] !== undefined;
    return [...(isPackage ? [own] : []), ...(inner.files === undefined ? [] : packagesBelow(inner, here))];
  });
}

test('--help describes the installed program', async () => {
  const program = startProgram([...ROOT_SWITCHES, '--help']);
  expect(await program.ended).toBe(0);
  expect(program.said()).toMatch(/^Usage: pickstation \[options\]$/m);
  expect(program.said()).toContain('--devtools ');
  expect(program.said()).not.toContain('npm run serve');
});

test('the program cannot run as plain Node or load code through Node options', async () => {
  const dataFolder = ownFolder();
  const args = [...ROOT_SWITCHES, '--port', '0', '--data', dataFolder];
  const code = 'process.stdout.write("code of a stranger")';
  const stranger = startProgram([...args, '--inspect-brk=0'], {
    ELECTRON_RUN_AS_NODE: '1',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
  });
  // A Node process that waited for its debugger would never be ready.
  await until('the program to be ready', () => stranger.said().includes('Pickstation ready at '));
  expect(stranger.said()).not.toContain('code of a stranger');
  expect(stranger.said()).not.toContain('Debugger listening');
  stranger.kill('SIGTERM');
  expect(await stranger.ended).toBe(0);
});
