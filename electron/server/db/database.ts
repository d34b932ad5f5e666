import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { DataLost, StationError, type Loss } from '../errors.ts';
import { bytesOf, removeParts } from './backupFiles.ts';
import type { Db } from './db.ts';
import { damaged, guarded, inspect, isDamage, isSqlite, reasonOf } from './inspection.ts';
import { isOfThisVersion, migrate, MIGRATIONS, noteVersion, schemaOf, type Migration } from './migrations.ts';
import { findLoss, removeDatabase, setLossAside } from './loss.ts';
import { keepLost, removeMark } from './mark.ts';
import type { KeyRing } from './keyRing.ts';
import type { RestoreOrder } from './repositories/restores.ts';
import { sealAgain } from './secretRows.ts';
import {
  dropRestore,
  isRestoreOrdered,
  keepCopy,
  orderRestore,
  restoreOrdered,
  settleRestore,
  type RestoreFailure,
} from './restore.ts';

export const DATABASE_FILE = 'pickstation.sqlite';
export const LOCK_FILE = 'lock.sqlite';
/** Time to wait for the lock, because a check may be reading the lock. */
const LOCK_TIMEOUT_MS = 200;

export type OpenDatabase = {
  /** The only connection that writes. */
  writer: Db;
  /** Connection for reads whose results leave the process. It sees only committed data. */
  reader: Db;
  /** Opens another connection like `reader`, for long reads. The caller closes it. */
  openReader(): Db;
  /** Why a requested restore failed; undefined if it succeeded or none was requested. */
  restoreFailure: RestoreFailure | undefined;
  /** The loss found when the database was opened, if somebody accepted it or restored a backup. */
  loss: AcceptedLoss | undefined;
  /** Call when the station is ready: completes a pending restore, which the next start would otherwise revert. */
  settle(): void;
  close(): void;
};

/** `found` describes the loss in sentences, and `keptIn` is the folder inside the data folder with the original files. */
export type AcceptedLoss = {
  found: string;
  keptIn: string;
  /** Whether a backup was restored. If not, the station uses the remaining data. */
  isRestored: boolean;
  /** Records that the loss was reported, so that later starts do not report it again. */
  settle(): void;
};

export type Opening = {
  /** The time to use in file names, in epoch milliseconds. */
  now: number;
  migrations: readonly Migration[];
  /** A restore to carry out before opening, prepared by `rewriteBackup` at `preparedPath`. If it fails, nothing is opened. */
  restore: RestoreOrder | undefined;
  /** Whether to open a database in which stored data is missing. If false, only a restore can proceed. */
  acceptLoss?: boolean;
  /** A lock from `holdFolder`, which is closed with the database or if opening fails. If omitted, `openDatabase` locks the folder. */
  hold?: FolderHold;
  /** Key ring for reencrypting secrets that a previous key encrypted. Without it, secrets stay unchanged. */
  keyRing?: KeyRing;
};

/** A lock on the data folder, held until closed. */
export type FolderHold = { close(): void };

/** Options for tests with a new folder. */
const PLAIN: Opening = { now: 0, migrations: MIGRATIONS, restore: undefined };

/**
 * Opens the station's database in `folder`, creating or migrating it, and locks the folder until `close`. First carries out a requested
 * restore; before a migration, makes a backup. Throws a StationError that says what to do: `DataLost` if stored data are missing, `invalid`
 * if a restore is impossible, `conflict` if another station uses the folder, `storage` if it is not writable, is damaged, or belongs to
 * another program or a newer version.
 */
