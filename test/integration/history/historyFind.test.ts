import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HistoryKind } from '#shared/api/history.ts';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import type { HistoryFilter, HistorySpan } from '../../../electron/server/db/repositories/historyFind.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { seededFraction } from '../../helpers/seeded.ts';

const ROWS = 40_000;
const FIRST = 100;
const START = Date.parse('2026-11-20T00:00:00Z');
const SECOND = 1_000;

type Kept = {
  id: number;
  at: number;
  committedAt: number;
  kind: HistoryKind;
  deviceId: string;
  location: string;
  work: string | null;
  by: string;
  for: string | undefined;
};

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;
const kept: Kept[] = [];
const fraction = seededFraction(11);
const pick = <T>(list: readonly T[]): T => list[Math.floor(fraction() * list.length)] as T;

const KINDS: readonly HistoryKind[] = [
  ...Array.from({ length: 12 }, () => 'acknowledged' as const),
  'timedOut',
  'killed',
  'late',
];
const DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003', '51D000:00000F'];
const PLACES = ['A-1', 'A-2', ''];
const NAMES = ['Paula', 'Ben', 'device'];
const WORKS = [null, null, null, 'order:1', 'order:2', 'sequence:1'];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-find-'));
  database = openDatabase(folder);
  database.writer.pragma('synchronous = OFF');
  repositories = createRepositories(database.writer);
  database.writer.transaction(() => {
    for (let id = FIRST; id < ROWS; id += 1) {
      // Leave gaps, as after a cleanup.
      if (fraction() < 0.02) continue;
      const committedAt = START + id * SECOND;
      // One in fifty presses was held for up to an hour.
      const at = committedAt - (fraction() < 0.02 ? Math.floor(fraction() * 3_600) * SECOND : 0);
      const kind = pick(KINDS);
      const where = { deviceId: pick(DEVICES), location: pick(PLACES), work: pick(WORKS) };
      const who = { by: pick(NAMES), for: fraction() < 0.1 ? pick(NAMES) : undefined };
      const row = { id, at, committedAt, kind, ...where, ...who };
      kept.push(row);
      database.writer
        .prepare(
          `INSERT INTO history (id, at, kind, device_id, command_id, nonce, location, qty, detail, work)
           VALUES (?, ?, ?, ?, NULL, '', ?, 1, ?, ?)`,
        )
        .run(
          id,
          at,
          kind,
          row.deviceId,
          row.location,
          JSON.stringify({
            ...who,
            ...(kind === 'late' ? { ageMs: committedAt - at } : { committedAt: new Date(committedAt).toISOString() }),
          }),
          row.work,
        );
    }
  })();
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function find(filter: HistoryFilter, span: HistorySpan, limit: number): { ids: number[]; steps: number } {
  const ids: number[] = [];
  let before: number | undefined = span.before;
  let steps = 0;
  while (before !== undefined && ids.length < limit) {
    const size = limit - ids.length;
    const step = repositories.historyFind.step(filter, { from: span.from, before }, size);
    const brief = repositories.historyFind.brief(filter, { from: span.from, before }, size);
    expect(brief.rows.map(({ id }) => id)).toEqual(step.rows.map(({ id }) => id));
    expect(brief.next).toBe(step.next);
    ids.push(...step.rows.map(({ id }) => id));
    before = step.next;
    steps += 1;
  }
  return { ids, steps };
}

test('finds the matching rows, newest first', () => {
  for (let round = 0; round < 250; round += 1) {
    const filter: HistoryFilter = {
      deviceId: fraction() < 0.4 ? pick([...DEVICES, '51D000:0000FF']) : undefined,
      kinds:
        fraction() < 0.5
          ? pick<HistoryKind[]>([['late'], ['timedOut', 'killed'], ['acknowledged', 'late']])
          : undefined,
      location: fraction() < 0.3 ? pick([...PLACES, 'nowhere']) : undefined,
      work: fraction() < 0.3 ? pick(['order:1', 'sequence:1', 'order:9']) : undefined,
      by: fraction() < 0.3 ? pick([...NAMES, 'paula']) : undefined,
    };
    const from = pick([0, FIRST, 16_384, 20_000, ROWS + 1]);
    const before = pick([0, 16_384, 16_385, 33_000, ROWS, Number.MAX_SAFE_INTEGER]);
    const limit = pick([1, 7, 300, ROWS]);
    const expected = kept
      .filter((row) => row.id >= from && row.id < before)
      .filter((row) => filter.deviceId === undefined || row.deviceId === filter.deviceId)
      .filter((row) => filter.kinds === undefined || filter.kinds.includes(row.kind))
      .filter((row) => filter.location === undefined || row.location === filter.location)
      .filter((row) => filter.work === undefined || row.work === filter.work)
      .filter((row) => filter.by === undefined || row.by === filter.by || row.for === filter.by)
      .map(({ id }) => id)
      .toReversed()
      .slice(0, limit);
    const { ids, steps } = find(filter, { from, before }, limit);
    expect(ids, JSON.stringify({ filter, from, before, limit })).toEqual(expected);
    // Allow one step per window and one per full answer.
    expect(steps).toBeLessThanOrEqual(ROWS / (filter.by === undefined ? 2_048 : 512) + 3);
  }
});

test('when searching for a name, parses the JSON of at most 512 rows per step', () => {
  const row = { from: 0, before: Number.MAX_SAFE_INTEGER };
  for (const filter of [{}, { deviceId: DEVICES[0] }, { kinds: ['late' as const] }]) {
    const { rows, next } = repositories.historyFind.step({ ...filter, by: 'Nobody' }, row, 100);
    expect(rows).toEqual([]);
    expect(next).toBe((kept.at(-1)?.id ?? 0) + 1 - 512);
  }
});

test('a time is converted to the first row committed at or after it, even with delayed presses', () => {
  const ends = [0, START, START + 20_000 * SECOND + 1, START + ROWS * SECOND, Infinity];
  const others = Array.from({ length: 800 }, (_, place) => START + place * 50 * SECOND);
  for (const at of [...ends, ...others]) {
    const expected = kept.find((row) => row.committedAt >= at)?.id ?? (kept.at(-1)?.id ?? 0) + 1;
    const found = repositories.historyFind.firstSince(at);
    // `found` can be the id of a deleted row.
    expect(kept.find(({ id }) => id >= found)?.id ?? expected).toBe(expected);
    expect(kept.findLast(({ id }) => id < found)?.committedAt ?? -1).toBeLessThan(at);
  }
  expect(repositories.historyFind.oldestAt()).toBe(kept[0]?.committedAt);
});

test('each row is in exactly one of several consecutive time ranges', () => {
  const edges = Array.from({ length: 40 }, (_, hour) =>
    repositories.historyFind.firstSince(START + hour * 1_800 * SECOND),
  );
  const found = edges.flatMap((from, index) => find({}, { from, before: edges[index + 1] ?? ROWS }, ROWS).ids);
  expect(found.toSorted((a, b) => a - b)).toEqual(kept.map(({ id }) => id));
});
