import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectFrameTurbo, type PeerTurbo } from '../../bench/load/peerTurbo.ts';
import { ADMIN_PASSWORD, API_KEY, freePort } from '../../bench/load/processes.ts';
import { COMPILED, STATION_PROGRAM, watchStation } from '../helpers/spawnStation.ts';
import type { Figures } from './preload.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FIGURES = 'figures.json';
/** Memory options of `npm run serve` and of `electron/headless/start.mjs`. */
const MEMORY = ['--max-semi-space-size=16', '--heap-growing-percent=40', '--no-maglev'];
const PRESSED = '51D0FF:000001';
const WARM_UP_PRESSES = 60;
const SAMPLE_MS = 20;

export type LoadAnswer = { status: number; text: string };

/** A station under load. */
export type Load = {
  url: URL;
  turboPort: number;
  /** A folder of this case for the inbox or other files. */
  folder: string;
  /**
   * Sends a request with the key of an admin and resolves to the answer. An object is sent as JSON. Rejects if the station fails: a status
   * of 500 and above, except 503 and 507.
   */
  request(
    method: string,
    path: string,
    body?: object | string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<LoadAnswer>;
  /** Connects another turbo with these devices, which are not pressed by themselves. */
  turbo(...devices: string[]): Promise<PeerTurbo>;
};

/** Figures of a case. Times are milliseconds of processor time of the station's main thread; memory is in bytes. */
export type Measured = {
  turnMs: number;
  /** The longest turn with the garbage collection in it. */
  turnWithGcMs: number;
  pressMs: number;
  totalMs: number;
  presses: number;
  grownBytes: number;
  /** Size of the station at the end. */
  residentBytes: number;
  /** The largest process that the station has started. */
  sideBytes: number;
};

/** Starts a station with a turbo whose device is lit and pressed all the time. `run` measures a case. */
export async function startMeasured() {
  mkdirSync(join(ROOT, 'test-output'), { recursive: true });
  const base = mkdtempSync(join(ROOT, 'test-output', 'loads-'));
  const folder = join(base, 'files');
  mkdirSync(folder);
  const turboPort = await freePort();
  const preload = join(import.meta.dirname, 'preload.ts');
  const args = ['--port', '0', '--data', join(base, 'data'), '--turbo-port', String(turboPort)];
  const station = watchStation([process.execPath, ...MEMORY, '--import', preload, STATION_PROGRAM, ...args], {
    PATH: process.env['PATH'],
    ...COMPILED,
    PICKSTATION_API_KEY: API_KEY,
    PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD,
    LOADS_FIGURES: join(base, FIGURES),
    LOADS_TURBO_PORT: String(turboPort),
  });
  const ended = station.exit().then(({ code, signal, stderr }) => {
    throw new Error(`the station ended (${signal ?? code}): ${stderr.trim().slice(-200)}`);
  });
  ended.catch(() => undefined);
  const address = await Promise.race([station.ready(), ended]);
  const url = new URL(address ?? '');
  const pid = station.process.pid ?? 0;

  const call: Load['request'] = (method, path, body, headers = {}) => send(url, method, path, body, headers);
  const turbo: Load['turbo'] = (...devices) => connectFrameTurbo({ port: turboPort, devices });
  await call('PATCH', '/api/settings/', { turbo_plain_passwords: true });
  const hand = await turbo(PRESSED);

  /** Returns what the preload has measured since the last call. */
  async function takeFigures(): Promise<Figures> {
    rmSync(join(base, FIGURES), { force: true });
    station.process.kill('SIGUSR2');
    while (statSync(join(base, FIGURES), { throwIfNoEntry: false }) === undefined) await pause(2);
    return JSON.parse(readFileSync(join(base, FIGURES), 'utf8')) as Figures;
  }

  /** Lights the device and presses it, again and again. Returns when each press was sent and which byte acknowledged it. */
  async function keepPressing(isOver: () => boolean): Promise<{ sentUs: number; bytes: number }[]> {
    const presses = [];
    while (!isOver()) {
      const lit = hand.lit(PRESSED);
      await call('POST', `/api/device/${PRESSED}/`, { line1: 'Cable tie', quantity: 1 });
      const token = await lit;
      const sentUs = threadUs(pid);
      await hand.press(PRESSED, token);
      presses.push({ sentUs, bytes: hand.bytes() });
      await pause(presses.length % 17);
    }
    return presses;
  }

  async function measure(run: (load: Load) => Promise<void>): Promise<Measured> {
    let warm = 0;
    await keepPressing(() => (warm += 1) > WARM_UP_PRESSES);
    await takeFigures();
    const before = memoryOf(pid).now;
    let sideBytes = 0;
    let isOver = false;
    const sampling = setInterval(() => {
      for (const child of childrenOf(pid)) sideBytes = Math.max(sideBytes, memoryOf(child).most);
    }, SAMPLE_MS);
    const pressing = keepPressing(() => isOver);
    // If the station ends, `run` and `ended` say so.
    pressing.catch(() => undefined);
    try {
      await run({ url, turboPort, folder, request: call, turbo });
      isOver = true;
      const presses = await pressing;
      const figures = await takeFigures();
      const waits = presses.map(({ sentUs, bytes }) => {
        const booked = figures.writes.find((each) => each.bytes >= bytes);
        return booked === undefined ? 0 : booked.us - sentUs;
      });
      return {
        turnMs: figures.longestUs / 1_000,
        turnWithGcMs: figures.longestWithGcUs / 1_000,
        pressMs: Math.max(...waits) / 1_000,
        totalMs: figures.totalUs / 1_000,
        presses: presses.length,
        grownBytes: memoryOf(pid).most - before,
        residentBytes: memoryOf(pid).now,
        sideBytes,
      };
    } finally {
      isOver = true;
      clearInterval(sampling);
    }
  }

  return {
    measure: (run: (load: Load) => Promise<void>): Promise<Measured> => Promise.race([measure(run), ended]),
    async stop(): Promise<void> {
      hand.close();
      station.process.kill('SIGKILL');
      await station.exit();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function send(
  url: URL,
  method: string,
  path: string,
  body: object | string | Uint8Array | undefined,
  headers: Record<string, string>,
): Promise<LoadAnswer> {
  const isBytes = typeof body === 'string' || body instanceof Uint8Array;
  const sent = body === undefined || isBytes ? body : JSON.stringify(body);
  const type = body === undefined || isBytes ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { method, headers: { 'api-key': API_KEY, ...type, ...headers } };
    const asked = request(new URL(path, url), options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.once('error', reject).once('end', () => {
        const { statusCode: status = 0 } = answer;
        if (status < 500 || status === 503 || status === 507) resolve({ status, text });
        else reject(new Error(`${method} ${path} was answered ${status}: ${text.slice(0, 200)}`));
      });
    });
    asked.once('error', reject).end(sent);
  });
}

/** Returns the processor time of the main thread of a process. Linux counts it in nanoseconds, but late by up to a tick while it runs. */
function threadUs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
}

function memoryOf(pid: number): { now: number; most: number } {
  const read = (name: string, status: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1_024;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { now: read('VmRSS', status), most: read('VmHWM', status) };
  } catch {
    return { now: 0, most: 0 };
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
