import { StationError } from '../errors.ts';
import { isSqlite } from './inspection.ts';

export function isCutOff(): StationError {
  return new StationError(
    'stopping',
    'The station is stopping, and the rest was not done. Try again when the station is back.',
  );
}

export function isStopping(): StationError {
  return new StationError('stopping', 'The station is stopping. Try again when it is back.');
}

/** Whether the file system failed: it is full, read-only or broken. */
export function isStorage(error: unknown): boolean {
  return ['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_CORRUPT'].some((code) =>
    isSqlite(error, code),
  );
}

export const NOTHING = 'Nothing was changed';

/** Returns the error for callers of a failed commit. */
export function failureOf(error: unknown, changed = NOTHING): unknown {
  if (!isStorage(error)) return error;
  if (isSqlite(error, 'SQLITE_FULL')) {
    return new StationError(
      'storage',
      `The disk that holds the data folder is full. ${changed}; free some space and try again.`,
    );
  }
  const why = error instanceof Error ? error.message : String(error);
  return new StationError(
    'storage',
    `The data folder cannot be written (${why}). ${changed}; fix the disk and try again.`,
  );
}
