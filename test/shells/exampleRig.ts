import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, type TestContext } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { API_KEY, folderOnDisk, spawnStation, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';

export const EXAMPLES = join(import.meta.dirname, '..', '..', 'docs', 'examples');
export const ONE = '51D000:000001';
export const TWO = '51D000:000002';
export const THREE = '51D000:000003';
export const LONG = 'a text that is far too long for a display';

/** The example programs that each test file runs. */
export const RUN_BY = {
  'examplesCallbacks.test.ts': ['receiver.mjs', 'stocktable.py'],
  'examplesDevices.test.ts': [
    'light.mjs',
    'light.py',
    'light.sh',
    'movein.mjs',
    'movein.py',
    'stock.mjs',
    'stock.py',
    'stock.sh',
  ],
  'examplesOrders.test.ts': ['events.mjs', 'events.py', 'order.mjs', 'orders.mjs', 'round.py'],
} as const;

/** The system's PATH without npm's additions, as readers of the examples have it. */
export const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

export type Language = { ending: 'sh' | 'py' | 'mjs'; command: string; needs: readonly string[] };
export const SHELL: Language = { ending: 'sh', command: 'sh', needs: ['curl'] };
export const PYTHON: Language = { ending: 'py', command: 'python3', needs: ['python3'] };
export const NODE: Language = { ending: 'mjs', command: 'node', needs: ['node'] };

export const LIMIT = { timeout: 600_000 };

export type Ended = { code: number | null; stdout: string; stderr: string };
export type Example = { ended: Promise<Ended>; stdout(): string; kill(): Promise<unknown> };

/** Starts a station with three places and one more device for all tests in a file, and runs the examples on it. */
export function useExamples() {
  /** Programs that the tests have run so far. `untried` contains the file endings that this machine cannot run. */
  const tried = new Set<string>();
  const untried = new Set<string>();

  let folder: string;
  let station: StationProcess;
  let url: string;

  beforeAll(async () => {
    folder = folderOnDisk('examples');
    station = spawnStation({ dataFolder: join(folder, 'station'), simulate: 4, port: 0 });
    url = await station.ready;
    for (const deviceid of [ONE, TWO, THREE]) {
      await ask(url, 'PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
    }
  }, LIMIT.timeout);

  beforeEach(async () => {
    await ask(url, 'PATCH', '/api/settings/', { callback_url: '' });
    await ask(url, 'POST', '/api/devices/', [
      { deviceid: ONE, locationoverride: 'A-1-1', statica: '', quantity: '' },
      { deviceid: TWO, locationoverride: 'A-1-2', statica: '', quantity: '' },
      { deviceid: THREE, locationoverride: 'A-2-1', statica: '', quantity: '' },
    ]);
  });

  afterAll(async () => {
    await station.stop();
    rmSync(folder, { recursive: true });
  });

  return {
    get folder() {
      return folder;
    },
    get url() {
      return url;
    },
    /** Skips the test if a program is missing on a developer's machine. In CI, a missing program is an error. */
    requirePrograms(context: TestContext, { needs, ending }: Language): void {
      const missing = needs.find((program) => spawnSync(program, ['--version'], { env: { PATH } }).error !== undefined);
      if (missing === undefined) return;
      if (process.env['CI'] === 'true') throw new Error(`There is no ${missing} on this machine.`);
      untried.add(ending);
      context.skip(`There is no ${missing} on this machine.`);
    },
    run(language: Language, name: string, args: readonly string[], env: Record<string, string> = {}): Example {
      const program = `${name}.${language.ending}`;
      tried.add(program);
      const file = join(EXAMPLES, program);
      const child = spawn(language.command, [file, ...args], {
        cwd: folder,
        env: { PATH, LANG: 'C.UTF-8', STATION_URL: url, API_KEY, CALLBACK_PORT: '0', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      onTestFinished(() => void child.kill());
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const ended = new Promise<Ended>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code) => resolve({ code, stdout, stderr }));
      });
      const kill = (): Promise<unknown> => {
        child.kill('SIGKILL');
        return ended;
      };
      return { ended, stdout: () => stdout, kill };
    },
    /** Waits until the device shows its command and the example says that it is waiting. */
    async lit(example: Example, deviceid: string): Promise<void> {
      await until(`${deviceid} to be lit`, async () => {
        const [command] = (await device(url, deviceid)).commands;
        return command?.state === 'shown' && example.stdout().includes('is lit');
      });
    },
    /** Fails unless the tests have run exactly the programs in their file's row of RUN_BY. */
    expectAllTried(file: keyof typeof RUN_BY): void {
      const expected = RUN_BY[file].filter((program) => !untried.has(program.replace(/.*\./, '')));
      expect([...tried].toSorted()).toEqual(expected);
    },
  };
}

export async function ask<T>(base: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(new URL(path, base), {
    method,
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const value = (await answer.json()) as T;
  expect(answer.status, JSON.stringify(value)).toBeLessThan(300);
  return value;
}

export function device(base: string, deviceid: string): Promise<Device> {
  return ask<Device>(base, 'GET', `/api/device/${deviceid}/`);
}
