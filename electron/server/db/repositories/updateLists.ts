import { isTime } from '../checks.ts';
import type { Db } from '../db.ts';
import { metaValue } from '../metaValues.ts';
import { statements } from './statements.ts';

/** The newest update list that was found. `list` is the list's name. `signedAt` is in epoch milliseconds. */
export type NewestList = { list: string; signedAt: number };

/** Reads and writes what the station remembers about update lists. */
export function updateListRows(db: Db) {
  const { meta } = statements(db);
  const begun = meta('update_list');
  const newest = meta('update_list_newest');
  return {
    /** Returns when the station started checking for updates, in epoch milliseconds. */
    findBegin(): number | undefined {
      const at = Number(begun.get() ?? Number.NaN);
      return isTime(at) ? at : undefined;
    },
    saveBegin: (at: number): void => begun.set(String(at)),
    findNewest: (): NewestList | undefined =>
      metaValue('update_list_newest', newest.get() ?? '') as NewestList | undefined,
    saveNewest: (found: NewestList): void => newest.set(JSON.stringify(found)),
  };
}
