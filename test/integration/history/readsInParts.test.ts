import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InParts, whole } from '#shared/lib/station/inParts.ts';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { COUNTS } from '../../../electron/server/db/repositories/orderSql.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { createDeliveries } from '../../../electron/server/services/callbacks/deliveries.ts';
import { createHistorySearch } from '../../../electron/server/services/history/search.ts';
import {
  exportOrdersCsv,
  exportOrdersWorkbook,
} from '../../../electron/server/services/imports/orders/exportOrders.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { listPickerFigures } from '../../../electron/server/services/history/people.ts';

let folder: string;
let database: OpenDatabase;
let reads: Repositories;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-parts-'));
  database = openDatabase(folder);
  reads = createRepositories(database.reader);
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Inserts `count` rows whose column `n` runs from 1 to `count`. */
function fill(into: string, values: string, count: number): void {
  database.writer.exec(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ${count})
     INSERT INTO ${into} SELECT ${values} FROM numbers`,
  );
}

function counted<T>(work: InParts<T>): { value: T; parts: number } {
  for (let parts = 1; ; parts += 1) {
    const part = work.next();
    if (part.done === true) return { value: part.value, parts };
  }
}

// Ten lines end in the same millisecond, which can be split between two pages.
const fillPicks = (count: number): void =>
  fill(
    'picks (at, picker, item_id, units, is_line, is_short, took_ms, sku, name, place, reason)',
    "1000 + n / 10, iif(n % 3 = 0, 'Ben', 'Anna'), n, 2, 1, n % 100 = 0, iif(n % 50 = 0, NULL, n), '', '', '', ''",
    count,
  );

test('picker statistics read many lines page by page, and each line once', () => {
  fillPicks(9_999);
  const { value, parts } = counted(listPickerFigures(reads, {}, new AbortController().signal));
  expect(value).toEqual([
    { picker: 'Anna', lines: 6_666, units: 13_332, shorts: 66, median_seconds: 5 },
    { picker: 'Ben', lines: 3_333, units: 6_666, shorts: 33, median_seconds: 5 },
  ]);
  // There are ten pages, and further parts for the medians.
  expect(parts).toBeGreaterThan(10);
});

test('picker statistics include lines at the start of the range, but not at its end', () => {
  fillPicks(100);
  const linesIn = (from: number, to: number): number =>
    whole(
      listPickerFigures(
        reads,
        { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
        new AbortController().signal,
      ),
    ).reduce((sum, { lines }) => sum + lines, 0);
  expect(linesIn(1_000, 1_000)).toBe(0);
  // The range contains the first nine rows.
  expect(linesIn(1_000, 1_001)).toBe(9);
  expect(linesIn(1_001, 1_003)).toBe(20);
  expect(linesIn(1_010, 2_000)).toBe(1);
});

test('counts the rows of long tables page by page, even with gaps in the ids', () => {
  const history = 'history (id, at, kind, device_id, nonce, location, qty, detail)';
  fill(history, "n, 0, 'call', '51D000:000001', '', '', 0, '{}'", 15_000);
  fill(history, "n + 900000, 0, 'call', '51D000:000001', '', '', 0, '{}'", 10_000);
  fill(
    'outbox (receiver, run_mark, family, payload, state, created_at, since_ran_ms, revision, event_at, picked)',
    "0, '', 'device', '{}', iif(n % 4 = 0, 'pending', 'delivered'), 0, 0, 1, 0, 0",
    20_000,
  );
  const { value, parts } = counted(reads.counts.inParts());
  expect(value).toMatchObject({ history: 25_000, pending_callbacks: 5_000, devices: 0 });
  // One step for each of seven names, and two more for each of history and outbox.
  expect(parts).toBeGreaterThan(10);
  expect(reads.counts.all()).toEqual(value);
});

/** Creates a queue of reads that counts its steps. `onStep` is called before each step. */
function countedQueue(onStep: (step: number) => void = () => undefined) {
  let steps = 0;
  return {
    steps: () => steps,
    async take<T>(step: () => T): Promise<T> {
      steps += 1;
      onStep(steps);
      await Promise.resolve();
      return step();
    },
    takeAll: <T>(work: InParts<T>): Promise<T> => Promise.resolve(whole(work)),
    stop: () => undefined,
  };
}

const fillHistory = (count: number): void =>
  fill(
    'history (id, at, kind, device_id, nonce, location, qty, detail)',
    "n, n, 'acknowledged', '51D000:000001', '', 'A-1', 0, '{}'",
    count,
  );

async function lengthOf(parts: AsyncIterable<string>): Promise<number> {
  let length = 0;
  for await (const part of parts) length += part.length;
  return length;
}

const RANGES = {
  list: (search: ReturnType<typeof createHistorySearch>, signal: AbortSignal) =>
    search.list({ limit: 1_000, location: 'nowhere' }, signal),
  summary: (search: ReturnType<typeof createHistorySearch>, signal: AbortSignal) =>
    search.summary({ location: 'nowhere' }, signal),
  export: async (search: ReturnType<typeof createHistorySearch>, signal: AbortSignal) => {
    await lengthOf(search.export({ location: 'nowhere' }, signal));
  },
};

test.each(Object.entries(RANGES))(
  'if the caller disconnects, the %s of a wide range ends at the next step',
  async (_, read) => {
    fillHistory(40_000);
    const gone = new AbortController();
    const backgroundReads = countedQueue((step) => {
      if (step === 3) gone.abort();
    });
    const settings = { current: () => ({ time_zone: null }) };
    const search = createHistorySearch({ reads, backgroundReads, clock: createFakeClock(0), settings });
    await expect(read(search, gone.signal)).rejects.toThrow();
    expect(backgroundReads.steps()).toBe(3);
  },
);

test('picker statistics end when the caller disconnects', () => {
  fillPicks(9_999);
  const gone = new AbortController();
  const work = listPickerFigures(reads, {}, gone.signal);
  work.next();
  gone.abort();
  expect(() => work.next()).toThrow();
});

const IS_100 = /^(?:item_count|done_count|ordered_quantity|quantity_fulfilled)$/;

/** Inserts orders with 100 items each. */
function fillOrders(count: number): void {
  const counts = COUNTS.replaceAll(/\w+/g, (column) => (IS_100.test(column) ? '100' : '0'));
  fill(
    `orders (id, order_number, token, has_items, priority, created_at, updated_at, state, is_told, ${COUNTS}, zero_count)`,
    `n, 'N' || (100000 + n), '', 1, 0, 0, 0, 'fulfilled', 1, ${counts}, 0`,
    count,
  );
  fill(
    `shipments (id, order_id, shipment_number, state, is_told, ${COUNTS}, zero_count)`,
    `n, n, 'N' || (100000 + n), 'fulfilled', 1, ${counts}, 0`,
    count,
  );
  fill(
    'items (order_id, shipment_id, ordered_quantity, quantity_fulfilled, state, name, is_guessed)',
    "1 + (n - 1) / 100, 1 + (n - 1) / 100, 1, 1, 'done', 'Screws', 0",
    100 * count,
  );
}

test('exporting orders as CSV stops when the caller disconnects', async () => {
  fillOrders(100);
  const foregroundReads = countedQueue();
  const tables = { writeWorkbook: () => Promise.reject(new Error('This is no workbook.')) };
  const gone = new AbortController();
  const parts = exportOrdersCsv({ reads, foregroundReads, tables }, {}, ',', gone.signal);
  await parts.next();
  expect(foregroundReads.steps()).toBe(0);
  const first = await parts.next();
  expect(String(first.value).match(/Screws/g)).toHaveLength(100);
  // One step for the page of orders, and one for its first order.
  expect(foregroundReads.steps()).toBe(2);
  gone.abort();
  await expect(lengthOf(parts)).rejects.toThrow();
  expect(foregroundReads.steps()).toBeLessThan(30);
});

test('refuses a workbook with more than 100,000 lines, and explains what to do', async () => {
  fillOrders(1_010);
  const foregroundReads = countedQueue();
  const tables = { writeWorkbook: () => Promise.resolve(new Uint8Array()) };
  const all = exportOrdersWorkbook({ reads, foregroundReads, tables }, {}, new AbortController().signal);
  await expect(all).rejects.toThrow('A workbook has at most 100,000 lines. Export these orders as CSV');
});

test('reads a list of deliveries in small parts, and each delivery once', async () => {
  fill(
    'outbox (receiver, run_mark, family, payload, state, created_at, since_ran_ms, revision, event_at, picked)',
    `0, '', 'device', '{"acknack":"ack"}', iif(n % 4 = 0, 'dead', 'delivered'), 0, 0, n, 0, 0`,
    1_000,
  );
  const parts: number[] = [];
  const foregroundReads = {
    takeAll<T>(work: InParts<T>): Promise<T> {
      const { value, parts: count } = counted(work);
      parts.push(count);
      return Promise.resolve(value);
    },
  };
  const deliveries = createDeliveries({ reads, time: { toWall: (at) => at }, foregroundReads, held: () => undefined });
  const query = { family: undefined, receiver: undefined, after: undefined };
  const all = await deliveries.list({ ...query, state: undefined, limit: 1_000 });
  expect(new Set(all.map(({ id }) => id)).size).toBe(1_000);
  expect(await deliveries.list({ ...query, state: 'dead', limit: 120 })).toHaveLength(120);
  // The last part is empty.
  expect(parts).toEqual([21, 4]);
});

/** Snapshots are read one at a time, and the page and the order list need them quickly, so only reads of limited size may use them. */
test('only the known reads of limited size use snapshots', () => {
  const users = globSync('electron/server/**/*.ts').filter((file) =>
    readFileSync(file, 'utf8').includes('snapshots.read('),
  );
  expect(users.sort()).toEqual([
    'electron/server/services/orders/orders.ts',
    'electron/server/services/overview.ts',
    'electron/server/services/picking/index.ts',
  ]);
});
