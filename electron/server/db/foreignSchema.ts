import Database from 'better-sqlite3';
import { MAX_STORED_PICTURE_BYTES } from '#shared/lib/articles/articleLimits.ts';
import { MAX_CALLBACK_RECEIVERS } from '#shared/lib/connections/maxCallbackReceivers.ts';
import { MAX_SIMULATED } from '#shared/lib/devices/maxSimulated.ts';
import { REPORT_WINDOW_BITS } from '../domain/commands/reportWindow.ts';
import type { Db } from './db.ts';
import { unfit, type ForeignFile } from './foreignFile.ts';
import { oneLine } from './inspection.ts';
import { isMetaValue } from './metaValues.ts';
import type { Migration } from './migrations.ts';

/** A row of sqlite_schema. `sql` is null for indexes that SQLite creates itself. */
type Statement = { type: string; name: string; tbl_name: string; sql: string | null };
type Column = { name: string; type: string };

/** The schema of a version. */
export type Schema = {
  statements: readonly Statement[];
  /** Our own tables, with their columns. */
  tables: readonly { name: string; columns: readonly Column[]; checks: readonly string[] }[];
  /** Tables whose ids are counted in sqlite_sequence. */
  numbered: ReadonlySet<string>;
};

/** The last millisecond of the year 9999, the latest time in ISO 8601. Ids and revisions stay far below it. */
const MAX = 253_402_300_799_999;
/** Command ids are 32-bit tokens in the protocol. This limit leaves 2²⁹ of them. */
const MAX_COMMANDS = 2 ** 32 - 2 ** 29;

/** Columns with masks of this many bits, stored as signed integers. All other integers are times, ids and counts. */
const MASK_BITS = new Map(Object.entries<number>({ 'report_windows.seen': REPORT_WINDOW_BITS }));

/** Columns that the station parses as JSON. */
export const JSON_TYPES = new Map(
  Object.entries<'object' | 'array' | 'any'>({
    'audit.detail': 'object',
    'batch_picks.former_pickers': 'array',
    'batches.former_pickers': 'array',
    'callback_receivers.families': 'object',
    'commands.content': 'object',
    'commits.facts': 'array',
    'ended_orders.answer': 'object',
    'history.detail': 'object',
    'import_articles.after': 'object',
    'import_articles.before': 'object',
    'import_drafts.file': 'object',
    'import_orders.after': 'object',
    'import_orders.before': 'object',
    'import_places.before': 'object',
    'import_rows.answer': 'object',
    'import_undone.content': 'object',
    'imports.counts': 'object',
    'items.former_pickers': 'array',
    'mails.notice': 'object',
    'keyed_requests.answer': 'any',
    'keyed_steps.result': 'any',
    'orders.address': 'object',
    'orders.ended_lines': 'array',
    'outbox.payload': 'object',
    'outbox_attempts.answer': 'object',
    'outbox_attempts.request': 'object',
    'remembered_columns.answers': 'object',
    'remembered_columns.names': 'array',
    'steps.content': 'object',
    'tasks.sources': 'array',
  }),
);

/** Fields that are required at startup or in lists, with their JSON types. */
const JSON_FIELDS = new Map(
  Object.entries<Readonly<Record<string, string>>>({
    'commands.content': {
      command: 'text',
      lines: 'array',
      barcode: 'text',
      qrcode: 'text',
      icon: 'text',
      color: 'text',
      sound: 'text',
      seconds: 'integer',
    },
    'outbox_attempts.request': { method: 'text', url: 'text' },
  }),
);

/** Row limits of tables whose rows cause work at startup. A backup must respect the station's own limits. */
const MAX_ROWS = new Map(
  Object.entries<number>({
    callback_receivers: MAX_CALLBACK_RECEIVERS,
    simulated_devices: MAX_SIMULATED,
  }),
);

const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_SHOWN = 60;

/** Builds the schema in memory from these migrations. */
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

/** Returns the CHECK expressions in a table definition of the station. SQLite does not enforce them on a read-only connection. */
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
 * Compares a file with the schema of its version, statement by statement, before reading any row; then reads all rows.
 * Throws `invalid` on any difference.
 */
