import { statSync } from 'node:fs';
import { StationError } from '../errors.ts';

/** Where the path of the open database leads: to the open file, to another file, or nowhere. */
export type DatabasePath = 'same' | 'other' | 'gone';

/**
 * Compares the path of a database with the file that was opened, and refuses changes once `refuse` was called. Windows does not let an open
 * database be moved or removed. On file systems that number all files 0, only a missing file is noticed.
 */
export function createDatabaseGuard(file: string) {
  const opened = numberOf(file);
  let problem: string | undefined;
  return {
    look(): DatabasePath {
      const found = numberOf(file);
      if (found === undefined) return 'gone';
      return found === 'unknown' || opened === 'unknown' || found === opened ? 'same' : 'other';
    },
    /** Refuses changes for the reason `why`, a sentence, until `allow` is called. */
    refuse(why: string): void {
      problem = why;
    },
    allow(): void {
      problem = undefined;
    },
    /** Returns the error for changes while they are refused. */
    refusal: (): StationError | undefined => (problem === undefined ? undefined : new StationError('lost', problem)),
  };
}

export type DatabaseGuard = ReturnType<typeof createDatabaseGuard>;

/** Returns the device and number of a file, `unknown` if the system does not say, or undefined if there is no file. */
function numberOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return ino === 0n ? 'unknown' : `${dev} ${ino}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'unknown';
  }
}
