import type { Backup } from '#shared/api/backup.ts';
import type { BackupKind } from '#shared/lib/station/backupKinds.ts';
import {
  beginBackup,
  findListing,
  finishBackup,
  freeBytes,
  keepListing,
  listBackups,
  removeBackup,
  type BackupFile,
} from '../../db/backupFiles.ts';
import { StationError } from '../../errors.ts';
import type { CopyProgress, FoundInBackup } from '../../ports.ts';
import type { By } from '../base/index.ts';
import type { BackupContext, Running } from './types.ts';
import { attempt, megabytes, said } from './failures.ts';

/** Disk space that a backup must leave free for the station. */
const SPARE_BYTES = 4 * 1024 * 1024;

type Fill = (part: string, report: (progress: CopyProgress) => void, signal: AbortSignal) => Promise<FoundInBackup>;

/**
 * Creates a backup file, which `fill` writes, and removes it after a failure. Throws `conflict` if another backup is running, and
 * `stopping` if the station is stopping.
 */
export async function build(context: BackupContext, kind: BackupKind, by: By, fill: Fill): Promise<Backup> {
  const { dataFolder, clock, databaseBytes } = context;
  if (context.stopping.signal.aborted)
    throw new StationError('stopping', 'The station is stopping. Make the backup after the restart.');
  const refused = context.writer.refusal();
  if (refused !== undefined) throw refused;
  if (context.running !== undefined)
    throw new StationError('conflict', 'A backup is already being made. Wait until it is done, or cancel it.');
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const end = new AbortController();
  const progress: CopyProgress = { step: 'copying', doneBytes: 0, totalBytes: databaseBytes() };
  const mine: Running = { kind, by: by.name, progress, end, done };
  context.running = mine;
  let part = '';
  try {
    const begun = attempt(() => beginBackup(dataFolder, kind, clock.now()));
    part = begun.part;
    const { revision } = await fill(part, (now) => (mine.progress = now), end.signal);
    attempt(() => finishBackup(dataFolder, begun));
    keepListing(dataFolder, begun.name, { by: by.name, revision });
    part = '';
    await record(context, kind === 'uploaded' ? 'uploaded' : 'made', begun.name, by);
    return entryOf(context, find(context, begun.name));
  } catch (error) {
    throw said(error);
  } finally {
    if (part !== '') removeBackup(part);
    context.running = undefined;
    resolve();
  }
}

export function checkRoom({ dataFolder }: BackupContext, needed: number): void {
  const free = freeBytes(dataFolder);
  if (free >= needed + SPARE_BYTES) return;
  throw new StationError(
    'storage',
    `There is no room for a backup: it needs ${megabytes(needed + SPARE_BYTES)}, and the disk of ${dataFolder} has ${megabytes(free)}. Free some space, or remove old backups.`,
  );
}

export function record(
  { writer, audit }: BackupContext,
  action: 'made' | 'uploaded' | 'downloaded' | 'removed' | 'restoreOrdered',
  name: string,
  by: By,
): Promise<void> {
  return writer.write((tx) => {
    audit.record(tx, { action: `backup.${action}`, by, subject: name, detail: {} });
  });
}

/** Finds a backup. Accepts only names that the folder lists, so that `name` cannot lead to another folder. Throws `not_found`. */
export function find({ dataFolder }: BackupContext, name: string): BackupFile {
  const found = listBackups(dataFolder).find((file) => file.name === name);
  if (found !== undefined) return found;
  throw missing(name);
}

export function missing(name: string): StationError {
  return new StationError('not_found', `There is no backup ${name}. GET /api/backups/ lists the backups.`);
}

export function entryOf({ dataFolder }: BackupContext, { name, kind, createdAt, size }: BackupFile): Backup {
  const { revision = null, by = '' } = findListing(dataFolder, name) ?? {};
  return { name, kind, size, created: new Date(createdAt).toISOString(), revision, by };
}
