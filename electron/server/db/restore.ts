import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { VERSION } from '#shared/api/version.ts';
import { StationError } from '../errors.ts';
import {
  BACKUP_FOLDER,
  beginBackup,
  finishBackup,
  keepListing,
  removeBackup,
  signBackup,
  syncPath,
} from './backupFiles.ts';
import type { Db } from './db.ts';
import { inspect, isSqlite, reasonOf } from './inspection.ts';
import type { KeyRing } from './keyRing.ts';
import { removeMark } from './mark.ts';
import { noteVersion } from './migrations.ts';
import { numberRows } from './repositories/numbers.ts';
import { keepAccounts, keepActivity } from './restoredAccounts.ts';
import { sealAgain } from './secretRows.ts';
import { restoreRows, type Restored, type RestoreOrder } from './repositories/restores.ts';

export type { RestoreOrder };

/** Name of the file next to the database that contains the restore for the next start. */
const ORDER_FILE = 'restore.json';

/**
 * What is needed to carry out a restore. `file` is the path of the database, `now` is in epoch milliseconds, and `keyRing` is as in
 * `Opening`.
 */
export type RestoreMeans = { file: string; now: number; keyRing?: KeyRing | undefined };

/** The highest numbers in the replaced database, which clients may have seen. */
type Numbers = { revision: number; commandId: number };

/**
 * A restore is `ordered` before it starts, `begun` while the database is unchanged, and `replaced` once the database may be the restored
 * one, but no station has been ready with it yet.
 */
const STAGES = ['ordered', 'begun', 'replaced'] as const;
type Standing = { order: RestoreOrder; stage: (typeof STAGES)[number]; hadDatabase: boolean };

/** Why a restore failed, as a sentence. `from` is the name of the backup, if known. */
export type RestoreFailure = { from: string; problem: string };

/** Returns the path to which a side process writes the restored database before the restore is ordered. */
export function preparedPath(dataFolder: string, id: string): string {
  return join(dataFolder, `restore-${id}.sqlite`);
}

/** Removes a prepared database that will not be used, and its temporary files. */
export function removePrepared(dataFolder: string, id: string): void {
  for (const end of ['', '-journal', '.part']) rmSync(preparedPath(dataFolder, id) + end, { force: true });
}

/** Orders the next start to restore the database that was prepared for this order. */
export function orderRestore(dataFolder: string, order: RestoreOrder): void {
  // The prepared database must be on disk before the order that refers to it.
  syncPath(preparedPath(dataFolder, order.id));
  writeStanding(dataFolder, { order, stage: 'ordered', hadDatabase: false });
}

/** Returns the `from` path for a backup in the backup folder. */
export function fromBackup(name: string): string {
  return join(BACKUP_FOLDER, name);
}

/** Whether the next `restoreOrdered` carries out a restore. False if it would abandon an earlier one. */
export function isRestoreOrdered(dataFolder: string): boolean {
  const standing = readStanding(dataFolder);
  return standing !== undefined && standing !== 'unreadable' && standing.stage === 'ordered';
}

/**
 * Carries out an order while the database is closed. `settleRestore` completes it when the station is ready. Tries each order once: if the
 * station stops before it is ready, the next start abandons the order and uses the previous data. Returns why nothing was restored. A crash
 * at any time leaves either the old or the new database complete.
 */
export function restoreOrdered(dataFolder: string, means: RestoreMeans): RestoreFailure | undefined {
  const standing = readStanding(dataFolder);
  if (standing === undefined) {
    cleanUp(dataFolder, means.file, undefined);
    return undefined;
  }
  if (standing === 'unreadable') {
    dropRestore(dataFolder, means.file, undefined);
    return {
      from: ORDER_FILE,
      problem:
        'A restore was requested, but its order cannot be read. It was abandoned, and the station uses the data that it had before. Restore the backup again.',
    };
  }
  const from = basename(standing.order.from);
  if (standing.stage !== 'ordered') {
    dropRestore(dataFolder, means.file, undefined);
    return {
      from,
      problem: `The restore of ${from} did not finish and was abandoned. The station uses the data that it had before. Choose another backup, or restore this one again.`,
    };
  }
  try {
    replace(dataFolder, standing.order, means);
    return undefined;
  } catch (error) {
    dropRestore(dataFolder, means.file, undefined);
    const problem = error instanceof StationError ? error.message : `${from} was not restored (${reasonOf(error)}).`;
    return { from, problem };
  }
}

/** Makes the restore final. Call when the station is ready. */
export function settleRestore(dataFolder: string, file: string): void {
  if (!existsSync(join(dataFolder, ORDER_FILE))) return;
  // Remove the mark, which belongs to the previous data.
  removeMark(dataFolder);
  endOrder(dataFolder, file, undefined);
}

