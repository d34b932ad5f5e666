import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import { readCsv } from '../../helpers/files/readCsv.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { API_KEY, START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(1_000);
});

afterEach(() => station.stop());

const list = (query: string) => station.get<HistoryEntry[]>(`/api/history/?${query}`);
const nonces = async (query: string) => (await list(query)).map(({ nonce }) => nonce);
const now = () => new Date(station.clock.now()).toISOString();

/** Lights a device and presses it after `seconds`. */
async function pick(deviceid: string, nonce: string, seconds = 2, line1 = nonce): Promise<void> {
  await station.post(`/api/device/${deviceid}/`, { line1, quantity: 2, nonce, seconds: 600 });
  await station.clock.advance(seconds * 1_000);
  await station.press(deviceid);
  await station.clock.advance(1_000);
}

async function timeOut(deviceid: string, nonce: string): Promise<void> {
  await station.post(`/api/device/${deviceid}/`, { line1: nonce, nonce, seconds: 5 });
  await station.clock.advance(10_000);
}

/** Assigns commands to sequences or orders in the database, as the station would. */
async function giveWork(work: Record<string, string>): Promise<void> {
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  for (const [nonce, name] of Object.entries(work)) {
    db.prepare('UPDATE history SET work = ? WHERE nonce = ?').run(name, nonce);
  }
  db.close();
  await station.restart();
}

test('filters by order, sequence, place, time and several kinds, separately or combined', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await pick(ONE, 'a');
  const noon = now();
  await station.clock.advance(1_000);
  await timeOut(ONE, 'b');
  await pick(TWO, 'c');
  await giveWork({ a: 'order:4711', b: 'order:4711', c: 'sequence:aisle' });
  expect(await nonces('order_number=4711')).toEqual(['b', 'a']);
  expect((await list('order_number=4711')).map((entry) => entry.order_number)).toEqual(['4711', '4711']);
  expect(await nonces('sequenceid=aisle')).toEqual(['c']);
  expect(await nonces('sequenceid=aisle&order_number=4711')).toEqual([]);
  expect(await nonces('order_number=4712')).toEqual([]);
  expect(await nonces('location=A-1')).toEqual(['b', 'a']);
  expect(await nonces('kind=timedOut,acknowledged')).toEqual(['c', 'b', 'a']);
  expect(await nonces(`from=${noon}`)).toEqual(['c', 'b']);
  expect(await nonces(`to=${noon}`)).toEqual(['a']);
  expect(await nonces(`from=${noon}&to=${noon}`)).toEqual([]);
  expect(await nonces(`order_number=4711&kind=timedOut&from=${noon}&deviceid=${ONE}&location=A-1`)).toEqual(['b']);
  expect(await nonces('order_number=4711&limit=1')).toEqual(['b']);
  const [newest] = await list('order_number=4711&limit=1');
  expect(await nonces(`order_number=4711&limit=1&after=${newest?.id ?? ''}`)).toEqual(['a']);
  const commandId = newest?.command_id ?? '';
  expect(await nonces(`command_id=${commandId}&from=${noon}`)).toEqual(['b']);
  expect(await nonces(`command_id=${commandId}&to=${noon}`)).toEqual([]);
  expect(await nonces(`command_id=${commandId}&order_number=4712`)).toEqual([]);
});

