import Database from 'better-sqlite3';
import type { BackupContents } from '#shared/api/backup.ts';
import { StationError } from '../errors.ts';
import type { BackupNote } from './backupFiles.ts';
import { APPLICATION_ID, isDamage, oneLine, reasonOf } from './inspection.ts';
import { commitRows } from './repositories/commits.ts';
import { countRows } from './repositories/counts.ts';
import { createRows } from './rows.ts';

/**
 * Reads a backup through, from its first page to its last, and answers what it holds. `known`: how many migrations there
 * are. Throws `invalid` where it is not ours, of a newer version, damaged, or lacks what a station needs.
 */
export function checkBackup(file: string, known: number): Omit<BackupContents, 'name'> {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    // It may come from anywhere: what its schema says is data.
    db.pragma('trusted_schema = OFF');
    return read(db, known);
  } catch (error) {
    if (error instanceof StationError) throw error;
    if (isDamage(error)) throw unfit(`It is damaged, or no database (${reasonOf(error)}). Take another backup.`);
    throw unfit(`It cannot be read (${reasonOf(error)}).`);
  } finally {
    db?.close();
  }
}

function read(db: Database.Database, known: number): Omit<BackupContents, 'name'> {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw unfit('It is a database of another program. Take a backup that Pickstation has made.');
  }
  const schema = Number(db.pragma('user_version', { simple: true }));
  if (schema > known) {
    throw unfit(
      `It was made by a newer Pickstation (schema ${schema}, this one knows ${known}). Install that version first.`,
    );
  }
  const found = db.pragma('integrity_check(1)', { simple: true });
  if (found !== 'ok') throw unfit(`It is damaged (${oneLine(String(found))}). Take another backup.`);
  try {
    // An older one gets what it lacks when it is put back.
    if (schema === known) createRows(db);
    const text = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'backup'").pluck().get();
    const note = text === undefined ? undefined : (JSON.parse(text) as Partial<BackupNote>);
    return {
      made: typeof note?.at === 'number' ? new Date(note.at).toISOString() : null,
      version: note?.version ?? '',
      schema,
      revision: commitRows(db).range().newest ?? 0,
      holds: countRows(db).all(),
    };
  } catch (error) {
    if (isDamage(error)) throw error;
    throw unfit(`It lacks something that a station needs (${reasonOf(error)}). Take another backup.`);
  }
}

function unfit(why: string): StationError {
  return new StationError('invalid', `This cannot be put back. ${why}`);
}
