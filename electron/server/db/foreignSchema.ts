import Database from 'better-sqlite3';
import { MAX_SIMULATED } from '#shared/lib/maxSimulated.ts';
import type { Db } from './db.ts';
import { unfit, type ForeignFile } from './foreignFile.ts';
import { oneLine } from './inspection.ts';
import type { Migration } from './migrations.ts';

/** A row of sqlite_schema. `sql`: null of the indexes that SQLite makes by itself. */
type Statement = { type: string; name: string; tbl_name: string; sql: string | null };
type Column = { name: string; type: string };

/** What the database of one version consists of. */
export type Schema = {
  statements: readonly Statement[];
  /** Our own tables, with their columns. */
  tables: readonly { name: string; columns: readonly Column[]; checks: readonly string[] }[];
  /** Tables whose numbers sqlite_sequence keeps. */
  numbered: ReadonlySet<string>;
};

/** Longer texts are none of ours: the largest hold the changes of an import, or the facts of one commit. */
/** The last millisecond of the year 9999, the longest time that ISO 8601 can say; ids and revisions go on behind less. */
const MAX = 253_402_300_799_999;
/** Ids of commands are tokens of 32 bits on the wire: some hundred million are left. */
const MAX_COMMANDS = 2 ** 32 - 2 ** 29;

/** What the station parses as JSON, by table and column. */
export const JSON_TYPES: Readonly<Record<string, 'object' | 'array' | 'any'>> = {
  'audit.detail': 'object',
  'commands.content': 'object',
  'commits.facts': 'array',
  'history.detail': 'object',
  'location_imports.changes': 'array',
  'location_imports.counts': 'object',
  'order_imports.counts': 'object',
  'outbox.payload': 'object',
  'settings.value': 'any',
  'steps.content': 'object',
};

/** A start does work for each of these rows, so a backup may have no more of them than a station allows. */
const MAX_ROWS: Readonly<Record<string, number>> = { simulated_devices: MAX_SIMULATED };

const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_SHOWN = 60;

/** Built from the first migrations, in memory. */
export function schemaAfter(migrations: readonly Migration[]): Schema {
  const db = new Database(':memory:');
  try {
    for (const { sql } of migrations) db.exec(sql);
    const statements = readStatements(db, -1);
    const own = statements.filter(({ type, name }) => type === 'table' && !name.startsWith('sqlite_'));
    return {
      statements,
      tables: own.map(({ name, sql }) => ({
        name,
        checks: checksOf(sql ?? ''),
        columns: db.prepare<[string], Column>('SELECT name, type FROM pragma_table_xinfo(?)').all(name),
      })),
      numbered: new Set(own.filter(({ sql }) => /\bAUTOINCREMENT\b/.test(sql ?? '')).map(({ name }) => name)),
    };
  } finally {
    db.close();
  }
}

/** The expressions of the CHECKs of our own table: SQLite ignores them on a connection that only reads. */
function checksOf(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, '');
  return [...code.matchAll(/\bCHECK \(/g)].map(({ index }) => {
    const begin = index + 'CHECK ('.length;
    let depth = 1;
    let end = begin;
    for (; depth > 0 && end < code.length; end += 1) {
      if (code[end] === '(') depth += 1;
      if (code[end] === ')') depth -= 1;
    }
    return code.slice(begin, end - 1);
  });
}

/**
 * Compares a file with the schema of its version, statement by statement, before any of its rows is read; then reads it
 * through. Throws `invalid` where it holds anything more, less or else.
 */
