/**
 * The loop of a shop, POST → frame → `shown` and press → callback, with callers, turbo and receiver outside the measured
 * process: at the station, at the limit (`bareLoop.ts`) and, if the variable NODE_RED names its package, at a flow of
 * Node-RED.
 */
import { existsSync } from 'node:fs';
import { spreadOf } from './bulks.ts';
import type { Goal } from './goals.ts';
import { BODY, deviceId } from './loads.ts';
import { connectFrameTurbo, connectLineTurbo, type PeerTurbo } from './peerTurbo.ts';
import {
  freePort,
  startBareLoop,
  startNodeRed,
  startStationForTurbos,
  type ServerProcess,
  type Workplace,
} from './processes.ts';
import { openConnection, openReceiver } from './wire.ts';

const MANY = 32;
/** Until V8 has compiled the engine. */
const WARM_UP_MS = 15_000;
const ROUND_MS = 2_000;
const PART_MS = 10_000;

/** Commands whose way to `shown` is measured, each after a rest as of a worker. */
const SHOWN = 40;
const REST_MS = 60;

type Program = { server: ServerProcess; turbo: PeerTurbo };

/** `flags` are those of Node. */
type StationOptions = { flags?: readonly string[]; presses?: boolean };

/** Milliseconds are from the press to the callback. */
type Loops = { perSecond: number; cpuMs: number; p50: number; p99: number };

export async function measurePeers(place: Workplace, rounds: number): Promise<Goal[]> {
  const yard = await openYard();
  const station = await yard.station(place.folder());
  const limit = await yard.limit(place.folder());
  const flow = await yard.flow();
  const names = [MANY, 1].flatMap(
    (callers) =>
      [
        { name: `loop at ${callers} / limit`, unit: 'x', values: [], atLeast: callers === MANY ? 0.45 : 0.5 },
        { name: `press → receiver p50 at ${callers} / limit`, unit: 'x', values: [], atMost: 2.5 },
        { name: `press → receiver p99 at ${callers} / limit`, unit: 'x', values: [], atMost: 2.5 },
        {
          name: `processor time of a loop at ${callers}`,
          unit: 'ms',
          values: [],
          ...(callers === MANY && { atMost: 0.25 }),
        },
        { name: `processor time of a loop at ${callers} / limit`, unit: 'x', values: [] },
        { name: `loops a second at ${callers}`, unit: '/s', values: [] },
        { name: `loops a second at ${callers}, limit`, unit: '/s', values: [] },
        { name: `loop at ${callers} / Node-RED`, unit: 'x', values: [], ...(callers === MANY && { atLeast: 4 }) },
      ] satisfies Goal[],
  );
  const goals: Goal[] = names;
  for (const program of [station, limit, flow]) if (program !== undefined) await yard.loop(program, MANY, WARM_UP_MS);
  for (let round = 0; round < rounds; round += 1) {
    let next = 0;
    for (const callers of [MANY, 1]) {
      const ours = await yard.loop(station, callers, ROUND_MS);
      const least = await yard.loop(limit, callers, ROUND_MS);
      const theirs = flow && (await yard.loop(flow, callers, ROUND_MS));
      const figures = [
        ours.perSecond / least.perSecond,
        ours.p50 / least.p50,
        ours.p99 / least.p99,
        ours.cpuMs,
        ours.cpuMs / least.cpuMs,
        ours.perSecond,
        least.perSecond,
        theirs && ours.perSecond / theirs.perSecond,
      ];
      for (const figure of figures) {
        if (figure !== undefined) goals[next]?.values.push(figure);
        next += 1;
      }
    }
  }
  for (const program of [station, limit, flow]) {
    program?.turbo.close();
    await program?.server.stop();
  }
  yard.close();
  return goals.filter(({ values }) => values.length > 0);
}

/** From a command to the first answer that says that it is shown, at rest, with a turbo that answers at once. */
export async function measureShown(place: Workplace, rounds: number): Promise<Goal[]> {
  const goal: Goal = { name: 'POST → readable as shown p50, at rest', unit: 'ms', values: [], atMost: 8 };
  const yard = await openYard(1);
  const { server, turbo } = await yard.station(place.folder(), { presses: false });
  const connection = await openConnection(server.url);
  const path = `/api/device/${deviceId(1)}/`;
  for (let round = 0; round <= rounds; round += 1) {
    const times: number[] = [];
    for (let turn = 0; turn < SHOWN; turn += 1) {
      await new Promise((resolve) => void setTimeout(resolve, REST_MS));
      const startedAt = performance.now();
      await connection.request('POST', path, JSON.stringify({ ...BODY, nonce: `shown-${round}-${turn}` }));
      for (let state = ''; state !== 'shown';) {
        const { commands } = JSON.parse(await connection.request('GET', path, '')) as { commands: { state: string }[] };
        state = commands[0]?.state ?? '';
      }
      times.push(performance.now() - startedAt);
      await connection.request('POST', path, '{"command":"kill"}');
    }
    if (round > 0) goal.values.push(spreadOf(times).p50);
  }
  connection.close();
  turbo.close();
  await server.stop();
  yard.close();
  return [goal];
}

