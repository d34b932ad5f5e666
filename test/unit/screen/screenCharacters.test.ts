import { describe, expect, test } from 'vitest';
import '#shared/screen/allSheets.ts';
import { listCodes } from '#shared/screen/sheet.ts';
import { drawnCodes } from '#shared/screen/glyphs/drawnCodes.ts';
import { sheetOf, TEXT_SIZES, type TextSize } from '#shared/screen/sheets.ts';

const LATIN_1 = [range(0x20, 0x7e), range(0xa0, 0xac), range(0xae, 0xff)].join('');
const LATIN_EXTENDED_A = range(0x100, 0x17f);
const GREEK = `${range(0x391, 0x3a1)}${range(0x3a3, 0x3c9)}ΆΈΉΊΌΎΏάέήίόύώϊϋΐΰΪΫ`;
const CYRILLIC = `${range(0x410, 0x44f)}ЁёЂђЃѓЄєЅѕІіЇїЈјЉљЊњЋћЌќЍѝЎўЏџҐґ`;
const ROMANIAN = 'ȘșȚț';
const CURRENCY = '$¢£¤¥€₡₣₤₦₨₩₪₫₭₱₲₴₵₸₹₺₽';
const PUNCTUATION = '‐‒–—―‘’‚‛“”„†‡•…‰′″‹›«»¿¡§¶·';
const SIGNS = '±×÷−≠≤≥≈∞√°µΩ⌀№™©®¬ªº²³¹←↑→↓↔↕↖↗↘↙✓✔✗✘■●★';
const FRACTIONS = '¼½¾⅓⅔⅛⅜⅝⅞';
/** Characters available in every size, so that none of them forces a part name into a small size. */
const EVERY_SIZE = [
  ...new Set([LATIN_1, LATIN_EXTENDED_A, GREEK, CYRILLIC, ROMANIAN, CURRENCY, PUNCTUATION, SIGNS, FRACTIONS].join('')),
];

/**
 * Maximum size of running text. The following characters are available only in these sizes, so a line with one of them is not drawn larger.
 */
const LARGEST_RUNNING_TEXT = 32;
const VIETNAMESE = `${range(0x1ea0, 0x1ef9)}ĂăÂâĐđÊêÔôƠơƯư`;
const RUNNING_TEXT = Array.from(`${VIETNAMESE}ẞẀẁƏəƒ℃℉▲▼◀▶○◆∂∑∏∫∅⁰⁴⁵₀₁₂‖‼↵✕✖☎♀♂ﬁﬂ`);
/** Characters available only in the two hand-drawn sizes. */
const SMALL_ONLY = Array.from('₼₾₿');

/** Groups of characters with the same shape in print, across alphabets or by convention. */
const LOOKALIKES = [
  'AΑА BΒВ CС EΕЕ HΗН IΙІ JЈ KΚК MΜМ NΝ OΟО PΡР SЅ TΤТ XΧХ YΥ ZΖ',
  'aа cс eе iі jј oοо pр sѕ vν xх yу ĸκк πп ħћ ΓГ ΠП µμ 3З',
  'ÐĐ ÏΪЇ ïї ËЁ ëё ŸΫ ÁΆ ÈЀ ÉΈЀ ÍΊ ÓΌ ÝΎ èѐ óό ŭй -‐ ‒–− —― ´΄',
]
  .flatMap((groups) => groups.split(' '))
  .concat(' \u00a0');

function range(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('');
}

const glyphOf = (character: string, size: TextSize) => sheetOf(size).findGlyph(character.codePointAt(0) ?? 0);
const lackingIn = (size: TextSize, characters: readonly string[]) =>
  characters.filter((character) => glyphOf(character, size) === undefined);

function lookOf(character: string, size: TextSize): string {
  const glyph = glyphOf(character, size);
  return `${glyph?.left} ${glyph?.top} ${glyph?.width} ${glyph?.bits.join()}`;
}

describe.for(TEXT_SIZES)('size %i', (size) => {
  const present = [...EVERY_SIZE, ...(size <= LARGEST_RUNNING_TEXT ? RUNNING_TEXT : [])];

  test('has European letters, currency symbols and common signs', () => {
    expect(lackingIn(size, EVERY_SIZE)).toEqual([]);
  });

  test('has ink in every character except the spaces', () => {
    const blank = present.filter((character) => glyphOf(character, size)?.bits.every((byte) => byte === 0));
    expect(blank).toEqual([' ', '\u00a0']);
  });

  test('draws no two characters alike unless they look alike in print', () => {
    const groups = Map.groupBy(EVERY_SIZE, (character) => lookOf(character, size));
    const alike = [...groups.values()]
      .filter((group) => group.length > 1)
      .filter((group) => !LOOKALIKES.some((known) => group.every((character) => known.includes(character))));
    expect(alike).toEqual([]);
  });

  test('distinguishes figures and letters that are easily confused', () => {
    for (const group of [
      '0OoQD',
      '8B',
      '1Il|i',
      '5S',
      '2Z',
      '6G',
      'uvn',
      '.,',
      ':;',
      '-_',
      'cCeG',
      'mnw',
      'ÄÂÅÃĀĂ',
      'öőôõŏ',
    ]) {
      expect(new Set(Array.from(group, (character) => lookOf(character, size))).size, group).toBe(group.length);
    }
  });
});

test.for(TEXT_SIZES.filter((size) => size <= LARGEST_RUNNING_TEXT))(
  'size %i, for running text, also has Vietnamese and more signs',
  (size) => {
    expect(lackingIn(size, RUNNING_TEXT)).toEqual([]);
  },
);

test('the two smallest sizes have every character of the larger sizes', () => {
  const known = new Set(listCodes(drawnCodes));
  for (const size of TEXT_SIZES) {
    const codes = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => sheetOf(size).findGlyph(code));
    expect(
      codes.filter((code) => !known.has(code)),
      `size ${size}`,
    ).toEqual([]);
  }
  for (const size of [15, 16] as const) {
    expect([...known].filter((code) => sheetOf(size).findGlyph(code) === undefined)).toEqual([]);
    expect(lackingIn(size, SMALL_ONLY)).toEqual([]);
  }
});

test('the box for an unknown character is hollow and as high as a capital', () => {
  for (const size of TEXT_SIZES) {
    const { missing, capHeight } = sheetOf(size);
    expect(missing).toMatchObject({ top: -capHeight, height: capHeight });
    const filled = missing.bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
    expect(filled).toBeGreaterThan(2 * capHeight);
    expect(filled).toBeLessThan(missing.width * missing.height * 0.7);
  }
});