export function checkForeign({ db, schema: version }: ForeignFile, schema: Schema): void {
  compare(readStatements(db, schema.statements.length + 1), schema, version);
  checkPlaces(db);
  const found = db.pragma('integrity_check(1)', { simple: true });
  if (found !== 'ok') throw unfit(`It is damaged (${oneLine(String(found)).slice(0, 200)}). Choose another backup.`);
  if ((db.pragma('foreign_key_check') as unknown[]).length > 0)
    throw unfit('Some of its rows refer to missing rows. Choose another backup.');
  checkNumbers(db, schema);
  for (const table of schema.tables) checkValues(db, table);
  checkMeta(db);
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Reads at most `most` statements of the schema, or all if `most` is -1. */
function readStatements(db: Db, most: number): Statement[] {
  return db.prepare<[number], Statement>('SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT ?').all(most);
}

/** Checks that there are only tables and indexes, stored after the first page, as in our schemas. */
function checkPlaces(db: Db): void {
  const odd = db
    .prepare<[], Pick<Statement, 'type' | 'name'>>('SELECT type, name FROM sqlite_schema WHERE (rootpage > 1) IS NOT 1')
    .get();
  if (odd !== undefined) throw unfit(`It is damaged: ${shown(odd)} has no page in the file. Choose another backup.`);
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
    `Its tables are not those that Pickstation makes (schema ${version}): ${what}. Choose a backup that Pickstation made.`,
  );
}

function oddity(extra: Statement | undefined, missing: Statement | undefined): string {
  if (extra === undefined) return 'is missing';
  return extra.name === missing?.name ? 'differs' : 'does not belong there';
}

function keyOf({ type, name, tbl_name: table, sql }: Statement): string {
  return JSON.stringify([type, name, table, sql]);
}

/** Shortens a type and a name for messages, because a foreign file can contain anything. */
function shown({ type, name }: Record<'type' | 'name', unknown>): string {
  return `${String(type).slice(0, MAX_SHOWN)} ${JSON.stringify(String(name).slice(0, MAX_SHOWN))}`;
}

/** Checks sqlite_sequence: SQLite trusts its numbers although its columns have no types. */
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
    throw unfit('Its next ids (sqlite_sequence) are not those of a Pickstation database. Choose another backup.');
}

/** Returns the highest id that a table can have. */
function mostOf(table: string): number {
  return table === 'commands' ? MAX_COMMANDS : MAX;
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

/** Returns the additional SQL condition for a column that the station parses as JSON. */
function jsonCheck(column: string, value: string): string {
  const type = JSON_TYPES.get(column);
  if (type === undefined) return '';
  const isType = type === 'any' ? '' : ` AND json_type(${value}) = '${type}'`;
  const fields = Object.entries(JSON_FIELDS.get(column) ?? {});
  const isTexts =
    column === 'commands.content'
      ? ` AND NOT EXISTS (SELECT 1 FROM json_each(${value}, '$.lines') WHERE type <> 'text')`
      : '';
  return ` AND json_valid(${value})${isType}${isTexts}${fields.map(([name, each]) => ` AND json_type(${value}, '$.${name}') IS '${each}'`).join('')}`;
}

function checkMeta(db: Db): void {
  const rows = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM meta').all();
  const odd = rows.find(({ key, value }) => !isMetaValue(key, value));
  if (odd === undefined) return;
  throw unfit(
    `The value ${JSON.stringify(odd.key.slice(0, MAX_SHOWN))} of meta is not one that Pickstation writes. Choose another backup.`,
  );
}

/** Returns the SQL condition for a valid value of a column, which `named` names as `table.column`. */
function soundness({ type }: Column, value: string, named: string): string {
  if (type === 'INTEGER') {
    const bits = MASK_BITS.get(named);
    const [least, most] = bits === undefined ? [-MAX, MAX] : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
    return `typeof(${value}) = 'integer' AND ${value} BETWEEN ${least} AND ${most}`;
  }
  return type === 'BLOB'
    ? `typeof(${value}) = 'blob' AND octet_length(${value}) <= ${MAX_STORED_PICTURE_BYTES}`
    : `typeof(${value}) = 'text' AND octet_length(${value}) <= ${MAX_TEXT_BYTES}`;
}

/** Reads every value of a table. Throws `invalid` for a value that our statements could not have written. */
export function checkValues(db: Db, { name, columns, checks }: Schema['tables'][number]): void {
  const most = MAX_ROWS.get(name) ?? Number.POSITIVE_INFINITY;
  const count = db.prepare<[], number>(`SELECT count(*) FROM ${quoted(name)}`).pluck();
  if ((count.get() ?? 0) > most) throw unfit(`It has more than ${most} rows in ${name}. Choose another backup.`);
  for (const check of checks) {
    if (db.prepare(`SELECT 1 FROM ${quoted(name)} WHERE NOT (${check}) LIMIT 1`).get() !== undefined)
      throw unfit(`A value of ${name} is not one that Pickstation writes (${check}). Choose another backup.`);
  }
  for (const column of columns) {
    const value = quoted(column.name);
    const named = `${name}.${column.name}`;
    const isSound = soundness(column, value, named) + jsonCheck(named, value);
    const odd = db
      .prepare(`SELECT 1 FROM ${quoted(name)} WHERE ${value} IS NOT NULL AND NOT (${isSound}) LIMIT 1`)
      .get();
    if (odd !== undefined)
      throw unfit(`A value of ${name}.${column.name} has an unexpected type or size. Choose another backup.`);
  }
}
