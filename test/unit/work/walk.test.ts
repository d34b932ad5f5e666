import { expect, test } from 'vitest';
import { byWalk, walkRanks } from '#shared/lib/picking/walk.ts';

const rack = (id: string, ...shelves: string[]) => ({
  id,
  name: id,
  note: '',
  columns: 4,
  shelves: shelves.map((name) => ({ id: `${id}${name}`, name })),
});
const place = (deviceid: string, shelf: string, column: number) => ({ deviceid, shelf, column });

test('visits racks in their order, each shelf in the opposite direction, and starts each rack from the left', () => {
  const racks = [rack('A', '1', '2', '3'), rack('B', '1')];
  const places = [
    place('b', 'A1', 3),
    place('a', 'A1', 0),
    place('d', 'A2', 1),
    place('c', 'A2', 2),
    place('f', 'A3', 1),
    place('e', 'A3', 0),
    place('h', 'B1', 2),
    place('g', 'B1', 1),
  ];
  expect([...walkRanks({ racks, places }).keys()].join('')).toBe('abcdefgh');
});

test('devices without a place come last, by label in natural order, those without a label at the very end', () => {
  const compare = byWalk(new Map([['placed', 0]]));
  const all = [
    { deviceId: '2', label: '' },
    { deviceId: '1', label: '' },
    { deviceId: 'x', label: 'A-10' },
    { deviceId: 'y', label: 'A-2' },
    { deviceId: 'placed', label: 'Z' },
  ];
  expect(all.toSorted(compare).map(({ deviceId }) => deviceId)).toEqual(['placed', 'y', 'x', '1', '2']);
});
