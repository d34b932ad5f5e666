import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StationError } from '../errors.ts';
import type { FoundInBackup } from '../ports.ts';
import type { BackupNote } from './backupFiles.ts';
import type { Db } from './db.ts';
import { unfit, withForeign } from './foreignFile.ts';
import { checkForeign, quoted, schemaAfter, type Schema } from './foreignSchema.ts';
import { APPLICATION_ID, isDamage, isSqlite, oneLine, reasonOf } from './inspection.ts';
import { isTime } from './checks.ts';
import { migrate, type Migration } from './migrations.ts';
import { parseObject } from './parseJson.ts';
import { commitRows } from './repositories/commits.ts';
import { listDoors, MAX_DOORS } from './backupDoors.ts';
import { listAccounts } from './restoredAccounts.ts';
import { listSecrets } from './secretRows.ts';
import { countRows } from './repositories/counts.ts';

const MAX_NOTE = 200;
const MAX_SECRETS = 1_000;
/** Of each kind. */
const MAX_ACCOUNTS = 10_000;
const MAX_ADDRESS = 2_000;

/**
 * Reads a whole backup and returns its contents. Call only in a side process, because the file is untrusted. `scratch` is the path for a
 * temporary copy. Throws `invalid` if the file is not a station's backup, comes from a newer version, is damaged, or contains anything but
 * a station's tables.
 */
export function checkBackup(file: string, scratch: string, migrations: readonly Migration[]): FoundInBackup {
  return attempt(() =>
    withForeign({ file, scratch, known: migrations.length }, (foreign) => {
      checkForeign(foreign, schemaAfter(migrations.slice(0, foreign.schema)));
      return contentsOf(foreign.db, foreign.schema);
    }),
  );
}

/**
 * Checks a backup and copies its rows, column by column, into a new database `to` with our own schema, migrated to the latest version.
 * Throws like `checkBackup`; the caller removes a partial file.
 */
export function rewriteBackup(file: string, to: string, migrations: readonly Migration[]): FoundInBackup {
  return attempt(() =>
    withForeign({ file, scratch: `${to}.part`, known: migrations.length }, (foreign) => {
      const before = migrations.slice(0, foreign.schema);
      const schema = schemaAfter(before);
      checkForeign(foreign, schema);
      // Restrict the file to its owner before writing.
      closeSync(openSync(to, 'wx', 0o600));
      const db = new Database(to, { fileMustExist: true });
      try {
        for (const setting of ['journal_mode = MEMORY', 'synchronous = OFF', 'foreign_keys = OFF']) db.pragma(setting);
        db.transaction(() => copyRows(foreign.db, db, schema))();
        db.pragma(`application_id = ${APPLICATION_ID}`);
        db.pragma(`user_version = ${foreign.schema}`);
        migrate(db, to, migrations);
        const found = db.pragma('integrity_check(1)', { simple: true });
        if (found !== 'ok')
          throw unfit(`Its rows contradict each other (${oneLine(String(found))}). Choose another backup.`);
        if ((db.pragma('foreign_key_check') as unknown[]).length > 0)
          throw unfit('Some of its rows refer to missing rows. Choose another backup.');
        return { ...contentsOf(db, migrations.length), schema: foreign.schema };
      } finally {
        db.close();
      }
    }),
  );
}

/** Creates the tables, copies their rows, and creates the indexes afterwards. */
function copyRows(from: Db, to: Db, { statements, tables, numbered }: Schema): void {
  const isTable = ({ type }: { type: string }): boolean => type === 'table';
  const ours = statements.filter(({ name, sql }) => sql !== null && !name.startsWith('sqlite_'));
  for (const { sql } of ours.filter(isTable)) to.exec(sql ?? '');
  for (const { name, columns } of tables) {
    const names = columns.map((column) => quoted(column.name)).join(', ');
    const insert = to.prepare(`INSERT INTO ${quoted(name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
    // Numbers of JavaScript would round 64-bit masks.
    const rows = from
      .prepare<[], unknown[]>(`SELECT ${names} FROM ${quoted(name)}`)
      .raw()
      .safeIntegers();
    for (const row of rows.iterate()) insert.run(row);
  }
  to.exec('DELETE FROM sqlite_sequence');
  const keepNumber = to.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  const numbers = from.prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').all();
  for (const { name, seq } of numbers) if (numbered.has(name)) keepNumber.run(name, seq);
  for (const { sql } of ours.filter((statement) => !isTable(statement))) to.exec(sql ?? '');
}

function contentsOf(db: Db, schema: number): FoundInBackup {
  const note = noteOf(db);
  return {
    made: isTime(note.at) ? new Date(note.at).toISOString() : null,
    version: textOf(note.version),
    by: textOf(note.by),
    schema,
    revision: commitRows(db).range().newest ?? 0,
    holds: countRows(db).all(),
    secrets: listSecrets(db)
      .slice(0, MAX_SECRETS)
      .map(({ name, keyId }) => ({ name: name.slice(0, MAX_NOTE), keyId })),
    accounts: listAccounts(db, MAX_ACCOUNTS).map(({ kind, name }) => ({ kind, name: name.slice(0, MAX_NOTE) })),
    doors: listDoors(db, MAX_DOORS).map(({ name, value }) => ({ name, value: value.slice(0, MAX_ADDRESS) })),
    wrappedKeyId: wrappedKeyIdOf(db),
  };
}

/** Returns the note that the station stored in the backup, or an empty object if the file was not written by a station. */
function noteOf(db: Db): { [name in keyof BackupNote]?: unknown } {
  const text = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'backup'").pluck().get();
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}

function wrappedKeyIdOf(db: Db): string | undefined {
  const text = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'wrapped_key'").pluck().get();
  const { keyId } = parseObject(text ?? '{}') as { keyId?: unknown };
  return typeof keyId === 'string' ? keyId : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_NOTE) : '';
}

function attempt(read: () => FoundInBackup): FoundInBackup {
  try {
    return read();
  } catch (error) {
    // The caller handles disk errors.
    if (error instanceof StationError || ['SQLITE_FULL', 'SQLITE_IOERR'].some((code) => isSqlite(error, code)))
      throw error;
    if (isDamage(error)) throw unfit(`It is damaged, or not a database (${reasonOf(error)}). Choose another backup.`);
    throw unfit(`It cannot be read (${reasonOf(error)}).`);
  }
}
