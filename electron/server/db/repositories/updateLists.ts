import type { Db } from '../db.ts';
import { isTime } from '../checks.ts';
import { statements } from './statements.ts';

/** When the newest update list was signed, epoch milliseconds. Before the first list: when the station began to look for updates. */
export function updateListRows(db: Db) {
  const { get, set } = statements(db).meta('update_list');
  return {
    findDate(): number | undefined {
      const date = Number(get() ?? Number.NaN);
      return isTime(date) ? date : undefined;
    },
    saveDate: (at: number): void => set(String(at)),
  };
}
