import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { schemaAfter } from '../../../electron/server/db/foreignSchema.ts';
import { MIGRATIONS, migrate, schemaOf } from '../../../electron/server/db/migrations.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';

const FIXTURES = join(import.meta.dirname, '../../migrations');

let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pickstation-migrations-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the test database that has the schema before a migration. */
function copyOf(name: string): { db: Database.Database; file: string } {
  const file = join(folder, name);
  copyFileSync(join(FIXTURES, `${name}.sqlite`), file);
  return { db: new Database(file), file };
}

/** Migrates the test database that has the schema before a migration to the latest schema. */
function migrated(name: string): Database.Database {
  const { db, file } = copyOf(name);
  migrate(db, file, MIGRATIONS);
  expect(schemaOf(db)).toBe(MIGRATIONS.length);
  return db;
}

const namesIn = (path: string, ending: string): string[] =>
  readdirSync(join(import.meta.dirname, path))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .toSorted();

const statementsOf = (db: Database.Database): unknown =>
  db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();

test('migrations are numbered in order, and each but the first has a test database of the schema before it', () => {
  const names = namesIn('../../../electron/server/db/migrations', '.ts');
  expect(MIGRATIONS.map(({ name }) => name)).toEqual(names);
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  expect(namesIn('../../migrations', '.sqlite')).toEqual(names.slice(1));
});

test.each(MIGRATIONS.slice(1).map(({ name }, index) => ({ name, before: index + 1 })))(
  'the test database of $name has schema $before, and migrating it gives the schema of a new database',
  ({ name, before }) => {
    const { db, file } = copyOf(name);
    expect(schemaOf(db)).toBe(before);
    expect(statementsOf(db)).toEqual(schemaAfter(MIGRATIONS.slice(0, before)).statements);
    migrate(db, file, MIGRATIONS);
    expect(statementsOf(db)).toEqual(schemaAfter(MIGRATIONS).statements);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.close();
  },
);

test('0023: earlier customers are found by their beginning, ignoring case', () => {
  const { db, file } = copyOf('0023-customersFound');
  db.exec("UPDATE orders SET customer = 'Miller'");
  migrate(db, file, MIGRATIONS);
  const { find } = createRepositories(db);
  expect(find.beginning.customer('mill')).toMatchObject([{ text: 'Miller' }]);
  expect(find.beginning.customer('iller')).toEqual([]);
  db.close();
});

test('0021: an earlier order has no address, date or payment, and can get them', () => {
  const db = migrated('0021-orderAddresses');
  const { orders } = createRepositories(db);
  const [order] = orders.list({ state: undefined, after: '', limit: 1 });
  expect(order).toMatchObject({ orderedAt: null, isPaid: null });
  expect(orders.findAddress(order?.id ?? 0)).toBeUndefined();
  if (order !== undefined) orders.saveDetails({ ...order, orderedAt: 5, isPaid: false });
  expect(orders.find(order?.id ?? 0)).toMatchObject({ orderedAt: 5, isPaid: false });
  db.close();
});

test('0019: an earlier act can be repeated after the update by the same caller', () => {
  const { db, file } = copyOf('0019-callersOfActs');
  db.exec(`DELETE FROM users; DELETE FROM keyed_requests;
    INSERT INTO users (username, name_key, password_hash, role, created_at) VALUES ('Ännä', 'ännä', '', 'picker', 5);
    INSERT INTO keyed_requests (caller, key, digest, at) VALUES ('Ännä', 'a', 'd', 7), ('Ännä', 'b', 'd', 4), ('ERP', 'a', 'd', 7),
      ('ännä' || char(10) || 5, 'c', 'd', 7)`);
  migrate(db, file, MIGRATIONS);
  expect(db.prepare('SELECT caller, key FROM keyed_requests ORDER BY id').all()).toEqual([
    { caller: 'ännä\n5', key: 'a' },
    { caller: 'Ännä', key: 'b' },
    { caller: 'erp', key: 'a' },
    { caller: 'ännä\n5', key: 'c' },
  ]);
  db.close();
});

test('0018: the mark of an earlier order is for the whole order', () => {
  const db = migrated('0018-endedLines');
  const { orders } = createRepositories(db);
  expect(orders.findByNumber('S-1')).toMatchObject({ endedElsewhere: 'canceled', isContinued: true });
  expect(orders.findEndedLines(1)).toBeUndefined();
  orders.setEndedLines(1, '[]');
  expect(orders.findEndedLines(1)).toBe('[]');
  db.close();
});