test('filters by the person who acted, or for whom somebody else acted', async () => {
  await pick(ONE, 'pressed');
  for (const nonce of ['Ben', 'Paula', 'erp for Paula']) await pick(TWO, nonce);
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  const name = db.prepare('UPDATE history SET detail = json_patch(detail, ?) WHERE nonce = ?');
  name.run(JSON.stringify({ by: 'Ben' }), 'Ben');
  name.run(JSON.stringify({ by: 'Paula' }), 'Paula');
  name.run(JSON.stringify({ by: 'erp', for: 'Paula' }), 'erp for Paula');
  db.close();
  await station.restart();
  expect(await nonces('by=Paula')).toEqual(['erp for Paula', 'Paula']);
  expect(await nonces('by=erp')).toEqual(['erp for Paula']);
  expect(await nonces('by=device')).toEqual(['pressed']);
  expect(await nonces('by=paula')).toEqual([]);
  expect(await nonces(`by=Paula&deviceid=${ONE}`)).toEqual([]);
  expect(await nonces(`by=Paula&deviceid=${TWO}&kind=acknowledged&limit=1`)).toEqual(['erp for Paula']);
  const [first] = await list('by=Ben');
  expect(await nonces(`by=Paula&command_id=${first?.command_id}`)).toEqual([]);
  expect(await nonces(`by=Ben&command_id=${first?.command_id}`)).toEqual(['Ben']);
  expect(await station.get<HistorySummary>('/api/history/summary/?by=Paula')).toMatchObject({ acknowledged: 2 });
  const { body } = await station.request('GET', '/api/history/export/?by=Paula');
  const [header, ...lines] = readCsv(String(body)).records.map(({ cells }) => cells);
  expect(lines.map((cells) => cells[header?.indexOf('nonce') ?? -1])).toEqual(['erp for Paula', 'Paula']);
});

test('a summary counts the same entries as the list, and measures the time until presses', async () => {
  const from = now();
  for (const seconds of [2, 4, 30]) await pick(ONE, `a${seconds}`, seconds);
  await timeOut(TWO, 'b');
  await station.press(TWO, 'front', 'long');
  const summary = await station.get<HistorySummary>(`/api/history/summary/?from=${from}`);
  expect(summary).toMatchObject({
    from,
    to: now(),
    bucket_seconds: 60,
    acknowledged: 3,
    timed_out: 1,
    timeout_share: 0.25,
    timed: 3,
    qty: 6,
  });
  const took = (await list('kind=acknowledged'))
    .map((entry) => Date.parse(entry.at) - Date.parse(entry.shown_at ?? ''))
    .toSorted((a, b) => a - b);
  expect(Math.abs((summary.median_ms ?? 0) - (took[1] ?? 0))).toBeLessThan(25);
  expect(summary.p95_ms).toBe(took[2]);
  expect(summary.buckets.reduce((sum, bucket) => sum + bucket.acknowledged, 0)).toBe(3);
  const ofTwo = await station.get<HistorySummary>(`/api/history/summary/?deviceid=${TWO}&from=${from}`);
  expect(ofTwo).toMatchObject({ acknowledged: 0, timed_out: 1, timeout_share: 1, median_ms: null });
  const [newest] = await list('kind=acknowledged');
  const ofOne = await station.get<HistorySummary>(`/api/history/summary/?command_id=${newest?.command_id ?? ''}`);
  expect(ofOne).toMatchObject({ acknowledged: 1, timed: 1, entries: 1 });
});

test('identifying a device is listed in the history, but not counted in the summary', async () => {
  await pick(ONE, 'a');
  await station.post(`/api/device/${ONE}/identify/`, {});
  await station.clock.advance(10_000);
  await station.post(`/api/device/${ONE}/identify/`, {});
  await station.clock.advance(1_000);
  await station.press(ONE);
  await station.clock.advance(1_000);
  expect(await list('kind=timedOut')).toHaveLength(1);
  expect(await list('kind=acknowledged')).toHaveLength(2);
  expect(await station.get<HistorySummary>('/api/history/summary/')).toMatchObject({
    entries: 1,
    acknowledged: 1,
    timed_out: 0,
  });
});

test('a summary of the whole history begins at the start of a bucket', async () => {
  const empty = await station.get<HistorySummary>('/api/history/summary/');
  expect(empty).toMatchObject({ entries: 0, to: now() });
  await pick(ONE, 'a');
  await station.clock.advance(3 * 3_600_000);
  const summary = await station.get<HistorySummary>('/api/history/summary/');
  expect(summary).toMatchObject({ entries: 1, bucket_seconds: 300, from: new Date(START_MS).toISOString() });
});

