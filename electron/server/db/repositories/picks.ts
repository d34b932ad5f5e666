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

/** As read back. */
export type PickedRow = Omit<PickRow, 'itemId'> & { id: number };
type PageRow = Omit<PickedRow, 'isShort'> & { isShort: 0 | 1 };

/** Finished lines of pickers. */
export function pickRows(db: Db) {
  const { list, number, run } = statements(db);
  const insert = run('INSERT INTO picks (at, picker, item_id, units, is_short, took_ms) VALUES (?, ?, ?, ?, ?, ?)');
  const page = list<[at: number, id: number, before: number, limit: number], PageRow>(
    `SELECT id, at, picker, units, is_short AS isShort, took_ms AS tookMs FROM picks
     WHERE (at, id) > (?, ?) AND at < ? ORDER BY at, id LIMIT ?`,
  );
  return {
    insert: ({ at, picker, itemId, units, isShort, tookMs }: PickRow) =>
      insert(at, picker, itemId, units, isShort ? 1 : 0, tookMs),
    /** The item is open again: what was finished of it since then does not count. */
    takeBack: run<[itemId: number, since: number]>(
      'DELETE FROM picks INDEXED BY picks_at WHERE item_id = ? AND at >= ?',
    ),
    /** Lines after this one in time and finished before then, the oldest first. */
    page: ({ at, id }: { at: number; id: number }, before: number, limit: number): PickedRow[] =>
      page(at, id, before, limit).map(fromRow),
    /** Counts up to `limit`. */
    countOld: number<[before: number, limit: number]>(
      'SELECT count(*) FROM (SELECT 1 FROM picks WHERE at < ? LIMIT ?)',
    ),
    removeOld: run<[before: number, limit: number]>(
      'DELETE FROM picks WHERE id IN (SELECT id FROM picks WHERE at < ? LIMIT ?)',
    ),
  };
}

/** Changes the row that was read: there may be very many. */
function fromRow(row: PageRow): PickedRow {
  return Object.assign(row, { isShort: row.isShort === 1 });
}
