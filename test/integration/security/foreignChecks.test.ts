import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withForeign } from '../../../electron/server/db/foreignFile.ts';
import {
  checkForeign,
  checkValues,
  JSON_TYPES,
  quoted,
  schemaAfter,
  type Schema,
} from '../../../electron/server/db/foreignSchema.ts';
import { MIGRATIONS } from '../../../electron/server/db/migrations.ts';

// Each test covers a single check of foreign files. backupsForeign.test.ts covers files that several checks refuse.
const KNOWN = MIGRATIONS.length;

let folder: string;
let plain: Buffer;
let schema: Schema;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-foreign-'));
  plain = changed(() => undefined);
  schema = schemaAfter(MIGRATIONS);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the database of a stopped station, changed by `change`. */
function changed(change: (db: Database.Database) => void): Buffer {
  const file = join(folder, 'changed.sqlite');
  copyFileSync(join(inject('template'), 'pickstation.sqlite'), file);
  const db = new Database(file);
  db.pragma('journal_mode = DELETE');
  change(db);
  db.close();
  return readFileSync(file);
}

/** Returns why a file with these bytes is refused, or an empty string if it is accepted. */
function refusalOf(bytes: Uint8Array): string {
  const file = join(folder, 'foreign.sqlite');
  writeFileSync(file, bytes);
  try {
    withForeign({ file, scratch: `${file}.scratch`, known: KNOWN }, (foreign) => checkForeign(foreign, schema));
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns why a file with this header is refused. The header is checked before SQLite opens the file. */
function headerRefusalOf(edit: (header: Buffer) => void): string {
  const bytes = Buffer.from(plain);
  edit(bytes);
  const file = join(folder, 'header.sqlite');
  writeFileSync(file, bytes);
  try {
    withForeign({ file, scratch: `${file}.scratch`, known: KNOWN }, () => undefined);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("accepts the station's own file, with or without the log flag", () => {
  expect(refusalOf(plain)).toBe('');
  expect(headerRefusalOf((header) => void header.writeUInt16BE(0x0202, 18))).toBe('');
});

const pages = () => plain.readUInt32BE(28);

test.each<[string, (header: Buffer) => unknown, RegExp]>([
  ['another signature', (header) => header.write('sqlite format 3'), /not a database/],
  ['the application id of another program', (header) => header.writeUInt32BE(7, 68), /another program/],
  ['a newer schema', (header) => header.writeUInt32BE(KNOWN + 1, 60), /newer Pickstation/],
  ['another page size', (header) => header.writeUInt16BE(8_192, 16), /^.*Its page size differs/],
  ['reserved bytes', (header) => header.writeUInt8(1, 20), /Its reserved bytes differs/],
  ['another maximum payload fraction', (header) => header.writeUInt8(65, 21), /Its payload fractions differs/],
  ['another minimum payload fraction', (header) => header.writeUInt8(33, 22), /Its payload fractions differs/],
  ['another leaf payload fraction', (header) => header.writeUInt8(33, 23), /Its payload fractions differs/],
  ['an older schema format', (header) => header.writeUInt32BE(1, 44), /Its schema format differs/],
  ['auto-vacuum', (header) => header.writeUInt32BE(5, 52), /Its auto-vacuum differs/],
  ['UTF-16', (header) => header.writeUInt32BE(2, 56), /Its text encoding differs/],
  ['incremental vacuum', (header) => header.writeUInt32BE(1, 64), /Its incremental vacuum differs/],
  ['a newer read version', (header) => header.writeUInt8(3, 18), /file format differs/],
  ['a newer write version', (header) => header.writeUInt8(3, 19), /file format differs/],
  ['different read and write versions', (header) => header.writeUInt16BE(0x0201, 18), /file format differs/],
  ['fewer pages than the file', (header) => header.writeUInt32BE(pages() - 1, 28), /size contradicts/],
  ['more pages than the file', (header) => header.writeUInt32BE(pages() + 1, 28), /size contradicts/],
  ['free pages after the end of the file', (header) => header.writeUInt32BE(pages() + 1, 32), /size contradicts/],
  ['only free pages', (header) => header.writeUInt32BE(pages(), 36), /size contradicts/],
])('refuses a header with %s', (_, edit, said) => {
  expect(headerRefusalOf((header) => void edit(header))).toMatch(said);
});

test('refuses a file that ends within its header, a folder and a missing file', () => {
  const scratch = join(folder, 'scratch');
  const open = (file: string) => () => withForeign({ file, scratch, known: KNOWN }, () => undefined);
  const short = join(folder, 'short.sqlite');
  writeFileSync(short, plain.subarray(0, 99));
  expect(open(short)).toThrow('not a database');
  const directory = join(folder, 'directory');
  mkdirSync(directory);
  expect(open(directory)).toThrow('is not a file');
  expect(open(join(folder, 'nothing'))).toThrow('There is no file');
});

test.each([
  ['a table without a root page', "rootpage = 0 WHERE name = 'racks'"],
  ['a table on the first page', "rootpage = 1 WHERE name = 'racks'"],
  ['an index without a root page', "rootpage = 0 WHERE name = 'sessions_end'"],
])('refuses a schema with %s', (_, change) => {
  const bytes = changed((db) => {
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    db.exec(`UPDATE sqlite_schema SET ${change}`);
  });
  expect(refusalOf(bytes)).toMatch(/has no page in the file|malformed|corrupt/);
});

test.each([
  ['a missing name', '(NULL, 1)'],
  ['a table without AUTOINCREMENT', "('users', 1)"],
  ['a text', "('commands', 'x')"],
  ['a fraction', "('commands', 1.5)"],
  ['a number above the safe range', "('commands', 9007199254740992)"],
  ['a negative number', "('commands', -1)"],
  ['a duplicate table', "('commands', 1), ('commands', 1)"],
])('refuses sqlite_sequence with %s', (_, rows) => {
  const bytes = changed((db) => db.exec(`DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence VALUES ${rows}`));
  expect(refusalOf(bytes)).toMatch(/sqlite_sequence/);
});

test.each([
  ['an integer above the safe range', 'UPDATE users SET created_at = 9007199254740992', /users\.created_at/],
  ['an integer below the safe range', 'UPDATE users SET created_at = -9007199254740992', /users\.created_at/],
  ['a text longer than the limit', "INSERT INTO meta VALUES ('x', printf('%.*c', 67108865, 'x'))", /meta\.value/],
])('refuses a file with %s', (_, change, said) => {
  expect(refusalOf(changed((db) => db.exec(change)))).toMatch(said);
});

test.each([
  ['number', "'x'"],
  ['number', '1.5'],
  ['number', "x'00'"],
  ['word', "x'00'"],
])('refuses a %s column with the value %s, which has a different type', (column, value) => {
  const columns = [
    { name: 'number', type: 'INTEGER' },
    { name: 'word', type: 'TEXT' },
  ];
  const db = new Database(':memory:');
  // The table is not STRICT: a file can get any value into STRICT tables by changing the schema and changing it back.
  db.exec(`CREATE TABLE t (number INTEGER, word TEXT); INSERT INTO t VALUES (NULL, NULL), (1, 'x')`);
  const check = () => checkValues(db, { name: 't', columns, checks: [] });
  expect(check).not.toThrow();
  db.exec(`INSERT INTO t (${column}) VALUES (${value})`);
  expect(check).toThrow(`A value of t.${column} has an unexpected type`);
  db.close();
});

test("parses every CHECK in the station's tables completely", () => {
  const written = schema.statements.flatMap(({ sql }) => [
    ...(sql ?? '').replaceAll(/--.*$/gm, '').matchAll(/\bCHECK\b/g),
  ]);
  const read = schema.tables.flatMap(({ checks }) => checks);
  expect(read).toHaveLength(written.length);
  expect(read.length).toBeGreaterThan(10);
  for (const check of read) expect(check.split('(').length, check).toBe(check.split(')').length);
});

type Column = { name: string; type: string; needed: number };

/** Values that no CHECK constraint lists. */
const OTHERS: Readonly<Record<string, string>> = { INTEGER: '987654', BLOB: "x'52494646'" };

/** Inserts a row into an empty table with a value that violates only this CHECK constraint. */
function insertRefused(db: Database.Database, { name, checks }: Schema['tables'][number], check: string): void {
  const columns = db
    .prepare<[string], Column>(
      'SELECT name, type, pk > 0 OR "notnull" AND dflt_value IS NULL AS needed FROM pragma_table_info(?)',
    )
    .all(name);
  const checkOf = (column: Column) => checks.find((one) => one.startsWith(`${column.name} `));
  const given = columns.filter((column) => column.needed === 1 || checkOf(column) === check);
  const values = given.map((column) => {
    const own = checkOf(column);
    const [allowed] = own === undefined || own === check ? [] : (/'[^']+'/.exec(own) ?? []);
    return allowed ?? OTHERS[column.type] ?? "'none that we know'";
  });
  db.pragma('ignore_check_constraints = ON');
  db.pragma('foreign_keys = OFF');
  db.exec(`DELETE FROM ${quoted(name)}`);
  db.exec(`INSERT INTO ${quoted(name)} (${given.map((one) => quoted(one.name)).join()}) VALUES (${values.join()})`);
}

test('for every CHECK in every table, refuses a value that violates it', () => {
  for (const table of schema.tables) {
    for (const check of table.checks) {
      const file = join(folder, 'values.sqlite');
      writeFileSync(
        file,
        changed((db) => insertRefused(db, table, check)),
      );
      const db = new Database(file, { readonly: true });
      const said = `A value of ${table.name} is not one that Pickstation writes (${check})`;
      expect(() => checkValues(db, table), said).toThrow(said);
      db.close();
    }
  }
});

const meta = (key: string, text: string) => `INSERT OR REPLACE INTO meta VALUES ('${key}', '${text}')`;

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ['the highest possible revision', "INSERT INTO commits VALUES (9007199254740991, 1, '[]')", /commits\.revision/],
  ['a time after the year 9999', 'UPDATE users SET created_at = 253402300800000', /users\.created_at/],
  ['a commit whose facts are not JSON', "INSERT INTO commits VALUES (999999999, 1, 'x')", /commits\.facts/],
  ['a commit whose facts are not a list', "INSERT INTO commits VALUES (999999999, 1, '{}')", /commits\.facts/],
  ...['{}', '{"lines":[{}]}', '{"lines":"x"}'].map(
    (content) =>
      [
        `a command with the content ${content}`,
        `INSERT INTO devices (device_id, buttons, screen, led, slow, firmware) VALUES ('51D0AA:000001', 1, 1, 1, 0, 67);
         INSERT INTO commands (device_id, position, target, alias, nonce, look, content, arrow_added, state, sender, created_at, latency_ms)
         VALUES ('51D0AA:000001', 1, '', '', '', 1, '${content}', 0, 'queued', '', 1, 0)`,
        /commands\.content/,
      ] as const,
  ),
  ['an e-mail that is not an object', "INSERT INTO mails (notice, created_at) VALUES ('[]', 1)", /mails\.notice/],
  ...['{not json', '[]', '{}', '{"isFailing":true,"since":9e99,"status":null,"error":""}'].map(
    (text) =>
      [`receiver trouble stored as ${text}`, meta('callback_trouble', text), /"callback_trouble" of meta/] as const,
  ),
  [
    'an invalid recovery of a further receiver',
    meta('callback_recovery_7', '{"notBefore":"x"}'),
    /"callback_recovery_7" of meta/,
  ],
  ...['mqtt_instances', 'orders_sheet', 'mails_sent', 'restored', 'wrapped_key'].map(
    (key) => [`an invalid ${key}`, meta(key, '[{}]'), new RegExp(`"${key}" of meta`)] as const,
  ),

  [
    'more simulated devices than allowed',
    `CREATE TEMP TABLE new AS WITH RECURSIVE one (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < 10001)
       SELECT printf('51D0FF:%06X', n) AS id FROM one;
     INSERT INTO devices (device_id, buttons, screen, led, slow, firmware) SELECT id, 1, 1, 1, 0, 67 FROM new;
     INSERT INTO simulated_devices SELECT id, 1, 67 FROM new`,
    /more than 10000 rows in simulated_devices/,
  ],
  [
    'a sequence that leaves no more command ids',
    "DELETE FROM sqlite_sequence; INSERT INTO sqlite_sequence VALUES ('commands', 4294967295)",
    /sqlite_sequence/,
  ],
];

test.each(REFUSED)('%s is refused', (_, change, said) => {
  expect(refusalOf(changed((db) => db.exec(change)))).toMatch(said);
});

test('checks each column that the station parses as JSON, and no column that does not exist', () => {
  const columns = schema.tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
  expect(columns).toEqual(expect.arrayContaining([...JSON_TYPES.keys()]));
  const pattern = String.raw`(JSON\.parse|parseObject)\((row\.)?\w+\)|storedJson\('\w+\.\w+'`;
  const parsed = execFileSync('grep', ['-rhoE', pattern, 'electron/server/db/repositories'], { encoding: 'utf8' });
  // `text` is an argument, and `listed` is from a query.
  const names = new Set([...parsed.matchAll(/(\w+)[)']/g)].map(([, name = '']) => name));
  for (const name of ['text', 'listed']) names.delete(name);
  expect(names.size).toBeGreaterThan(5);
  expect([...names].filter((name) => ![...JSON_TYPES.keys()].some((column) => column.endsWith(`.${name}`)))).toEqual(
    [],
  );
});
