import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** A line that a picker finished. `tookMs`: since the line before; null after a break. */
export type PickRow = {
  at: number;
  picker: string;
  itemId: number;
  units: number;
  isShort: boolean;
  tookMs: number | null;
};

/** Finished lines of pickers. */
export function pickRows(db: Db) {
  const { list, number, run } = statements(db);
  const insert = run('INSERT INTO picks (at, picker, item_id, units, is_short, took_ms) VALUES (?, ?, ?, ?, ?, ?)');
  const between = list<[from: number, to: number], Omit<PickRow, 'isShort'> & { isShort: 0 | 1 }>(
    'SELECT at, picker, item_id AS itemId, units, is_short AS isShort, took_ms AS tookMs FROM picks WHERE at >= ? AND at < ?',
  );
  return {
    insert: ({ at, picker, itemId, units, isShort, tookMs }: PickRow) =>
      insert(at, picker, itemId, units, isShort ? 1 : 0, tookMs),
    /** The item is open again: what was finished of it since then does not count. */
    takeBack: run<[itemId: number, since: number]>(
      'DELETE FROM picks INDEXED BY picks_at WHERE item_id = ? AND at >= ?',
    ),
    list: (from: number, to: number): PickRow[] =>
      between(from, to).map((row) => ({ ...row, isShort: row.isShort === 1 })),
    /** Counts up to `limit`. */
    countOld: number<[before: number, limit: number]>(
      'SELECT count(*) FROM (SELECT 1 FROM picks WHERE at < ? LIMIT ?)',
    ),
    removeOld: run<[before: number, limit: number]>(
      'DELETE FROM picks WHERE id IN (SELECT id FROM picks WHERE at < ? LIMIT ?)',
    ),
  };
}
