import { MAX_UPLOAD_BYTES, type Backup, type BackupContents, type BackupStatus } from '#shared/api/backup.ts';
import type { BackupKind } from '#shared/lib/backupKinds.ts';
import {
  backupPath,
  beginBackup,
  finishBackup,
  findListing,
  freeBytes,
  keepListing,
  listBackups,
  removeBackup,
  scratchOf,
  type BackupFile,
} from '../../db/backupFiles.ts';
import { fromBackup, orderRestore, preparedPath, removePrepared } from '../../db/restore.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Copier, CopyProgress, FoundInBackup, Ids, Log } from '../../ports.ts';
import { type Audit, type By, STATION } from '../base/index.ts';

/** Copies of the database, and the way back to one of them. */
export type Backups = {
  /** The newest first. */
  list(): Backup[];
  status(): BackupStatus;
  /**
   * Makes one while the station works, and reads it through. Throws `conflict` while another is being made and where it was
   * cancelled, `storage` where there is no room; then nothing is left of it.
   */
  make(kind: 'manual' | 'scheduled', by: By): Promise<Backup>;
  /** Gives up the one that is being made, if there is one. */
  cancel(): void;
  /** What one holds, read through once more. Throws `not_found`, and `invalid` where it cannot be restored. */
  contents(name: string): Promise<BackupContents>;
  /** Where one is and how large, for who downloads it. Throws `not_found`. */
  download(name: string, by: By): Promise<{ path: string; size: number }>;
  /** Takes one from elsewhere: `save` writes it to a path. Throws `invalid` where it cannot be restored. */
  receive(by: By, size: number | undefined, save: (path: string) => Promise<void>): Promise<Backup>;
  /** Throws `not_found`. */
  remove(name: string, by: By): Promise<void>;
  /** Checks one and prepares what is restored when the station is next opened. Throws as `contents` does. */
  orderRestore(name: string, by: By): Promise<void>;
  /** Takes away what is more than should be kept of those that nobody asked for. What fails is logged. */
  thin(): void;
  /** Why the last one that the station began by itself came to nothing. */
  setFailure(message: string | undefined): void;
  /** None is being made. */
  idle(): boolean;
  /** Gives up the one that is being made, and what is read through. */
  stop(): Promise<void>;
};

/** Kept by number; what somebody asked for is kept until somebody removes it. */
const THINNED = ['scheduled', 'update', 'restore'] as const satisfies BackupKind[];
/** Room that is left to the station when a backup has been made. */
const SPARE_BYTES = 4 * 1024 * 1024;

type Running = { kind: BackupKind; by: string; progress: CopyProgress; end: AbortController; done: Promise<unknown> };

