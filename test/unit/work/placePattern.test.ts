import { expect, test } from 'vitest';
import { readPattern } from '#shared/lib/places/placePattern.ts';

const placesOf = (text: string) => {
  const read = readPattern(text);
  return 'places' in read ? read.places : read.problem;
};

test('the last range varies fastest, and each range keeps its direction', () => {
  expect(placesOf('A-{1..2}-{1..3}')).toEqual(['A-1-1', 'A-1-2', 'A-1-3', 'A-2-1', 'A-2-2', 'A-2-3']);
  expect(placesOf('{3..1}')).toEqual(['3', '2', '1']);
  expect(placesOf('Bin {a..c}')).toEqual(['Bin a', 'Bin b', 'Bin c']);
  expect(placesOf('{B..A}{1..2}')).toEqual(['B1', 'B2', 'A1', 'A2']);
  expect(placesOf(' Dock ')).toEqual(['Dock']);
  expect(placesOf('{ 1 .. 2 }')).toEqual(['1', '2']);
});

test('leading zeros give every number the same width', () => {
  expect(placesOf('{08..11}')).toEqual(['08', '09', '10', '11']);
  expect(placesOf('{1..03}')).toEqual(['01', '02', '03']);
  expect(placesOf('{0..2}')).toEqual(['0', '1', '2']);
});

test.each([
  ['', { kind: 'empty', part: '' }],
  ['  ', { kind: 'empty', part: '' }],
  ['A-{1..}', { kind: 'noEnd', part: '{1..}' }],
  ['A-{..4}', { kind: 'noStart', part: '{..4}' }],
  ['A-{}', { kind: 'noRange', part: '{}' }],
  ['A-{1-4}', { kind: 'noRange', part: '{1-4}' }],
  ['A-{1..2..3}', { kind: 'noRange', part: '{1..2..3}' }],
  ['A-{1..f}', { kind: 'mixed', part: '{1..f}' }],
  ['A-{a..F}', { kind: 'mixed', part: '{a..F}' }],
  ['A-{aa..ac}', { kind: 'mixed', part: '{aa..ac}' }],
  ['A-{1..4', { kind: 'unclosed', part: '{1..4' }],
  ['A-{1..{2..3}', { kind: 'unclosed', part: '{1..{2..3}' }],
  ['A-1..4}', { kind: 'unopened', part: 'A-1..4}' }],
  ['{1..12345678901}', { kind: 'tooLong', part: '{1..12345678901}' }],
  ['{1..60000}', { kind: 'tooMany', part: '{1..60000}', count: 60_000 }],
  ['{1..300}-{1..300}', { kind: 'tooMany', part: '{1..300}-{1..300}', count: 90_000 }],
  ['{1..11}{1..11}', { kind: 'double', part: '111' }],
])('%j is refused', (text, problem) => {
  expect(placesOf(text)).toEqual(problem);
});
