import { MAX_UPLOAD_BYTES, type Backup, type BackupContents, type BackupStatus } from '#shared/api/backup.ts';
import type { BackupKind } from '#shared/lib/backupKinds.ts';
import {
  backupPath,
  findListing,
  freeBytes,
  keepListing,
  listBackups,
  removeBackup,
  scratchOf,
} from '../../db/backupFiles.ts';
import { fromBackup, orderRestore as orderInFolder, preparedPath, removePrepared } from '../../db/restore.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import type { Clock, Copier, FoundInBackup, Ids, Log } from '../../ports.ts';
import { type Audit, bind, type By, createLane, type In, type Lane } from '../base/index.ts';
import { build, checkRoom, entryOf, find, record, type Running } from './build.ts';
import { attempt } from './failures.ts';

/** Backups of the database, and the way back to one of them. */
export type Backups = {
  /** The newest first. */
  list(): Backup[];
  status(): BackupStatus;
  /**
   * Creates and checks a backup while the station keeps running. Throws `conflict` if another backup is in progress or this one was
   * canceled, and `storage` if there is not enough space. A failed backup leaves no files.
   */
  make(kind: 'manual' | 'scheduled', by: By): Promise<Backup>;
  /** Cancels the backup that is being made, if there is one. */
  cancel(): void;
  /** Checks a backup again and returns what it holds. Throws `not_found`, and `invalid` if it cannot be restored. */
  contents(name: string): Promise<BackupContents>;
  /** Path and size of the file, for a download. Throws `not_found`. */
  download(name: string, by: By): Promise<{ path: string; size: number }>;
  /** Takes an uploaded backup: `save` writes it to a path. Throws `invalid` if it cannot be restored. */
  receive(by: By, size: number | undefined, save: (path: string) => Promise<void>): Promise<Backup>;
  /** Throws `not_found`. */
  remove(name: string, by: By): Promise<void>;
  /** Checks a backup and prepares it to be restored at the next start. Throws as `contents` does. */
  orderRestore(name: string, by: By): Promise<void>;
  /** Removes automatic backups beyond the number to keep. Logs failures. */
  thin(): void;
  /** Why the last scheduled backup failed. */
  setFailure(message: string | undefined): void;
  /** Whether no backup is being made. */
  idle(): boolean;
  /** Cancels the backup that is being made, and running checks. */
  stop(): Promise<void>;
};

/** Kept by number. Backups that somebody asked for stay until somebody removes them. */
const THINNED = ['scheduled', 'update', 'restore'] as const satisfies BackupKind[];

type Parts = {
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
  reads: Pick<Repositories, 'secrets'>;
  keyRing: Pick<KeyRing, 'id'>;
  /** Number of automatic backups to keep. */
  keep: () => number;
  /** When the next scheduled backup is due; undefined: never. */
  nextAt: () => number | undefined;
};

export type BackupContext = Parts & {
  running: Running | undefined;
  failure: BackupStatus['failure'];
  /** One check at a time: each reads a whole file, in a process of its own. */
  checks: Lane;
  stopping: AbortController;
};

type InBackups<K extends keyof Backups> = In<BackupContext, Backups[K]>;

export function createBackups(parts: Parts): Backups {
  const state = { running: undefined, failure: null, checks: createLane(), stopping: new AbortController() };
  const context: BackupContext = { ...parts, ...state };
  return bind(context, {
    list: ({ dataFolder }) => listBackups(dataFolder).map((file) => entryOf(context, file)),
    status,
    make,
    cancel: ({ running }) => running?.end.abort(),
    contents,
    download,
    receive,
    remove,
    orderRestore,
    thin,
    setFailure,
    idle: ({ running }) => running === undefined,
    stop,
  });
}

const status: InBackups<'status'> = ({ running, failure, dataFolder, databaseBytes, nextAt, reads, keyRing }) => {
  const next = nextAt();
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
    passphrase_set: keyRing.id() !== undefined && reads.secrets.findWrapped()?.keyId === keyRing.id(),
    next: next === undefined ? null : new Date(next).toISOString(),
    failure,
    folder: backupPath(dataFolder, ''),
    free_bytes: freeBytes(dataFolder),
    database_bytes: databaseBytes(),
  };
};

