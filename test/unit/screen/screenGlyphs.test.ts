import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import '#shared/screen/allSheets.ts';
import { openSheet, type Glyph } from '#shared/screen/sheet.ts';
import { FIGURE_SIZES, sheetOf, TEXT_SIZES, type FigureSize, type TextSize } from '#shared/screen/sheets.ts';
import { measureInk, measureText, toCodes } from '#shared/screen/text.ts';
import { packSheet } from '../../../tools/glyphs/pack.ts';

const folder = join(import.meta.dirname, '../../../shared/screen/glyphs');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzÄÖÜßäöüé0123456789';
/** Minimum height of capitals in pixels: 2.7 mm at 0.2266 mm per pixel. */
const SMALLEST_CAPITAL = 12;

const glyphOf = (character: string, size: TextSize | FigureSize) =>
  sheetOf(size).findGlyph(character.codePointAt(0) ?? 0);

describe.for(TEXT_SIZES)('the sheet of size %i', (size) => {
  const sheet = sheetOf(size);

  test('has capitals, tall small letters and figures of 2.7 mm or higher', () => {
    expect(sheet.capHeight).toBeGreaterThanOrEqual(SMALLEST_CAPITAL);
    for (const letter of 'HEIXbdhkl0123456789') {
      expect(-measureInk(toCodes(letter), size).top, letter).toBeGreaterThanOrEqual(SMALLEST_CAPITAL);
    }
  });

  test('has no glyph for an unknown character', () => {
    expect(sheet.findGlyph(0x6f22)).toBeUndefined();
    expect(sheet.findGlyph(-1)).toBeUndefined();
  });

  test('separates any two letters or figures, except a tail and a following j', () => {
    const touching = Array.from(LETTERS).flatMap((letter) =>
      Array.from(LETTERS).flatMap((next) =>
        areTouching(glyphOf(letter, size), glyphOf(next, size)) ? [letter + next] : [],
      ),
    );
    expect(touching.filter((pair) => !/^[gjqy]j$|^[gjq]J$/.test(pair))).toEqual([]);
  });
});

test.for([15, 16] as const)('in size %i every character has the same width, including the box', (size) => {
  const { findGlyph, missing } = sheetOf(size);
  const pitch = size === 15 ? 6 : 8;
  const widths = Array.from({ length: 0xffff }, (_, code) => findGlyph(code)?.advance).filter(
    (advance) => advance !== undefined,
  );
  expect(new Set([...widths, missing.advance])).toEqual(new Set([pitch]));
});

test('in size 15 five lines of capitals with common accents and tails fit in 97 pixels', () => {
  const ink = measureInk(toCodes('ÅÄÉŠŐĞŻÇŞgjpqyЙЇΆ'), 15);
  expect(ink.bottom - ink.top + 1).toBeLessThanOrEqual(19);
});

/** Returns the number of white areas that a glyph's ink encloses. */
function countHoles(glyph: Glyph): number {
  const [first, last] = [glyph.top - 1, glyph.top + glyph.height];
  const [left, right] = [glyph.left - 1, glyph.left + glyph.width];
  const seen = new Set<number>();
  /** Fills the white area at this point. Returns false if the point is ink or already filled. */
  function follow(fromX: number, fromY: number): boolean {
    const open: [x: number, y: number][] = [[fromX, fromY]];
    const before = seen.size;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [x, y] = next;
      if (x < left || x > right || y < first || y > last || seen.has(y * 1_000 + x) || isInk(glyph, x, y)) continue;
      seen.add(y * 1_000 + x);
      open.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]);
    }
    return seen.size > before;
  }
  follow(left, first);
  let holes = 0;
  for (let y = first; y <= last; y++) for (let x = left; x <= right; x++) if (follow(x, y)) holes += 1;
  return holes;
}

test.for([...TEXT_SIZES, ...FIGURE_SIZES])(
  'in size %s a zero encloses one white area, and an eight encloses two',
  (size) => {
    const holesOf = (figure: string): number => {
      const glyph = glyphOf(figure, size);
      return glyph === undefined ? -1 : countHoles(glyph);
    };
    expect([holesOf('0'), holesOf('8')]).toEqual([1, 2]);
  },
);

test.for(TEXT_SIZES)('in size %i a zero differs from a capital O in at least eight dots', (size) => {
  const [zero, letter] = [glyphOf('0', size), glyphOf('O', size)];
  if (zero === undefined || letter === undefined) throw new Error('No zero, or no letter');
  let differing = 0;
  for (let y = -80; y < 10; y++)
    for (let x = 0; x < 80; x++) if (isInk(zero, x, y) !== isInk(letter, x, y)) differing += 1;
  expect(differing).toBeGreaterThanOrEqual(8);
});

test('all figures of a size have the same width', () => {
  for (const size of [...TEXT_SIZES, ...FIGURE_SIZES]) {
    const advances = Array.from('0123456789', (digit) => glyphOf(digit, size)?.advance);
    expect(new Set(advances).size, `size ${size}`).toBe(1);
  }
});