/** Discards an order and returns to the previous database. `next` is the id of another prepared order, which is kept. */
export function dropRestore(dataFolder: string, file: string, next: string | undefined): void {
  const standing = readStanding(dataFolder);
  // If the order is unreadable, it may have reached any stage.
  const mayBeReplaced = standing === 'unreadable' || standing?.stage === 'replaced';
  if (mayBeReplaced && existsSync(beforeOf(file))) {
    removeLog(file);
    renameSync(beforeOf(file), file);
    syncPath(dataFolder);
  } else if (mayBeReplaced && standing !== 'unreadable' && !standing.hadDatabase) {
    removeLog(file);
    rmSync(file, { force: true });
    syncPath(dataFolder);
  }
  endOrder(dataFolder, file, next);
}

function endOrder(dataFolder: string, file: string, next: string | undefined): void {
  rmSync(join(dataFolder, ORDER_FILE), { force: true });
  syncPath(dataFolder);
  cleanUp(dataFolder, file, next);
}

/** Removes the previous database, a partial order file, and prepared databases except `next`. */
function cleanUp(dataFolder: string, file: string, next: string | undefined): void {
  rmSync(beforeOf(file), { force: true });
  rmSync(join(dataFolder, `${ORDER_FILE}.part`), { force: true });
  for (const name of readdirSync(dataFolder)) {
    const id = /^restore-(\w[\w.-]*?)\.sqlite/.exec(name)?.[1];
    if (id !== undefined && id !== next) rmSync(join(dataFolder, name), { force: true });
  }
}

/** Returns the path of the previous database, which is kept until the station is ready. */
function beforeOf(file: string): string {
  return `${file}.before`;
}

function writeStanding(dataFolder: string, standing: Standing): void {
  const file = join(dataFolder, ORDER_FILE);
  writeFileSync(`${file}.part`, JSON.stringify(standing), { mode: 0o600 });
  syncPath(`${file}.part`);
  renameSync(`${file}.part`, file);
  syncPath(dataFolder);
}

function readStanding(dataFolder: string): Standing | 'unreadable' | undefined {
  const file = join(dataFolder, ORDER_FILE);
  if (!existsSync(file)) return undefined;
  try {
    const { order, stage, hadDatabase } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Standing>;
    const isWhole = typeof order?.from === 'string' && typeof order.id === 'string' && /^\w[\w.-]*$/.test(order.id);
    const known = STAGES.find((one) => one === stage);
    if (!isWhole || known === undefined) return 'unreadable';
    // An order of an earlier version has no accounts to bring back.
    const whole = { ...order, bringBack: order.bringBack ?? [] };
    return { order: whole, stage: known, hadDatabase: hadDatabase === true };
  } catch {
    return 'unreadable';
  }
}

function replace(dataFolder: string, order: RestoreOrder, means: RestoreMeans): void {
  const { file } = means;
  const next = preparedPath(dataFolder, order.id);
  if (!existsSync(next)) {
    throw new StationError(
      'invalid',
      `${basename(order.from)} was not restored: its prepared file ${next} is missing. Restore it again.`,
    );
  }
  writeStanding(dataFolder, { order, stage: 'begun', hadDatabase: false });
  const { kept, numbers, isOpen, isReadable } = keepPresent(dataFolder, means);
  const present = isReadable ? file : undefined;
  const restored = { ...order, from: basename(order.from), kept };
  prepare(next, { numbers, isOpen, present, now: means.now, restored });
  syncPath(next);
  const hadDatabase = existsSync(file);
  if (hadDatabase) linkOrCopy(file, beforeOf(file));
  syncPath(dataFolder);
  writeStanding(dataFolder, { order, stage: 'replaced', hadDatabase });
  // Otherwise SQLite would apply the old database's log to the new one.
  removeLog(file);
  renameSync(next, file);
  syncPath(dataFolder);
}

/** Creates a hard link if the file system supports it, otherwise a copy. */
function linkOrCopy(from: string, to: string): void {
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    syncPath(to);
  }
}

/**
 * Facts about the current database that the restored one needs. `isOpen` tells whether the station listens on the network, and `isReadable`
 * whether its accounts can be kept.
 */
type Present = { kept: string; numbers: Numbers; isOpen: boolean; isReadable: boolean };

