import { expect, test } from 'vitest';
import { arrowToPlace, DEVICE_IS, parseDeviceIs } from '#shared/lib/devices/deviceIs.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';

// Contract, section 6: the arrow points from the device to the place, so it is the opposite of deviceIs.
const ARROWS = [
  ['Above', 'bottom'],
  ['Below', 'top'],
  ['to the Left of', 'right'],
  ['to the Right of', 'left'],
  ['Above and to the Left of', 'bottomright'],
  ['Above and to the Right of', 'bottomleft'],
  ['Below and to the Left of', 'topright'],
  ['Below and to the Right of', 'topleft'],
] as const;

test('has eight phrases, each with its own arrow', () => {
  expect(ARROWS.map(([phrase]) => phrase)).toEqual(DEVICE_IS);
  expect(new Set(DEVICE_IS.map(arrowToPlace)).size).toBe(8);
});

test.each(ARROWS)('a device that is %s a place has the arrow %s', (phrase, arrow) => {
  expect(arrowToPlace(phrase)).toBe(arrow);
});

test.each(DEVICE_IS)('recognizes %s in any case and spacing, and returns its standard spelling', (phrase) => {
  const written = [phrase, phrase.toLowerCase(), phrase.toUpperCase(), `  ${phrase.replaceAll(' ', '  ')}\t`];
  for (const text of [...written, phrase.replaceAll(' ', '\n')]) expect(parseDeviceIs(text), text).toBe(phrase);
});

test.each([
  '',
  ' ',
  'left',
  'the left of',
  'to the left',
  'tothe left of',
  'Above Below',
  'above and below',
  'to the left of and above',
  'constructor',
  '__proto__',
  'Beside',
])('"%s" is not a phrase', (text) => {
  expect(parseDeviceIs(text)).toBeUndefined();
});

test.each([
  ['A-1', 'a-1'],
  ['Größe', 'GRÖSSE'],
  ['É-1', 'é-1'.normalize('NFD')],
  ['ΟΔΟΣ', 'οδος'],
  ['ΟΔΟΣ', 'οδοσ'],
  [' A-1 ', 'A-1'],
  ['ЯЩИК 7', 'ящик 7'],
])('"%s" and "%s" are the same name', (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
});

test.each([
  ['A-1', 'A 1'],
  ['A-1', 'A-10'],
  ['A  1', 'A 1'],
  ['e', 'é'],
  ['０', '0'],
])('"%s" and "%s" are different names', (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other));
});

test('the key of a name key is the key itself', () => {
  for (const name of ['İstanbul', 'ıI', 'ŉ', 'ǅ', 'ﬃ', 'Ωµ', 'ϐ', 'straße']) {
    expect(nameKey(nameKey(name)), name).toBe(nameKey(name));
  }
});
