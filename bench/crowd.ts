/** What must be quick with many devices, names and history: a new station beside one with a long history. */
import { cpSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { DATABASE_FILE, openDatabase } from '../electron/server/db/database.ts';
import { makeQuick, timeBulk, timePresses, untilQuiet } from './bulks.ts';
import { median, type Goal } from './goals.ts';
import { deviceId } from './loads.ts';
import { addNames, NAMES, openLookups } from './names.ts';
import { measurePast } from './past.ts';
import { API_KEY, startStation, type ServerProcess, type Workplace } from './processes.ts';
import { timePosts } from './signIns.ts';

const DEVICES = 10_000;
/** Rows of history and of callbacks. */
const HISTORY = Number(process.env['BENCH_HISTORY'] ?? 1_000_000);
const POST_MS = 700;
const BULKS_A_ROUND = 3;
const SNAPSHOTS_A_ROUND = 5;
/** Earlier devices are pressed; these get single commands, later ones bulks. */
const FIRST_POSTED = 501;
const FIRST_IN_BULKS = 1_001;

/** All rows are within the default retention. */
const FIRST_ROW_AT = Date.now() - 240 * 86_400_000;
const ROW_EVERY_MS = 20_000;

const GROWTH = 1.2;

type Figures = { bulk: number; press: number; pressRatio: number; snapshot: number; post: number; postRatio: number };

export async function measureCrowd(place: Workplace, rounds: number): Promise<Goal[]> {
  const folders = { young: place.folder(), old: place.folder() };
  await (await startStation(folders.young, DEVICES)).stop();
  cpSync(join(folders.young, DATABASE_FILE), join(folders.old, DATABASE_FILE));
  addHistory(folders.old, { rows: HISTORY, everyMs: ROW_EVERY_MS, devices: DEVICES, isTold: true });
  const young = await startStation(folders.young, DEVICES);
  const old = await startStation(folders.old, DEVICES);
  for (const station of [young, old]) {
    await makeQuick(station);
    await untilQuiet(station);
    await timeBulk(station, FIRST_IN_BULKS);
    await timePresses(station, undefined);
  }
  const measured: { young: Figures; old: Figures }[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push({ young: await measure(young), old: await measure(old) });
  const past = await measurePast(
    old,
    { rows: HISTORY, from: FIRST_ROW_AT + (HISTORY / 2) * ROW_EVERY_MS, deviceid: deviceId(DEVICES) },
    rounds,
  );
  await young.stop();
  await old.stop();

  const names = addNames(folders.young, DEVICES);
  addNames(folders.old, DEVICES);
  const lookups = { young: openLookups(folders.young, names), old: openLookups(folders.old, names) };
  const found = Array.from({ length: rounds }, () => ({
    exact: { young: lookups.young.exact(), old: lookups.old.exact() },
    part: { young: lookups.young.part(), old: lookups.old.part() },
  }));
  lookups.young.close();
  lookups.old.close();

  const of = (figure: keyof Figures) => measured.map((each) => each.young[figure]);
  const among = `among ${NAMES.toLocaleString('en')} names`;
  const grown = (what: string, values: number[]): Goal => ({
    name: `${what}: with ${HISTORY.toLocaleString('en')} rows of history and callbacks / without`,
    unit: 'x',
    values,
    atMost: GROWTH,
  });
  const growth = (figure: keyof Figures) => measured.map((each) => each.old[figure] / each.young[figure]);
  return [
    { name: 'commands a second in one call of 1,000', unit: '/s', values: of('bulk'), atLeast: 20_000 },
    { name: 'press → callback p99 during such calls / idle', unit: 'x', values: of('pressRatio'), atMost: 3 },
    {
      name: `GET /api/station/ of ${DEVICES.toLocaleString('en')} devices`,
      unit: 'ms',
      values: of('snapshot'),
      atMost: 100,
    },
    { name: 'POST p99 while 20 people sign in / idle', unit: 'x', values: of('postRatio'), atMost: 3 },
    { name: `a location ${among}`, unit: 'ms', values: found.map(({ exact }) => exact.young), atMost: 1 },
    { name: `a part of a location ${among}`, unit: 'ms', values: found.map(({ part }) => part.young), atMost: 1 },
    grown(
      'time of a call of 1,000',
      measured.map((each) => each.young.bulk / each.old.bulk),
    ),
    grown('press → callback, median', growth('press')),
    grown('GET /api/station/', growth('snapshot')),
    grown('POST, median', growth('post')),
    grown(
      'a location',
      found.map(({ exact }) => exact.old / exact.young),
    ),
    grown(
      'a part of a location',
      found.map(({ part }) => part.old / part.young),
    ),
    ...past,
  ];
}

async function measure(station: ServerProcess): Promise<Figures> {
  const bulks: number[] = [];
  for (let index = 0; index < BULKS_A_ROUND; index += 1)
    bulks.push(await timeBulk(station, FIRST_IN_BULKS + index * 1_000));
  const snapshots: number[] = [];
  for (let index = 0; index < SNAPSHOTS_A_ROUND; index += 1) snapshots.push(await timeSnapshot(station));
  const idle = await timePresses(station, undefined);
  const busy = await timePresses(station, FIRST_IN_BULKS);
  const alone = await timePosts(station, { first: FIRST_POSTED, durationMs: POST_MS, signIns: false });
  const crowded = await timePosts(station, { first: FIRST_POSTED, durationMs: POST_MS, signIns: true });
  return {
    bulk: median(bulks),
    snapshot: median(snapshots),
    press: idle.p50,
    pressRatio: busy.p99 / idle.p99,
    post: alone.p50,
    postRatio: crowded.p99 / alone.p99,
  };
}

/** Milliseconds to the last byte, minus the processor time of other programs. */
async function timeSnapshot(station: ServerProcess): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const waitedMs = station.waitedMs();
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    get(new URL('/api/station/', station.url), { agent, headers: { 'api-key': API_KEY } }, (answer) => {
      answer.on('end', resolve).on('error', reject).resume();
      if (answer.statusCode !== 200) reject(new Error(`The snapshot returned status ${answer.statusCode}`));
    }).on('error', reject);
  });
  const ms = performance.now() - startedAt - (station.waitedMs() - waitedMs);
  agent.destroy();
  return ms;
}

