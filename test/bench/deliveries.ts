/** How fast callbacks leave, and what many that wait cost at the start and in memory. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, openDatabase } from '../../electron/server/db/database.ts';
import type { Goal } from './goals.ts';
import { startStation, type ServerProcess, type Workplace } from './processes.ts';
import { openReceiver } from './wire.ts';

const MANY = 100_000;
const MB = 1_000_000;
/** How often memory is looked at while they leave. */
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
    owe(owing, receiver.url);
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

/** Looks on until all have arrived. `most`: bytes of memory. */
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

/** So many callbacks that wait to be sent, the oldest of an hour ago. */
function owe(folder: string, url: string): void {
  const { writer, close } = openDatabase(folder);
  writer.pragma('synchronous = OFF');
  writer.prepare("INSERT OR REPLACE INTO settings (key, value) VALUES ('callback_url', ?)").run(JSON.stringify(url));
  writer
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :many)
       INSERT INTO outbox (run_mark, history_id, family, payload, state, created_at, since_at, next_attempt_at)
       SELECT 'bench', NULL, 'device',
         '{"acknack":"ack","deviceid":"51D000:000001","location":"A-1","nonce":"n' || i || '","qty":5}', 'pending',
         :at + i, :at + i, :at + i FROM n`,
    )
    .run({ many: MANY, at: Date.now() - 3_600_000 });
  writer.pragma('wal_checkpoint(TRUNCATE)');
  close();
}
