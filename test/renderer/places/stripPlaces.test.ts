import { expect, test } from 'vitest';
import { linesFor, linesOf, readLines, withNumbers } from '../../../renderer/src/shop/connect/stripPlaces.ts';

const KNOWN = [
  { number: 1, label: 'A-1', start: 0, count: 5, deviceid: null },
  { number: 4, label: 'Shelf 2 left', start: 5, count: 1, deviceid: null },
];

test('writes one place per line and reads the lines back', () => {
  expect(linesOf(KNOWN)).toBe('A-1 0-4\nShelf 2 left 5');
  expect(readLines(`\n${linesOf(KNOWN)}\n\n`)).toEqual({
    places: KNOWN.map(({ label, start, count }) => ({ label, start, count })),
    wrong: undefined,
  });
  expect(readLines('A-1 0 – 4').places).toEqual([{ label: 'A-1', start: 0, count: 5 }]);
});

test.each(['A-1', '0-4', 'A-1 4-0', 'A-1 x', 'A-1 0-4 mm'])(
  'rejects "%s" as a place, and reads the other lines',
  (line) => {
    const places = [
      { label: 'A-0', start: 0, count: 5 },
      { label: 'A-2', start: 5, count: 3 },
    ];
    expect(readLines(`A-0 0-4\n${line}\nA-2 5-7`)).toEqual({ places, wrong: line });
  },
);

test('assigns consecutive LEDs to many labels', () => {
  expect(linesFor(['A-1', 'A-2'], 10, 3)).toBe('A-1 10-12\nA-2 13-15');
});

test('keeps the number of a renamed place with the same first LED, and sends no number for a known label', () => {
  const renamed = [
    { label: 'B-1', start: 0, count: 5 },
    { label: 'Shelf 2 left', start: 9, count: 1 },
    { label: 'New', start: 5, count: 1 },
  ];
  expect(withNumbers(renamed, KNOWN)).toEqual([
    { label: 'B-1', start: 0, count: 5, number: 1 },
    { label: 'Shelf 2 left', start: 9, count: 1 },
    { label: 'New', start: 5, count: 1 },
  ]);
});
