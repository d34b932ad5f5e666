import { preparedPath, removePrepared, type RestoreOrder } from '../db/restore.ts';
import type { Copier } from '../ports.ts';

/**
 * Checks and rewrites the backup from `--restore`. Returns the instructions that `openDatabase` carries out. `now` is in epoch
 * milliseconds.
 */
export async function prepareRestore(how: {
  copier: Copier;
  dataFolder: string;
  from: string;
  id: string;
  now: number;
  signal: AbortSignal;
}): Promise<RestoreOrder> {
  const { copier, dataFolder, from, id, now, signal } = how;
  try {
    await copier.rewrite(from, preparedPath(dataFolder, id), signal);
  } catch (error) {
    removePrepared(dataFolder, id);
    throw error;
  }
  return { id, from, by: '', address: '', at: now };
}
