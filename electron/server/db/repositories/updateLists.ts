import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** The last millisecond that a Date can show. */
const LAST_MS = 8.64e15;

/** When the newest update list was signed, epoch milliseconds. Before the first list: when the station began to look for updates. */
export function updateListRows(db: Db) {
  const { get, set } = statements(db).meta('update_list');
  return {
    findDate(): number | undefined {
      const date = Number(get() ?? Number.NaN);
      return Math.abs(date) <= LAST_MS ? date : undefined;
    },
    saveDate: (at: number): void => set(String(at)),
  };
}
