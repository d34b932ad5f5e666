import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spawnStation, type Exit, type SpawnedStation } from '../helpers/spawnStation.ts';

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

/** It ended by itself, with a sentence for people and nothing else. */
function expectRefusal(exit: Exit, sentence: RegExp): void {
  expect({ code: exit.code, signal: exit.signal, stdout: exit.stdout }).toEqual({ code: 1, signal: null, stdout: '' });
  expect(exit.stderr).toMatch(sentence);
  expect(exit.stderr).not.toMatch(/\n\s+at |Error:|node:internal|SqliteError/);
}

test('a second station on the same folder is refused, and the first goes on', async () => {
  const first = start(['--port', '0', '--data', folder]);
  const url = await first.ready();
  const second = await start(['--port', '0', '--data', folder]).exit();
  expectRefusal(second, /^Another Pickstation is running on the data folder .*--data\.\n$/);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);

  // The same port, on another folder.
  const other = join(folder, 'other');
  const third = await start(['--port', new URL(url ?? '').port, '--data', other]).exit();
  expectRefusal(third, /^Port \d+ is taken by another program\. .*--port.*\n$/);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);

  // One that was killed holds nothing.
  first.process.kill('SIGKILL');
  await first.exit();
  expect(await start(['--port', '0', '--data', folder]).ready()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
});

test('a folder that cannot be one is refused, and what is there stays', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'mine');
  const exits = await Promise.all([
    start(['--port', '0', '--data', file]).exit(),
    start(['--port', '0'], { PICKSTATION_DATA_DIR: join(file, 'below') }).exit(),
  ]);
  for (const exit of exits) expectRefusal(exit, /^The data folder \S+ cannot be written \(.*\)\. .*--data\.\n$/);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a database that is damaged, or not ours, ends the start and stays as it is', async () => {
  const contents = { damaged: 'x'.repeat(10_000), directory: undefined };
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(join(folder, name));
    const file = join(folder, name, 'pickstation.sqlite');
    if (text === undefined) mkdirSync(file);
    else writeFileSync(file, text);
  }
  const [damaged, directory] = await Promise.all([
    start(['--port', '0', '--data', join(folder, 'damaged')]).exit(),
    start(['--port', '0', '--data', join(folder, 'directory')]).exit(),
  ]);
  expectRefusal(damaged, /pickstation\.sqlite is damaged \(.*\) and was left as it is\. .*backup.*\n$/);
  expectRefusal(directory, /pickstation\.sqlite cannot be opened/);
  expect(readFileSync(join(folder, 'damaged', 'pickstation.sqlite'), 'utf8')).toBe(contents.damaged);
});

test('arguments that make no sense end the start before anything is touched', async () => {
  const data = join(folder, 'never');
  const [unknown, port, host] = await Promise.all([
    start(['--data', data, '--prot', '1']).exit(),
    start(['--data', data, '--port', '70000']).exit(),
    start(['--data', data, '--port', '0', '--host', '192.0.2.1']).exit(),
  ]);
  expectRefusal(unknown, /--prot[\s\S]*Usage: npm run serve/);
  expectRefusal(port, /^--port takes a whole number from 0 to 65535, not "70000"\.\n$/);
  expectRefusal(host, /^The station cannot listen on 192\.0\.2\.1:0 \(.*\)\. Check --host and --port\.\n$/);
  expect(existsSync(join(data, 'pickstation.sqlite'))).toBe(true);
});

test('help is no failure', async () => {
  const exit = await start(['--help']).exit();
  expect(exit).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--simulate N') as string });
});