/** Memory after a million loops at as many devices as a shop of medium size has. Takes ten minutes. */
export async function measureMillion(place: Workplace): Promise<Goal[]> {
  const loops = Number(process.env['BENCH_LOOPS'] ?? 1_000_000);
  const memory: Goal = {
    name: `memory with 64 devices after ${loops.toLocaleString('en')} loops`,
    unit: 'MB',
    values: [],
    atMost: 200,
  };
  const yard = await openYard(64);
  const station = await yard.station(place.folder());
  for (let done = 0; done < loops;) {
    const { perSecond } = await yard.loop(station, MANY, PART_MS);
    done += (perSecond * PART_MS) / 1_000;
  }
  memory.values.push(station.server.residentBytes() / 1_000_000);
  station.turbo.close();
  await station.server.stop();
  yard.close();
  return [memory];
}

/** The surroundings of the measured programs: one receiver, callers, and a turbo for each program. */
export async function openYard(devices = MANY) {
  const pressedAt = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  const receiver = await openReceiver((nonce) => {
    const arrived = waiting.get(nonce);
    waiting.delete(nonce);
    arrived?.();
  });
  const ids = Array.from({ length: devices }, (_, index) => deviceId(index + 1));
  const pressed = (device: string): void => void pressedAt.set(device, performance.now());
  let count = 0;

  return {
    receiver: receiver.url,
    async station(folder: string, { flags = [], presses = true }: StationOptions = {}): Promise<Program> {
      const port = await freePort();
      const server = await startStationForTurbos(folder, port, flags);
      const control = await openConnection(server.url);
      await control.request(
        'PATCH',
        '/api/settings/',
        JSON.stringify({ callback_url: receiver.url, turbo_plain_passwords: true }),
      );
      control.close();
      return { server, turbo: await connectFrameTurbo({ port, devices: ids, pressed: presses ? pressed : undefined }) };
    },
    async limit(folder: string): Promise<Program> {
      const port = await freePort();
      const server = await startBareLoop(folder, port, receiver.url);
      return { server, turbo: await connectFrameTurbo({ port, devices: ids, pressed }) };
    },
    async flow(): Promise<Program | undefined> {
      const nodeRed = process.env['NODE_RED'];
      if (nodeRed === undefined || !existsSync(nodeRed)) {
        process.stdout.write('Not compared with Node-RED: NODE_RED does not name the folder of its package\n');
        return undefined;
      }
      const port = await freePort();
      const server = await startNodeRed(nodeRed, port, receiver.url);
      return { server, turbo: await connectLineTurbo({ port, pressed }) };
    },
    /** Callers that each wait for their callback before they send again. */
    async loop({ server }: Program, callers: number, durationMs: number): Promise<Loops> {
      const opened = await Promise.all(Array.from({ length: callers }, () => openConnection(server.url)));
      const times: number[] = [];
      const cpuBefore = server.cpuMs();
      const startedAt = performance.now();
      const endAt = startedAt + durationMs;
      await Promise.all(
        opened.map(async (connection, index) => {
          for (let turn = index; performance.now() < endAt; turn += callers) {
            const device = deviceId(1 + (turn % devices));
            const nonce = `${(count += 1)}`;
            const called = new Promise<void>((resolve) => waiting.set(nonce, resolve));
            await connection.request('POST', `/api/device/${device}/`, JSON.stringify({ ...BODY, nonce }));
            await called;
            times.push(performance.now() - (pressedAt.get(device) ?? Number.NaN));
          }
        }),
      );
      const seconds = (performance.now() - startedAt) / 1_000;
      for (const { close } of opened) close();
      const { p50, p99 } = spreadOf(times);
      return { perSecond: times.length / seconds, cpuMs: (server.cpuMs() - cpuBefore) / times.length, p50, p99 };
    },
    close: () => receiver.close(),
  };
}
