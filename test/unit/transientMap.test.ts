import { expect, test } from 'vitest';
import { TransientMap } from '../../electron/server/transientMap.ts';

// Its purpose depends on when V8 collects garbage, which only the bench shows.
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