export function createBackups(parts: {
  dataFolder: string;
  databaseFile: string;
  /** Size of the database with its log, bytes. */
  databaseBytes: () => number;
  copier: Copier;
  writer: Writer;
  clock: Clock;
  ids: Ids;
  log: Log;
  audit: Audit;
  /** How many to keep of those that nobody asked for. */
  keep: () => number;
  /** When the next one is due; undefined: never. */
  nextAt: () => number | undefined;
}): Backups {
  const { dataFolder, databaseFile, databaseBytes, copier, writer, clock, ids, log, audit } = parts;
  let running: Running | undefined;
  let failure: BackupStatus['failure'] = null;
  let checks: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();

  function find(name: string): BackupFile {
    // What the folder does not list is no backup, whatever path the name would be.
    const found = listBackups(dataFolder).find((file) => file.name === name);
    if (found !== undefined) return found;
    throw new StationError('not_found', `There is no backup ${name}. GET /api/backups/ lists those that there are.`);
  }

  function record(action: 'made' | 'uploaded' | 'downloaded' | 'removed' | 'restoreOrdered', name: string, by: By) {
    return writer.write((tx) => {
      audit.record(tx, { action: `backup.${action}`, by, subject: name, detail: {} });
    });
  }

  function checkRoom(needed: number): void {
    const free = freeBytes(dataFolder);
    if (free >= needed + SPARE_BYTES) return;
    throw new StationError(
      'storage',
      `There is no room for a backup: it needs ${megabytes(needed + SPARE_BYTES)}, and the disk of ${dataFolder} has ${megabytes(free)}. Free some space, or remove old backups.`,
    );
  }

  /** One at a time: begins a file, fills it, and leaves either a whole backup or nothing. */
  async function build(
    kind: BackupKind,
    by: By,
    fill: (part: string, told: (progress: CopyProgress) => void, signal: AbortSignal) => Promise<FoundInBackup>,
  ): Promise<Backup> {
    if (stopping.signal.aborted)
      throw new StationError('stopping', 'The station is stopping. Make the backup when it is back.');
    if (running !== undefined)
      throw new StationError('conflict', 'A backup is being made already. Wait until it is done, or cancel it.');
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const end = new AbortController();
    const mine: Running = {
      kind,
      by: by.name,
      progress: { step: 'copying', doneBytes: 0, totalBytes: databaseBytes() },
      end,
      done,
    };
    running = mine;
    let part = '';
    try {
      const begun = attempt(() => beginBackup(dataFolder, kind, clock.now()));
      part = begun.part;
      const { revision } = await fill(part, (progress) => (mine.progress = progress), end.signal);
      attempt(() => finishBackup(dataFolder, begun));
      keepListing(dataFolder, begun.name, { by: by.name, revision });
      part = '';
      await record(kind === 'uploaded' ? 'uploaded' : 'made', begun.name, by);
      return entryOf(find(begun.name));
    } catch (error) {
      throw said(error);
    } finally {
      if (part !== '') removeBackup(part);
      running = undefined;
      resolve();
    }
  }

  function entryOf({ name, kind, createdAt, size }: BackupFile): Backup {
    const listing = findListing(dataFolder, name);
    return {
      name,
      kind,
      size,
      created: new Date(createdAt).toISOString(),
      revision: listing?.revision ?? null,
      by: listing?.by ?? '',
    };
  }

  function thin(): void {
    for (const kind of THINNED) {
      const files = listBackups(dataFolder).filter((file) => file.kind === kind);
      for (const { name } of files.slice(parts.keep())) {
        try {
          removeBackup(backupPath(dataFolder, name));
        } catch (error) {
          log.warn({ err: error, name }, 'an old backup could not be removed');
        }
      }
    }
  }

  /** One at a time: each reads a whole file, in a process of its own. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = checks.then(work);
    checks = done.catch(() => undefined);
    return done;
  }

  async function contents(name: string): Promise<BackupContents> {
    const file = backupPath(dataFolder, find(name).name);
    const { by, ...holds } = await inTurn(() =>
      copier.check(file, stopping.signal).finally(() => removeBackup(scratchOf(file))),
    );
    // One that was put there by hand has no entry yet.
    if (findListing(dataFolder, name) === undefined) keepListing(dataFolder, name, { by, revision: holds.revision });
    return { name, ...holds };
  }

  return {
    list: () => listBackups(dataFolder).map(entryOf),
    status() {
      const nextAt = parts.nextAt();
      return {
        running:
          running === undefined
            ? null
            : {
                kind: running.kind,
                step: running.progress.step,
                done_bytes: running.progress.doneBytes,
                total_bytes: running.progress.totalBytes,
                by: running.by,
              },
        next: nextAt === undefined ? null : new Date(nextAt).toISOString(),
        failure,
        folder: backupPath(dataFolder, ''),
        free_bytes: freeBytes(dataFolder),
        database_bytes: databaseBytes(),
      };
    },
    async make(kind, by) {
      const made = await build(kind, by, (part, told, signal) => {
        checkRoom(databaseBytes());
        return copier.copy({ from: databaseFile, to: part, by: by.name, at: clock.now() }, told, signal);
      });
      failure = null;
      return made;
    },
    cancel() {
      running?.end.abort();
    },
    contents,
    async download(name, by) {
      const { size } = find(name);
      // Everything is in it: who took it with him is worth knowing.
      await record('downloaded', name, by);
      return { path: backupPath(dataFolder, name), size };
    },
    receive: (by, size, save) =>
      build('uploaded', by, async (part, told, signal) => {
        checkRoom(Math.min(size ?? 0, MAX_UPLOAD_BYTES));
        await save(part);
        return copier.receive(part, told, signal);
      }),
    async remove(name, by) {
      const file = find(name);
      attempt(() => removeBackup(backupPath(dataFolder, file.name)));
      await record('removed', name, by);
    },
    async orderRestore(name, by) {
      const file = backupPath(dataFolder, find(name).name);
      const id = ids.uuid();
      const prepared = preparedPath(dataFolder, id);
      try {
        await inTurn(() => copier.rewrite(file, prepared, stopping.signal));
        await record('restoreOrdered', name, by);
        attempt(() =>
          orderRestore(dataFolder, { id, from: fromBackup(name), by: by.name, address: by.address, at: clock.now() }),
        );
      } catch (error) {
        removePrepared(dataFolder, id);
        throw error;
      }
    },
    thin,
    setFailure(message) {
      failure = message === undefined ? null : { at: new Date(clock.now()).toISOString(), message };
    },
    idle: () => running === undefined,
    async stop() {
      stopping.abort();
      running?.end.abort();
      await Promise.all([running?.done, checks]);
    },
  };
}

/** Records in a restored database who restored it: its own audit ends before. */
export async function recordRestored(parts: {
  repositories: Repositories;
  writer: Writer;
  audit: Audit;
}): Promise<void> {
  const { repositories, writer, audit } = parts;
  const restored = repositories.restores.find();
  if (restored === undefined) return;
  const { from, by: name, address, kept } = restored;
  await writer.write((tx) => {
    repositories.restores.forget();
    const by = name === '' ? STATION : { name, address };
    audit.record(tx, { action: 'backup.restored', by, subject: from, detail: kept === '' ? {} : { kept } });
  });
}

function attempt<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw said(error);
  }
}

/** What a person is told of a disk that refuses. */
function said(error: unknown): unknown {
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
    `No backup was made, and nothing is left of it: ${why} Free some space, or remove old backups. The station goes on.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}