test('0017: a name that has Cyrillic letters is found by an index for each kind of name', () => {
  migrated('0017-lookAlikes').close();
  const asked: string[] = [];
  const db = new Database(join(folder, '0017-lookAlikes'), { verbose: (sql) => void asked.push(String(sql)) });
  const { lookAlikes } = createRepositories(db);
  expect(lookAlikes.listTwins('mb 8', ['sku'])).toMatchObject([{ kind: 'sku', name: 'МВ-8', isSame: false }]);
  expect(lookAlikes.listTwins('SO-1', ['order'])).toMatchObject([{ kind: 'order', name: 'ЅО-1', isOpen: true }]);
  asked.length = 0;
  expect(lookAlikes.listTwins('A-1', ['label', 'alias', 'place', 'code', 'tote', 'order', 'sku', 'barcode'])).toEqual(
    [],
  );
  const plans = asked.splice(0).flatMap((sql) => db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all());
  const scans = plans.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN'));
  expect(scans).toEqual([]);
  expect(plans.filter(({ detail }) => /USING (?:COVERING )?INDEX \w+_look /.test(detail))).toHaveLength(10);
  db.close();
});

test('0015: a file that moved before the update is not compared, and its content stays refused', () => {
  const db = migrated('0015-movedFiles');
  const { inboxFiles } = createRepositories(db);
  expect(inboxFiles.findByHash('aa')).toMatchObject({ name: 'slow.csv', state: 'moved' });
  const row = { folder: '/shop/done', target: 'slow.csv', name: 'slow.csv', size: 3, hash: 'aa', movedAt: 60 };
  inboxFiles.addMoved({ ...row, size: 2 });
  inboxFiles.addMoved(row);
  expect([inboxFiles.listMoved('/shop/done'), inboxFiles.listMoved('/shop/failed')]).toEqual([[row], []]);
  inboxFiles.pruneMoved({ now: 65, ms: 5 });
  expect(inboxFiles.listMoved('/shop/done')).toEqual([]);
  db.close();
});

test('0014: earlier orders and articles have the revision of the last commit', () => {
  const db = migrated('0014-changedRevisions');
  const { orders, articles } = createRepositories(db);
  const all = { q: null, barcodeKey: null, placeKey: null, since: null, isActive: null, after: undefined } as const;
  const listed = (afterRevision: number) => [
    orders.list({ state: undefined, afterRevision, after: '', limit: 9 }).length,
    articles.list({ ...all, sort: 'sku', afterRevision, limit: 9 }).length,
  ];
  expect([listed(0), listed(41), listed(42)]).toEqual([
    [1, 1],
    [1, 1],
    [0, 0],
  ]);
  db.close();
});

test('0014: a request made before the update can be repeated', () => {
  const { db, file } = copyOf('0014-changedRevisions');
  db.exec(`INSERT INTO keyed_requests (caller, key, digest, at) VALUES ('api/1', 'order-7', 'former', 1)`);
  migrate(db, file, MIGRATIONS);
  expect(createRepositories(db).keyedRequests.find('api/1', 'order-7', 0)).toMatchObject({ digest: '' });
  db.close();
});

test('0013: a place keeps its range of LEDs, and can get more', () => {
  const db = migrated('0013-ledRanges');
  const { turboLinks } = createRepositories(db);
  const [place] = turboLinks.listPlaces();
  expect(place).toMatchObject({ link_id: 5, label: 'A-1', ranges: [{ start: 0, count: 5 }] });
  const ranges = [
    { start: 0, count: 2 },
    { start: 9, count: 1 },
  ];
  if (place !== undefined) turboLinks.savePlace({ ...place, ranges });
  expect(turboLinks.listPlaces()).toMatchObject([{ ranges }]);
  turboLinks.removePlace(5, 1);
  expect(db.prepare('SELECT * FROM link_ranges').all()).toEqual([]);
  db.close();
});

test('0012: no order ended elsewhere before', () => {
  const db = migrated('0012-endedElsewhere');
  const { orders } = createRepositories(db);
  expect(orders.list({ state: undefined, after: '', limit: 10 }).length).toBeGreaterThan(0);
  expect(orders.list({ state: undefined, after: '', limit: 10 })).toEqual(
    orders
      .list({ state: undefined, after: '', limit: 10 })
      .map((each) => ({ ...each, endedElsewhere: null, isContinued: false })),
  );
  db.close();
});

test('0011: when the last booking of an item was made before is not known', () => {
  const db = migrated('0011-bookedAt');
  expect(createRepositories(db).items.find(1)).toMatchObject({ fulfilled: 3, lastBooked: 3, lastBookedAt: null });
  db.close();
});

