import { findDoors, opensOf } from '../db/backupDoors.ts';
import { backupPath, listBackups, removeBackup, scratchOf } from '../db/backupFiles.ts';
import type { GoodBackup } from '../errors.ts';
import type { Copier } from '../ports.ts';

/** Maximum number of backups to read. Each takes seconds, while a person is waiting. */
const MAX_READ = 5;

/** Returns the newest backup from this station that passes a full check, or undefined if none of the newest ones does. */
export async function findGoodBackup(how: {
  copier: Copier;
  dataFolder: string;
  signal: AbortSignal;
}): Promise<GoodBackup | undefined> {
  const { copier, dataFolder, signal } = how;
  // Skip uploaded backups, which may come from a different station.
  const own = listBackups(dataFolder).filter(({ kind }) => kind !== 'uploaded');
  for (const { name, createdAt } of own.slice(0, MAX_READ)) {
    const path = backupPath(dataFolder, name);
    try {
      const { doors } = await copier.check(path, signal).finally(() => removeBackup(scratchOf(path)));
      return { path, createdAt, opens: opensOf(doors, findDoors(dataFolder)) };
    } catch {
      // Try the next older backup.
    }
  }
  return undefined;
}
