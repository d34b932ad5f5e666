import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spawnStation, type Exit, type SpawnedStation } from '../../helpers/spawnStation.ts';

let folder: string;
const spawned: SpawnedStation[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-start-'));
});

afterEach(async () => {
  for (const station of spawned.splice(0)) {
    station.process.kill('SIGKILL');
    await station.exit();
  }
  rmSync(folder, { recursive: true, force: true });
});

function start(args: readonly string[], environment: Record<string, string> = {}): SpawnedStation {
  const station = spawnStation(args, environment);
  spawned.push(station);
  return station;
}

/** Checks that the process exited by itself and printed only one readable sentence. */
function expectRefusal(exit: Exit, sentence: RegExp): void {
  expect({ code: exit.code, signal: exit.signal, stdout: exit.stdout }).toEqual({ code: 1, signal: null, stdout: '' });
  expect(exit.stderr).toMatch(sentence);
  expect(exit.stderr).not.toMatch(/\n\s+at |Error:|node:internal|SqliteError/);
}

test('a second station with the same folder or port is refused, and the first keeps running', async () => {
  const first = start(['--port', '0', '--data', folder]);
  const url = await first.ready();
  const second = await start(['--port', '0', '--data', folder]).exit();
  expectRefusal(second, /^Another Pickstation is running on the data folder .*--data\.\n$/);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);

  // Start on the same port with a different folder.
  const other = join(folder, 'other');
  const third = await start(['--port', new URL(url ?? '').port, '--data', other]).exit();
  expectRefusal(third, /^Port \d+ is taken by another program\. .*--port.*\n$/);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
});

test('a data folder that is a file is refused, and the file does not change', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'mine');
  const exit = await start(['--port', '0'], { PICKSTATION_DATA_DIR: file }).exit();
  expectRefusal(exit, /^\S+file is a file\. Name a folder with --data\.\n$/);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a damaged database ends startup and does not change', async () => {
  const file = join(folder, 'pickstation.sqlite');
  writeFileSync(file, 'x'.repeat(10_000));
  const exit = await start(['--port', '0', '--data', folder]).exit();
  expectRefusal(exit, /pickstation\.sqlite is damaged \(.*\) and was left unchanged\. .*backup.*\n$/);
  expect(readFileSync(file, 'utf8')).toBe('x'.repeat(10_000));
});

test('an unknown argument or a host that is not an address of this machine ends startup', async () => {
  const data = join(folder, 'never');
  for (const [script, usage] of [
    ['serve', /--prot[\s\S]*Usage: npm run serve -- /],
    ['start', /--prot[\s\S]*Usage: npm start -- /],
  ] as const) {
    const exit = await start(['--data', data, '--prot', '1'], { npm_lifecycle_event: script }).exit();
    expectRefusal(exit, usage);
  }
  expect(existsSync(data)).toBe(false);
  const host = await start(['--data', data, '--port', '0', '--host', '192.0.2.1']).exit();
  expectRefusal(host, /^The station cannot listen on 192\.0\.2\.1:0 \(.*\)\. Check --host and --port\.\n$/);
});
