import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { watchStation, type SpawnedStation } from '../helpers/spawnStation.ts';
import { until } from '../shells/until.ts';
import { ownFolder, ROOT, runtimeFolder } from './desktop.ts';

/** Runs `npm start` without npm. */
function start(dataFolder: string, env: NodeJS.ProcessEnv, more: readonly string[] = []): SpawnedStation {
  const args = [join(ROOT, 'tools', 'node-runtime', 'run.mjs'), join(ROOT, 'electron', 'headless', 'start.mjs')];
  const own = ['--desktop', '--port', '0', '--data', dataFolder, ...more];
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...rest } = process.env;
  const station = watchStation([process.execPath, ...args, ...own], { ...rest, ...env });
  onTestFinished(async () => {
    station.process.kill('SIGTERM');
    await station.exit();
  });
  return station;
}

/** Returns the line about a missing window, without lines about building. */
async function headlessLine(station: SpawnedStation): Promise<string | undefined> {
  expect(await station.ready()).toBeDefined();
  return station
    .stdout()
    .split('\n')
    .find((line) => line.startsWith('No window'));
}

test('without a display, one line reports it, and the station runs headless even with window options', async () => {
  const ofWindow = ['--hidden', '--in-browser', '--devtools'];
  const station = start(ownFolder(), { ELECTRON_OVERRIDE_DIST_PATH: runtimeFolder() }, ofWindow);
  expect(await headlessLine(station)).toBe(
    'No window: there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. Running headless: open the address below in a browser.',
  );
});

test('if the display does not respond, one line reports it, and the station runs headless', async () => {
  const station = start(ownFolder(), { ELECTRON_OVERRIDE_DIST_PATH: runtimeFolder(), DISPLAY: ':4711' });
  expect(await headlessLine(station)).toBe(
    'No window: the display :4711 does not answer. Running headless: open the address below in a browser.',
  );
});

test('without the Electron runtime, one line reports it, and the station runs headless', async () => {
  runtimeFolder();
  const empty = join(ownFolder(), 'empty');
  mkdirSync(empty);
  const station = start(ownFolder(), { ELECTRON_OVERRIDE_DIST_PATH: empty, DISPLAY: process.env['DISPLAY'] });
  expect(await headlessLine(station)).toBe(
    'No window: the Electron runtime is missing; download it with: npx install-electron. Running headless: open the address below in a browser.',
  );
});

test('with a display and the runtime, the window opens, and a signal to the launcher ends everything', async () => {
  const dataFolder = ownFolder();
  const station = start(dataFolder, {
    ELECTRON_OVERRIDE_DIST_PATH: runtimeFolder(),
    DISPLAY: process.env['DISPLAY'],
    // This variable would make Electron run as plain Node.
    ELECTRON_RUN_AS_NODE: '1',
  });
  const url = await station.ready();
  if (url === undefined) throw new Error(`It ended: ${station.stderr()}`);
  expect(station.stdout()).not.toContain('No window');
  if (process.getuid?.() === 0) expect(station.stdout()).toContain('Running as root: the window has no sandbox.');
  // Only the window signs in here, so the only session is the window's.
  const db = new Database(join(dataFolder, 'pickstation.sqlite'), { readonly: true });
  await until('the window to be signed in', () => db.prepare('SELECT count(*) FROM sessions').pluck().get() === 1);
  db.close();
  station.process.kill('SIGTERM');
  expect((await station.exit()).code).toBe(0);
  await expect(fetch(new URL('/healthz', url))).rejects.toThrow('fetch failed');
});