export function openDatabase(folder: string, opening: Opening = PLAIN): OpenDatabase {
  const { now, migrations, hold, keyRing } = opening;
  const lock = hold ?? holdFolder(folder);
  const file = join(folder, DATABASE_FILE);
  const opened: Db[] = [];
  try {
    removeParts(folder);
    const { restoreFailure, loss } = lookAtFiles(folder, file, opening);
    refuseLoneLog(file);
    if (hasLog(file)) guarded(file, () => inspectOnly(file, migrations.length));
    const writer = guarded(file, () => new Database(file, { timeout: 5_000 }));
    opened.push(writer);
    guarded(file, () => inspect(writer, file, migrations.length));
    guarded(file, () => makePrivate(file));
    guarded(file, () => configure(writer));
    guarded(file, () => keepBeforeUpdate(writer, { folder, file, now, known: migrations.length, keyRing }));
    guarded(file, () => migrate(writer, file, migrations));
    if (keyRing !== undefined) guarded(file, () => sealAgain(writer, keyRing));
    countStart(writer);
    const openReader = (): Db => guarded(file, () => new Database(file, { readonly: true, timeout: 5_000 }));
    const reader = openReader();
    opened.push(reader);
    return {
      writer,
      reader,
      openReader,
      restoreFailure,
      loss: loss === undefined ? undefined : { ...loss, settle: () => forgetLoss(folder, writer, loss) },
      settle: () => settleRestore(folder, file),
      close: () => closeAll([reader, writer, lock]),
    };
  } catch (error) {
    closeAll([...opened, lock]);
    throw error;
  }
}

/** Carries out a restore order and compares the files with the mark, before SQLite opens anything. */
function lookAtFiles(
  folder: string,
  file: string,
  { now, migrations, restore, acceptLoss = false, keyRing }: Opening,
): Pick<OpenDatabase, 'restoreFailure'> & { loss: Omit<AcceptedLoss, 'settle'> | undefined } {
  if (restore !== undefined) {
    dropRestore(folder, file, restore.id);
    orderRestore(folder, restore);
  }
  const isOrdered = isRestoreOrdered(folder);
  // Search for losses before the restore, which changes these files and may still be reverted.
  const before = isOrdered ? findLoss(folder, file) : undefined;
  let keptIn = before === undefined ? undefined : setLossAside(folder, file, now);
  if (before !== undefined) keepLost(folder, before.found);
  const restoreFailure = restoreOrdered(folder, { file, now, keyRing });
  if (restore !== undefined && restoreFailure !== undefined) throw new StationError('invalid', restoreFailure.problem);
  const isRestored = isOrdered && restoreFailure === undefined;
  const loss = isOrdered ? before : findLoss(folder, file);
  const mayBeDamaged = !isRestored && loss?.isEmpty !== true && (acceptLoss || loss !== undefined);
  const worst = (mayBeDamaged ? findDamage(file, migrations.length) : undefined) ?? loss;
  if (worst === undefined) return { restoreFailure, loss: undefined };
  if (!isRestored && !acceptLoss) throw new DataLost(worst, 'unknown');
  keptIn ??= setLossAside(folder, file, now);
  if (!isRestored && worst.isEmpty) removeDatabase(file);
  return { restoreFailure, loss: { found: worst.found, keptIn, isRestored } };
}

/** Inspects the database for damage. Returns undefined if it can be opened, or if opening it fails for a different reason. */
function findDamage(file: string, known: number): Loss | undefined {
  try {
    refuseLoneLog(file);
    if (bytesOf(file) > 0) guarded(file, () => inspectOnly(file, known));
    return undefined;
  } catch (error) {
    return error instanceof DataLost ? error.loss : undefined;
  }
}

function refuseLoneLog(file: string): void {
  if (bytesOf(file) === 0 && bytesOf(`${file}-wal`) > 0)
    throw damaged(file, 'it is empty or missing, but its log is not');
}

/** Removes the damaged part of the log and the mark, so that the loss is not found again. */
function forgetLoss(folder: string, writer: Db, { isRestored }: Pick<AcceptedLoss, 'isRestored'>): void {
  // Keep the mark after a restore, because the loss must still be known if the restore is reverted.
  if (isRestored) return;
  writer.pragma('wal_checkpoint(TRUNCATE)');
  removeMark(folder);
}

/** Changes the first page, so that the file differs from all earlier copies, and records the version. Skipped on a full disk. */
function countStart(writer: Db): void {
  try {
    noteVersion(writer);
    writer.pragma(`user_version = ${Number(writer.pragma('user_version', { simple: true }))}`);
  } catch {
    // Ignore the error: a full disk must not prevent the start.
  }
}

