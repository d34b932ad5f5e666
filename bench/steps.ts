/**
 * A worker who goes from light to light: from the frame of a press to the frame of the next step, at the station's end
 * of the wire. Real clock and disk; devices and turbo are simulated and press by themselves.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { decodePayload } from '../electron/server/turbo/protocol/codec.ts';
import { FrameParser } from '../electron/server/turbo/protocol/frame.ts';
import { createStation } from '../electron/server/station.ts';
import { systemPorts } from '../electron/server/systemPorts.ts';
import type { Transport } from '../electron/server/turbo/transports/transport.ts';
import { spreadOf } from './bulks.ts';
import type { Goal } from './goals.ts';
import { deviceId } from './loads.ts';
import { ADMIN_PASSWORD, API_KEY, waitedMs, type Workplace } from './processes.ts';
import { openConnection, openReceiver } from './wire.ts';

/** Steps of a sequence, one at a time, each on its own device. */
const STEPS = 300;
/** Work from the previous press is finished by then. */
const PRESS_AFTER_MS = 10;

/** `waitedMs`: total time waiting for the processor so far. */
type Moment = { atMs: number; waitedMs: number };
type Passed = { what: 'heard' | 'said'; moment: Moment; bytes: Uint8Array } | { what: 'commit'; tookMs: number };

/** Milliseconds, without and with the commit in between. */
type Way = { alone: number; whole: number };

export async function measureSteps(place: Workplace, rounds: number): Promise<Goal[]> {
  const name = "press of a step → next step's frame p99";
  const alone: Goal = { name: `${name}, beside the commit`, unit: 'ms', values: [], atMost: 5 };
  const whole: Goal = { name: `${name}, with it`, unit: 'ms', values: [] };
  const walk = await openWalk(place.folder());
  for (let round = 0; round <= rounds; round += 1) {
    const ways = await walk.go(`round-${round}`);
    if (round === 0) continue;
    alone.values.push(spreadOf(ways.map((way) => way.alone)).p99);
    whole.values.push(spreadOf(ways.map((way) => way.whole)).p99);
  }
  await walk.stop();
  return [alone, whole];
}

/** A station in this process, whose wire and commits are observed. */
async function openWalk(folder: string) {
  let passed: Passed[] = [];
  const forgetCommits = watchCommits((tookMs) => passed.push({ what: 'commit', tookMs }));
  const watchTransport = (end: Transport): Transport => ({
    ...end,
    open: (events) =>
      end.open({
        ...events,
        bytes(bytes) {
          passed.push({ what: 'heard', moment: beginning(), bytes });
          events.bytes(bytes);
        },
      }),
    write(bytes) {
      passed.push({ what: 'said', moment: ending(), bytes });
      return end.write(bytes);
    },
  });
  const config = {
    host: '127.0.0.1',
    port: 0,
    dataFolder: folder,
    simulate: STEPS,
    adminPassword: ADMIN_PASSWORD,
    apiKey: API_KEY,
    firstRun: 'print',
  } as const;
  const station = createStation(config, { ...systemPorts('silent', {}), watchTransport }, join(folder, 'no-page'));
  const started = await station.start();
  let arrived: (nonce: string) => void = () => undefined;
  const receiver = await openReceiver((nonce) => arrived(nonce));
  const connection = await openConnection(new URL(started.url));
  const send = async (method: string, path: string, body: object) =>
    void (await connection.request(method, path, JSON.stringify(body)));
  await send('PATCH', '/api/settings/', { callback_url: receiver.url });
  for (let number = 1; number <= STEPS; number += 1) {
    const eager = { refresh_ms: 0, press_after_ms: PRESS_AFTER_MS };
    await send('PATCH', `/api/simulator/devices/${deviceId(number)}/`, eager);
  }

  return {
    /** Values for each press but the last. */
    async go(sequenceid: string): Promise<Way[]> {
      const steps = Array.from({ length: STEPS }, (_, index) => ({
        order: index,
        device: deviceId(index + 1),
        line1: 'Cable tie 200',
        quantity: 2,
        stepnonce: `${sequenceid}-${index}`,
      }));
      await send('POST', '/api/sequence/', { sequenceid, sequencenonce: sequenceid, steps });
      const over = new Promise<void>((resolve) => (arrived = (nonce) => void (nonce === sequenceid && resolve())));
      passed = [];
      await send('GET', `/api/launchsequence/${sequenceid}/`, {});
      await over;
      const ways = waysOf(passed);
      if (ways.length !== STEPS - 1) throw new Error(`${STEPS} steps were lit, and ${ways.length} of them by a press`);
      return ways;
    },
    async stop(): Promise<void> {
      connection.close();
      receiver.close();
      await station.stop();
      forgetCommits();
    },
  };
}

// Anything between the two readings counts as the station's time.
const beginning = (): Moment => ({ atMs: performance.now(), waitedMs: waitedMs(process.pid) });
const ending = (): Moment => {
  const waited = waitedMs(process.pid);
  return { atMs: performance.now(), waitedMs: waited };
};

/** Reports the duration of each commit of this process, as a lower bound; returns a stop function. */
function watchCommits(tell: (tookMs: number) => void): () => void {
  const { prototype } = Database;
  const prepare = prototype.prepare;
  prototype.prepare = function watched(this: Database.Database, sql: string) {
    const statement: Database.Statement = Reflect.apply(prepare, this, [sql]);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = () => {
      const begun = ending();
      const result = run();
      tell(Math.max(0, between(begun, beginning())));
      return result;
    };
    return statement;
  } as typeof prepare;
  return () => {
    prototype.prepare = prepare;
  };
}

/** From each chunk with a press to the next frame that lights something. */
function waysOf(passed: readonly Passed[]): Way[] {
  const ways: Way[] = [];
  let pressed: Moment | undefined;
  let commitMs = 0;
  let isOnDisk = false;
  for (const entry of passed) {
    if (entry.what === 'commit') {
      commitMs += entry.tookMs;
      isOnDisk = true;
    }
    if (entry.what === 'heard' && holds(entry.bytes, 'button')) {
      pressed = entry.moment;
      commitMs = 0;
      isOnDisk = false;
    }
    if (entry.what === 'said' && pressed !== undefined && holds(entry.bytes, 'show')) {
      if (!isOnDisk) throw new Error('A step was lit before the press that lights it was on disk');
      const whole = between(pressed, entry.moment);
      ways.push({ alone: whole - commitMs, whole });
      pressed = undefined;
    }
  }
  return ways;
}

/** Whether there is such a frame for a command. */
function holds(bytes: Uint8Array, wanted: 'button' | 'show'): boolean {
  let isThere = false;
  const parser = new FrameParser({
    frame(type, _flags, _seq, payload) {
      const message = decodePayload(type, payload);
      if (typeof message === 'string' || message.name !== wanted) return;
      isThere ||= message.body.token !== 0;
    },
    junk: () => undefined,
  });
  parser.push(bytes, 0);
  return isThere;
}

/** Milliseconds, minus the processor time of other programs. */
function between(from: Moment, to: Moment): number {
  return to.atMs - from.atMs - (to.waitedMs - from.waitedMs);
}
