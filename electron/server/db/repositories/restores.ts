import type { Db } from '../db.ts';
import type { BroughtBack } from '../restoredAccounts.ts';
import { statements } from './statements.ts';

/** A requested restore. `from` is the path of the file, either inside the data folder or absolute. */
export type RestoreOrder = {
  id: string;
  from: string;
  by: string;
  address: string;
  at: number;
  /** Accounts of the backup that come back. */
  bringBack: readonly BroughtBack[];
};

/**
 * A completed restore. `kept` is the name of the backup of the previous data, or an empty string if the data were unreadable. `isClosed` is
 * true if the backup was open to the network but the station was not, so that the setting was removed.
 */
export type Restored = RestoreOrder & { kept: string; isClosed: boolean };

/** Stores a completed restore until the station has recorded it in the audit log. */
export function restoreRows(db: Db) {
  const { getJson, set, remove } = statements(db).meta('restored');
  return {
    find: (): Restored | undefined => getJson() as Restored | undefined,
    keep: (restored: Restored) => set(JSON.stringify(restored)),
    forget: remove,
  };
}
