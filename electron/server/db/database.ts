import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { StationError } from '../errors.ts';
import { firstSchema } from './migrations/0001-firstSchema.ts';

export type Db = Database.Database;

/** In order; a database's `user_version` is how many of them it has. Never edit one that was released. */
const MIGRATIONS = [firstSchema] as const;

/** Marks the file as ours: "PICK" in ASCII. */
const APPLICATION_ID = 0x5049434b;

/** A larger file is not read through at each start: that would take seconds. */
const CHECKED_BYTES = 32 * 1024 * 1024;

export const DATABASE_FILE = 'pickstation.sqlite';
const LOCK_FILE = 'lock.sqlite';

export type OpenDatabase = {
  /** The only connection that writes. */
  writer: Db;
  /** For reads that leave the process; sees what is committed. */
  reader: Db;
  close(): void;
};

/**
 * Opens the station's database in `folder`, creating or migrating it, and holds the folder until `close`.
 * Throws a StationError that says what to do: `conflict` when another station owns the folder, `storage` when it
 * cannot be written, is damaged, belongs to another program or was written by a newer version.
 */
export function openDatabase(folder: string): OpenDatabase {
  prepareFolder(folder);
  const lock = takeLock(folder);
  const file = join(folder, DATABASE_FILE);
  const opened: Db[] = [];
  try {
    if (bytesOf(file) === 0 && bytesOf(`${file}-wal`) > 0)
      throw damaged(file, 'it is empty, or away, and its log is not');
    if (hasLog(file)) guarded(file, () => inspectOnly(file));
    const writer = guarded(file, () => new Database(file, { timeout: 5_000 }));
    opened.push(writer);
    guarded(file, () => inspect(writer, file));
    guarded(file, () => makePrivate(file));
    guarded(file, () => configure(writer));
    guarded(file, () => migrate(writer, file));
    const reader = guarded(file, () => new Database(file, { readonly: true, timeout: 5_000 }));
    opened.push(reader);
    return { writer, reader, close: () => closeAll([reader, writer, lock]) };
  } catch (error) {
    closeAll([...opened, lock]);
    throw error;
  }
}

function closeAll(databases: readonly Db[]): void {
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
      `The data folder ${folder} cannot be written (${reason(error)}). Give this user the right to write there, or name another folder with --data.`,
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
    throw new StationError('storage', `The lock file ${file} cannot be opened (${reason(error)}). ${remedy}`);
  }
}

/** Whether changes wait beside the file, of a program that ended without closing it. */
function hasLog(file: string): boolean {
  return ['-wal', '-journal'].some((name) => bytesOf(file + name) > 0);
}

/** 0 also where there is no such file. */
function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** A connection that may write would carry such changes into a file that is perhaps not ours, or damaged. */
function inspectOnly(file: string): void {
  const db = new Database(file, { readonly: true, timeout: 5_000 });
  try {
    inspect(db, file);
  } finally {
    db.close();
  }
}

/** Throws where this is no database of ours, of a newer version, or damaged. Reads only. */
function inspect(db: Db, file: string): void {
  const applicationId = db.pragma('application_id', { simple: true });
  const version = Number(db.pragma('user_version', { simple: true }));
  const tables = Number(db.prepare('SELECT count(*) FROM sqlite_master').pluck().get());
  if (applicationId !== APPLICATION_ID && (applicationId !== 0 || tables > 0)) {
    throw new StationError(
      'storage',
      `${file} belongs to another program and was left as it is. Move it away, or name another folder with --data.`,
    );
  }
  if (version > MIGRATIONS.length) {
    throw new StationError(
      'storage',
      `${file} was written by a newer Pickstation (schema ${version}, this one knows ${MIGRATIONS.length}) and was left as it is. Install the newer version again, or name another folder with --data.`,
    );
  }
  const bytes = Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
  const check = bytes <= CHECKED_BYTES ? db.pragma('quick_check(1)', { simple: true }) : 'ok';
  if (check !== 'ok') throw damaged(file, oneLine(String(check)));
}

function configure(db: Db): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // The log is copied back at commits of ours, not inside one: 4 MiB keeps that pause short and rare.
  db.pragma('wal_autocheckpoint = 1000');
  db.pragma('cache_size = -32000');
}

function migrate(db: Db, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    try {
      db.transaction(() => {
        db.exec(migration.sql);
        db.pragma(`application_id = ${APPLICATION_ID}`);
        db.pragma(`user_version = ${index + 1}`);
      })();
    } catch (error) {
      if (isSqlite(error, 'SQLITE_CORRUPT') || isSqlite(error, 'SQLITE_NOTADB')) throw error;
      throw new StationError(
        'storage',
        `${file} could not be brought to schema ${migration.name} (${reason(error)}); it was left as it was.`,
      );
    }
  }
}

function guarded<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof StationError) throw error;
    if (isSqlite(error, 'SQLITE_CORRUPT') || isSqlite(error, 'SQLITE_NOTADB')) throw damaged(file, reason(error));
    throw new StationError(
      'storage',
      `The database ${file} cannot be opened (${reason(error)}). Check that the disk has room and may be written.`,
    );
  }
}

function damaged(file: string, why: string): StationError {
  const log = existsSync(`${file}-wal`) ? ' together with the -wal file beside it' : '';
  return new StationError(
    'storage',
    `${file} is damaged (${why}) and was left as it is. Move it away${log} and put a backup in its place, or name another folder with --data.`,
  );
}

/** What a check found, without the heading that names the database. */
function oneLine(found: string): string {
  return found.replace(/^\*+[^*]*\*+\s*/, '').replaceAll('\n', '; ');
}

/** Whether an error of SQLite has this code or an extended one of it. */
export function isSqlite(error: unknown, code: string): boolean {
  return error instanceof Database.SqliteError && (error.code === code || error.code.startsWith(`${code}_`));
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
