import { describe, expect, test } from 'vitest';
import { cutToWidth, measureInk, measureText, NO_CODE, toCodes, unknownCharacters } from '#shared/screen/text.ts';
import { sheetOf } from '#shared/screen/sheets.ts';

const codesOf = (text: string) => Array.from(text, (character) => character.codePointAt(0));

describe('text becomes one code for each character that a reader sees', () => {
  test('a letter and its accent are composed', () => {
    expect(toCodes('A\u030angstro\u0308m')).toEqual(codesOf('Ångström'));
  });

  test('an emoji of several code points, or a letter with an accent that no font has, is one unknown character', () => {
    expect(toCodes('a👩‍👩‍👧b')).toEqual([0x61, NO_CODE, 0x62]);
    expect(toCodes('x\u0302')).toEqual([NO_CODE]);
    expect(toCodes('🇩🇪')).toEqual([NO_CODE]);
  });

  test('a character beyond 16 bits stays one code', () => {
    expect(toCodes('😀')).toEqual([0x1f600]);
  });

  test('half a surrogate pair is one character and not an error', () => {
    expect(toCodes('a\ud83d')).toEqual([0x61, 0xd83d]);
  });

  test('any whitespace becomes a space, and invisible characters are removed', () => {
    expect(toCodes('a\u00a0b\tc\r\nd')).toEqual(codesOf('a b c d'));
    expect(toCodes('a\u200bb\u00adc\ufeff')).toEqual(codesOf('abc'));
    expect(toCodes('❤\ufe0f')).toEqual(codesOf('❤'));
  });

  test('a non-breaking hyphen becomes a normal hyphen', () => {
    expect(toCodes('A\u20113')).toEqual(codesOf('A-3'));
  });
});

test('26 characters are 156 pixels wide in the smallest size, even if they are unknown and drawn as boxes', () => {
  expect(measureText(toCodes('W'.repeat(26)), 15)).toBe(156);
  expect(measureText(toCodes('漢'.repeat(26)), 15)).toBe(156);
});

test('the ink of a text excludes the white around its letters', () => {
  const ink = measureInk(toCodes(' H '), 64);
  expect(ink.top).toBe(-47);
  expect(ink.bottom).toBe(0);
  expect(ink.left).toBeGreaterThan(measureText(toCodes(' '), 64));
  expect(ink.right).toBeLessThan(measureText(toCodes(' H'), 64));
});

test('truncates text that is too wide with an ellipsis, and leaves text that fits unchanged', () => {
  const codes = toCodes('Workshop hall 3');
  const cut = cutToWidth(codes, 16, 60);
  expect(cut).toEqual(codesOf('Worksh…'));
  expect(measureText(cut, 16)).toBeLessThanOrEqual(60);
  expect(cutToWidth(codes, 16, 120)).toBe(codes);
});

test('a cut leaves whole characters, as a reader sees them', () => {
  const text = '👩‍👩‍👧é漢x\u0302🇩🇪😀ñ漢字e\u0301';
  const codes = toCodes(text);
  expect(codes).toHaveLength(10);
  for (let width = 0; width < 70; width++) {
    const cut = cutToWidth(codes, 15, width);
    const isWhole =
      cut === codes || (cut.at(-1) === 0x2026 && cut.slice(0, -1).every((code, at) => code === codes[at]));
    expect(isWhole, `${width} pixels`).toBe(true);
  }
});

describe('the characters of a text that can only be drawn as a box', () => {
  test('are none in plain text, in European languages or in Vietnamese', () => {
    expect(unknownCharacters('Hex bolt M8 x 40, 100 pcs. ~ 5 $')).toEqual([]);
    expect(unknownCharacters('Größe 5 µm ± 1 °C – Łódź, Ελλάδα, Чистый, Việt Nam, 3 €, ½ Ω ✓')).toEqual([]);
    expect(unknownCharacters('')).toEqual([]);
  });

  test('are listed once each, as a reader sees them', () => {
    expect(unknownCharacters('漢字漢 M8')).toEqual(['漢', '字']);
    expect(unknownCharacters('a😀b👩‍👩‍👧c🇩🇪😀')).toEqual(['😀', '👩‍👩‍👧', '🇩🇪']);
    expect(unknownCharacters('x\u0302 שלום')).toEqual(['x\u0302', 'ש', 'ל', 'ו', 'ם']);
    expect(unknownCharacters('❤\ufe0f')).toEqual(['❤\ufe0f']);
  });

  test('exclude composed, white and invisible characters', () => {
    expect(unknownCharacters('A\u030angstro\u0308m e\u0301 Ti\u1ec7ng')).toEqual([]);
    expect(unknownCharacters('a\u00a0b\tc\u200bd\u00ade\u2011f\r\ng\u2009h')).toEqual([]);
  });

  test('include half a surrogate pair and control characters', () => {
    expect(unknownCharacters('a\ud83d')).toEqual(['\ud83d']);
    expect(unknownCharacters('a\u0007b')).toEqual(['\u0007']);
  });

  test('are exactly those without a glyph in the smallest size', async () => {
    await import('#shared/screen/allSheets.ts');
    for (let code = 0x21; code < 0x3000; code++) {
      const text = String.fromCodePoint(code);
      const boxes = toCodes(text).filter((drawn) => sheetOf(15).findGlyph(drawn) === undefined);
      expect(unknownCharacters(text).length, `U+${code.toString(16)}`).toBe(boxes.length);
    }
  });
});
