import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DataLost, StationError } from '../errors.ts';
import type { Db } from './db.ts';

/** Identifies our files: "PKDB" in ASCII. */
export const APPLICATION_ID = 0x504b4442;
/** Identify databases of development versions, whose schemas cannot be migrated: "PICK" and "PKST" in ASCII. */
export const DEVELOPMENT_IDS: readonly number[] = [0x5049434b, 0x504b5354];

/** Larger files are not checked completely at each start, because that takes seconds. */
const CHECKED_BYTES = 32 * 1024 * 1024;

/** Throws if this is not our database, belongs to a development version, is newer than `known`, or is damaged. Reads only. */
export function inspect(db: Db, file: string, known: number): void {
  const applicationId = Number(db.pragma('application_id', { simple: true }));
  const version = Number(db.pragma('user_version', { simple: true }));
  const tables = Number(db.prepare('SELECT count(*) FROM sqlite_master').pluck().get());
  if (DEVELOPMENT_IDS.includes(applicationId)) {
    throw new StationError(
      'storage',
      `${file} was written by a development version of Pickstation, which this version cannot read, and was left unchanged. Name another folder with --data, and import your places and orders there.`,
    );
  }
  if (applicationId !== APPLICATION_ID && (applicationId !== 0 || tables > 0)) {
    throw new StationError(
      'storage',
      `${file} belongs to another program and was left unchanged. Move it away, or name another folder with --data.`,
    );
  }
  if (version > known) {
    throw new StationError(
      'storage',
      `${file} was written by a newer Pickstation (schema ${version}, this one supports ${known}) and was left unchanged. Install the newer version again, or name another folder with --data.`,
    );
  }
  const bytes = Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
  const check = bytes <= CHECKED_BYTES ? db.pragma('quick_check(1)', { simple: true }) : 'ok';
  if (check !== 'ok') throw damaged(file, oneLine(String(check)));
}

/** Runs `open` and turns errors of SQLite into a StationError about this file. */
export function guarded<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof StationError) throw error;
    if (isDamage(error)) throw damaged(file, reasonOf(error));
    throw new StationError(
      'storage',
      `The database ${file} cannot be opened (${reasonOf(error)}). Check that the disk has free space and is writable.`,
    );
  }
}

export function damaged(file: string, why: string): DataLost {
  const log = existsSync(`${file}-wal`) ? ', and so was the -wal file beside it' : '';
  const found = `${file} is damaged (${why}) and was left unchanged${log}.`;
  return new DataLost({ found, isEmpty: true }, 'unknown');
}

/** Returns the result of a check in one line, without the heading that names the database. */
export function oneLine(found: string): string {
  return found.replace(/^\*+[^*]*\*+\s*/, '').replaceAll('\n', '; ');
}

/** Whether an SQLite error has this code or an extended form of it. */
export function isSqlite(error: unknown, code: string): boolean {
  return error instanceof Database.SqliteError && (error.code === code || error.code.startsWith(`${code}_`));
}

/** Whether the file is not an SQLite database, or is damaged. */
export function isDamage(error: unknown): boolean {
  return isSqlite(error, 'SQLITE_CORRUPT') || isSqlite(error, 'SQLITE_NOTADB');
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
