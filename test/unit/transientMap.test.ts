import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { TransientMap } from '../../electron/server/transientMap.ts';

const COUNT = 4_000;
/** Values that are there at the same time. */
const AT_ONCE = 32;
const WEIGHT = 500;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (how: { type: 'minor' }) => void;

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

/** Bytes that values that came and went leave behind for the collection of the whole heap. */
function leftBy(map: TransientMap<object>): number {
  const before = oldBytes();
  for (let key = 0; key < COUNT; key += 1) {
    map.set(
      key,
      Array.from({ length: WEIGHT }, () => key),
    );
    map.delete(key - AT_ONCE);
    if (key % 100 === 0) collect({ type: 'minor' });
  }
  return oldBytes() - before;
}

// The first of its file: a Map leaves 15 MB here, and later less, depending on what V8 has collected before.
test('what was deleted is let go at once, without a collection of the whole heap', () => {
  expect(leftBy(new TransientMap())).toBeLessThan(COUNT * WEIGHT);
});

test('it is a map in every other way', () => {
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
