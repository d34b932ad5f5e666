import { expect, test } from 'vitest';
import type { StationMap } from '#shared/api/map.ts';
import { MAX_COLUMNS, MAX_RACKS, MAX_SHELVES } from '#shared/lib/places/mapLimits.ts';
import { arranged } from '../../../electron/server/domain/places/stationMap.ts';

const MAP: StationMap = {
  racks: [{ id: 'r', name: 'Rack A', note: '', columns: 2, shelves: [{ id: 's', name: 'A-1' }] }],
  places: [],
  zones: [],
};

/** Returns the map after arranging devices with these labels. Their DeviceIDs are their indexes. */
function withLabels(...labels: string[]): StationMap {
  return arrangedIn(MAP, ...labels).map;
}

function arrangedIn(map: StationMap, ...labels: string[]): ReturnType<typeof arranged> {
  let ids = 0;
  return arranged(
    map,
    { devices: labels.map((label, index) => ({ deviceId: String(index), label })), waiting: [] },
    () => `new${(ids += 1)}`,
  );
}

test('widens a rack only as far as a label needs', () => {
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

test('racks whose names sort the same stay in their original order', () => {
  const { racks } = withLabels('1-1-1', '01-1-1', 'B-1-1');
  expect(racks.map(({ name }) => name)).toEqual(['Rack 1', 'Rack 01', 'Rack A', 'Rack B']);
});

test('racks and shelves whose names differ only in case or blanks are the same', () => {
  const shelves = [{ id: 's', name: ' a - 1 ' }];
  const { map, left } = arrangedIn(
    { ...MAP, racks: [{ id: 'r', name: 'RACK  a', note: '', columns: 2, shelves }] },
    'A-1-2',
  );
  expect([map.racks.length, map.places, left]).toEqual([1, [{ deviceid: '0', shelf: 's', column: 1 }], []]);
});

test('says why a device cannot be placed by its label, and what to do', () => {
  const racks = Array.from({ length: MAX_RACKS }, (_, index) => ({
    id: `r${index}`,
    name: `Rack ${index}`,
    note: '',
    columns: 1,
    shelves: Array.from({ length: index === 0 ? MAX_SHELVES : 0 }, (_each, shelf) => ({
      id: `s${shelf}`,
      name: `x${shelf}`,
    })),
  }));
  const { left } = arrangedIn(
    { racks, places: [], zones: [] },
    'New-1-1',
    '0-new-1',
    `1-1-${MAX_COLUMNS + 1}`,
    '1-1-0',
  );
  expect(left.map(({ message }) => message)).toEqual([
    `"New-1-1" needs a new rack, and the map already has ${MAX_RACKS}. Remove one.`,
    `"0-new-1" needs a new shelf, and Rack 0 already has ${MAX_SHELVES}. Remove one.`,
    `"1-1-${MAX_COLUMNS + 1}" names place ${MAX_COLUMNS + 1}, and a shelf has the places 1 to ${MAX_COLUMNS}.`,
    `"1-1-0" names place 0, and a shelf has the places 1 to ${MAX_COLUMNS}.`,
  ]);
});
