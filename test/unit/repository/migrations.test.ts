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

/** Copies the test database of the schema before a migration. */
function copyOf(name: string): { db: Database.Database; file: string } {
  const file = join(folder, name);
  copyFileSync(join(FIXTURES, `${name}.sqlite`), file);
  return { db: new Database(file), file };
}

/** Migrates the test database of the schema before a migration to the latest schema. */
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

test('0002: refused orders of earlier imports do not become drafts', () => {
  const db = migrated('0002-importDrafts');
  const { importDrafts, imports } = createRepositories(db);
  expect(imports.listRows(1, { outcome: 'refused', after: 0, limit: 9 })).toHaveLength(1);
  expect(importDrafts.list(Number.MAX_SAFE_INTEGER, 9)).toEqual([]);
  db.close();
});

test('0003: lines confirmed earlier keep their people, and no article or place is invented', () => {
  const db = migrated('0003-ownersFigures');
  expect(db.prepare('SELECT picker, units, sku, name, place, reason, light_ms FROM picks').all()).toEqual([
    { picker: 'Anna', units: 3, sku: '', name: '', place: '', reason: '', light_ms: null },
  ]);
  expect(db.prepare('SELECT COUNT(*) FROM screens').pluck().get()).toBe(0);
  db.close();
});

test('0004: lit lines keep their state, and the new tables are empty', () => {
  const db = migrated('0004-articlesAndStock');
  expect(db.prepare('SELECT sku, state, quantity_fulfilled, article_id, place, place_key FROM items').all()).toEqual([
    { sku: 'CT-200', state: 'active', quantity_fulfilled: 2, article_id: null, place: null, place_key: null },
  ]);
  for (const table of ['articles', 'article_places', 'movements', 'item_sources', 'emptied_places'])
    expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
  db.close();
});

test('0007: lines of articles keep their place, and none is marked as out of stock', () => {
  const db = migrated('0007-placesInFull');
  expect(
    db.prepare('SELECT place, article_id, article_name, article_description, lacks_stock FROM items').all(),
  ).toEqual([{ place: 'A-1-1', article_id: 1, article_name: null, article_description: null, lacks_stock: 0 }]);
  expect(db.prepare('SELECT no_stock_count FROM orders').pluck().all()).toEqual([0]);
  db.close();
});

test('0005: answers about columns are kept, articles have no picture, and deleting an article deletes its picture', () => {
  const db = migrated('0005-articleFiles');
  expect(db.prepare('SELECT id, kind, names, done_by FROM remembered_columns').all()).toEqual([
    { id: 7, kind: 'locations', names: '["Fach","Gerät"]', done_by: 'Anna' },
  ]);
  const { articles } = createRepositories(db);
  const article = articles.findBySku('ct-200');
  expect(article).toMatchObject({ name: 'Cable tie', picture: '' });
  articles.setPicture(article?.id ?? 0, {
    version: 'a1b2c3d4e5f6',
    content: new Uint8Array([1]),
    small: new Uint8Array([2]),
  });
  expect(articles.findBySku('ct-200')?.picture).toBe('a1b2c3d4e5f6');
  articles.remove(article?.id ?? 0);
  expect(db.prepare('SELECT count(*) FROM article_pictures').pluck().get()).toBe(0);
  db.close();
});

test('0009: a running batch stays unchanged as a cart batch, and has no scans', () => {
  const db = migrated('0009-wallBatches');
  const { batches } = createRepositories(db);
  const picking = batches.list({ state: 'picking', attention: 0, before: Number.MAX_SAFE_INTEGER, limit: 10 });
  expect(picking).toEqual([
    expect.objectContaining({ id: 3, mode: 'cart', carrierId: 2, cartId: null, singles: 0, state: 'picking' }),
  ]);
  const [row] = picking;
  expect(row && batches.read(row)).toMatchObject({
    kind: 'cart',
    slots: [{ slot: 'A1', state: 'free' }],
    scanned: [],
    hands: [{ by: 'Anna', shareId: 1, quantity: 2 }],
  });
  expect(batches.findLive(2)).toBe(3);
  db.close();
});

test('0006: adds tasks, and creates none', () => {
  const db = migrated('0006-tasks');
  expect(db.prepare('SELECT count(*) FROM tasks').pluck().get()).toBe(0);
  db.close();
});

test('0008: lit commands stay lit, command ids continue, and the new tables are empty', () => {
  const db = migrated('0008-cartsAndWalls');
  expect(db.prepare('SELECT id, device_id, state, owner_kind, base FROM commands').all()).toEqual([
    { id: 41, device_id: '51D000:000001', state: 'queued', owner_kind: 'item', base: 2 },
  ]);
  expect(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'commands'").pluck().all()).toEqual([57]);
  for (const table of ['carriers', 'carrier_slots', 'slot_devices', 'batches', 'batch_slots', 'batch_shares'])
    expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
  db.close();
});

test('0010: a running batch keeps its picker and its lights, and places found empty stay empty', () => {
  const db = migrated('0010-sharedBatches');
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