test('0010: what an undo changed before is found by its order', () => {
  const db = migrated('0010-undoneSubjects');
  const { importUndone } = createRepositories(db);
  expect(importUndone.findOf(1, 5)).toMatchObject({
    content: { order: { before: { order_number: 'S-5' }, after: null } },
    results: [],
    redone: undefined,
  });
  db.close();
});

test('0008: an order that was imported before keeps its previous content; what was imported is unknown', () => {
  const db = migrated('0008-redoneImports');
  const { imports, importUndone } = createRepositories(db);
  const before = { order_number: 'S-6', note: 'before', items: [] };
  expect(imports.listOrderIds(1).map((id) => imports.findOrder(1, id))).toEqual([
    { orderId: 5, before: null, after: undefined },
    { orderId: 6, before, after: undefined },
  ]);
  expect(importUndone.listIds(1)).toEqual([]);
  expect(imports.find(1)).toMatchObject({ state: 'imported', redo_until: null });
  db.close();
});

test('0004: a slot that was freed before can still be restored, and nobody is named', () => {
  const db = migrated('0004-freedBy');
  const { batches } = createRepositories(db);
  const row = batches.find(1);
  if (row === undefined) throw new Error('The batch is missing.');
  const [slot] = batches.read(row).slots;
  expect(slot).toMatchObject({ slot: 'A1', state: 'free', freed: { at: 50, by: '', state: 'complete' } });
  db.close();
});

test('0003: the first movement with a key of each caller keeps it, and a place remembers its last count', () => {
  const db = migrated('0003-keptKeys');
  const { stock } = createRepositories(db);
  expect(stock.findKeyed('erp', 'k-1')).toMatchObject({ id: 1, asked: '{"sku":"X"}' });
  expect(stock.findKeyed('anna\n100', 'k-1')).toMatchObject({ id: 5 });
  expect(db.prepare('SELECT id, key FROM movements WHERE key IS NOT NULL AND key_caller IS NULL').all()).toEqual([
    { id: 4, key: 'k-1' },
  ]);
  expect(db.prepare('SELECT place, counted_at FROM article_places ORDER BY place').all()).toEqual([
    { place: 'A-1', counted_at: 60 },
    { place: 'A-2', counted_at: null },
  ]);
  expect(db.prepare('SELECT caller FROM keyed_requests ORDER BY id').pluck().all()).toEqual(['erp', 'anna\n100']);
  db.close();
});

test('0006: waiting lines are found by the SKU and the name of an article', () => {
  const db = migrated('0006-wantedLines');
  const { stock } = createRepositories(db);
  const waiting = stock.listWaiting(JSON.stringify(['X']), JSON.stringify(['Tie']));
  expect(waiting.map(({ sku, name, rest }) => [sku, name, rest])).toEqual([
    ['x', null, 2],
    [null, 'TIE', 4],
  ]);
  db.close();
});

test('0002: a running batch keeps its picker and its lights, and places found empty stay empty', () => {
  const db = migrated('0002-sharedBatches');
  const { batches, stock } = createRepositories(db);
  expect(batches.find(3)).toMatchObject({ picker: 'Anna', color: 'blue', lastPickId: null, workedAt: 5, isStalled: 0 });
  expect(batches.listHelpers(3)).toEqual([]);
  expect(batches.listPickedBy('Anna')).toEqual([3]);
  expect(batches.listPicks(3)).toEqual([
    expect.objectContaining({ id: 7, deviceId: '51D000:000001', place: null, picker: null }),
  ]);
  expect(stock.listEmptied(1)).toMatchObject([{ placeKey: 'a-1-1', onHand: 4 }]);
  db.close();
});

test('0009: hands of people who no longer pick a batch are left; a batch without a picker does not tell who left it', () => {
  const db = migrated('0009-leftBatches');
  const { batches } = createRepositories(db);
  expect([1, 2].map((id) => batches.listLeft(id))).toEqual([['Cleo'], []]);
  db.close();
});

test('0005: the device with the lower DeviceID keeps a label, and only lines for a label follow it', () => {
  const db = migrated('0005-namedPlaces');
  const { commands, devices, namedPlaces } = createRepositories(db);
  expect(devices.listByLabel('a-1')).toEqual(['51D000:000001', '51D000:000002']);
  expect(commands.list('51D000:000001').map(({ id, target }) => [id, target])).toEqual([
    [1, 'device'],
    [2, 'label'],
    [3, 'device'],
  ]);
  expect(namedPlaces.list()).toEqual([]);
  db.close();
});
