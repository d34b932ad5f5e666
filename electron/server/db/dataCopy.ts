import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StationError } from '../errors.ts';
import { BACKUP_FOLDER, backupPath, bytesOf, freeBytes, listBackups } from './backupFiles.ts';
import { holdCheckFolder } from './checkFolder.ts';
import { DATABASE_FILE, LOCK_FILE } from './database.ts';
import { isSqlite, reasonOf } from './inspection.ts';
import { KEY_FILE, KEYCHAIN_FILE } from './keyRing.ts';
import { MARK_FILE, readMark, writeMark } from './mark.ts';
import { MIGRATIONS } from './migrations.ts';

/** Folder inside the data folder that exists during a check. */
const CHECK_FOLDER = 'check';
const COPY_FOLDER = 'data';

const BEFORE = '.before';
/**
 * Files that the station reads at startup in addition to the database. The mark comes first, so that the copied database is not older than
 * the mark.
 */
const FILES = [MARK_FILE, 'certificate.pem', KEY_FILE, KEYCHAIN_FILE, 'restore.json', DATABASE_FILE + BEFORE];
const PREPARED = /^restore-[\w.-]+\.sqlite$/;
const LOGS = ['-wal', '-journal'];

/** Returns the names of the files that the station reads at startup, without backups. The database and its log come last. */
export function listDataFiles(dataFolder: string): string[] {
  const prepared = readdirSync(dataFolder).filter((name) => PREPARED.test(name));
  const all = [...FILES, ...prepared, ...['', ...LOGS].map((end) => DATABASE_FILE + end)];
  return all.filter((name) => existsSync(join(dataFolder, name)));
}

/** Number of newest backups to include, because a station that has lost data searches for the newest good one at startup. */
const BACKUPS = 5;
/** Disk space to leave free for the program and a running station. */
const SPARE_BYTES = 32 * 2 ** 20;
const SCHEMA_AT = 60;
const TRIES = 3;

export type DataCopy = {
  /** The copied data folder. */
  folder: string;
  /** Size of the database including its log. */
  bytes: number;
  /** Whether a station has the data open. */
  isRunning: boolean;
  /**
   * Reads the whole copied database and describes the first fault. Returns undefined if there is none. Call only while no station has the
   * copy open.
   */
  findFault(): string | undefined;
  remove(): void;
};

/**
 * Copies a station's data into a folder inside its data folder, even while the station is running. Changes nothing else, and removes what a
 * killed check left behind. Throws a StationError: `storage` if there is not enough space or a file cannot be read, `conflict` if another
 * check is running.
 */
export async function copyData(dataFolder: string): Promise<DataCopy> {
  removeLeftCopy(dataFolder);
  const bytes = sizeOf(dataFolder);
  refuseFullDisk(dataFolder, bytes);
  const place = join(dataFolder, CHECK_FOLDER);
  const hold = holdCheckFolder(place);
  const folder = join(place, COPY_FOLDER);
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
    hold.close();
  };
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const isRunning = await copyAll(dataFolder, folder);
    return { folder, bytes, isRunning, findFault: () => findFault(join(folder, DATABASE_FILE)), remove };
  } catch (error) {
    remove();
    if (error instanceof StationError) throw error;
    throw new StationError('storage', `The data in ${dataFolder} cannot be copied (${reasonOf(error)}).`);
  }
}

/** Removes what a killed check left behind. Does nothing during a check. */
export function removeLeftCopy(dataFolder: string): void {
  const place = join(dataFolder, CHECK_FOLDER);
  if (!existsSync(place)) return;
  try {
    const hold = holdCheckFolder(place);
    rmSync(join(place, COPY_FOLDER), { recursive: true, force: true });
    hold.close();
  } catch {
    // A check is running, or the folder is not writable, which the start itself reports.
  }
}

/**
 * Copies all files. Repeats this, up to TRIES times, if a station started or stopped in the meantime. Returns whether a station is running.
 */
async function copyAll(from: string, to: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const isRunning = isHeld(from);
    const error = await copyOnce(from, to, isRunning).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (isHeld(from) === isRunning) {
      if (error === undefined) return isRunning;
      throw error;
    }
    if (tries === TRIES)
      throw new StationError('conflict', 'The station was started or stopped during the check. Check again.');
  }
}

async function copyOnce(from: string, to: string, isRunning: boolean): Promise<void> {
  for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true });
  const isLive = (name: string): boolean => isRunning && name.startsWith(DATABASE_FILE) && !name.endsWith(BEFORE);
  for (const name of listDataFiles(from)) if (!isLive(name)) copyFile(join(from, name), join(to, name));
  if (isRunning) await copyLive(join(from, DATABASE_FILE), to);
  mkdirSync(join(to, BACKUP_FOLDER), { mode: 0o700 });
  for (const [index, { name }] of listBackups(from).slice(0, BACKUPS).entries()) {
    const [original, copy] = [backupPath(from, name), backupPath(to, name)];
    try {
      linkSync(original, copy);
    } catch {
      // Copy the file instead, because some file systems do not support links.
      if (index === 0) copyFile(original, copy);
    }
  }
}

/** Copies a consistent snapshot of a database while a station is writing to it. */
async function copyLive(database: string, to: string): Promise<void> {
  const source = new Database(database, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_master').get();
    await source.backup(join(to, DATABASE_FILE));
  } finally {
    source.close();
  }
  const mark = readMark(to);
  // Reset the change counter, which belongs to the original file.
  if (typeof mark === 'object') await writeMark(to, { ...mark, changes: 0 });
}

export function copyFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

/** Whether a station uses the folder. Reads the lock without taking it. */
function isHeld(dataFolder: string): boolean {
  const file = join(dataFolder, LOCK_FILE);
  if (!existsSync(file)) return false;
  let lock: Database.Database | undefined;
  try {
    lock = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
    lock.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    return isSqlite(error, 'SQLITE_BUSY');
  } finally {
    lock?.close();
  }
}

function sizeOf(dataFolder: string): number {
  return ['', ...LOGS].reduce((sum, end) => sum + bytesOf(join(dataFolder, DATABASE_FILE) + end), 0);
}

function refuseFullDisk(dataFolder: string, bytes: number): void {
  // An older database needs more space: updating it makes a backup, and may rewrite every page.
  const needed = bytes * (isOlder(join(dataFolder, DATABASE_FILE)) ? 4 : 2) + SPARE_BYTES;
  const free = freeBytes(dataFolder);
  if (free >= needed) return;
  throw new StationError(
    'storage',
    `The disk of ${dataFolder} has ${inMb(free)} free; to copy the data and start with them takes ${inMb(needed)}. Free some space.`,
  );
}

/** Whether the next start would migrate the database. */
function isOlder(database: string): boolean {
  try {
    const header = Buffer.alloc(SCHEMA_AT + 4);
    const handle = openSync(database, 'r');
    try {
      readSync(handle, header, 0, header.length, 0);
    } finally {
      closeSync(handle);
    }
    return header.readUInt32BE(SCHEMA_AT) < MIGRATIONS.length;
  } catch {
    return false;
  }
}

function inMb(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`;
}

function findFault(database: string): string | undefined {
  const db = new Database(database, { fileMustExist: true });
  try {
    const found = String(db.pragma('integrity_check(1)', { simple: true }));
    if (found !== 'ok') return found.replaceAll('\n', '; ');
    const [strays] = db.pragma('foreign_key_check') as { table: string }[];
    return strays === undefined ? undefined : `rows of ${strays.table} refer to rows that are missing`;
  } catch (error) {
    return reasonOf(error);
  } finally {
    db.close();
  }
}
