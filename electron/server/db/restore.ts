import {
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { VERSION } from '#shared/api/version.ts';
import { StationError } from '../errors.ts';
import { checkBackup } from './backupCheck.ts';
import {
  BACKUP_FOLDER,
  beginBackup,
  finishBackup,
  makeSingle,
  removeBackup,
  signBackup,
  syncPath,
} from './backupFiles.ts';
import type { Db } from './db.ts';
import { inspect, isSqlite, reasonOf } from './inspection.ts';
import { migrate, type Migration } from './migrations.ts';
import { numberRows } from './repositories/numbers.ts';
import { restoreRows, type Restored, type RestoreOrder } from './repositories/restores.ts';

/** Beside the database: what the next start puts in its place. */
const ORDER_FILE = 'restore.json';

/** What an order needs to be carried out. `file`: the database; `now`: epoch milliseconds. */
export type RestoreMeans = { file: string; now: number; migrations: readonly Migration[] };

/** Numbers of the database that goes, which others remember. */
type Numbers = { revision: number; commandId: number };

/** The next start of a station on this folder puts it back, and looks at it once more before. */
export function orderRestore(dataFolder: string, order: RestoreOrder): void {
  const file = join(dataFolder, ORDER_FILE);
  writeFileSync(`${file}.part`, JSON.stringify(order), { mode: 0o600 });
  syncPath(`${file}.part`);
  renameSync(`${file}.part`, file);
  syncPath(dataFolder);
}

/** The file of an order, by what its `from` says of a backup in the folder. */
export function fromBackup(name: string): string {
  return join(BACKUP_FOLDER, name);
}

/**
 * Does what was ordered, while nobody has the database open. Answers why it came to nothing, in a sentence; then all is
 * as it was and the order is gone. Ended at any moment it leaves the old database or the new one, whole, and the next
 * start finishes it.
 */
export function restoreOrdered(dataFolder: string, means: RestoreMeans): string | undefined {
  const { file } = means;
  removeBackup(nextOf(file));
  rmSync(join(dataFolder, `${ORDER_FILE}.part`), { force: true });
  if (!existsSync(join(dataFolder, ORDER_FILE))) return undefined;
  let failure: string | undefined;
  try {
    const order = JSON.parse(readFileSync(join(dataFolder, ORDER_FILE), 'utf8')) as RestoreOrder;
    if (!isDone(file, order)) putBack(dataFolder, order, means);
  } catch (error) {
    failure = error instanceof StationError ? error.message : `The backup was not put back (${reasonOf(error)}).`;
    removeBackup(nextOf(file));
  }
  rmSync(join(dataFolder, ORDER_FILE));
  syncPath(dataFolder);
  return failure;
}

/** The file that takes the place of the database in one step. */
function nextOf(file: string): string {
  return `${file}.new`;
}

function putBack(dataFolder: string, order: RestoreOrder, means: RestoreMeans): void {
  const { file } = means;
  const next = nextOf(file);
  const from = resolve(dataFolder, order.from);
  copyBackup(from, next);
  checkBackup(next, means.migrations.length);
  const { kept, numbers } = keepPresent(dataFolder, means);
  prepare(next, { numbers, means, restored: { ...order, from: basename(from), kept } });
  syncPath(next);
  // Without this the log of the old database would be taken for one of the new.
  removeLog(file);
  renameSync(next, file);
  syncPath(dataFolder);
}

/** A copy of its own, so that the backup stays as it is. */
function copyBackup(from: string, next: string): void {
  if (!existsSync(from)) throw new StationError('invalid', `There is no file ${from}. Name a backup.`);
  try {
    copyFileSync(from, next, constants.COPYFILE_FICLONE);
    makeSingle(next);
  } catch (error) {
    throw new StationError(
      'storage',
      `${from} could not be copied (${reasonOf(error)}). Look whether the disk has room.`,
    );
  }
}

/** Whether the database is the one that this order has put there: a start that ended before it said so. */
function isDone(file: string, order: RestoreOrder): boolean {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    return using(db, () => restoreRows(db).find()?.id === order.id);
  } catch {
    return false;
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
        `There is no room to keep what is there now (${reasonOf(error)}). Free some space, then put the backup back once more.`,
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

/** Brings the copy to the schema of today, and its numbers behind those that were given out meanwhile. */
function prepare(next: string, how: { numbers: Numbers; means: RestoreMeans; restored: Restored }): void {
  const { numbers, means, restored } = how;
  using(new Database(next), (db) => {
    migrate(db, next, means.migrations);
    db.transaction(() => {
      const own = numbersOf(db);
      // Whatever somebody has seen of either is no revision of this one: he starts anew.
      const lastAt = db.prepare('SELECT at FROM commits ORDER BY revision DESC LIMIT 1').pluck().get() ?? means.now;
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
