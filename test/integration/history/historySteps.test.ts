import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import type { HistoryFilter } from '../../../electron/server/db/repositories/historyFind.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { seededFraction } from '../../helpers/seeded.ts';

const ROWS = 60_000;
const DEVICES = 7;
const KINDS = ['acknowledged', 'timedOut', 'killed'] as const;

const deviceOf = (id: number) => `51D000:00000${id % DEVICES}`;
/** Returns whether the row exists. One device has rows only near the beginning, and one only near the end. */
const isThere = (id: number) => !(id % DEVICES === 1 && id > 20) && !(id % DEVICES === 2 && id < ROWS - 20);

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-history-'));
  database = openDatabase(folder);
  database.writer.pragma('synchronous = OFF');
  repositories = createRepositories(database.writer);
  const insert = database.writer.prepare(
    `INSERT INTO history (id, at, kind, device_id, command_id, nonce, location, qty, detail)
     VALUES (?, 0, ?, ?, NULL, '', '', 0, '{}')`,
  );
  database.writer.transaction(() => {
    // The oldest rows are missing, as after a cleanup.
    for (let id = 17; id <= ROWS; id += 1) if (isThere(id)) insert.run(id, KINDS[id % 3], deviceOf(id));
  })();
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the found ids, collected step by step. */
function find(filter: HistoryFilter, after: number | undefined, limit: number): number[] {
  const found: number[] = [];
  let before: number | undefined = after ?? Number.MAX_SAFE_INTEGER;
  while (before !== undefined && found.length < limit) {
    const step = repositories.historyFind.step(filter, { from: 0, before }, limit - found.length);
    found.push(...step.rows.map(({ id }) => id));
    before = step.next;
  }
  return found;
}

test('lists the history of a device newest first, in steps of any size', () => {
  const fraction = seededFraction(3);
  const pick = (limit: number) => Math.floor(fraction() * limit);
  const edges = [undefined, 0, 1, 17, 18, 16_383, 16_384, 16_385, 32_768, ROWS, ROWS + 1, 2 ** 40];
  for (let round = 0; round < 100; round += 1) {
    const deviceId = deviceOf(pick(DEVICES + 1));
    const kind = fraction() < 0.5 ? undefined : KINDS[pick(3)];
    const after = fraction() < 0.5 ? edges[pick(edges.length)] : pick(ROWS);
    const limit = fraction() < 0.5 ? 1 + pick(5) : 20_000;
    const expected: number[] = [];
    for (let id = Math.min(after ?? Infinity, ROWS + 1) - 1; id >= 17 && expected.length < limit; id -= 1) {
      if (isThere(id) && deviceOf(id) === deviceId && (kind === undefined || KINDS[id % 3] === kind)) expected.push(id);
    }
    const listed = find({ deviceId, kinds: kind === undefined ? undefined : [kind] }, after, limit);
    expect(listed, JSON.stringify({ deviceId, kind, after, limit })).toEqual(expected);
  }
});

test("uses an index for a device's history and for a command's rows", () => {
  const planOf = (sql: string): string => JSON.stringify(database.reader.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  expect(planOf("SELECT id FROM history WHERE device_id = 'x' AND id < 9 ORDER BY id DESC")).toContain(
    'history_device',
  );
  expect(planOf('SELECT id FROM history WHERE command_id = 7 ORDER BY id')).toContain('history_command ');
  expect(planOf('SELECT id FROM history WHERE command_id = 7 ORDER BY id')).not.toContain('TEMP B-TREE');
});
