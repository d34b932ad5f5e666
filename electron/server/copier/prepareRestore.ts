import { findDoors, opensOf } from '../db/backupDoors.ts';
import { preparedPath, removePrepared, type RestoreOrder } from '../db/restore.ts';
import { isChosen } from '../db/restoredAccounts.ts';
import { StationError } from '../errors.ts';
import type { Copier } from '../ports.ts';

/**
 * Checks and rewrites the backup from `--restore`. Returns the instructions that `openDatabase` carries out. `now` is in epoch
 * milliseconds. Throws `invalid` if the backup opens what is closed or different here, unless
 * `opensKnown` is true.
 */
export async function prepareRestore(how: {
  copier: Copier;
  dataFolder: string;
  from: string;
  /** Names of accounts of the backup that come back. */
  bringBack: readonly string[];
  /** Whether somebody knows what the backup opens. */
  opensKnown: boolean;
  id: string;
  now: number;
  signal: AbortSignal;
}): Promise<RestoreOrder> {
  const { copier, dataFolder, from, bringBack, opensKnown, id, now, signal } = how;
  try {
    const { accounts, doors } = await copier.rewrite(from, preparedPath(dataFolder, id), signal);
    const unknown = bringBack.find((name) => !accounts.some((account) => isChosen(account, [{ kind: null, name }])));
    if (unknown !== undefined)
      throw new StationError(
        'invalid',
        `Nothing was restored: the backup has no person, key, kiosk or screen ${unknown}.`,
      );
    const opens = opensOf(doors, findDoors(dataFolder));
    if (opens.length > 0 && !opensKnown) throw refusal(opens);
  } catch (error) {
    removePrepared(dataFolder, id);
    throw error;
  }
  return { id, from, by: '', address: '', at: now, bringBack: bringBack.map((name) => ({ kind: null, name })) };
}

/** Creates an error that lists what the backup opens, as the page does before a restore. */
function refusal(opens: ReturnType<typeof opensOf>): StationError {
  const list = opens.map(({ name, value }) => `  ${name}: ${value}`).join('\n');
  return new StationError(
    'invalid',
    `Nothing was restored. The backup opens what is closed or different here:\n${list}\nIf you know everything on this list, start again with --restore and --yes.`,
  );
}
