import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InParts, whole } from '#shared/lib/inParts.ts';
import { openDatabase, type OpenDatabase } from '../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../electron/server/db/repositories.ts';
import { listPickerFigures } from '../../electron/server/services/history/people.ts';

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

/** Inserts rows with an `n` from 1 to `count`. */
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

// Ten lines end in the same millisecond, which may be on two pages.
const fillPicks = (count: number): void =>
  fill(
    'picks (at, picker, item_id, units, is_short, took_ms)',
    "1000 + n / 10, iif(n % 3 = 0, 'Ben', 'Anna'), n, 2, n % 100 = 0, iif(n % 50 = 0, NULL, n)",
    count,
  );

test('figures of pickers read many lines a page at a time, and each line once', () => {
  fillPicks(9_999);
  const { value, parts } = counted(listPickerFigures(reads, {}));
  expect(value).toEqual([
    { picker: 'Anna', lines: 6_666, units: 13_332, shorts: 66, median_seconds: 5 },
    { picker: 'Ben', lines: 3_333, units: 6_666, shorts: 33, median_seconds: 5 },
  ]);
  // Ten pages, and the median of each.
  expect(parts).toBeGreaterThan(10);
});

test('figures of pickers count lines from one moment to below another', () => {
  fillPicks(100);
  const linesIn = (from: number, to: number): number =>
    whole(listPickerFigures(reads, { from: new Date(from).toISOString(), to: new Date(to).toISOString() })).reduce(
      (sum, { lines }) => sum + lines,
      0,
    );
  expect(linesIn(1_000, 1_000)).toBe(0);
  // The first nine.
  expect(linesIn(1_000, 1_001)).toBe(9);
  expect(linesIn(1_001, 1_003)).toBe(20);
  expect(linesIn(1_010, 2_000)).toBe(1);
});

test('rows of long tables are counted a page at a time, also where ids were left out', () => {
  const history = 'history (id, at, kind, device_id, nonce, location, qty, detail)';
  fill(history, "n, 0, 'call', '51D000:000001', '', '', 0, '{}'", 15_000);
  fill(history, "n + 900000, 0, 'call', '51D000:000001', '', '', 0, '{}'", 10_000);
  fill(
    'outbox (run_mark, family, payload, state, created_at, revision, event_at, picked)',
    "'', 'device', '{}', iif(n % 4 = 0, 'pending', 'delivered'), 0, 1, 0, 0",
    20_000,
  );
  const { value, parts } = counted(reads.counts.inParts());
  expect(value).toMatchObject({ history: 25_000, pending_callbacks: 5_000, devices: 0 });
  // One for each of seven names, two more of history and of the outbox.
  expect(parts).toBeGreaterThan(10);
  expect(reads.counts.all()).toEqual(value);
});
