import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import type { Db } from '../../../electron/server/db/db.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { targetByLocation } from '../../../electron/server/services/devices/targets.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let folder: string;
let database: OpenDatabase;
let asked: Set<string>;
let repositories: Repositories;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-aliases-'));
  database = openDatabase(folder);
  asked = new Set();
  repositories = createRepositories(watched(database.writer));
  for (const deviceId of [ONE, TWO]) repositories.devices.insert({ deviceId, buttons: 1, firmware: 70 });
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Wraps the database and records each statement that reads. */
function watched(db: Db): Db {
  const prepare = (sql: string): unknown => {
    const statement = db.prepare(sql);
    const noting = {
      pluck: () => (statement.pluck(), noting),
      safeIntegers: () => (statement.safeIntegers(), noting),
      get: (...values: unknown[]) => (asked.add(sql), statement.get(...values)),
      all: (...values: unknown[]) => (asked.add(sql), statement.all(...values)),
      run: (...values: unknown[]) => statement.run(...values),
    };
    return noting;
  };
  return new Proxy(db, { get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)) });
}

function label(deviceId: string, text: string): void {
  const row = repositories.devices.find(deviceId);
  if (row === undefined) throw new Error(`There is no ${deviceId}.`);
  repositories.devices.update({ ...row, label: text });
}

function find(location: string): [deviceId: string, alias: string] {
  const { deviceId, alias } = targetByLocation(repositories, location);
  return [deviceId, alias];
}

test('a location is searched first as an alias, then as a label, then as a DeviceID', () => {
  expect(find(TWO)).toEqual([TWO, '']);
  label(ONE, TWO);
  expect(find(TWO)).toEqual([ONE, '']);
  repositories.aliases.insert({ name: TWO.toLowerCase(), deviceid: TWO, deviceIs: 'Below' });
  expect(find(TWO)).toEqual([TWO, TWO.toLowerCase()]);
});

test('aliases, labels and DeviceIDs match regardless of case and surrounding spaces, but only in full', () => {
  repositories.aliases.insert({ name: 'Schraube A-10', deviceid: ONE, deviceIs: 'Above' });
  label(TWO, 'Größe B-10');
  for (const location of ['schraube a-10', 'SCHRAUBE A-10', ' Schraube A-10 ']) {
    expect(find(location)).toEqual([ONE, 'Schraube A-10']);
  }
  for (const location of ['größe b-10', 'GRÖSSE B-10', ' Größe B-10\t']) expect(find(location)).toEqual([TWO, '']);
  for (const location of ['51d000:000001', ` ${ONE} `]) expect(find(location)).toEqual([ONE, '']);
  for (const location of ['A-10', 'Schraube A-1', 'Größe', '%', '_', '', ' ', 'FFFFFF:FFFFFF']) {
    expect(() => targetByLocation(repositories, location), location).toThrow(/No alias, label or DeviceID/);
  }
});

test('a command to an alias has an arrow to its place, but a command to the device has none', () => {
  repositories.aliases.insert({ name: 'left of it', deviceid: ONE, deviceIs: 'to the Right of' });
  expect(targetByLocation(repositories, 'left of it')).toMatchObject({ arrow: 'left', warning: undefined });
  expect(targetByLocation(repositories, ONE).arrow).toBeNull();
});

test('looking up a location does not scan any table, whether the location exists or not', () => {
  repositories.aliases.insert({ name: 'A-1', deviceid: ONE, deviceIs: 'Above' });
  label(TWO, 'B-1');
  asked.clear();
  for (const location of ['A-1', 'B-1', ONE]) find(location);
  expect(() => find('nowhere')).toThrow();
  expect(asked.size).toBeGreaterThan(2);
  for (const sql of asked) {
    const plan = database.writer
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.match(/\?/g) ?? []).map(() => 1))
      .map((step) => (step as { detail: string }).detail);
    expect(
      plan.filter((step) => !/^(?:SEARCH|CORRELATED)/.test(step)),
      sql,
    ).toEqual([]);
  }
});
