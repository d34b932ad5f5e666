import { expect, test } from 'vitest';
import type { Rack } from '#shared/api/map.ts';
import { findLabeledCell, isPlaceLabel, makeLabeledCell } from '#shared/lib/places/placeLabel.ts';

const RACK: Rack = {
  id: 'a',
  name: 'Rack A',
  note: '',
  columns: 3,
  shelves: [
    { id: 'a2', name: 'A-2' },
    { id: 'a1', name: '1' },
  ],
};

test('a label names a cell by rack, shelf and column, in either spelling', () => {
  expect(findLabeledCell([RACK], 'A-2-3')).toEqual({ shelf: 'a2', column: 2 });
  expect(findLabeledCell([RACK], ' a-1-01 ')).toEqual({ shelf: 'a1', column: 0 });
  for (const label of ['A-2-4', 'A-3-1', 'B-1-1', 'A-1', 'A-1-0', 'A-1-x', 'Dock', 'A-1-999']) {
    expect(findLabeledCell([RACK], label)).toBeUndefined();
  }
});

test('creates missing racks in order, with the highest shelf at the top and as many columns as needed', () => {
  let count = 0;
  const racks = [structuredClone(RACK)];
  const make = (label: string) => makeLabeledCell(racks, label, () => `new ${(count += 1)}`);
  expect(make('A-2-1')).toEqual({ shelf: 'a2', column: 0 });
  expect(make('A-3-5')).toEqual({ shelf: 'new 1', column: 4 });
  expect(make('0-1-1')).toEqual({ shelf: 'new 3', column: 0 });
  expect(make('Dock')).toBeUndefined();
  expect(racks.map(({ name, columns, shelves }) => [name, columns, shelves.map((shelf) => shelf.name)])).toEqual([
    ['Rack 0', 1, ['0-1']],
    ['Rack A', 5, ['A-3', 'A-2', '1']],
  ]);
});

test('a label can name a cell by the whole name of its shelf, as the preview of a rack shows', () => {
  const bench: Rack = { ...RACK, id: 'b', name: 'Bench', shelves: [{ id: 'b1', name: 'Bench' }] };
  const store: Rack = { ...RACK, id: 's', name: 'Store', shelves: [{ id: 's1', name: 'K-1' }] };
  const racks = structuredClone([RACK, bench, store]);
  expect(findLabeledCell(racks, 'bench-2')).toEqual({ shelf: 'b1', column: 1 });
  expect(findLabeledCell(racks, 'K-1-3')).toEqual({ shelf: 's1', column: 2 });
  expect(findLabeledCell(racks, 'Bench-4')).toBeUndefined();
  // Rack K is not created, because another rack already has the shelf K-1.
  expect(makeLabeledCell(racks, 'K-1-4', () => 'new')).toEqual({ shelf: 's1', column: 3 });
  expect(racks.map(({ name, columns }) => [name, columns])).toEqual([
    ['Rack A', 3],
    ['Bench', 3],
    ['Store', 4],
  ]);
  expect(['Bench-2', 'C-1-1', 'Bench', 'Dock-1', 'Bench-0'].map((label) => isPlaceLabel(racks, label))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a name that several shelves share does not identify a cell', () => {
  const other: Rack = { ...RACK, id: 'c', name: 'Rack C', shelves: [{ id: 'c1', name: '1' }] };
  expect(findLabeledCell([RACK, other], '1-2')).toBeUndefined();
  expect(findLabeledCell([RACK, other], 'C-1-2')).toEqual({ shelf: 'c1', column: 1 });
});
