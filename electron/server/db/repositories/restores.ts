import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** An ordered restore. `from`: path of the file, inside the data folder or absolute. */
export type RestoreOrder = { id: string; from: string; by: string; address: string; at: number };

/**
 * A completed restore. `kept`: the backup of the previous data; empty if they were unreadable. `isClosed`: the backup was open to the
 * network, and the station was not.
 */
export type Restored = RestoreOrder & { kept: string; isClosed: boolean };

/** Records a restore until the station has audited it. */
export function restoreRows(db: Db) {
  const { getJson, set, remove } = statements(db).meta('restored');
  return {
    find: (): Restored | undefined => getJson() as Restored | undefined,
    keep: (restored: Restored) => set(JSON.stringify(restored)),
    forget: remove,
  };
}
