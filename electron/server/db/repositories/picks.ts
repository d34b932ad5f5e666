import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/**
 * Pieces that a picker booked. `isLine`: they finished the line. `tookMs`: time since the previous line. Null: after a break, or if they
 * did not finish the line.
 */
export type PickRow = {
  at: number;
  picker: string;
  itemId: number;
  units: number;
  isLine: boolean;
  isShort: boolean;
  tookMs: number | null;
};

/** As read back. */
export type PickedRow = Omit<PickRow, 'itemId'> & { id: number };
type PageRow = Omit<PickedRow, 'isLine' | 'isShort'> & { isLine: 0 | 1; isShort: 0 | 1 };

/** Reads and writes the finished lines and counted pieces of pickers. */
export function pickRows(db: Db) {
  const { list, number, run } = statements(db);
  const insert = run(
    'INSERT INTO picks (at, picker, item_id, units, is_line, is_short, took_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const ofItem = list<[itemId: number, since: number], { id: number; units: number }>(
    'SELECT id, units FROM picks INDEXED BY picks_at WHERE item_id = ? AND at >= ? ORDER BY at DESC, id DESC',
  );
  const keepPieces = run<[units: number, id: number]>(
    'UPDATE picks SET units = ?, is_line = 0, is_short = 0, took_ms = NULL WHERE id = ?',
  );
  const remove = run<[id: number]>('DELETE FROM picks WHERE id = ?');
  const page = list<[at: number, id: number, before: number, limit: number], PageRow>(
    `SELECT id, at, picker, units, is_line AS isLine, is_short AS isShort, took_ms AS tookMs FROM picks
     WHERE (at, id) > (?, ?) AND at < ? ORDER BY at, id LIMIT ?`,
  );
  return {
    insert: ({ at, picker, itemId, units, isLine, isShort, tookMs }: PickRow) =>
      insert(at, picker, itemId, units, isLine ? 1 : 0, isShort ? 1 : 0, tookMs),
    /** Reopens an item: removes its newest pieces booked at or after `since`, and marks the rest as not finishing a line. */
    reopen(itemId: number, since: number, pieces: number): void {
      let rest = pieces;
      for (const { id, units } of ofItem(itemId, since)) {
        const left = Math.max(0, units - rest);
        rest -= units - left;
        if (left === 0) remove(id);
        else keepPieces(left, id);
      }
    },
    /** Rows after the given one, booked before `before`, oldest first. */
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
  return Object.assign(row, { isLine: row.isLine === 1, isShort: row.isShort === 1 });
}
