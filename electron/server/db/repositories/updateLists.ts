import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** The newest list of versions that was read: when it was signed, epoch milliseconds. At first, when the station began to look. */
export function updateListRows(db: Db) {
  const { get, set } = statements(db).meta('update_list');
  return {
    findDate(): number | undefined {
      const date = Number(get() ?? Number.NaN);
      return Number.isSafeInteger(date) ? date : undefined;
    },
    saveDate: (at: number): void => set(String(at)),
  };
}
