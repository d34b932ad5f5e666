/**
 * The main loop of a shop: POST → frame → `shown`, then press → callback. Callers, turbo and receiver run outside the measured process,
 * which is the station or the limit (`bareLoop.ts`).
 */
import type { Goal } from '../goals.ts';
import { BODY, commitsOf, deviceId, spreadOf } from '../load/loads.ts';
import { connectFrameTurbo, type PeerTurbo } from '../load/peerTurbo.ts';
import {
  freePort,
  startBareLoop,
  startStationForTurbos,
  type ServerProcess,
  type Workplace,
} from '../load/processes.ts';
import { openConnection, openReceiver } from '../load/wire.ts';

const MANY = 32;
/** Time for V8 to compile the station's hot code, in milliseconds. */
const WARM_UP_MS = 8_000;
const ROUND_MS = 2_000;

/** Measured program with its turbo. `hasCommits` tells whether the program reports its number of commits. */
type Program = { server: ServerProcess; turbo: PeerTurbo; hasCommits: boolean };

/**
 * Results of a run. `p50` and `p99` are milliseconds from the press to the callback, `bytes` is the number of bytes sent to the turbo per
 * loop, and `commits` is NaN for the limit.
 */
type Loops = { perSecond: number; cpuMs: number; p50: number; p99: number; bytes: number; commits: number };

/** Figure with its name, its unit, and the function that calculates it from the results of the station and the limit. */
type Figure = { name: string; unit: string; of: (ours: Loops, limit: Loops) => number; atMost?: number };

const FIGURES: Readonly<Record<number, readonly Figure[]>> = {
  [MANY]: [
    { name: 'processor time of a loop / limit', unit: 'x', of: (ours, limit) => ours.cpuMs / limit.cpuMs, atMost: 10 },
    { name: 'press → receiver p50 / limit', unit: 'x', of: (ours, limit) => ours.p50 / limit.p50, atMost: 8 },
    { name: 'bytes to the turbo for a loop', unit: '', of: (ours) => ours.bytes, atMost: 120 },
    { name: 'commits of a loop', unit: '', of: (ours) => ours.commits, atMost: 0.5 },
    { name: 'loops a second', unit: '/s', of: (ours) => ours.perSecond },
  ],
  1: [
    { name: 'processor time of a loop / limit', unit: 'x', of: (ours, limit) => ours.cpuMs / limit.cpuMs, atMost: 10 },
    { name: 'press → receiver p50 / limit', unit: 'x', of: (ours, limit) => ours.p50 / limit.p50, atMost: 8 },
    { name: 'commits of a loop', unit: '', of: (ours) => ours.commits, atMost: 2.1 },
    { name: 'loops a second', unit: '/s', of: (ours) => ours.perSecond },
  ],
};

export async function measureLoop(place: Workplace, rounds: number): Promise<Goal[]> {
  const yard = await openYard();
  const station = await yard.station(place.folder());
  const limit = await yard.limit(place.folder());
  for (const program of [station, limit]) await yard.loop(program, MANY, WARM_UP_MS);
  const goals: Goal[] = [];
  for (const callers of [MANY, 1]) {
    const figures = (FIGURES[callers] ?? []).map((figure) => ({
      of: figure.of,
      goal: { ...figure, name: `${figure.name}, ${callers} at once`, values: [] as number[] },
    }));
    for (let round = 0; round < rounds; round += 1) {
      const ours = await yard.loop(station, callers, ROUND_MS);
      const least = await yard.loop(limit, callers, ROUND_MS);
      for (const { of, goal } of figures) goal.values.push(of(ours, least));
    }
    goals.push(...figures.map(({ goal }) => goal));
  }
  for (const { turbo, server } of [station, limit]) {
    turbo.close();
    await server.stop();
  }
  yard.close();
  return goals;
}

/** Starts the receiver. The returned functions start a measured program with its turbo, and run callers. */
export async function openYard() {
  const pressedAt = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  const receiver = await openReceiver((nonce) => {
    const arrived = waiting.get(nonce);
    waiting.delete(nonce);
    arrived?.();
  });
  const ids = Array.from({ length: MANY }, (_, index) => deviceId(index + 1));
  const pressed = (device: string): void => void pressedAt.set(device, performance.now());
  let count = 0;

  return {
    /** Starts a station with a turbo. `flags` are options of Node. */
    async station(folder: string, flags: readonly string[] = []): Promise<Program> {
      const port = await freePort();
      const server = await startStationForTurbos(folder, port, flags);
      const control = await openConnection(server.url);
      await control.request(
        'PATCH',
        '/api/settings/',
        JSON.stringify({ callback_url: receiver.url, turbo_plain_passwords: true }),
      );
      control.close();
      return { server, turbo: await connectFrameTurbo({ port, devices: ids, pressed }), hasCommits: true };
    },
    async limit(folder: string): Promise<Program> {
      const port = await freePort();
      const server = await startBareLoop(folder, port, receiver.url);
      return { server, turbo: await connectFrameTurbo({ port, devices: ids, pressed }), hasCommits: false };
    },
    /** Runs callers in parallel. Each waits for its callback before it sends the next request. */
    async loop({ server, turbo, hasCommits }: Program, callers: number, durationMs: number): Promise<Loops> {
      const opened = await Promise.all(Array.from({ length: callers }, () => openConnection(server.url)));
      const times: number[] = [];
      const control = await openConnection(server.url);
      const commits = async () => (hasCommits ? commitsOf(control) : Number.NaN);
      const [cpuBefore, bytesBefore, commitsBefore] = [server.cpuMs(), turbo.bytes(), await commits()];
      const startedAt = performance.now();
      const endAt = startedAt + durationMs;
      await Promise.all(
        opened.map(async (connection, index) => {
          for (let turn = index; performance.now() < endAt; turn += callers) {
            const device = deviceId(1 + (turn % MANY));
            const nonce = `${(count += 1)}`;
            const called = new Promise<void>((resolve) => waiting.set(nonce, resolve));
            await connection.request('POST', `/api/device/${device}/`, JSON.stringify({ ...BODY, nonce }));
            await called;
            times.push(performance.now() - (pressedAt.get(device) ?? Number.NaN));
          }
        }),
      );
      const seconds = (performance.now() - startedAt) / 1_000;
      const each = (now: number, before: number): number => (now - before) / times.length;
      const loops = {
        perSecond: times.length / seconds,
        cpuMs: each(server.cpuMs(), cpuBefore),
        bytes: each(turbo.bytes(), bytesBefore),
        commits: each(await commits(), commitsBefore),
        ...spreadOf(times),
      };
      for (const { close } of [...opened, control]) close();
      return loops;
    },
    close: () => receiver.close(),
  };
}
