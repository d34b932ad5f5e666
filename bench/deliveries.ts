/** How fast callbacks leave, and what many waiting ones cost at the start and in memory. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, openDatabase } from '../electron/server/db/database.ts';
import type { Goal } from './goals.ts';
import { loadLoop, makeEager } from './loads.ts';
import { startStation, type ServerProcess, type Workplace } from './processes.ts';
import { openConnection, openReceiver } from './wire.ts';

const MANY = 100_000;
const MB = 1_000_000;
const HOUR_MS = 3_600_000;
/** Interval of memory samples during delivery. */
const LOOK_EVERY_MS = 200;

export async function measureDeliveries(place: Workplace, rounds: number): Promise<Goal[]> {
  const empty = place.folder();
  await (await startStation(empty, 10)).stop();
  const rate: Goal = { name: 'deliveries a second to a local receiver', unit: '/s', values: [], atLeast: 500 };
  const later: Goal = {
    name: `start with ${MANY.toLocaleString('en')} undelivered callbacks: later than without`,
    unit: 's',
    values: [],
    atMost: 2,
  };
  const memory: Goal = { name: 'memory while they are delivered, at most', unit: 'MB', values: [], atMost: 300 };
  for (let round = 0; round < rounds; round += 1) {
    const owing = place.folder();
    cpSync(join(empty, DATABASE_FILE), join(owing, DATABASE_FILE));
    let taken = 0;
    const receiver = await openReceiver(() => {
      taken += 1;
    });
    owe(owing, { many: MANY, url: receiver.url, dueMs: -HOUR_MS });
    const bare = await startStation(empty, 10);
    await bare.stop();
    const station = await startStation(owing, 10);
    later.values.push((station.readyMs - bare.readyMs) / 1_000);
    const { seconds, most } = await drain(station, () => taken);
    rate.values.push(MANY / seconds);
    memory.values.push(most / MB);
    await station.stop();
    receiver.close();
  }
  return [rate, later, memory];
}

/** Waits until all have arrived. `most`: maximum memory in bytes. */
async function drain(station: ServerProcess, taken: () => number): Promise<{ seconds: number; most: number }> {
  const startedAt = performance.now();
  const before = taken();
  let most = 0;
  while (taken() < MANY) {
    most = Math.max(most, station.residentBytes());
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const seconds = ((performance.now() - startedAt) / 1_000) * (MANY / Math.max(1, MANY - before));
  return { seconds, most };
}

/** Callbacks waiting for a receiver that recovers. */
const RETURNED = 10_000;
const DUE_MS = 3 * HOUR_MS;
/** Longer than the goal: the receiver recovers while presses continue. */
const PRESSED_MS = 15_000;
const MAX_S = 30;
const DEVICES = 10;

/** How soon a recovered receiver has all waiting callbacks, and how that affects presses. */
export async function measureReturn(place: Workplace, rounds: number): Promise<Goal[]> {
  const empty = place.folder();
  const seconds: Goal = {
    name: `${RETURNED.toLocaleString('en')} waiting callbacks to a receiver that is back`,
    unit: 's',
    values: [],
    atMost: 10,
  };
  const presses: Goal = { name: 'press → callback p99 meanwhile / without', unit: 'x', values: [], atMost: 3 };
  await (await startStation(empty, DEVICES)).stop();
  for (let round = 0; round < rounds; round += 1) {
    const owing = place.folder();
    cpSync(join(empty, DATABASE_FILE), join(owing, DATABASE_FILE));
    owe(owing, { many: RETURNED, url: 'http://127.0.0.1:1/', dueMs: DUE_MS });
    const station = await startStation(owing, DEVICES);
    await makeEager(station, DEVICES);
    const press = () => loadLoop(station, { connections: 1, durationMs: PRESSED_MS, readers: 0, devices: DEVICES });
    // The first press is delivered, which starts the recovery.
    const [meanwhile, took] = await Promise.all([press(), untilNoneWaits(station)]);
    const without = await press();
    seconds.values.push(took);
    presses.values.push(meanwhile.p99Ms / without.p99Ms);
    await station.stop();
  }
  return [seconds, presses];
}

/** Returns the seconds taken; fails after 30. */
async function untilNoneWaits(station: ServerProcess): Promise<number> {
  const control = await openConnection(station.url);
  const startedAt = performance.now();
  const waiting = async () =>
    (JSON.parse(await control.request('GET', '/api/callbacks/counts/', '')) as { pending: number }).pending;
  // Presses made meanwhile also wait for a moment.
  const seconds = () => (performance.now() - startedAt) / 1_000;
  while ((await waiting()) > DEVICES && seconds() < MAX_S) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  control.close();
  return seconds();
}

/** Adds callbacks that are due in `dueMs`, the oldest an hour old. `receiver`: 1 for the broker. */
export function owe(
  folder: string,
  { many, url, dueMs, receiver = 0 }: { many: number; url: string; dueMs: number; receiver?: 0 | 1 },
): void {
  const { writer, close } = openDatabase(folder);
  writer.pragma('synchronous = OFF');
  writer.prepare("INSERT OR REPLACE INTO settings (key, value) VALUES ('callback_url', ?)").run(JSON.stringify(url));
  writer
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :many)
       INSERT INTO outbox (receiver, run_mark, history_id, family, payload, state, created_at, next_attempt_at)
       SELECT :receiver, 'bench', NULL, 'device',
         '{"acknack":"ack","deviceid":"51D000:' || printf('%06d', i % 500) || '","location":"A-1","nonce":"n' || i || '","qty":5}', 'pending',
         :at + i, :due + i FROM n`,
    )
    .run({ many, receiver, at: Date.now() - HOUR_MS, due: Date.now() + dueMs });
  writer.pragma('wal_checkpoint(TRUNCATE)');
  close();
}
