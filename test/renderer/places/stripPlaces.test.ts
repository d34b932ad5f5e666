import { expect, test } from 'vitest';
import { linesFor, linesOf, readLines, withNumbers } from '../../../renderer/src/shop/connect/stripPlaces.ts';

const known = (number: number, label: string, ...ranges: { start: number; count: number }[]) => {
  const [first = { start: 0, count: 0 }] = ranges;
  return { number, label, ...first, ranges, deviceid: null };
};
const KNOWN = [
  known(1, 'A-1', { start: 0, count: 5 }),
  known(4, 'Shelf 2 left', { start: 5, count: 1 }),
  known(5, 'Both ends', { start: 6, count: 2 }, { start: 58, count: 1 }),
];

test('writes one place per line and reads the lines back', () => {
  expect(linesOf(KNOWN)).toBe('A-1 0-4\nShelf 2 left 5\nBoth ends 6-7, 58');
  expect(readLines(`\n${linesOf(KNOWN)}\n\n`)).toEqual({
    places: KNOWN.map(({ label, ranges }) => ({ label, ranges })),
    wrong: undefined,
  });
  expect(readLines('A-1 0 – 4').places).toEqual([{ label: 'A-1', ranges: [{ start: 0, count: 5 }] }]);
});

test.each(['A-1', '0-4', 'A-1 4-0', 'A-1 x', 'A-1 0-4 mm', 'A-1 0-4, 9-8', 'A-1 0-4,'])(
  'rejects "%s" as a place, and reads the other lines',
  (line) => {
    const places = [
      { label: 'A-0', ranges: [{ start: 0, count: 5 }] },
      { label: 'A-2', ranges: [{ start: 5, count: 3 }] },
    ];
    expect(readLines(`A-0 0-4\n${line}\nA-2 5-7`)).toEqual({ places, wrong: line });
  },
);

test('assigns consecutive LEDs to many labels', () => {
  expect(linesFor(['A-1', 'A-2'], 10, 3)).toBe('A-1 10-12\nA-2 13-15');
});

test('keeps the number of a renamed place with the same first LED, and sends no number for a known label', () => {
  const renamed = [
    { label: 'B-1', ranges: [{ start: 0, count: 5 }] },
    { label: 'Shelf 2 left', ranges: [{ start: 9, count: 1 }] },
    { label: 'New', ranges: [{ start: 5, count: 1 }] },
  ];
  expect(withNumbers(renamed, KNOWN)).toEqual([
    { label: 'B-1', ranges: [{ start: 0, count: 5 }], number: 1 },
    { label: 'Shelf 2 left', ranges: [{ start: 9, count: 1 }] },
    { label: 'New', ranges: [{ start: 5, count: 1 }] },
  ]);
});