const make: InBackups<'make'> = async (context, kind, by) => {
  const { copier, databaseFile: from, databaseBytes, clock } = context;
  const made = await build(context, kind, by, (to, report, signal) => {
    checkRoom(context, databaseBytes());
    return copier.copy({ from, to, by: by.name, at: clock.now() }, report, signal);
  });
  context.failure = null;
  return made;
};

const receive: InBackups<'receive'> = (context, by, size, save) =>
  build(context, 'uploaded', by, async (part, report, signal) => {
    checkRoom(context, Math.min(size ?? 0, MAX_UPLOAD_BYTES));
    await save(part);
    return context.copier.receive(part, report, signal);
  });

const contents: InBackups<'contents'> = async (context, name) => {
  const { dataFolder, copier, checks, stopping } = context;
  const file = backupPath(dataFolder, find(context, name).name);
  const check = () => copier.check(file, stopping.signal).finally(() => removeBackup(scratchOf(file)));
  const { by, secrets, wrappedKeyId, ...holds } = await checks(check);
  // A file that somebody copied into the folder has no listing yet.
  if (findListing(dataFolder, name) === undefined) keepListing(dataFolder, name, { by, revision: holds.revision });
  return { name, ...holds, secrets: secretsOf(context, { secrets, wrappedKeyId }) };
};

function secretsOf(
  { keyRing }: BackupContext,
  { secrets, wrappedKeyId }: Pick<FoundInBackup, 'secrets' | 'wrappedKeyId'>,
): BackupContents['secrets'] {
  const foreign = secrets.filter(({ keyId }) => keyId !== keyRing.id());
  return {
    state: secrets.length === 0 ? 'none' : 'sealed',
    enter_again: [...new Set(foreign.map(({ name }) => name))],
    passphrase: wrappedKeyId !== undefined,
  };
}

const download: InBackups<'download'> = async (context, name, by) => {
  const { size } = find(context, name);
  // A backup holds all data, so each download is recorded.
  await record(context, 'downloaded', name, by);
  return { path: backupPath(context.dataFolder, name), size };
};

const remove: InBackups<'remove'> = async (context, name, by) => {
  const file = find(context, name);
  attempt(() => removeBackup(backupPath(context.dataFolder, file.name)));
  await record(context, 'removed', name, by);
};

const orderRestore: InBackups<'orderRestore'> = async (context, name, by) => {
  const { dataFolder, copier, clock, ids, checks, stopping } = context;
  const file = backupPath(dataFolder, find(context, name).name);
  const id = ids.uuid();
  const prepared = preparedPath(dataFolder, id);
  try {
    await checks(() => copier.rewrite(file, prepared, stopping.signal));
    await record(context, 'restoreOrdered', name, by);
    const order = { id, from: fromBackup(name), by: by.name, address: by.address, at: clock.now() };
    attempt(() => orderInFolder(dataFolder, order));
  } catch (error) {
    removePrepared(dataFolder, id);
    throw error;
  }
};

const thin: InBackups<'thin'> = ({ dataFolder, log, keep }) => {
  for (const kind of THINNED) {
    const files = listBackups(dataFolder).filter((file) => file.kind === kind);
    for (const { name } of files.slice(keep())) {
      try {
        removeBackup(backupPath(dataFolder, name));
      } catch (error) {
        log.warn({ err: error, name }, 'an old backup could not be removed');
      }
    }
  }
};

const setFailure: InBackups<'setFailure'> = (context, message) => {
  const at = new Date(context.clock.now()).toISOString();
  context.failure = message === undefined ? null : { at, message };
};

const stop: InBackups<'stop'> = async ({ stopping, running, checks }) => {
  stopping.abort();
  running?.end.abort();
  await Promise.all([running?.done, checks(() => Promise.resolve())]);
};