test('an export has the same entries as the list, with times in UTC and without spreadsheet formulas', async () => {
  await pick(ONE, 'a', 2, '=HYPERLINK("x")');
  await pick(TWO, '@b', 4, 'black;=1+1');
  const { status, headers, body } = await station.request('GET', '/api/history/export/?kind=acknowledged,late');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="history.csv"');
  const text = String(body);
  expect(text).not.toMatch(/(^|[,;\t\n"])[=+\-@]/);
  const { records } = readCsv(text);
  const [header, ...lines] = records;
  const cell = (line: number, name: string) => lines[line]?.cells[header?.cells.indexOf(name) ?? -1];
  expect(lines).toHaveLength(2);
  expect(cell(0, 'nonce')).toBe('@b');
  expect(cell(0, 'at')).toMatch(/^2\d{3}-\d\d-\d\dT[\d:.]+Z$/);
  expect(cell(0, 'kind')).toBe('acknowledged');
  expect(Number(cell(0, 'seconds_to_acknowledge'))).toBeGreaterThan(3);
  expect(cell(1, 'lines')).toBe('=HYPERLINK("x")');
  expect(await station.request('GET', '/api/history/export/?kind=killed')).toMatchObject({ status: 200 });
  expect((await station.request('HEAD', '/api/history/export/')).status).toBe(200);
});

test('an export of many pages is complete', async () => {
  await pick(ONE, 'a');
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  const insert = db.prepare(
    `INSERT INTO history (at, kind, device_id, command_id, nonce, location, qty, detail)
     SELECT at, kind, device_id, NULL, ?, location, qty, detail FROM history WHERE id = 1`,
  );
  db.transaction(() => {
    for (let number = 2; number <= 5_000; number += 1) insert.run(`n${number}`);
  })();
  db.close();
  await station.restart();
  const { body } = await station.request('GET', '/api/history/export/');
  const { records } = readCsv(String(body));
  expect(records).toHaveLength(5_001);
  expect(new Set(records.map(({ cells }) => cells[0])).size).toBe(5_001);
  expect(String(body).match(/\ufeff/g) ?? []).toHaveLength(1);
});

test.each([
  ['', 'kind=pressed', 'kind'],
  ['', 'kind=killed,', 'kind'],
  ['', 'from=yesterday', 'from'],
  ['', 'from=2026-11-20T08:00:00', 'from'],
  ['summary/', 'to=2026-11-20', 'to'],
  ['', 'from=2026-11-20T08:00:00Z&to=2026-11-20T08:00:00%2B01:00', 'to'],
  ['summary/', 'from=2026-11-20T08:00:00Z&to=2026-11-19T08:00:00Z', 'to'],
  ['export/', 'from=2026-11-20T08:00:00Z&to=2026-11-19T08:00:00Z', 'to'],
])('/api/history/%s?%s is refused, and the error names the field', async (path, query, field) => {
  const { status, body } = await station.request('GET', `/api/history/${path}?${query}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid', errors: [{ path: `/${field}` }] });
});

test('a client that disconnects during a long summary causes no error', async () => {
  await station.stop();
  const clock = createFakeClock(START_MS);
  let worked = 0;
  let isSlow = false;
  // Each reading of the clock adds time, so that counting must pause.
  const monotonic = () => clock.monotonic() + (isSlow ? (worked += 5) : worked);
  station = await startTestStation({ simulate: 2, refreshMs: 0, clock: { ...clock, monotonic } });
  await clock.advance(1_000);
  await pick(ONE, 'a');
  isSlow = true;
  const headers = { 'api-key': API_KEY };
  // The first request must pause before the second one begins.
  await station.get('/api/history/');
  const gone = new AbortController();
  const asked = fetch(`${station.url}api/history/summary/`, { headers, signal: gone.signal });
  await clock.advance(0);
  gone.abort();
  await expect(asked).rejects.toThrow();
  await clock.advance(10_000);
  isSlow = false;
  expect(station.logged).toEqual([]);
  expect((await station.request('GET', '/api/history/summary/')).status).toBe(200);
});
