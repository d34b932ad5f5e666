import { expect, test } from 'vitest';
import type { Rack } from '#shared/api/map.ts';
import { findLabeledCell, makeLabeledCell } from '#shared/lib/places/placeLabel.ts';

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

test('creates what is missing: racks in order, the highest shelf at the top, as many columns as needed', () => {
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
