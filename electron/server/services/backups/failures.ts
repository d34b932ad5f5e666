import { StationError } from '../../errors.ts';
import { backupPath } from '../../db/backupFiles.ts';
import type { BackupContext } from './types.ts';

const KIND = 'backup_failed';

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

/** Converts the error of a backup of this station. A copy that does not pass its check is a fault here, not one of the caller. */
export function saidOfCopy(error: unknown): unknown {
  if (!(error instanceof StationError) || error.code !== 'invalid') return error;
  const why = error.message.replace(/^This cannot be restored\. /, '').replace(/ Choose (?:a|another) [^.]*\.$/, '');
  return new StationError(
    'internal',
    `No backup was made, and nothing is left of it: the copy could not be restored. ${why} Restart the station, create a backup, and report this if it fails again.`,
  );
}

/** Raises an alert if a backup failed; not if somebody canceled it, or the station is stopping. */
export async function raiseFailed({ alerts, writer, dataFolder, log }: BackupContext, error: unknown): Promise<void> {
  if (error instanceof StationError && ['conflict', 'stopping', 'lost'].includes(error.code)) return;
  const problem = error instanceof Error ? error.message : String(error);
  const subject = backupPath(dataFolder, '');
  await writer
    .write((tx) => alerts.settle(tx, { kind: KIND, subject }, problem))
    .catch((failure: unknown) => log.warn({ err: failure }, 'could not raise an alert about a failed backup'));
}

/** Ends the alert about failed backups. */
export async function endFailed({ alerts, writer, dataFolder }: BackupContext): Promise<void> {
  const subject = backupPath(dataFolder, '');
  if (!alerts.isOpen(KIND, subject)) return;
  await writer.write((tx) => alerts.settle(tx, { kind: KIND, subject }, undefined));
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
