import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupPath, beginBackup, finishBackup, listBackups } from '../../../electron/server/db/backupFiles.ts';
import { rewriteBackup } from '../../../electron/server/db/backupCheck.ts';
import { openDatabase, type Opening } from '../../../electron/server/db/database.ts';
import { MIGRATIONS } from '../../../electron/server/db/migrations.ts';
import { preparedPath } from '../../../electron/server/db/restore.ts';

const NOW = Date.UTC(2026, 10, 20, 8);
const NEXT = { name: '9999-ofTheTest', sql: 'CREATE TABLE of_the_test (x); INSERT INTO of_the_test VALUES (1);' };
const BROKEN = { name: '9999-ofTheTest', sql: 'CREATE TABLE meta (x)' };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-update-'));
  open([]).close();
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(more: Opening['migrations'], restore?: string) {
  const migrations = [...MIGRATIONS, ...more];
  if (restore !== undefined) rewriteBackup(restore, preparedPath(folder, 'x'), migrations);
  return openDatabase(folder, {
    now: NOW,
    migrations,
    restore:
      restore === undefined ? undefined : { id: 'x', from: restore, by: '', address: '', at: NOW, bringBack: [] },
  });
}

/** Marks the data as written by this version. */
function ofVersion(version: string): void {
  const db = new Database(join(folder, 'pickstation.sqlite'));
  db.prepare("UPDATE meta SET value = ? WHERE key = 'program_version'").run(version);
  db.close();
}

const schema = (file: string): unknown => {
  const db = new Database(file, { readonly: true });
  const found = db.pragma('user_version', { simple: true });
  db.close();
  return found;
};

test('a start with a fresh folder or the same version does not make a backup', () => {
  open([]).close();
  expect(listBackups(folder)).toEqual([]);
});

test('a new version backs up the database before it migrates it', () => {
  const { reader, close } = open([NEXT]);
  expect(reader.prepare('SELECT x FROM of_the_test').pluck().get()).toBe(1);
  close();
  const [kept] = listBackups(folder);
  expect(kept).toMatchObject({ name: 'pickstation-20261120-080000Z-update.sqlite', kind: 'update' });
  expect(schema(backupPath(folder, kept?.name ?? ''))).toBe(MIGRATIONS.length);
});

test('a new version without migrations also makes one backup, before its first start', () => {
  ofVersion('0.0.9');
  open([]).close();
  expect(listBackups(folder)).toMatchObject([{ kind: 'update' }]);
  open([]).close();
  expect(listBackups(folder)).toHaveLength(1);
});

test('if the backup of a new version without migrations fails, the station starts anyway', () => {
  ofVersion('0.0.9');
  const backups = join(folder, 'backups');
  rmSync(backups, { recursive: true, force: true });
  // Put a file where the folder should be.
  new Database(backups).close();
  open([]).close();
  rmSync(backups);
  ofVersion('0.0.9');
  open([]).close();
  expect(listBackups(folder)).toHaveLength(1);
});

test('refuses to start and changes nothing if the backup before a migration fails', () => {
  // Put a file where the folder should be.
  rmSync(join(folder, 'backups'), { recursive: true, force: true });
  new Database(join(folder, 'backups')).close();
  expect(() => open([NEXT])).toThrow(/needs an update.*backup before it failed.*nothing was changed/);
  expect(schema(join(folder, 'pickstation.sqlite'))).toBe(MIGRATIONS.length);
});

test('a backup of an older version is migrated before it replaces the database', () => {
  const old = keep();
  open([NEXT]).close();
  const { reader, close } = open([NEXT], backupPath(folder, old));
  expect(reader.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length + 1);
  close();
  expect(schema(backupPath(folder, old)), 'the backup itself stays as it is').toBe(MIGRATIONS.length);
});

test('refuses to restore a backup that cannot be migrated, and keeps the current database', () => {
  const old = keep();
  expect(() => open([BROKEN], backupPath(folder, old))).toThrow(/could not be migrated to schema/);
  expect(schema(join(folder, 'pickstation.sqlite'))).toBe(MIGRATIONS.length);
  expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([]);
  open([]).close();
});

/** Backs up the folder and returns the name of the backup. */
function keep(): string {
  const database = open([]);
  const begun = beginBackup(folder, 'manual', NOW);
  database.reader.prepare('VACUUM INTO ?').run(begun.part);
  finishBackup(folder, begun);
  database.close();
  return begun.name;
}
