import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import '#shared/screen/allIcons.ts';
import { ICON_SIZES, findIconGlyph, type IconSize } from '#shared/screen/iconSheets.ts';
import { ICONS, findIcon, iconWireName } from '#shared/screen/icons.ts';
import { openSheet, type Glyph, type PackedSheet } from '#shared/screen/sheet.ts';
import { DRAWINGS, packSigns } from '../../../tools/signs/packSigns.ts';

/** The characters of the icons, typed by hand from the addition to the specification. */
const TABLE = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVXYZ0123456789!@#%^&*()_+{}|;:,.';
const MIN_INK = 0.05;
const MAX_INK = 0.75;
/** Minimum fraction of pixels in which two icons must differ. */
const MIN_DIFFERENCE = 0.02;

const shared = join(import.meta.dirname, '../../../shared/screen');

/** Returns `size` rows of `size` pixels, with 1 for ink. */
function pixelsOf(glyph: Glyph | undefined, size: number): Uint8Array {
  const pixels = new Uint8Array(size * size);
  if (glyph === undefined) return pixels;
  for (let y = 0; y < glyph.height; y++) {
    for (let x = 0; x < glyph.width; x++) {
      const byte = glyph.bits[y * glyph.stride + (x >> 3)] ?? 0;
      pixels[(glyph.top + y) * size + glyph.left + x] = (byte >> (7 - (x & 7))) & 1;
    }
  }
  return pixels;
}

function countDifferent(one: Uint8Array, other: Uint8Array): number {
  let different = 0;
  for (let place = 0; place < one.length; place++) if (one[place] !== other[place]) different++;
  return different;
}

test('the table has every character of the specification, once', () => {
  expect(ICONS.map(({ char }) => char).toSorted()).toEqual(Array.from(TABLE).toSorted());
});

test('readable names are in kebab case and unique', () => {
  const names = ICONS.map(({ name }) => name);
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

describe.for(ICON_SIZES)('in size %i', (size) => {
  const signs = Array.from(TABLE, (char) => ({ char, glyph: findIconGlyph(char, size) }));

  test('every sign has a picture inside its square, neither blank nor a blot', () => {
    for (const { char, glyph } of signs) {
      const ink = pixelsOf(glyph, size).filter(Boolean).length / (size * size);
      expect(ink, char).toBeGreaterThan(MIN_INK);
      expect(ink, char).toBeLessThan(MAX_INK);
      expect(glyph?.left, char).toBeGreaterThanOrEqual(0);
      expect(glyph?.top, char).toBeGreaterThanOrEqual(0);
      expect((glyph?.left ?? 0) + (glyph?.width ?? 0), char).toBeLessThanOrEqual(size);
      expect((glyph?.top ?? 0) + (glyph?.height ?? 0), char).toBeLessThanOrEqual(size);
    }
  });

  test('every sign nearly fills its square and is centered', () => {
    for (const { char, glyph } of signs) {
      if (glyph === undefined) throw new Error(`No sign ${char}.`);
      expect(Math.max(glyph.width, glyph.height) / size, char).toBeGreaterThan(0.8);
      expect(Math.abs(2 * glyph.left + glyph.width - size) / size, char).toBeLessThan(0.1);
      expect(Math.abs(2 * glyph.top + glyph.height - size) / size, char).toBeLessThan(0.1);
    }
  });

  test('no two signs look alike', () => {
    const pictures = signs.map(({ char, glyph }) => ({ char, pixels: pixelsOf(glyph, size) }));
    const alike = pictures.flatMap((one, place) =>
      pictures
        .slice(place + 1)
        .filter((other) => countDifferent(one.pixels, other.pixels) < MIN_DIFFERENCE * size * size)
        .map((other) => `${one.char} ${other.char}`),
    );
    expect(alike).toEqual([]);
  });

  test('finds no picture for characters that are not signs', () => {
    for (const char of ['W', '?', '~', ' ', '', 'ab', 'é']) expect(findIconGlyph(char, size)).toBeUndefined();
  });
});

test('finds a sign by its wire name, in which only the case of the last character matters', () => {
  expect(findIcon('hazardd')?.name).toBe('no-smoking');
  expect(findIcon('HAZARDd')?.name).toBe('no-smoking');
  expect(findIcon('hazardD')?.name).toBe('crane-lifting');
  expect(findIcon('hazard.')?.name).toBe('hot-surface');
  for (const icon of ICONS) expect(findIcon(iconWireName(icon))).toBe(icon);
});

test('finds a sign by its readable name in any case', () => {
  expect(findIcon('No-Smoking')?.char).toBe('d');
  for (const icon of ICONS) {
    expect(findIcon(icon.name)).toBe(icon);
    expect(findIcon(icon.name.toUpperCase())).toBe(icon);
  }
});

test.for([
  '',
  'hazard',
  'hazard?',
  'hazardW',
  'hazard ',
  'hazarddd',
  ' hazardd',
  'd',
  'no smoking',
  'left',
  'top',
  '__proto__',
])('no sign is called "%s"', (name) => {
  expect(findIcon(name)).toBeUndefined();
});

test('each drawing belongs to a sign, and the sources name it', () => {
  const drawn = readdirSync(DRAWINGS).map((file) => file.replace(/\.svg$/, ''));
  expect(drawn.toSorted()).toEqual(ICONS.map(({ name }) => name).toSorted());
  const sources = readFileSync(join(DRAWINGS, '../SOURCES.md'), 'utf8');
  expect(drawn.filter((name) => !sources.includes(`| \`${name}\` `))).toEqual([]);
});

test('the sheets match the drawings', async () => {
  const built = await packSigns();
  for (const size of ICON_SIZES) {
    const find = openGlyphs(built[size]);
    for (const { char } of ICONS) {
      const difference = countDifferent(pixelsOf(findIconGlyph(char, size), size), pixelsOf(find(char), size));
      // Allow a few pixels, because the canvas may round differently on a different processor.
      expect(difference, `${char} in ${size}: run node tools/signs/build.ts`).toBeLessThanOrEqual(4);
    }
  }
});

test('the licenses of the drawings are next to the sheets', () => {
  const licences = readFileSync(join(shared, 'icons/LICENSES.md'), 'utf8');
  expect(licences).toContain('Permission is hereby granted, free of charge');
});

test('the sheets are small enough to load with a screen', () => {
  const sheets = ICON_SIZES.map((size: IconSize) => statSync(join(shared, `icons/icons${size}.json`)).size);
  expect(sheets.reduce((sum, bytes) => sum + bytes)).toBeLessThan(200_000);
});

function openGlyphs(packed: PackedSheet): (char: string) => Glyph | undefined {
  const sheet = openSheet(packed);
  return (char) => sheet.findGlyph(char.charCodeAt(0));
}