function keepPresent(dataFolder: string, { file, now, keyRing }: RestoreMeans): Present {
  const nothing: Present = { kept: '', numbers: { revision: 0, commandId: 0 }, isOpen: false, isReadable: false };
  const isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isThere && !existsSync(`${file}-wal`)) return nothing;
  try {
    // A writable connection would change a damaged file.
    using(new Database(file, { readonly: true, timeout: 5_000 }), (db) => inspect(db, file, Number.MAX_SAFE_INTEGER));
    return using(new Database(file, { timeout: 5_000 }), (db) => {
      const kept = keepCopy(db, dataFolder, { kind: 'restore', now, keyRing });
      const [numbers, isOpen] = [numbersOf(db), isOpenIn(db)];
      // Copies the log into the database and removes it.
      db.pragma('journal_mode = DELETE');
      return { kept, numbers, isOpen, isReadable: true };
    });
  } catch (error) {
    if (isSqlite(error, 'SQLITE_FULL') || isSqlite(error, 'SQLITE_IOERR')) {
      throw new StationError(
        'storage',
        `There is no room to keep the current data (${reasonOf(error)}). Free some space, then restore the backup again.`,
      );
    }
    // The file belongs to another program: do not replace it.
    if (error instanceof StationError && /another program/.test(error.message)) throw error;
    setAside(file, now);
    return nothing;
  }
}

/** Closes the database even if `use` throws. */
function using<T>(db: Database.Database, use: (db: Database.Database) => T): T {
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/**
 * Backs up an open database, synchronously, during startup. Reencrypts secrets that a previous key encrypted. Returns the name of the
 * backup.
 */
export function keepCopy(
  db: Db,
  dataFolder: string,
  { kind, now, keyRing }: { kind: 'restore' | 'update'; now: number; keyRing: KeyRing | undefined },
): string {
  const begun = beginBackup(dataFolder, kind, now);
  try {
    db.prepare('VACUUM INTO ?').run(begun.part);
    if (keyRing !== undefined) sealCopy(begun.part, keyRing);
    signBackup(begun.part, { at: now, by: '', version: VERSION });
    finishBackup(dataFolder, begun);
    keepListing(dataFolder, begun.name, { by: '', revision: numbersOf(db).revision });
    return begun.name;
  } catch (error) {
    removeBackup(begun.part);
    throw error;
  }
}

/** Reencrypts the secrets of a new copy. A copy has no free pages, so no old content remains. */
function sealCopy(file: string, keyRing: KeyRing): void {
  using(new Database(file, { fileMustExist: true }), (db) => {
    db.pragma('journal_mode = MEMORY');
    sealAgain(db, keyRing);
  });
}

/** Keeps an unreadable file and its log unchanged, so that experts can examine them. */
function setAside(file: string, now: number): void {
  const aside = `${file}.damaged-${now}`;
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, aside + end);
}

function numbersOf(db: Db): Numbers {
  const read = (sql: string): number => Number(db.prepare(sql).pluck().get() ?? 0);
  return {
    revision: read('SELECT coalesce(max(revision), 0) FROM commits'),
    commandId: read("SELECT seq FROM sqlite_sequence WHERE name = 'commands'"),
  };
}

function isOpenIn(db: Db): boolean {
  return db.prepare("SELECT 1 FROM settings WHERE key = 'listen' AND value = '\"network\"'").get() !== undefined;
}

/** Removes the logs of a database before another file replaces it. */
function removeLog(file: string): void {
  for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
}

/**
 * Raises the numbers in a restored database above those already used. Keeps the people, keys, kiosks, screens and activity of the current
 * database. Removes the setting that opens the station to the network, unless the
 * station is already open: an admin may open a port, but a file must not.
 */
function prepare(
  next: string,
  how: Pick<Present, 'numbers' | 'isOpen'> & {
    now: number;
    restored: Omit<Restored, 'isClosed'>;
    /** Path of the current database, or undefined if there is none. */
    present: string | undefined;
  },
): void {
  const { numbers, isOpen, now, restored, present } = how;
  using(new Database(next, { fileMustExist: true }), (db) => {
    if (present !== undefined) db.prepare('ATTACH ? AS present').run(present);
    db.transaction(() => {
      if (present === undefined) db.exec('DELETE FROM sessions');
      else {
        keepAccounts(db, restored.bringBack);
        keepActivity(db);
      }
      const own = numbersOf(db);
      // Old revisions are not valid in this database, so make clients start over.
      const lastAt = db.prepare('SELECT at FROM commits ORDER BY revision DESC LIMIT 1').pluck().get() ?? now;
      db.exec('DELETE FROM commits');
      db.prepare("INSERT INTO commits (revision, at, facts) VALUES (?, ?, '[]')").run(
        Math.max(own.revision, numbers.revision) + 2,
        lastAt,
      );
      numberRows(db).raiseCommandIds(numbers.commandId);
      const isClosed = !isOpen && isOpenIn(db);
      if (isClosed) db.prepare("DELETE FROM settings WHERE key = 'listen'").run();
      restoreRows(db).keep({ ...restored, isClosed });
      db.prepare("DELETE FROM meta WHERE key = 'backup'").run();
      // The previous database was backed up just now, so no update backup is needed.
      noteVersion(db);
    })();
  });
}