/** Creates the folder if missing, and locks it. Throws as `openDatabase` does. */
export function holdFolder(folder: string): FolderHold {
  prepareFolder(folder);
  return takeLock(folder);
}

function closeAll(databases: readonly { close(): void }[]): void {
  for (const database of databases) database.close();
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) {
      throw new StationError('storage', `${folder} is a file. Name a folder with --data.`);
    }
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof StationError) throw error;
    throw new StationError(
      'storage',
      `The data folder ${folder} cannot be written (${reasonOf(error)}). Give this user write permission, or name another folder with --data.`,
    );
  }
}

/** Creates one folder at a time, because Node's recursive mkdir never returns below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(resolve(folder));
  if (parent !== resolve(folder)) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

/** Restricts the file to its owner, even in a shared folder. SQLite gives its other files the same mode. */
function makePrivate(file: string): void {
  if (process.platform !== 'win32') chmodSync(file, 0o600);
}

/**
 * Holds an exclusive transaction on a lock file. The system releases it when the process ends, even after a kill. Its journal is in memory: a
 * file would need a free block, which a full disk does not have, not even for the start after a kill.
 */
function takeLock(folder: string): Db {
  const file = join(folder, LOCK_FILE);
  let lock: Db | undefined;
  try {
    lock = new Database(file, { timeout: LOCK_TIMEOUT_MS });
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    // Otherwise, any program that can read the file could lock it.
    makePrivate(file);
    return lock;
  } catch (error) {
    lock?.close();
    if (isSqlite(error, 'SQLITE_BUSY')) {
      const message = `Another Pickstation is running on the data folder ${folder}. Use or stop it, or name another folder with --data.`;
      throw new StationError('conflict', message, [{ path: '/data', message }]);
    }
    const remedy =
      isSqlite(error, 'SQLITE_NOTADB') || isSqlite(error, 'SQLITE_CORRUPT')
        ? 'Nothing in it is needed: delete it.'
        : 'Check that the disk has free space and is writable.';
    throw new StationError('storage', `The lock file ${file} cannot be opened (${reasonOf(error)}). ${remedy}`);
  }
}

/** Whether a log with changes exists, left by a program that did not close the database. */
function hasLog(file: string): boolean {
  return ['-wal', '-journal'].some((name) => bytesOf(file + name) > 0);
}

/**
 * Inspects the file without changing it. If there is a log, opens the file read-only, because a writable connection would write the log
 * into a file that may be foreign or damaged. Without a log, opens it writable, because a read-only connection would leave an empty log.
 */
function inspectOnly(file: string, known: number): void {
  const db = new Database(file, { readonly: hasLog(file), timeout: 5_000 });
  try {
    inspect(db, file, known);
  } finally {
    db.close();
  }
}

function configure(db: Db): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // Once the log has this many pages (4 MiB), one of our commits also copies it into the database. The value keeps that pause short and
  // rare.
  db.pragma('wal_autocheckpoint = 1000');
  // Writes mostly touch the ends of tables. A larger cache would take memory without saving time, because the system caches the file, too.
  db.pragma('cache_size = -3000');
}

/** Makes a backup before the first start of each version, so that the user can return to the previous version. */
function keepBeforeUpdate(
  db: Db,
  how: { folder: string; file: string; now: number; known: number; keyRing: KeyRing | undefined },
): void {
  const { folder, file, now, known, keyRing } = how;
  const schema = schemaOf(db);
  if (schema === 0 || (schema === known && isOfThisVersion(db))) return;
  try {
    keepCopy(db, folder, { kind: 'update', now, keyRing });
  } catch (error) {
    if (isDamage(error)) throw error;
    // Without a migration, nothing in the data changes, so a full disk must not prevent the start.
    if (schema === known) return;
    throw new StationError(
      'storage',
      `${file} needs an update for this version, but the backup before it failed (${reasonOf(error)}). Free some space and start again; nothing was changed.`,
    );
  }
}