describe('the sheets of figures', () => {
  const widest = (texts: string[], size: FigureSize) =>
    Math.max(...texts.map((text) => measureInk(toCodes(text), size)).map(({ left, right }) => right - left));
  const PAIRS = Array.from({ length: 90 }, (_, index) => String(10 + index));

  test('have the figures, plus and question mark, at 10 mm or higher', () => {
    for (const size of FIGURE_SIZES) {
      expect(Array.from('0123456789+?').filter((character) => glyphOf(character, size) === undefined)).toEqual([]);
      expect(sheetOf(size).capHeight, size).toBeGreaterThanOrEqual(45);
    }
  });

  test('are sorted by height, then by width, largest first', () => {
    expect(FIGURE_SIZES.map((size) => sheetOf(size).capHeight)).toEqual([100, 75, 75, 61, 61, 47, 47, 47]);
    const widths = FIGURE_SIZES.map((size) => measureText(toCodes('99+'), size));
    const isNarrower = FIGURE_SIZES.map(
      (size, at) => at === 0 || /^\d+$/.test(size) || (widths[at] ?? 0) < (widths[at - 1] ?? 0),
    );
    expect(isNarrower).not.toContain(false);
  });

  test('are narrow enough for their boxes', () => {
    expect(widest(['99+'], '64slim')).toBeLessThanOrEqual(80);
    expect(widest(PAIRS, '64slim')).toBeLessThanOrEqual(50);
    expect(widest(PAIRS, '64narrow')).toBeLessThanOrEqual(62);
  });

  test('share a baseline, with one for round figures and one for the others', () => {
    for (const size of FIGURE_SIZES) {
      for (const figures of ['035689', '1247']) {
        const bottoms = Array.from(figures, (digit) => measureInk(toCodes(digit), size).bottom);
        expect(new Set(bottoms).size, `${figures} in ${size}`).toBe(1);
      }
    }
  });
});

test('packing and unpacking keep a glyph unchanged', () => {
  const picture = ['..##....##', '.#..#.....', '##########', '..........', '#........#'];
  const isInk = (x: number, y: number) => picture[y]?.[x] === '#';
  const glyph = { advance: 11, left: -1, top: -5, width: 10, height: 5, isInk };
  const blank = { ...glyph, advance: 4, isInk: () => false };
  const sheet = openSheet(
    packSheet(
      'Test',
      12,
      new Map([
        [0x41, glyph],
        [0x20, blank],
        [0x42, glyph],
        [0xff, glyph],
      ]),
    ),
  );
  const opened = sheet.findGlyph(0x41);
  const rows = picture.map((row, y) =>
    Array.from(row, (_, x) => (((opened?.bits[y * 2 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? '#' : '.')).join(''),
  );
  expect(opened).toMatchObject({ advance: 11, left: -1, top: -5, width: 10, height: 5 });
  expect(rows).toEqual(picture);
  expect(sheet.findGlyph(0x20)).toMatchObject({ advance: 4, width: 0, height: 0 });
  expect(sheet.findGlyph(0xff)).toEqual(opened);
});

test('the sheets that a page loads first are below 190 kB, and all sheets together below 640 kB', () => {
  const sizeOf = (files: string[]) => files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  const files = readdirSync(folder).filter((file) => /\.(json|ts)$/.test(file));
  const first = files.filter((file) => /^(small|bold|figures|drawnCodes)/.test(file));
  expect(sizeOf(first)).toBeLessThan(190_000);
  expect(sizeOf(files)).toBeLessThan(640_000);
});

test('the licenses are next to the sheets, and no sheet uses a reserved name', () => {
  const licences = readFileSync(join(folder, 'LICENSES.md'), 'utf8');
  expect(licences).toContain('SIL OPEN FONT LICENSE Version 1.1');
  expect(licences).toContain('Bitstream Vera Fonts Copyright');
  expect(licences).toContain('Arev Fonts Copyright');
  for (const size of TEXT_SIZES) expect(sheetOf(size).name).toMatch(/^Station (Small|Bold) \d+$/);
  for (const size of FIGURE_SIZES) expect(sheetOf(size).name).toMatch(/^Station Figures \d+( Narrow| Slim)?$/);
});

test('every sheet names its license, and the licenses name every sheet', () => {
  const licences = readFileSync(join(folder, 'LICENSES.md'), 'utf8');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const text = readFileSync(join(folder, file), 'utf8');
    const isSmall = text.includes('"Station Small');
    expect(text, file).toContain(
      isSmall ? 'under the SIL Open Font License 1.1' : 'under the licences of Bitstream Vera and Arev',
    );
    const named = file.replace(/^(bold|otherBold)\d+/, '$1*');
    expect(licences, file).toContain(`\`${named}\``);
  }
});

function areTouching(glyph: Glyph | undefined, next: Glyph | undefined): boolean {
  if (glyph === undefined || next === undefined) return false;
  for (let y = glyph.top; y < glyph.top + glyph.height; y++) {
    for (
      let x = Math.min(glyph.left + glyph.width, glyph.advance + next.left + 1) - 1;
      x > glyph.advance + next.left - 4;
      x--
    ) {
      if (!isInk(glyph, x, y)) continue;
      for (const dy of [-1, 0, 1])
        if (isInk(next, x - glyph.advance, y + dy) || isInk(next, x + 1 - glyph.advance, y + dy)) return true;
    }
  }
  return false;
}

/** Returns whether a pixel is ink. The coordinates are relative to the pen and the baseline. */
function isInk({ left, top, width, height, stride, bits }: Glyph, x: number, y: number): boolean {
  const [column, row] = [x - left, y - top];
  if (column < 0 || row < 0 || column >= width || row >= height) return false;
  return (((bits[row * stride + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1) === 1;
}