/** Adds as many rows as a few years of work, with their index and, if they were told, callbacks. Dated recently, so that none is deleted. */
export function addHistory(
  folder: string,
  { rows, everyMs, devices, isTold }: { rows: number; everyMs: number; devices: number; isTold: boolean },
): void {
  const { writer, close } = openDatabase(folder);
  writer.pragma('synchronous = OFF');
  const detail = JSON.stringify({
    sender: 'erp',
    content: { command: 'flash', lines: ['Cable tie 200', 'black, 100 pcs'], quantity: 5, color: 'b', seconds: 60 },
    createdAt: new Date(FIRST_ROW_AT).toISOString(),
    sentAt: new Date(FIRST_ROW_AT + 100).toISOString(),
    shownAt: new Date(FIRST_ROW_AT + 900).toISOString(),
    by: 'device',
  });
  writer.exec('BEGIN');
  writer
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO history (at, kind, device_id, command_id, nonce, location, qty, detail)
       SELECT ${FIRST_ROW_AT} + i * ${everyMs}, CASE i % 20 WHEN 0 THEN 'timedOut' WHEN 1 THEN 'replaced' ELSE 'acknowledged' END,
         printf('51D000:%06d', 1 + i % ?), i, 'n' || i, '', 5, ? FROM n`,
    )
    .run(rows, devices, detail);
  writer.exec('INSERT OR IGNORE INTO history_commands (command_id, history_id) SELECT command_id, id FROM history');
  writer.exec(
    'INSERT OR IGNORE INTO history_devices (block, device, history_id) SELECT id >> 14, device_id, id FROM history',
  );
  writer.exec(
    `INSERT INTO meta (key, value) SELECT 'history_indexed', max(id) FROM history WHERE true
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  if (isTold) {
    // Each callback was delivered.
    writer
      .prepare(
        `INSERT INTO outbox (run_mark, history_id, family, payload, state, attempts, created_at, last_attempt_at, last_status, last_url)
         SELECT 'bench', id, 'device', printf('{"acknack":"ack","deviceid":"%s","location":"","nonce":"%s","qty":5}', device_id, nonce),
           'delivered', 1, at, at, 200, 'http://wms.local/hook' FROM history`,
      )
      .run();
  }
  writer.exec('COMMIT');
  writer.pragma('wal_checkpoint(TRUNCATE)');
  close();
}