export function checkForeign({ db, schema: version }: ForeignFile, schema: Schema): void {
  compare(readStatements(db, schema.statements.length + 1), schema, version);
  checkPlaces(db);
  const found = db.pragma('integrity_check(1)', { simple: true });
  if (found !== 'ok') throw unfit(`It is damaged (${oneLine(String(found)).slice(0, 200)}). Take another backup.`);
  if ((db.pragma('foreign_key_check') as unknown[]).length > 0)
    throw unfit('Some of its rows name others that are missing. Take another backup.');
  checkNumbers(db, schema);
  for (const table of schema.tables) checkValues(db, table);
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `most`: -1 for all. */
function readStatements(db: Db, most: number): Statement[] {
  return db.prepare<[number], Statement>('SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT ?').all(most);
}

/** Tables and indexes have pages behind the first one; views and triggers have none. */
function checkPlaces(db: Db): void {
  const odd = db
    .prepare<[], Pick<Statement, 'type' | 'name'>>(
      "SELECT type, name FROM sqlite_schema WHERE CASE WHEN type IN ('table', 'index') THEN rootpage > 1 ELSE rootpage = 0 END IS NOT 1",
    )
    .get();
  if (odd !== undefined) throw unfit(`It is damaged: ${shown(odd)} has no place in the file. Take another backup.`);
}

function compare(found: readonly Statement[], { statements }: Schema, version: number): void {
  const ours = new Set(statements.map(keyOf));
  const theirs = new Set(found.map(keyOf));
  const extra = found.find((statement) => !ours.has(keyOf(statement)));
  const missing = statements.find((statement) => !theirs.has(keyOf(statement)));
  const odd = extra ?? missing;
  if (odd === undefined && found.length === statements.length) return;
  const what = odd === undefined ? 'it names something twice' : `${shown(odd)} ${oddity(extra, missing)}`;
  throw unfit(
    `Its tables are not those that Pickstation makes (schema ${version}): ${what}. Take a backup that Pickstation made.`,
  );
}

function oddity(extra: Statement | undefined, missing: Statement | undefined): string {
  if (extra === undefined) return 'is missing';
  return extra.name === missing?.name ? 'differs' : 'does not belong there';
}

function keyOf({ type, name, tbl_name: table, sql }: Statement): string {
  return JSON.stringify([type, name, table, sql]);
}

/** A foreign file may have anything there. */
function shown({ type, name }: Record<'type' | 'name', unknown>): string {
  return `${String(type).slice(0, MAX_SHOWN)} ${JSON.stringify(String(name).slice(0, MAX_SHOWN))}`;
}

/** SQLite keeps these numbers in a table without types, and trusts them. */
function checkNumbers(db: Db, { numbered }: Schema): void {
  const rows = db.prepare<[], { name: unknown; seq: unknown }>('SELECT name, seq FROM sqlite_sequence').all();
  const names = rows.map(({ name }) => name);
  const isSound = rows.every(
    ({ name, seq }) =>
      typeof name === 'string' &&
      numbered.has(name) &&
      Number.isSafeInteger(seq) &&
      isBetween(Number(seq), 0, mostOf(name)),
  );
  if (!isSound || new Set(names).size < names.length)
    throw unfit('Its next ids (sqlite_sequence) are not those of a Pickstation database. Take another backup.');
}

/** The last number that ids of this table may have gone on to. */
function mostOf(table: string): number {
  return table === 'commands' ? MAX_COMMANDS : MAX;
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** A further condition for a column whose texts the station parses as JSON. */
function jsonCheck(column: string, value: string): string {
  const type = JSON_TYPES[column];
  if (type === undefined) return '';
  return ` AND json_valid(${value})${type === 'any' ? '' : ` AND json_type(${value}) = '${type}'`}`;
}

/** Reads every value of one table. Throws `invalid` where one is none that our own statements could have put there. */
export function checkValues(db: Db, { name, columns, checks }: Schema['tables'][number]): void {
  const most = MAX_ROWS[name] ?? Number.POSITIVE_INFINITY;
  const count = db.prepare<[], number>(`SELECT count(*) FROM ${quoted(name)}`).pluck();
  if ((count.get() ?? 0) > most) throw unfit(`It has more than ${most} rows in ${name}. Take another backup.`);
  for (const check of checks) {
    if (db.prepare(`SELECT 1 FROM ${quoted(name)} WHERE NOT (${check}) LIMIT 1`).get() !== undefined)
      throw unfit(`A value of ${name} is none that we know (${check}). Take another backup.`);
  }
  for (const column of columns) {
    const value = quoted(column.name);
    const isSound =
      column.type === 'INTEGER'
        ? `typeof(${value}) = 'integer' AND ${value} BETWEEN -${MAX} AND ${MAX}`
        : `typeof(${value}) = 'text' AND octet_length(${value}) <= ${MAX_TEXT_BYTES}${jsonCheck(`${name}.${column.name}`, value)}`;
    const odd = db
      .prepare(`SELECT 1 FROM ${quoted(name)} WHERE ${value} IS NOT NULL AND NOT (${isSound}) LIMIT 1`)
      .get();
    if (odd !== undefined)
      throw unfit(`A value of ${name}.${column.name} has an unexpected type or size. Take another backup.`);
  }
}
