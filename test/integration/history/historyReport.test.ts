import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryReport } from '#shared/api/historyReport.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import { readReport } from '../../../electron/server/services/history/report.ts';
import { addOrder, anItem, launch, ONE, orderPath, press, THREE_BUTTONS } from '../../helpers/orders.ts';
import { readCsv } from '../../helpers/files/readCsv.ts';
import { API_KEY, START_MS, startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

afterEach(() => station.stop());

const iso = (ms: number) => new Date(ms).toISOString();
const report = (query = '') => station.get<HistoryReport>(`/api/history/report/${query}`);
const cellsOf = ({ body }: Answer) => readCsv(String(body)).records.map(({ cells }) => cells);
const file = (query: string) => station.request('GET', `/api/history/report/export/?${query}`);

type Line = Partial<{
  at: number;
  picker: string;
  units: number;
  short: boolean;
  took: number | null;
  sku: string;
  name: string;
  place: string;
  reason: string;
  light: number | null;
}>;

/** Stops the station, inserts finished lines into its database, and starts it again. */
async function write(lines: Iterable<Line>): Promise<void> {
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  const insert = db.prepare(
    `INSERT INTO picks (at, picker, item_id, units, is_line, is_short, took_ms, sku, name, place, reason, light_ms)
     VALUES (?, ?, 1, ?, 1, ?, ?, ?, ?, ?, ?, ?)`,
  );
  db.transaction(() => {
    for (const line of lines) {
      const { at = START_MS - 1_000, picker = 'Anna', units = 1, short = false, took = 9_000 } = line;
      const { sku = '', name = '', place = '', reason = '', light = null } = line;
      insert.run(at, picker, units, short ? 1 : 0, took, sku, name, place, reason, light);
    }
  })();
  db.close();
  station = await startTestStation({ simulate: 2, refreshMs: 0, dataFolder: station.dataFolder });
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

test('records each press with its article, place and time since lighting, and each short also with its reason', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
  const items = [anItem({ SKU: 'CT-1', name: 'Cable tie' }), anItem({ deviceid: THREE_BUTTONS, name: 'Plug' })];
  await addOrder(station, 'A', items);
  const { items: lit = [] } = await launch(station, 'A');
  await station.clock.advance(7_000);
  await press(station, ONE);
  await station.post(orderPath('A', `items/${lit[1]?.id}/short/`), { quantity_fulfilled: 1, reason: 'missing' });
  const [pressed, short] = station.rows(
    'SELECT picker, sku, name, place, reason, is_short, light_ms FROM picks ORDER BY id',
  );
  expect(pressed).toEqual({
    picker: '',
    sku: 'CT-1',
    name: 'Cable tie',
    place: 'A-1-1',
    reason: '',
    is_short: 0,
    light_ms: expect.any(Number),
  });
  expect(pressed?.['light_ms']).toBeGreaterThanOrEqual(7_000);
  expect(pressed?.['light_ms']).toBeLessThan(13_000);
  expect(short).toMatchObject({ name: 'Plug', place: THREE_BUTTONS, reason: 'missing', is_short: 1, light_ms: null });
});

test('a reason given after a press closed a line as short is recorded for that line', async () => {
  await addOrder(station, 'A', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 3, SKU: 'CT-1' })]);
  const { items = [] } = await launch(station, 'A');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  const before = await report();
  expect(before.shorts).toEqual([{ sku: 'CT-1', name: 'Cable tie', lines: 1, reasons: [{ reason: '', lines: 1 }] }]);
  await station.post(orderPath('A', `items/${items[0]?.id}/short/`), { reason: 'damaged' });
  expect((await report()).shorts[0]).toMatchObject({ lines: 1, reasons: [{ reason: 'damaged', lines: 1 }] });
});

test('counts lines per person and day, omitting days without lines', async () => {
  const noon = new Date(START_MS).setHours(12, 0, 0, 0);
  const on = (days: number, given: Line = {}) => ({ at: noon - days * DAY_MS, ...given });
  await write([
    ...times(3, () => on(5, { picker: 'Ben', units: 4 })),
    ...times(2, () => on(2, { units: 2 })),
    on(2, { picker: 'Ben', short: true }),
    on(2, { picker: '', took: null }),
  ]);
  const { days, people, ...rest } = await report();
  expect(rest).toMatchObject({ lines: 7, units: 18, short_lines: 1, median_seconds: null, pressed: 0 });
  expect(people).toEqual([
    { picker: 'Ben', lines: 4, units: 13, shorts: 1, median_seconds: null },
    { picker: 'Anna', lines: 2, units: 4, shorts: 0, median_seconds: null },
    { picker: '', lines: 1, units: 1, shorts: 0, median_seconds: null },
  ]);
  const dayOf = (ago: number) => new Date(noon - ago * DAY_MS).toLocaleDateString('sv-SE');
  expect(days.map(({ day, people: ofDay }) => [day, ofDay.map(({ picker, lines }) => `${picker} ${lines}`)])).toEqual([
    [dayOf(2), ['Anna 2', ' 1', 'Ben 1']],
    [dayOf(5), ['Ben 3']],
  ]);
  const narrowed = await report(`?from=${iso(noon - 3 * DAY_MS)}&to=${iso(noon)}`);
  expect(narrowed).toMatchObject({ lines: 4, from: iso(noon - 3 * DAY_MS), to: iso(noon) });
});

