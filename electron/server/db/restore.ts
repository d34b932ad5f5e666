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
import { removeMark } from './mark.ts';
import { numberRows } from './repositories/numbers.ts';
import { restoreRows, type Restored, type RestoreOrder } from './repositories/restores.ts';

export type { RestoreOrder };

/** Beside the database: what the next start puts in its place. */
const ORDER_FILE = 'restore.json';

/** What an order needs to be carried out. `file`: the database; `now`: epoch milliseconds. */
export type RestoreMeans = { file: string; now: number };

/** Numbers of the database that goes, which others remember. */
type Numbers = { revision: number; commandId: number };

/**
 * `ordered`: not begun. `begun`: the database is as it was. `replaced`: it may be the restored one, and no station has come
 * up with it yet.
 */
const STAGES = ['ordered', 'begun', 'replaced'] as const;
type Standing = { order: RestoreOrder; stage: (typeof STAGES)[number]; hadDatabase: boolean };

/** Why there was no restore, in a sentence. `from`: the name of the backup, as far as it is known. */
export type RestoreFailure = { from: string; problem: string };

/** Where a process of its own writes what is restored, from the rows of the backup, before anything is ordered. */
export function preparedPath(dataFolder: string, id: string): string {
  return join(dataFolder, `restore-${id}.sqlite`);
}

/** What was prepared for an order that will not be given, with what SQLite and a copy have put beside it. */
export function removePrepared(dataFolder: string, id: string): void {
  for (const end of ['', '-journal', '.part']) rmSync(preparedPath(dataFolder, id) + end, { force: true });
}

/** The next start of a station on this folder restores what was prepared for this order. */
export function orderRestore(dataFolder: string, order: RestoreOrder): void {
  // The database that takes the place of another is on disk before anything says so.
  syncPath(preparedPath(dataFolder, order.id));
  writeStanding(dataFolder, { order, stage: 'ordered', hadDatabase: false });
}

/** The file of an order, by what its `from` says of a backup in the folder. */
export function fromBackup(name: string): string {
  return join(BACKUP_FOLDER, name);
}

/** Whether the next `restoreOrdered` begins a restore, and does not only end one that was begun before. */
export function isRestoreOrdered(dataFolder: string): boolean {
  const standing = readStanding(dataFolder);
  return standing !== undefined && standing !== 'unreadable' && standing.stage === 'ordered';
}

/**
 * Carries out what was ordered, while nobody has the database open; `settleRestore` ends it when the station is up. Each order
 * is tried once: one that was begun before and did not come to its end is abandoned, with the data that there was before.
 * Answers why there was no restore. Killed at any moment it leaves the old database or the new one, whole.
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

/** The station is up with what was restored: from now on there is no way back by itself. */
export function settleRestore(dataFolder: string, file: string): void {
  if (!existsSync(join(dataFolder, ORDER_FILE))) return;
  // It is of the data before, which is gone for good only now.
  removeMark(dataFolder);
  endOrder(dataFolder, file, undefined);
}

/** Forgets an order, with the data that there was before. `next`: the id of another, which is prepared. */
export function dropRestore(dataFolder: string, file: string, next: string | undefined): void {
  const standing = readStanding(dataFolder);
  // An order that cannot be read may have come as far as that.
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

/** What no order needs any more. */
function cleanUp(dataFolder: string, file: string, next: string | undefined): void {
  rmSync(beforeOf(file), { force: true });
  rmSync(join(dataFolder, `${ORDER_FILE}.part`), { force: true });
  for (const name of readdirSync(dataFolder)) {
    const id = /^restore-(\w[\w.-]*?)\.sqlite/.exec(name)?.[1];
    if (id !== undefined && id !== next) rmSync(join(dataFolder, name), { force: true });
  }
}

/** The database that was there before, until the station is up with the other. */
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
    return isWhole && known !== undefined ? { order, stage: known, hadDatabase: hadDatabase === true } : 'unreadable';
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
      `${basename(order.from)} was not restored: the file that was prepared for it, ${next}, is gone. Restore it again.`,
    );
  }
  writeStanding(dataFolder, { order, stage: 'begun', hadDatabase: false });
  const { kept, numbers } = keepPresent(dataFolder, means);
  prepare(next, { numbers, now: means.now, restored: { ...order, from: basename(order.from), kept } });
  syncPath(next);
  const hadDatabase = existsSync(file);
  if (hadDatabase) linkOrCopy(file, beforeOf(file));
  syncPath(dataFolder);
  writeStanding(dataFolder, { order, stage: 'replaced', hadDatabase });
  // Without this the log of the old database would be taken for one of the new.
  removeLog(file);
  renameSync(next, file);
  syncPath(dataFolder);
}

