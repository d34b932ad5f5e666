import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import type { Backup } from '#shared/api/backup.ts';
import { APPLICATION_ID } from '../../../electron/server/db/inspection.ts';
import { MIGRATIONS } from '../../../electron/server/db/migrations.ts';
import type { CopyProgress } from '../../../electron/server/ports.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
/** A query that never ends. */
const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)';
const NAME = 'pickstation-20261119-080000Z-manual.sqlite';

let station: TestStation & AsyncDisposable;
let made: string;
let watch: (progress: CopyProgress) => Promise<void> | undefined;

beforeEach(async () => {
  watch = () => undefined;
  made = mkdtempSync(join(tmpdir(), 'pickstation-made-'));
  station = await startTestStation({ simulate: 1, refreshMs: 0, watchCopy: (progress) => watch(progress) });
});

afterEach(async () => {
  await station.stop();
  rmSync(made, { recursive: true, force: true });
});

/** Returns the database of a stopped station, changed by `change`. */
function changed(change: (db: Database.Database) => void): Buffer {
  const file = join(made, 'x.sqlite');
  copyFileSync(join(inject('template'), 'pickstation.sqlite'), file);
  const db = new Database(file);
  db.pragma('journal_mode = DELETE');
  change(db);
  db.close();
  return readFileSync(file);
}

const sql = (text: string) => (): Buffer => changed((db) => db.exec(text));

/** Returns a database whose schema table was changed, which needs `writable_schema`. */
const schema = (text: string) => (): Buffer =>
  changed((db) => {
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    db.exec(text);
  });

const bytes =
  (edit: (whole: Buffer) => Buffer | undefined, first = '') =>
  (): Buffer => {
    const whole = changed((db) => db.exec(first));
    return edit(whole) ?? whole;
  };

