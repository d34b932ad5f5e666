import { constants, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { StationError, type Loss } from '../errors.ts';
import { bytesOf, listBackups, syncPath } from './backupFiles.ts';
import type { Db } from './db.ts';
import { reasonOf } from './inspection.ts';
import { changesOf, identityOf, MARK_FILE, readMark, type Mark } from './mark.ts';
import { commitRows } from './repositories/commits.ts';
import { numberRows } from './repositories/numbers.ts';
import { hasLostCommits } from './walScan.ts';

/**
 * State of the database. It is `empty` if it has no tables, and `unknown` if it is damaged or not a station's database, which other checks
 * report.
 */
type Present = { identity: string | undefined; revision: number; at: number } | 'empty' | 'unknown';

const WITH_IT = ['', '-wal', '-shm', '-journal'];

/**
 * Compares the database with the mark, and searches for commits after a damaged part of the log. Returns undefined if nothing is missing,
 * or if there is no mark. Reads only. The folder must be locked and its database closed.
 */
export function findLoss(dataFolder: string, database: string): Loss | undefined {
  const mark = readMark(dataFolder);
  if (typeof mark === 'object' && mark.lost !== undefined) return { found: mark.lost, isEmpty: false };
  const hasBackups = listBackups(dataFolder).length > 0;
  if (bytesOf(database) === 0 && (mark !== undefined || hasBackups)) {
    const beside = hasBackups ? ', and there are backups of one' : '';
    return {
      ...lossOf(mark, `The database ${database} is ${existsSync(database) ? 'empty' : 'gone'}${beside}.`),
      isEmpty: true,
    };
  }
  if (hasLostCommits(database))
    return lossOf(
      mark,
      `The file ${database}-wal, which holds the latest changes, is damaged in the middle: later changes cannot be read${untilOf(presentIn(database))}.`,
    );
  if (mark === undefined || mark === 'unreadable') return undefined;
  const present = presentIn(database);
  if (present === 'unknown') return undefined;
  if (present === 'empty') return { ...lossOf(mark, `The database ${database} holds nothing.`), isEmpty: true };
  if (present.identity !== mark.identity)
    return lossOf(mark, `The database ${database} belongs to another station and was put there while no station ran.`);
  if (changesOf(database) < mark.changes)
    return lossOf(
      mark,
      `The database ${database} is older than the log of changes beside it, for example because a copy was put there.`,
    );
  if (present.revision < mark.revision)
    return lossOf(mark, `The database ${database} is older than what this station last stored${untilOf(present)}.`);
  return undefined;
}

/**
 * Copies the files to a new folder and returns the folder's name. If there is not enough space, throws `storage` and removes the folder.
 */
export function setLossAside(dataFolder: string, database: string, now: number): string {
  const name = freeName(dataFolder, now);
  const folder = join(dataFolder, name);
  try {
    mkdirSync(folder, { mode: 0o700 });
    for (const file of [...WITH_IT.map((end) => database + end), join(dataFolder, MARK_FILE)]) {
      if (!existsSync(file)) continue;
      const copy = join(folder, basename(file));
      copyFileSync(file, copy, constants.COPYFILE_FICLONE);
      syncPath(copy);
    }
    syncPath(folder);
    syncPath(dataFolder);
    return name;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new StationError(
      'storage',
      `The damaged files could not be kept in ${folder} (${reasonOf(error)}). Free some space and start again; nothing was changed.`,
    );
  }
}

/** Removes an unusable database. Call `setLossAside` first. */
export function removeDatabase(database: string): void {
  for (const end of WITH_IT) rmSync(database + end, { force: true });
}

function lossOf(mark: Mark | 'unreadable' | undefined, what: string): Loss {
  const stored =
    mark === undefined || mark === 'unreadable' ? '' : ` This station stored changes until ${timeOf(mark.at)}.`;
  return { found: `${what}${stored}`, isEmpty: false };
}

function untilOf(present: Present): string {
  return typeof present === 'string' || present.at === 0 ? '' : `; what is there ends at ${timeOf(present.at)}`;
}

function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function presentIn(database: string): Present {
  // Open the database read-only if there is a log, because closing a writable connection would write the log into the database.
  const readonly = bytesOf(`${database}-wal`) > 0 || bytesOf(`${database}-journal`) > 0;
  let db: Db | undefined;
  try {
    db = new Database(database, { readonly, fileMustExist: true, timeout: 5_000 });
    if (Number(db.prepare('SELECT count(*) FROM sqlite_master').pluck().get()) === 0) return 'empty';
    const origin = numberRows(db).findOrigin();
    const commits = commitRows(db);
    return {
      identity: origin === undefined ? undefined : identityOf(origin),
      revision: commits.range().newest ?? 0,
      at: commits.lastAt(),
    };
  } catch {
    return 'unknown';
  } finally {
    db?.close();
  }
}

/** Returns an unused folder name, such as `lost-20261121-194500Z`. */
function freeName(dataFolder: string, now: number): string {
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  for (let number = 1; ; number += 1) {
    const name = `lost-${stamp}Z${number === 1 ? '' : `-${number}`}`;
    if (!existsSync(join(dataFolder, name))) return name;
  }
}
