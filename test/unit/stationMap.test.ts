import { expect, test } from 'vitest';
import type { StationMap } from '#shared/api/map.ts';
import { MAX_COLUMNS } from '#shared/lib/mapLimits.ts';
import { arranged } from '../../electron/server/domain/stationMap.ts';

const MAP: StationMap = {
  racks: [{ id: 'r', name: 'Rack A', note: '', columns: 2, shelves: [{ id: 's', name: 'A-1' }] }],
  places: [],
  zones: [],
};

/** The map after devices with these labels were arranged; their DeviceIDs are their indexes. */
function withLabels(...labels: string[]): StationMap {
  let ids = 0;
  return arranged(
    MAP,
    labels.map((label, index) => ({ deviceId: String(index), label })),
    () => `new${(ids += 1)}`,
  );
}

test('widens a rack that is too narrow for a label to just that column', () => {
  const { racks, places } = withLabels('A-1-5', 'A-1-3');
  expect(racks.map(({ columns }) => columns)).toEqual([5]);
  expect(places.map(({ column }) => column)).toEqual([4, 2]);
  expect(MAP.racks[0]?.columns).toBe(2);
});

test('keeps the width of a rack that is wide enough', () => {
  expect(withLabels('A-1-1').racks[0]?.columns).toBe(2);
});

test('uses the last allowed column, but none after it or before the first', () => {
  expect(withLabels(`A-1-${MAX_COLUMNS}`).racks[0]?.columns).toBe(MAX_COLUMNS);
  const { racks, places } = withLabels(`A-1-${MAX_COLUMNS + 1}`, 'A-1-0');
  expect(racks[0]?.columns).toBe(2);
  expect(places).toEqual([]);
});

test('a new rack is as wide as its labels need', () => {
  const { racks } = withLabels('B-2-3');
  expect(racks.map(({ name, columns }) => [name, columns])).toEqual([
    ['Rack A', 2],
    ['Rack B', 3],
  ]);
});

test('racks whose names sort the same stay in the order in which they came', () => {
  const { racks } = withLabels('1-1-1', '01-1-1', 'B-1-1');
  expect(racks.map(({ name }) => name)).toEqual(['Rack 1', 'Rack 01', 'Rack A', 'Rack B']);
});
