import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { DataLost, StationError, type Loss } from '../errors.ts';
import { bytesOf, removeParts } from './backupFiles.ts';
import type { Db } from './db.ts';
import { damaged, guarded, inspect, isDamage, isSqlite, reasonOf } from './inspection.ts';
import { migrate, MIGRATIONS, schemaOf, type Migration } from './migrations.ts';
import { findLoss, removeDatabase, setLossAside } from './loss.ts';
import { keepLost, removeMark } from './mark.ts';
import type { RestoreOrder } from './repositories/restores.ts';
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
const LOCK_FILE = 'lock.sqlite';

export type OpenDatabase = {
  /** The only connection that writes. */
  writer: Db;
  /** For reads that leave the process; sees what is committed. */
  reader: Db;
  /** Why what was ordered was not restored; undefined where it was, or nothing was ordered. */
  restoreFailure: RestoreFailure | undefined;
  /** What was missing when it was opened, which somebody accepted or restored a backup for. */
  loss: AcceptedLoss | undefined;
  /** The station is up: a restore that was under way has come to its end. Without this the next start goes back. */
  settle(): void;
  close(): void;
};

/** `found`: what was missing, in sentences; `keptIn`: the folder in the data folder with the files as they were found. */
export type AcceptedLoss = {
  found: string;
  keptIn: string;
  /** A backup was restored; else the station has what was there. */
  isRestored: boolean;
  /** People have been told, on disk: later starts have nothing to say of it. */
  settle(): void;
};

export type Opening = {
  /** For what is named by its time, epoch milliseconds. */
  now: number;
  migrations: readonly Migration[];
  /** To be done now, or not opened at all: prepared by `rewriteBackup` at `preparedPath`. */
  restore: RestoreOrder | undefined;
  /** A database that is less than what was stored is opened; without this it is only by a restore. */
  acceptLoss?: boolean;
  /** What `holdFolder` answered, which is closed with the database, or where it cannot be opened; without it the folder is held now. */
  hold?: FolderHold;
};

/** Nobody else has the data folder until it is closed. */
export type FolderHold = { close(): void };

/** Of tests that open nothing but a fresh folder. */
const PLAIN: Opening = { now: 0, migrations: MIGRATIONS, restore: undefined };

/**
 * Opens the station's database in `folder`, creating or migrating it, and holds the folder until `close`. Before that it
 * restores what was ordered; before a migration it makes a backup.
 * Throws a StationError that says what to do: a `DataLost` where less is there than was stored, `invalid` where what is to be restored cannot be, `conflict` when another station owns the folder, `storage` when it
 * cannot be written, is damaged, belongs to another program or was written by a newer version.
 */
export function openDatabase(folder: string, opening: Opening = PLAIN): OpenDatabase {
  const { now, migrations, hold } = opening;
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
    guarded(file, () => keepBeforeUpdate(writer, { folder, file, now, known: migrations.length }));
    guarded(file, () => migrate(writer, file, migrations));
    countStart(writer);
    const reader = guarded(file, () => new Database(file, { readonly: true, timeout: 5_000 }));
    opened.push(reader);
    return {
      writer,
      reader,
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

/** Before SQLite opens anything: carries out an ordered restore, and compares the files with the mark. */
function lookAtFiles(
  folder: string,
  file: string,
  { now, migrations, restore, acceptLoss = false }: Opening,
): Pick<OpenDatabase, 'restoreFailure'> & { loss: Omit<AcceptedLoss, 'settle'> | undefined } {
  if (restore !== undefined) {
    dropRestore(folder, file, restore.id);
    orderRestore(folder, restore);
  }
  const isOrdered = isRestoreOrdered(folder);
  // A restore changes the files that it finds, and may still be abandoned.
  const before = isOrdered ? findLoss(folder, file) : undefined;
  let keptIn = before === undefined ? undefined : setLossAside(folder, file, now);
  if (before !== undefined) keepLost(folder, before.found);
  const restoreFailure = restoreOrdered(folder, { file, now });
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

/** Undefined: it can be opened, or the reason that it cannot is none of its own. */
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

/** What is behind the damaged part of a log must not be found again, nor the mark that the database falls short of. */
function forgetLoss(folder: string, writer: Db, { isRestored }: Pick<AcceptedLoss, 'isRestored'>): void {
  // As long as a restore may be abandoned, the mark keeps the loss.
  if (isRestored) return;
  writer.pragma('wal_checkpoint(TRUNCATE)');
  removeMark(folder);
}

/** Changes the first page, so that the file differs from all that were copied before this start. Without room it does not. */
function countStart(writer: Db): void {
  try {
    writer.pragma(`user_version = ${Number(writer.pragma('user_version', { simple: true }))}`);
  } catch {
    // A start on a full disk writes nothing.
  }
}

/** Makes the folder where it is missing, and holds it. Throws as `openDatabase` does. */
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
      `The data folder ${folder} cannot be written (${reasonOf(error)}). Give this user the right to write there, or name another folder with --data.`,
    );
  }
}

/** Folder by folder: the recursive way of Node never ends below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(resolve(folder));
  if (parent !== resolve(folder)) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

/** Nobody but the owner reads what is in it, whatever the folder allows. The files beside it take its mode. */
function makePrivate(file: string): void {
  if (process.platform !== 'win32') chmodSync(file, 0o600);
}

/** The owner holds an exclusive transaction on a file of its own: the system frees it however the process ends. */
function takeLock(folder: string): Db {
  const file = join(folder, LOCK_FILE);
  let lock: Db | undefined;
  try {
    lock = new Database(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    // Whoever may read it could hold it.
    makePrivate(file);
    return lock;
  } catch (error) {
    lock?.close();
    if (isSqlite(error, 'SQLITE_BUSY')) {
      const message = `Another Pickstation is running on the data folder ${folder}. Use that one, stop it, or name another folder with --data.`;
      throw new StationError('conflict', message, [{ path: '/data', message }]);
    }
    const remedy =
      isSqlite(error, 'SQLITE_NOTADB') || isSqlite(error, 'SQLITE_CORRUPT')
        ? 'There is nothing in it that is needed: delete it.'
        : 'Check that the disk has room and may be written.';
    throw new StationError('storage', `The lock file ${file} cannot be opened (${reasonOf(error)}). ${remedy}`);
  }
}

/** Whether changes wait beside the file, of a program that ended without closing it. */
function hasLog(file: string): boolean {
  return ['-wal', '-journal'].some((name) => bytesOf(file + name) > 0);
}

/**
 * A connection that may write would carry such changes into a file that is perhaps not ours, or damaged; one that may not leaves an
 * empty log where there is none.
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
  // The log is copied back at commits of ours, not inside one: 4 MiB keeps that pause short and rare.
  db.pragma('wal_autocheckpoint = 1000');
  db.pragma('cache_size = -32000');
}

/** What the version before can go back to. */
function keepBeforeUpdate(db: Db, how: { folder: string; file: string; now: number; known: number }): void {
  const { folder, file, now, known } = how;
  const schema = schemaOf(db);
  if (schema === 0 || schema === known) return;
  try {
    keepCopy(db, folder, { kind: 'update', now });
  } catch (error) {
    if (isDamage(error)) throw error;
    throw new StationError(
      'storage',
      `${file} needs an update for this version, and the backup before it could not be made (${reasonOf(error)}). Free some space and start again; nothing was changed.`,
    );
  }
}