test('a median requires twenty picks; places with fewer are only counted, and the slowest place is first', async () => {
  const lines = (count: number, place: string, light: (index: number) => number): Line[] =>
    times(count, (index) => ({ place, light: light(index), took: 5_000 }));
  await write([
    ...lines(21, 'fast', (index) => 3_000 + index * 100),
    ...lines(20, 'slow', () => 31_400),
    ...lines(19, 'seldom', () => 90_000),
    ...times(19, () => ({ picker: 'Ben', took: 7_000 })),
  ]);
  const { places, places_with_few: few, median_seconds: median, pressed, people } = await report();
  expect(places).toEqual([
    { place: 'slow', lines: 20, median_seconds: 31.4 },
    { place: 'fast', lines: 21, median_seconds: 4 },
  ]);
  expect({ few, median, pressed }).toEqual({ few: 1, median: 31.4, pressed: 60 });
  expect(people.map(({ picker, median_seconds: took }) => [picker, took])).toEqual([
    ['Anna', 5],
    ['Ben', null],
  ]);
});

test('shorts are grouped by SKU, or by name if it is missing, with their reasons, most lines first', async () => {
  const short = (given: Line) => ({ short: true, ...given });
  await write([
    ...times(2, () => short({ sku: 'B-2', name: 'Bolt', reason: 'missing' })),
    short({ sku: 'B-2', name: 'Bolt M8', reason: 'damaged' }),
    short({ name: 'No SKU', reason: '' }),
    { sku: 'C-3' },
  ]);
  expect((await report()).shorts).toEqual([
    {
      sku: 'B-2',
      name: expect.stringMatching(/^Bolt/),
      lines: 3,
      reasons: [
        { reason: 'missing', lines: 2 },
        { reason: 'damaged', lines: 1 },
      ],
    },
    { sku: '', name: 'No SKU', lines: 1, reasons: [{ reason: '', lines: 1 }] },
  ]);
});

test('an empty history results in an empty report, and a range that ends before it starts is refused', async () => {
  expect(await report()).toMatchObject({
    lines: 0,
    days: [],
    people: [],
    shorts: [],
    places: [],
    median_seconds: null,
  });
  const refused = await station.request('GET', `/api/history/report/?from=${iso(START_MS)}&to=${iso(START_MS - 1)}`);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/to' }] } });
});

test('each table can be exported as a workbook, and as CSV in which spreadsheets do not run formulas', async () => {
  await write([
    { picker: '=cmd', at: START_MS - 1_000 },
    { short: true, sku: '007', reason: 'missing' },
    ...times(20, () => ({ place: 'A-1', light: 2_000 })),
  ]);
  const days = await file('table=days');
  expect(days.headers.get('content-disposition')).toBe('attachment; filename="days.csv"');
  const rows = cellsOf(days);
  expect(rows[0]).toEqual(['day', 'picker', 'lines', 'units', 'shorts']);
  expect(String(days.body)).toContain(",'=cmd,");
  expect(cellsOf(await file('table=shorts'))[1]).toEqual(['007', '', 'missing', '1']);
  expect(cellsOf(await file('table=places'))[1]).toEqual(['A-1', '20', '2']);
  for (const path of ['/api/history/report/export/?table=places&format=xlsx', '/api/history/export/?format=xlsx']) {
    const answer = await fetch(new URL(path, station.url), { headers: { 'api-key': API_KEY } });
    expect(answer.headers.get('content-type'), path).toMatch(/spreadsheetml/);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  }
  expect((await file('table=people')).status).toBe(400);
});

test('counts two years of a busy shop in steps of an hour, skips empty hours, and stops when the caller disconnects', async () => {
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  const insert = db.prepare(
    `INSERT INTO picks (at, picker, item_id, units, is_line, is_short, sku, name, place, reason, light_ms)
     VALUES (?, 'Anna', 1, 1, 1, 0, '', '', ?, '', 5000)`,
  );
  const HOURS_OF_WORK = 8;
  db.transaction(() => {
    for (let day = 0; day < 730; day += 1) {
      for (let line = 0; line < 160; line += 1) {
        insert.run(START_MS - day * DAY_MS - (line % HOURS_OF_WORK) * HOUR_MS - line - 1, `A-${line % 4}`);
      }
    }
  })();
  const repositories = createRepositories(db);
  const work = (signal: AbortSignal) => readReport(repositories, { now: START_MS, timeZone: null }, signal);
  const counting = work(new AbortController().signal);
  let steps = 0;
  let step = counting.next();
  for (; step.done !== true; step = counting.next()) steps += 1;
  expect(step.value).toMatchObject({ lines: 730 * 160, places_with_few: 0 });
  // Sorting takes a few more steps.
  expect(steps).toBeGreaterThanOrEqual(730 * HOURS_OF_WORK);
  expect(steps).toBeLessThan(730 * HOURS_OF_WORK + 10);
  const caller = new AbortController();
  const left = work(caller.signal);
  left.next();
  caller.abort();
  expect(() => left.next()).toThrow('aborted');
  db.close();
});
