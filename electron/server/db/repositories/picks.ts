import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/**
 * Booked pieces.
 * - `picker` is empty for a line without a picker.
 * - `isLine` tells whether the pieces finished the line.
 * - `tookMs` is the time since the previous line, or null after a break, or if the pieces did not finish the line.
 * - `lightMs` is the time from the light to the press, or null if one of them is unknown.
 */
export type PickRow = {
  at: number;
  picker: string;
  itemId: number;
  units: number;
  isLine: boolean;
  isShort: boolean;
  tookMs: number | null;
  sku: string;
  name: string;
  place: string;
  reason: string;
  lightMs: number | null;
};

/** A row for picker statistics. */
export type PickedRow = Pick<PickRow, 'at' | 'picker' | 'units' | 'isLine' | 'isShort' | 'tookMs'> & { id: number };
type TimedLines = { of: string; tenths: number; lines: number };
type PageRow = Omit<PickedRow, 'isLine' | 'isShort'> & { isLine: 0 | 1; isShort: 0 | 1 };

/** Reads and writes picks: finished lines and counted pieces. */
export function pickRows(db: Db) {
  const { list, number, run, value, values } = statements(db);
  const insert = run(
    `INSERT INTO picks (at, picker, item_id, units, is_line, is_short, took_ms, sku, name, place, reason, light_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
     WHERE (at, id) > (?, ?) AND at < ? AND picker <> '' ORDER BY at, id LIMIT ?`,
  );
  return {
    insert(row: PickRow): void {
      const { at, picker, itemId, units, isLine, isShort, tookMs, sku, name, place, reason, lightMs } = row;
      const figures = [at, picker, itemId, units, isLine ? 1 : 0, isShort ? 1 : 0, tookMs];
      insert(...figures, sku, name, place, reason, lightMs);
    },
    /** Sets the reason for the short line of this item, if it was finished at or after `since`. */
    setReason: run<[reason: string, itemId: number, since: number]>(
      'UPDATE picks INDEXED BY picks_at SET reason = ? WHERE item_id = ? AND at >= ? AND is_short = 1',
    ),
    /** Returns the number of lines finished since `at`, and since `recent`, by picker, most lines first. */
    countByPicker: list<[recent: number, at: number], { picker: string; lines: number; recent: number }>(
      `SELECT picker, count(*) AS lines, sum(at >= ?) AS recent FROM picks WHERE at >= ? AND is_line = 1
       GROUP BY picker ORDER BY lines DESC, picker`,
    ),
    /** Returns the number of lines finished in each hour since `at`. `hour` counts the hours after `at`. Omits hours without lines. */
    countByHour: list<[at: { at: number }], { hour: number; lines: number }>(
      `SELECT CAST((at - :at) / 3600000 AS INTEGER) AS hour, count(*) AS lines FROM picks WHERE at >= :at AND is_line = 1
       GROUP BY hour ORDER BY hour`,
    ),
    /** Returns the time of the first booking from `at` to before `before`. */
    findFirst: value<[at: number, before: number], number>('SELECT min(at) FROM picks WHERE at >= ? AND at < ?'),
    /** Returns totals from `at` to before `before`, by picker. */
    sumByPicker: list<[at: number, before: number], { picker: string; lines: number; units: number; shorts: number }>(
      `SELECT picker, sum(is_line) AS lines, sum(units) AS units, sum(is_short) AS shorts FROM picks
       WHERE at >= ? AND at < ? GROUP BY picker`,
    ),
    /**
     * Returns the distribution of the times between two lines, in tenths of a second, by picker. `countLight` returns the distribution of
     * the times from light to press, by place.
     */
    countTook: list<[at: number, before: number], TimedLines>(
      `SELECT picker AS of, took_ms / 100 AS tenths, count(*) AS lines FROM picks
       WHERE at >= ? AND at < ? AND is_line = 1 AND took_ms IS NOT NULL GROUP BY of, tenths`,
    ),
    countLight: list<[at: number, before: number], TimedLines>(
      `SELECT place AS of, light_ms / 100 AS tenths, count(*) AS lines FROM picks
       WHERE at >= ? AND at < ? AND is_line = 1 AND light_ms IS NOT NULL AND place <> '' GROUP BY of, tenths`,
    ),
    /** Returns the number of short lines by article and reason. */
    countShorts: list<[at: number, before: number], { sku: string; name: string; reason: string; lines: number }>(
      `SELECT sku, name, reason, count(*) AS lines FROM picks WHERE at >= ? AND at < ? AND is_short = 1
       GROUP BY sku, name, reason`,
    ),
    countShort: number<[since: number]>('SELECT count(*) FROM picks WHERE at >= ? AND is_short = 1'),
    /** Lists numbers of orders with lines closed short since `since`. */
    listShortOrders: values<[since: number, limit: number], string>(
      `SELECT DISTINCT order_number FROM picks JOIN items ON items.id = item_id JOIN orders ON orders.id = order_id
       WHERE at >= ? AND is_short = 1 ORDER BY picks.id LIMIT ?`,
    ),
    /**
     * Reopens an item: removes the newest pieces booked for it at or after `since`, and marks the remaining rows as not finishing a line.
     */
    reopen(itemId: number, since: number, pieces: number): void {
      let rest = pieces;
      for (const { id, units } of ofItem(itemId, since)) {
        const left = Math.max(0, units - rest);
        rest -= units - left;
        if (left === 0) remove(id);
        else keepPieces(left, id);
      }
    },
    /** Lists rows after this one that were booked before `before`, oldest first. */
    page: ({ at, id }: { at: number; id: number }, before: number, limit: number): PickedRow[] =>
      page(at, id, before, limit).map(fromRow),
    /** Counts rows before `before`, up to `limit`. */
    countOld: number<[before: number, limit: number]>(
      'SELECT count(*) FROM (SELECT 1 FROM picks WHERE at < ? LIMIT ?)',
    ),
    removeOld: run<[before: number, limit: number]>(
      'DELETE FROM picks WHERE id IN (SELECT id FROM picks WHERE at < ? LIMIT ?)',
    ),
  };
}

/** Converts a row in place, without copying it, because a list can be very long. */
function fromRow(row: PageRow): PickedRow {
  return Object.assign(row, { isLine: row.isLine === 1, isShort: row.isShort === 1 });
}
