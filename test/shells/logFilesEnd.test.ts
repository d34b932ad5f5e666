import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { COMPILED, spawnStation, STATION_PROGRAM, type SpawnedStation, watchStation } from '../helpers/spawnStation.ts';
import { folderOnDisk } from './stationProcess.ts';
import { until } from './until.ts';

/** Module that makes a signal crash the station, as a defect would. */
const BREAKS = `data:text/javascript,${encodeURIComponent(
  `process.on("SIGUSR2", () => setImmediate(() => { throw new Error("broken on purpose, password=of-a-person"); }));`,
)}`;

type Line = { level: string; msg: string; pid: number; err?: { message: string; stack: string } };

function ownFolder(): string {
  const folder = folderOnDisk('logs');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Kills the station when the test ends, even if the test fails. */
function own(station: SpawnedStation): SpawnedStation {
  onTestFinished(() => void station.process.kill('SIGKILL'));
  return station;
}

/** Returns the lines of the log. Throws if a line is incomplete. */
function logOf(dataFolder: string): Line[] {
  const folder = join(dataFolder, 'logs');
  if (!existsSync(folder)) return [];
  const text = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

function starts(dataFolder: string): number {
  return logOf(dataFolder).filter(({ msg }) => msg === 'The station started').length;
}

test('an error that ends the process is in the log file and on stderr', async () => {
  const dataFolder = ownFolder();
  const command: [string, ...string[]] = [
    process.execPath,
    '--import',
    BREAKS,
    STATION_PROGRAM,
    '--port',
    '0',
    '--data',
    dataFolder,
  ];
  const station = own(watchStation(command, { PATH: process.env['PATH'], HOME: '/nonexistent', ...COMPILED }));
  await station.ready();
  station.process.kill('SIGUSR2');
  const { code, stderr } = await station.exit();
  expect(code).toBe(1);
  expect(stderr).toContain('Error: broken on purpose');
  const log = logOf(dataFolder);
  // Search by text, because earlier lines may be written after these two.
  const fatal = log.find(({ msg }) => msg === 'An unexpected error ends the program');
  expect(fatal).toMatchObject({
    level: 'fatal',
    pid: station.process.pid,
    err: { message: 'broken on purpose, password=***' },
  });
  expect(fatal?.err?.stack).toContain('Immediate');
  expect(log).toContainEqual(expect.objectContaining({ level: 'error', msg: 'The program ends with an error' }));
});

test('a kill leaves only complete lines in the log, to which the next start appends', async () => {
  const dataFolder = ownFolder();
  for (const round of [1, 2, 3]) {
    const station = own(spawnStation(['--port', '0', '--data', dataFolder, '--simulate', '2']));
    await until(`start ${round} in the log`, () => starts(dataFolder) === round);
    station.process.kill('SIGKILL');
    await station.exit();
  }
  expect(starts(dataFolder)).toBe(3);
  expect(new Set(logOf(dataFolder).map(({ pid }) => pid)).size).toBe(3);
});

test('a second start on the same folder logs why it was refused, and the first station continues', async () => {
  const dataFolder = ownFolder();
  const first = own(spawnStation(['--port', '0', '--data', dataFolder]));
  const url = await first.ready();
  const second = own(spawnStation(['--port', '0', '--data', dataFolder]));
  expect((await second.exit()).code).toBe(1);
  expect(logOf(dataFolder)).toContainEqual(
    expect.objectContaining({
      pid: second.process.pid,
      msg: 'The station could not start',
      problem: expect.stringContaining('Another Pickstation is running') as string,
    }),
  );
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  first.process.kill('SIGTERM');
  const { code, stdout, stderr } = await first.exit();
  expect(code).toBe(0);
  // The log in files does not change the output of the shell.
  expect(stderr).toBe('');
  const said = stdout.split('\n').filter((line) => !line.startsWith('The page is not built'));
  expect(said.map((line) => line.slice(0, 8))).toEqual(['Pickstat', 'Sign in ', '']);
  expect(logOf(dataFolder).at(-1)).toMatchObject({ pid: first.process.pid, msg: 'The station stopped' });
  for (const name of readdirSync(join(dataFolder, 'logs')))
    expect(statSync(join(dataFolder, 'logs', name)).mode & 0o777).toBe(0o600);
});

test.for([
  [['--no-log-files'], {}],
  [[], { PICKSTATION_LOG_FILES: 'off' }],
] as const)('without log files (%j), no logs folder is created', async ([args, environment]) => {
  const dataFolder = ownFolder();
  const station = own(spawnStation(['--port', '0', '--data', dataFolder, ...args], environment));
  await station.ready();
  station.process.kill('SIGTERM');
  expect((await station.exit()).code).toBe(0);
  expect(readdirSync(dataFolder)).not.toContain('logs');
});
