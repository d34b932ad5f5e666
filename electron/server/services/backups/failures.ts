import { StationError } from '../../errors.ts';

/** Runs a file operation and converts disk errors to errors with a message for the user. */
export function attempt<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw said(error);
  }
}

/** Converts a disk error to an error with a message for the user. Returns other errors unchanged. */
export function said(error: unknown): unknown {
  const code = error instanceof StationError ? error.code : (error as NodeJS.ErrnoException | undefined)?.code;
  if (!(error instanceof Error)) return error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return noBackup('The disk is full.');
  if (code === 'storage' && !/backup/.test(error.message)) return noBackup(error.message);
  if (error instanceof StationError || code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return noBackup(`The folder of backups cannot be written (${error.message}).`);
}

function noBackup(why: string): StationError {
  return new StationError(
    'storage',
    `No backup was made, and nothing is left of it: ${why} Free some space, or remove old backups. The station continues.`,
  );
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}
