import { rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StationError } from '../errors.ts';
import { holdFolder, LOCK_FILE, type FolderHold } from './database.ts';

/** Maximum number of attempts. An attempt fails only if another check starts or ends at the same time. */
const TRIES = 5;

/**
 * Locks the folder of a check, and creates it if necessary. Closing the hold removes the lock file, and the folder if it is empty. Throws a
 * StationError: `conflict` if another check holds the lock, `storage` if the folder is not writable.
 */
export function holdCheckFolder(place: string): FolderHold {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const hold = holdOnce(place);
    if (hold !== undefined) return { close: () => release(place, hold) };
  }
  throw isRunning();
}

/**
 * Locks the folder if possible. Returns undefined if the locked file may no longer be the one in the folder: a check that ends deletes its
 * lock file, which another process may already have opened. Therefore, the file must exist before locking, and must be the same file
 * afterwards.
 */
function holdOnce(place: string): FolderHold | undefined {
  const file = join(place, LOCK_FILE);
  const before = identityOf(file);
  const hold = lock(place);
  if (before !== undefined && before === identityOf(file)) return hold;
  hold.close();
  return undefined;
}

function lock(place: string): FolderHold {
  try {
    return holdFolder(place);
  } catch (error) {
    if (!(error instanceof StationError) || error.code !== 'conflict') throw error;
    throw isRunning();
  }
}

function isRunning(): StationError {
  return new StationError('conflict', 'Another check of these data is running. Wait until it is done.');
}

/** Identifies the file at a path, even if a new file gets the inode of a deleted one. Returns undefined if there is no file. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && [found.dev, found.ino, found.birthtimeNs].join(' ');
}

function release(place: string, hold: FolderHold): void {
  // Delete the lock file while holding the lock. Afterwards, it may belong to another check.
  const isDeleted = remove(() => rmSync(join(place, LOCK_FILE), { force: true }));
  hold.close();
  // Windows does not delete open files. So this cannot delete the lock file of another check either.
  if (!isDeleted && process.platform === 'win32') remove(() => rmSync(join(place, LOCK_FILE), { force: true }));
  remove(() => rmdirSync(place));
}

/** Whether the removal succeeded. It fails if another check already uses the folder. */
function remove(call: () => void): boolean {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}