/** A second name costs nothing; some file systems have none. */
function linkOrCopy(from: string, to: string): void {
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    syncPath(to);
  }
}

function keepPresent(dataFolder: string, { file, now }: RestoreMeans): { kept: string; numbers: Numbers } {
  const nothing = { kept: '', numbers: { revision: 0, commandId: 0 } };
  const isThere = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!isThere && !existsSync(`${file}-wal`)) return nothing;
  try {
    // A connection that may write would change what is damaged.
    using(new Database(file, { readonly: true, timeout: 5_000 }), (db) => inspect(db, file, Number.MAX_SAFE_INTEGER));
    return using(new Database(file, { timeout: 5_000 }), (db) => {
      const kept = keepCopy(db, dataFolder, { kind: 'restore', now });
      const numbers = numbersOf(db);
      // All of it is in the one file, whatever happens next.
      db.pragma('journal_mode = DELETE');
      return { kept, numbers };
    });
  } catch (error) {
    if (isSqlite(error, 'SQLITE_FULL') || isSqlite(error, 'SQLITE_IOERR')) {
      throw new StationError(
        'storage',
        `There is no room to keep the present data (${reasonOf(error)}). Free some space, then restore the backup again.`,
      );
    }
    // Of another program: what stands there is not ours to replace.
    if (error instanceof StationError && /another program/.test(error.message)) throw error;
    setAside(file, now);
    return nothing;
  }
}

/** Closes it, whatever happens. */
function using<T>(db: Database.Database, use: (db: Database.Database) => T): T {
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** A copy of an open database as a backup, made at once: for starts, when nobody waits for anything else. Answers its name. */
export function keepCopy(
  db: Db,
  dataFolder: string,
  { kind, now }: { kind: 'restore' | 'update'; now: number },
): string {
  const begun = beginBackup(dataFolder, kind, now);
  try {
    db.prepare('VACUUM INTO ?').run(begun.part);
    signBackup(begun.part, { at: now, by: '', version: VERSION });
    finishBackup(dataFolder, begun);
    keepListing(dataFolder, begun.name, { by: '', revision: numbersOf(db).revision });
    return begun.name;
  } catch (error) {
    removeBackup(begun.part);
    throw error;
  }
}

/** What cannot be read is kept as it is, for somebody who can: its log with it. */
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

/** Left over where the database is damaged; what there was is set aside. */
function removeLog(file: string): void {
  for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
}

/** Brings the numbers of what is restored behind those that were given out meanwhile. */
function prepare(next: string, how: { numbers: Numbers; now: number; restored: Restored }): void {
  const { numbers, now, restored } = how;
  using(new Database(next, { fileMustExist: true }), (db) => {
    db.transaction(() => {
      const own = numbersOf(db);
      // Whatever somebody has seen of either is no revision of this one: he starts anew.
      const lastAt = db.prepare('SELECT at FROM commits ORDER BY revision DESC LIMIT 1').pluck().get() ?? now;
      db.exec('DELETE FROM commits');
      db.prepare("INSERT INTO commits (revision, at, facts) VALUES (?, ?, '[]')").run(
        Math.max(own.revision, numbers.revision) + 2,
        lastAt,
      );
      numberRows(db).raiseCommandIds(numbers.commandId);
      restoreRows(db).keep(restored);
      db.prepare("DELETE FROM meta WHERE key = 'backup'").run();
    })();
  });
}
