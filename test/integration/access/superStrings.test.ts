import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { findByOnlyPart, findBySuperString, withNamesOnce } from '../../../electron/server/services/devices/targets.ts';
import { seededFraction } from '../../helpers/seeded.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const THREE = '51D000:000003';

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-parts-'));
  database = openDatabase(folder);
  repositories = createRepositories(database.writer);
  for (const deviceId of [ONE, TWO, THREE]) repositories.devices.insert({ deviceId, buttons: 1, firmware: 70 });
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function label(deviceId: string, text: string): void {
  const row = repositories.devices.find(deviceId);
  if (row === undefined) throw new Error(`There is no ${deviceId}.`);
  repositories.devices.update({ ...row, label: text });
}

function alias(name: string, deviceid: string): number {
  return repositories.aliases.insert({ name, deviceid, deviceIs: 'to the Right of' });
}

function find(text: string): [deviceId: string, alias: string] | undefined {
  const found = findBySuperString(repositories, text);
  return found && [found.deviceId, found.alias];
}

test('finds the first alias or label in natural order that contains the text', () => {
  alias('Bin 10 of rack A', ONE);
  label(TWO, 'Bin 9 of rack A');
  label(THREE, 'bin 100');
  expect(find('rack a')).toEqual([TWO, '']);
  expect(find('Bin 10')).toEqual([ONE, 'Bin 10 of rack A']);
  expect(find('BIN')).toEqual([TWO, '']);
  expect(find('100')).toEqual([THREE, '']);
  expect(find('101')).toBeUndefined();
});

test('returns the alias or label as the target, as if the request had used the full name', () => {
  alias('A-10-3', ONE);
  expect(findBySuperString(repositories, '10-3')).toMatchObject({
    deviceId: ONE,
    alias: 'A-10-3',
    target: 'alias:1',
    arrow: 'left',
  });
  label(TWO, 'B-7');
  expect(findBySuperString(repositories, 'b-7')).toMatchObject({
    deviceId: TWO,
    target: 'label',
    label: 'B-7',
    arrow: null,
  });
});

test('matches part of a name only if no other device matches, and only at whole words and numbers', () => {
  const only = (text: string) => findByOnlyPart(repositories, text)?.deviceId;
  label(ONE, 'A-1-10');
  expect(only('A-1-1')).toBeUndefined();
  expect(only('A-1')).toBe(ONE);
  expect(only('1-10')).toBe(ONE);
  for (const text of ['-10', '-1-', 'A-', '-']) expect(only(text), text).toBeUndefined();
  alias('Äpfel 7é', TWO);
  for (const text of ['pfel', 'Äpf', 'fel 7', '7', '7é'.slice(0, 1), 'e\u0301'])
    expect(only(text), text).toBeUndefined();
  expect(only('ÄPFEL')).toBe(TWO);
  expect(only('7É')).toBe(TWO);
  // Two names for the same device are not ambiguous.
  alias('A-1-11', ONE);
  expect(only('A-1')).toBe(ONE);
  const other = alias('A-1-12', TWO);
  expect(only('A-1')).toBeUndefined();
  repositories.aliases.update({ id: other, name: 'A-1-12', deviceid: ONE, deviceIs: 'Above' });
  expect(only('A-1')).toBe(ONE);
  label(THREE, 'x A-1 y');
  expect(only('A-1')).toBeUndefined();
});

test('many searches that read all names only once find the same places as single searches', () => {
  const fraction = seededFraction(11);
  const pick = (limit: number) => Math.floor(fraction() * limit);
  const devices = [ONE, TWO, THREE];
  for (let number = 0; number < 150; number += 1) {
    alias(`R${pick(9)}-${pick(30)} ${['bolts', 'nuts'][pick(2)]} ${number}`, devices[pick(3)] ?? ONE);
  }
  const texts = [
    ...Array.from({ length: 60 }, () => `${pick(30)} ${['bolts', 'nuts', 'bolt'][pick(3)]}`),
    ...Array.from({ length: 60 }, () => `R${pick(9)}-${pick(30)}`),
  ];
  const once = withNamesOnce(repositories);
  const found = texts.map((text) => findByOnlyPart(once, text)?.alias);
  expect(found).toEqual(texts.map((text) => findByOnlyPart(repositories, text)?.alias));
  expect(texts.map((text) => findBySuperString(once, text)?.alias)).toEqual(
    texts.map((text) => findBySuperString(repositories, text)?.alias),
  );
  expect(new Set(found).size).toBeGreaterThan(10);
});

test('prefers an alias to an equal label, and the device that had it first among equal labels', () => {
  label(THREE, 'Screws');
  label(TWO, 'Screws');
  expect(find('screw')).toEqual([THREE, '']);
  alias('screws', ONE);
  expect(find('screw')).toEqual([ONE, 'screws']);
});

test('finds nothing for a blank text or one that spans two names', () => {
  alias('A', ONE);
  alias('B', TWO);
  alias('C\nD', THREE);
  const once = withNamesOnce(repositories);
  for (const text of ['', '  ', 'a\nb', 'b\nc']) {
    expect(find(text), JSON.stringify(text)).toBeUndefined();
    expect(findBySuperString(once, text), JSON.stringify(text)).toBeUndefined();
  }
  expect(findBySuperString(once, 'c\nd')?.deviceId).toBe(THREE);
  expect(find('c\nd')).toEqual([THREE, 'C\nD']);
});

test('finds the current names after a rename, a removal or a move', () => {
  const id = alias('Shelf 1', ONE);
  label(TWO, 'Shelf 2');
  expect(find('shelf')).toEqual([ONE, 'Shelf 1']);
  repositories.aliases.update({ id, name: 'Shelf 1', deviceid: THREE, deviceIs: 'Above' });
  expect(find('shelf')).toEqual([THREE, 'Shelf 1']);
  repositories.aliases.update({ id, name: 'Shelf 3', deviceid: THREE, deviceIs: 'Above' });
  expect(find('shelf')).toEqual([TWO, '']);
  label(TWO, '');
  expect(find('shelf')).toEqual([THREE, 'Shelf 3']);
  repositories.aliases.remove(id);
  expect(find('shelf')).toBeUndefined();
  label(ONE, 'Shelf 4');
  expect(find('shelf')).toEqual([ONE, '']);
  repositories.devices.remove(ONE);
  expect(find('shelf')).toBeUndefined();
});

test('after any changes, finds the same places as a search through all names', () => {
  const fraction = seededFraction(7);
  const pick = (limit: number) => Math.floor(fraction() * limit);
  const ids: number[] = [];
  const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  for (let round = 0; round < 300; round += 1) {
    const known = ids[pick(ids.length)];
    if (known === undefined || fraction() < 0.6) ids.push(alias(`R${pick(12)}-${pick(120)}-${round}`, ONE));
    else if (fraction() < 0.5)
      repositories.aliases.update({ id: known, name: `Q${pick(12)} ${round}`, deviceid: TWO, deviceIs: 'Above' });
    else repositories.aliases.remove(ids.splice(ids.indexOf(known), 1)[0] ?? 0);
    const text = `${pick(12)}-${pick(20)}`;
    const [expected] = repositories.aliases
      .listAll()
      .map(({ name }) => name)
      .filter((name) => name.toLowerCase().includes(text))
      .sort(natural.compare);
    expect(find(text)?.[1], text).toBe(expected);
  }
});
