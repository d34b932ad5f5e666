import { preparedPath, removePrepared, type RestoreOrder } from '../db/restore.ts';
import { isChosen } from '../db/restoredAccounts.ts';
import { StationError } from '../errors.ts';
import type { Copier } from '../ports.ts';

/**
 * Checks and rewrites the backup from `--restore`. Returns the instructions that `openDatabase` carries out. `now` is in epoch
 * milliseconds.
 */
export async function prepareRestore(how: {
  copier: Copier;
  dataFolder: string;
  from: string;
  /** Names of accounts of the backup that come back. */
  bringBack: readonly string[];
  id: string;
  now: number;
  signal: AbortSignal;
}): Promise<RestoreOrder> {
  const { copier, dataFolder, from, bringBack, id, now, signal } = how;
  try {
    const { accounts } = await copier.rewrite(from, preparedPath(dataFolder, id), signal);
    const unknown = bringBack.find((name) => !accounts.some((account) => isChosen(account, [{ kind: null, name }])));
    if (unknown !== undefined)
      throw new StationError(
        'invalid',
        `Nothing was restored: the backup has no person, key, kiosk or screen ${unknown}.`,
      );
  } catch (error) {
    removePrepared(dataFolder, id);
    throw error;
  }
  return { id, from, by: '', address: '', at: now, bringBack: bringBack.map((name) => ({ kind: null, name })) };
}
