import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DATABASE_FILE, openDatabase } from '../../electron/server/db/database.ts';
import { createRows } from '../../electron/server/db/rows.ts';
import { START_MS } from '../helpers/template.ts';

/** Opens a copy of a fixture, which is of the schema before the migration of that name. */
function migrated(fixture: string, prepare: (file: string) => void = () => undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-migration-'));
  const file = join(folder, DATABASE_FILE);
  cpSync(join(import.meta.dirname, '..', 'migrations', `${fixture}.sqlite`), file);
  prepare(file);
  const database = openDatabase(folder);
  return {
    database,
    rows: createRows(database.writer),
    [Symbol.dispose]() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('a picker of before becomes control and stays signed in; a station of simulated devices is one for trying out', () => {
  using now = migrated('0005-roles');
  const { accounts, devices } = now.rows;
  expect(accounts.listUsers()).toEqual([
    expect.objectContaining({ username: 'admin', role: 'admin', password_hash: 'hash of admin', created_at: 1_000 }),
    expect.objectContaining({
      username: 'Paula',
      role: 'control',
      password_hash: 'hash of Paula',
      signed_in_at: 3_000,
    }),
  ]);
  expect(accounts.listSessions(START_MS).map(({ id_hash, role }) => [id_hash, role])).toEqual([
    ['id 1', 'control'],
    ['id 2', 'admin'],
  ]);
  accounts.insertUser({ username: 'Pia', password_hash: 'x', role: 'picker' }, START_MS);
  expect(accounts.findUser('pia')?.role).toBe('picker');
  accounts.removeUser('Paula');
  expect(accounts.listSessions(START_MS)).toHaveLength(1);
  expect(devices.isDemoShop()).toBe(true);
  expect(now.rows.audit.list(undefined, 10)).toHaveLength(2);
  expect(now.database.writer.pragma('foreign_key_check')).toEqual([]);
});

test('a station that knows a real device is not one for trying out', () => {
  using now = migrated('0005-roles', (file) => {
    const db = new Database(file);
    db.exec("INSERT INTO devices (device_id, created_at) VALUES ('0A0B0C:000001', 1000)");
    db.close();
  });
  expect(now.rows.devices.isDemoShop()).toBe(false);
});