/** Returns a new database with all Pickstation tables, created with this pragma. */
const madeWith = (pragma: string) => (): Buffer => {
  const file = join(made, 'y.sqlite');
  rmSync(file, { force: true });
  const db = new Database(file);
  db.pragma(pragma);
  for (const migration of MIGRATIONS) db.exec(migration.sql);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${MIGRATIONS.length}`);
  db.close();
  return readFileSync(file);
};

const TABLES = /Its tables are not those that Pickstation makes/;
const DAMAGED = /damaged/;

const CRAFTED: readonly (readonly [string, () => Buffer, RegExp])[] = [
  ['a view', sql('CREATE VIEW more AS SELECT 1'), TABLES],
  [
    'a table that is a view without an end',
    sql(`DROP TABLE commits; CREATE VIEW commits AS ${ENDLESS} SELECT x AS revision, 0 AS at, '' AS facts FROM n`),
    TABLES,
  ],
  [
    'a trigger that brings a user back',
    sql("CREATE TRIGGER back AFTER DELETE ON users BEGIN INSERT INTO users SELECT 'x', 'x', 'x', 'admin', 0, 0; END"),
    /trigger "back" does not belong there/,
  ],
  [
    'an index of ours on other rows',
    sql('DROP INDEX sessions_end; CREATE INDEX sessions_end ON sessions (ends_at) WHERE ends_at > 0'),
    /sessions_end" differs/,
  ],
  ['one index less', sql('DROP INDEX sessions_end'), /index "sessions_end" is missing/],
  ['an index on an expression', sql('CREATE INDEX odd ON meta (length(value))'), TABLES],
  [
    'a generated column',
    sql('ALTER TABLE racks ADD COLUMN more TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL'),
    TABLES,
  ],
  ['a column more', sql('ALTER TABLE racks ADD COLUMN more TEXT'), TABLES],
  [
    'a table more',
    sql('CREATE TABLE more (x) STRICT'.replace('(x)', '(x TEXT)')),
    /table "more" does not belong there/,
  ],
  ['a virtual table', sql('CREATE VIRTUAL TABLE more USING fts5(x)'), TABLES],
  [
    'a CHECK that runs without an end',
    schema(
      `UPDATE sqlite_schema SET sql = replace(sql, 'note TEXT NOT NULL', 'note TEXT NOT NULL CHECK (length(note) < 9)') WHERE name = 'racks'`,
    ),
    TABLES,
  ],
  [
    'a default that is an expression',
    schema(`UPDATE sqlite_schema SET sql = replace(sql, 'DEFAULT 100', 'DEFAULT (1 + 1)') WHERE name = 'devices'`),
    TABLES,
  ],
  [
    'an index of another table',
    schema("UPDATE sqlite_schema SET tbl_name = 'racks' WHERE name = 'sessions_end'"),
    /cannot be restored/,
  ],
  [
    'a table that shares the pages of another',
    schema(
      "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'zones') WHERE name = 'racks'",
    ),
    DAMAGED,
  ],
  ['a table beyond the end', schema("UPDATE sqlite_schema SET rootpage = 99999999 WHERE name = 'racks'"), DAMAGED],
  ['a table in the page of the schema', schema("UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'racks'"), DAMAGED],
  ['statistics', sql('ANALYZE'), /sqlite_stat1/],
  ['numbers of a table that has none', sql("INSERT INTO sqlite_sequence VALUES ('users', 1)"), /sqlite_sequence/],
  [
    'numbers that are none',
    sql("INSERT INTO sqlite_sequence VALUES ('commands', 'x'), ('commands', -1)"),
    /sqlite_sequence/,
  ],
  [
    'an integer beyond what we count with',
    sql('UPDATE users SET created_at = 9223372036854775807'),
    /users\.created_at/,
  ],
  [
    'a value that its CHECK refuses',
    sql("PRAGMA ignore_check_constraints = ON; UPDATE users SET role = 'root'"),
    /A value of users/,
  ],
  [
    'a row that names a missing one',
    sql("PRAGMA foreign_keys = OFF; INSERT INTO sessions VALUES ('x', 'nobody', 'x', 'x', 0, 9, NULL)"),
    /refer to missing rows/,
  ],
  ['another page size', madeWith('page_size = 1024'), /page size/],
  ['UTF-16', madeWith("encoding = 'UTF-16le'"), /text encoding/],
  ['auto-vacuum', madeWith('auto_vacuum = FULL'), /auto-vacuum/],
  ['no schema at all', sql('PRAGMA user_version = 0'), TABLES],
  ['reserved bytes in its pages', bytes((whole) => void whole.writeUInt8(32, 20)), /reserved bytes/],
  ['half of its pages', bytes((whole) => whole.subarray(0, 20 * 4_096)), DAMAGED],
  ['more bytes than pages', bytes((whole) => Buffer.concat([whole, Buffer.alloc(4_096)])), DAMAGED],
  ['more free pages than pages', bytes((whole) => void whole.writeUInt32BE(4_000_000_000, 36)), DAMAGED],
  [
    'free pages that go round',
    bytes(roundFreeList, 'CREATE TABLE gone (x); INSERT INTO gone VALUES (zeroblob(90000)); DROP TABLE gone'),
    DAMAGED,
  ],
  ['a page that is its own child', bytes(ownChild), DAMAGED],
  ['noise in the middle', bytes((whole) => whole.fill(0xa5, 8_192, 40_960)), /damaged|cannot be restored/],
];

/** Makes the first trunk page of the free list point to itself. */
function roundFreeList(whole: Buffer): undefined {
  const trunk = whole.readUInt32BE(32);
  expect(trunk).toBeGreaterThan(0);
  whole.writeUInt32BE(trunk, (trunk - 1) * 4_096);
}

/** Makes page 1 its own right child. It is an interior page, because the schema is large. */
function ownChild(whole: Buffer): undefined {
  expect(whole[100]).toBe(5);
  whole.writeUInt32BE(1, 108);
}

const upload = (file: Uint8Array) =>
  station.request('POST', '/api/backups/upload/', file, {
    'api-key': API_KEY,
    'content-type': 'application/vnd.sqlite3',
  });

const folder = (): string => join(station.dataFolder, 'backups');

function drop(file: Uint8Array): string {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(join(folder(), NAME), file);
  return join(folder(), NAME);
}

test('refuses every crafted file with a clear message, and keeps serving', { timeout: 120_000 }, async () => {
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', seconds: 0 });
  for (const [what, make, said] of CRAFTED) {
    const answer = await upload(make());
    expect.soft(answer, what).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect.soft((answer.body as { detail: string }).detail, what).toMatch(/^This cannot be restored\. /);
    expect.soft((answer.body as { detail: string }).detail, what).toMatch(said);
    expect.soft((await station.request('GET', '/healthz')).status, what).toBe(200);
  }
  expect(CRAFTED.length).toBeGreaterThan(25);
  expect(existsSync(folder()) ? readdirSync(folder()) : []).toEqual([]);
  expect((await upload(changed(() => undefined))).status, 'one that is ours').toBe(201);
});

test('does not trust a crafted file in the backup folder: in the list, its contents, a restore and --restore', async () => {
  const users = station.rows('SELECT username FROM users');
  const file = drop(
    changed((db) =>
      db.exec(
        `DROP TABLE commits; CREATE VIEW commits AS ${ENDLESS} SELECT x AS revision, 0 AS at, '' AS facts FROM n`,
      ),
    ),
  );
  expect(await station.get<Backup[]>('/api/backups/')).toMatchObject([{ name: NAME, revision: null, by: '' }]);
  const refused = { status: 400, body: { detail: expect.stringMatching(TABLES) as string } };
  expect(await station.request('GET', `/api/backups/${NAME}/contents/`)).toMatchObject(refused);
  expect(await station.request('POST', `/api/backups/${NAME}/restore/`)).toMatchObject(refused);
  expect(readdirSync(station.dataFolder).filter((name) => name.startsWith('restore'))).toEqual([]);
  await station.halt();
  const { dataFolder, clock } = station;
  await expect(startTestStation({ dataFolder, clock, restore: file })).rejects.toThrow(TABLES);
  expect(readdirSync(dataFolder).filter((name) => name.startsWith('restore'))).toEqual([]);
  await station.restart();
  expect(station.rows('SELECT username FROM users')).toEqual(users);
});

test.each(['-wal', '-journal'])('refuses a backup that has a %s file, and leaves both files unchanged', async (end) => {
  const whole = changed(() => undefined);
  const file = drop(whole);
  writeFileSync(file + end, 'commits');
  expect(await station.request('GET', `/api/backups/${NAME}/contents/`)).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/station that was not stopped/) as string },
  });
  expect(readFileSync(file).equals(whole)).toBe(true);
  expect(readFileSync(file + end, 'utf8')).toBe('commits');
});

test('restores a manual copy into a fresh schema, and lists its revision once it has been read', async () => {
  drop(
    changed((db) => {
      db.exec("INSERT INTO racks VALUES ('r', 0, 'By hand', '', 3)");
      db.pragma('journal_mode = WAL');
    }),
  );
  await station.get(`/api/backups/${NAME}/contents/`);
  expect(await station.get<Backup[]>('/api/backups/')).toMatchObject([
    { name: NAME, revision: expect.any(Number) as number },
  ]);
  expect((await station.request('POST', `/api/backups/${NAME}/restore/`)).status).toBe(202);
  await station.clock.advance(0);
  expect(station.rows('SELECT name FROM racks')).toEqual([{ name: 'By hand' }]);
  const [found] = station.rows<{ sql: string }>(
    "SELECT group_concat(sql, ';') AS sql FROM (SELECT sql FROM sqlite_schema ORDER BY name)",
  );
  const memory = new Database(':memory:');
  for (const migration of MIGRATIONS) memory.exec(migration.sql);
  expect(found).toEqual(
    memory.prepare("SELECT group_concat(sql, ';') AS sql FROM (SELECT sql FROM sqlite_schema ORDER BY name)").get(),
  );
});

test('checking a file does not delay a press', async () => {
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', seconds: 0 });
  await station.clock.advance(12_000);
  drop(changed(() => undefined));
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  watch = () => {
    begun.resolve();
    return gate.promise;
  };
  const answer = station.request('GET', `/api/backups/${NAME}/contents/`);
  await begun.promise;
  await station.press(DEVICE);
  await station.clock.advance(1_000);
  expect((await station.device(DEVICE)).commands).toEqual([]);
  gate.resolve();
  expect((await answer).status).toBe(200);
});
