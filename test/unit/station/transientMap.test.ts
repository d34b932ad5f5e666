import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { TransientMap } from '../../../electron/server/transientMap.ts';

test('behaves like a Map', () => {
  const map = new TransientMap<{ name: string }>();
  map.set(1, { name: 'a' });
  map.set(2, { name: 'b' });
  map.set(1, { name: 'c' });
  expect([map.size, map.has(1), map.get(1)?.name, map.get(3), map.delete(3)]).toEqual([2, true, 'c', undefined, false]);
  for (const { name } of map.values()) map.delete(name === 'c' ? 1 : 2);
  expect([map.size, map.has(2), map.get(2)]).toEqual([0, false, undefined]);
  map.set(4, { name: 'd' });
  map.clear();
  expect([map.size, [...map.values()]]).toEqual([0, []]);
});

/**
 * Fills a map, deletes everything, and counts the values that remain in memory while an iterator holds the map's first
 * table.
 */
async function countKept(map: TransientMap<object> | Map<number, object>): Promise<number> {
  const values: WeakRef<object>[] = [];
  const add = (key: number): void => {
    const value = { key };
    map.set(key, value);
    values.push(new WeakRef(value));
  };
  add(0);
  const walk = map.values();
  walk.next();
  for (let key = 1; key < 1_000; key += 1) add(key);
  for (let key = 0; key < 1_000; key += 1) map.delete(key);
  // A WeakRef keeps its value until the end of the turn.
  await new Promise((resolve) => void setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const kept = values.filter((value) => value.deref() !== undefined).length;
  expect(walk.next().done).toBe(true);
  return kept;
}

// Before garbage collection, an old table of a Map keeps later tables in memory, as the iterator does here. Once Map
// passes this test, TransientMap is not needed.
test('frees deleted values while an iterator holds old tables of the map, unlike a Map', async () => {
  expect(await countKept(new Map<number, object>())).toBeGreaterThan(100);
  expect(await countKept(new TransientMap<object>())).toBeLessThan(10);
});
