import { describe, expect, test } from 'vitest';
import { arrowSpans } from '#shared/screen/arrow.ts';
import { createBitmap, drawGlyph, fillSpan } from '#shared/screen/bits.ts';
import { ARROWS, type Arrow } from '#shared/screen/content.ts';
import { bitmapToRgba, drawScreen, rasterize } from '#shared/screen/raster.ts';
import { sheetOf } from '#shared/screen/sheets.ts';
import { bitmapRows, isInk, screen } from '../../golden/screenHelpers.ts';

const INK = '#';

function rowsOf(arrow: Arrow, width: number, height: number): string[] {
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => '.'));
  for (const [y, start, end] of arrowSpans(arrow, width, height)) {
    // The page draws each run as a rectangle: reversed ends would put ink outside of the box.
    if (start >= end) throw new Error(`${arrow} has an empty run in row ${y}, from ${start} to ${end}.`);
    for (let x = start; x < end; x++) {
      const row = rows[y];
      if (row?.[x] === undefined) throw new Error(`${arrow} leaves its box at ${x}, ${y}.`);
      row[x] = INK;
    }
  }
  return rows.map((row) => row.join(''));
}

const mirrored = (rows: string[]) => rows.map((row) => Array.from(row).toReversed().join(''));
const transposed = (rows: string[]) =>
  Array.from(rows[0] ?? '', (_, column) => rows.map((row) => row[column]).join(''));

describe('the bitmap', () => {
  test('is 128 rows of 37 bytes, with the leftmost pixel in the most significant bit and 1 for black', () => {
    const bitmap = createBitmap();
    fillSpan(bitmap, 1, 3, 17);
    expect(bitmap.bytes).toHaveLength(37 * 128);
    expect(Array.from(bitmap.bytes.slice(36, 41))).toEqual([0, 0b0001_1111, 0xff, 0b1000_0000, 0]);
  });

  test('of an empty screen is white', () => {
    const { bytes } = drawScreen(screen({ label: '' }), { firmware: 70, batteryMv: null });
    expect(bytes.every((byte) => byte === 0)).toBe(true);
  });

  test('is opaque when converted to colors, with the given ink and paper', () => {
    const bitmap = createBitmap();
    fillSpan(bitmap, 0, 1, 2);
    const rgba = bitmapToRgba(bitmap, { ink: [1, 2, 3], paper: [245, 244, 238] });
    expect(rgba).toHaveLength(296 * 128 * 4);
    expect(Array.from(rgba.slice(0, 12))).toEqual([245, 244, 238, 255, 1, 2, 3, 255, 245, 244, 238, 255]);
  });
});

describe('drawing', () => {
  test('clips what is outside on every side, and nothing inside', () => {
    const glyph = sheetOf(64).findGlyph(0x48) ?? sheetOf(64).missing;
    const whole = createBitmap();
    drawGlyph(whole, glyph, 100, 80);
    for (const [dx, dy] of [
      [-125, 0],
      [175, 0],
      [0, -50],
      [0, 60],
      [-500, 0],
      [500, 500],
    ] as const) {
      const moved = createBitmap();
      drawGlyph(moved, glyph, 100 + dx, 80 + dy);
      for (let y = 0; y < 128; y++) {
        for (let x = 0; x < 296; x++) {
          const from = { x: x - dx, y: y - dy };
          const inside = from.x >= 0 && from.x < 296 && from.y >= 0 && from.y < 128;
          if (isInk(moved, x, y) !== (inside && isInk(whole, from.x, from.y)))
            throw new Error(`Differs at ${x}, ${y}.`);
        }
      }
    }
  });

  test('fills spans exactly, with any start and end', () => {
    for (let start = -2; start < 20; start++) {
      for (let end = start - 1; end < 22; end++) {
        const bitmap = createBitmap();
        fillSpan(bitmap, 0, start, end);
        const row = bitmapRows(bitmap)[0] ?? '';
        const expected = Array.from({ length: 296 }, (_, x) => (x >= start && x < end ? INK : '.')).join('');
        expect(row).toBe(expected);
      }
    }
    expect(() => fillSpan(createBitmap(), 128, 0, 400)).not.toThrow();
  });

  test('shows an unknown character as a box', () => {
    const item = {
      kind: 'text',
      owner: 'line1',
      codes: [0x6f22],
      size: 20,
      x: 20,
      y: 20,
      width: 12,
      height: 14,
    } as const;
    const rows = bitmapRows(rasterize({ items: [item] })).slice(20, 34);
    const ink = rows.map((row) => row.slice(20, 32).replaceAll(/^\.+|\.+$/g, ''));
    expect(ink[0]).toMatch(/^#{8,}$/);
    expect(ink.at(-1)).toBe(ink[0]);
    expect(ink[5]).toMatch(/^#+\.+#+$/);
  });
});

describe('arrows', () => {
  test('are mirror images of their opposites', () => {
    expect(rowsOf('left', 100, 96)).toEqual(mirrored(rowsOf('right', 100, 96)));
    expect(rowsOf('top', 96, 97)).toEqual(rowsOf('bottom', 96, 97).toReversed());
    expect(rowsOf('topright', 90, 90)).toEqual(mirrored(rowsOf('topleft', 90, 90)));
    expect(rowsOf('bottomleft', 90, 90)).toEqual(rowsOf('topleft', 90, 90).toReversed());
    expect(rowsOf('bottomright', 90, 90)).toEqual(mirrored(rowsOf('topleft', 90, 90)).toReversed());
  });

  test('are the same after a quarter turn', () => {
    expect(rowsOf('bottom', 96, 140)).toEqual(transposed(rowsOf('right', 140, 96)));
  });

  test('are symmetrical about their shaft', () => {
    expect(rowsOf('right', 100, 96)).toEqual(rowsOf('right', 100, 96).toReversed());
    expect(rowsOf('topleft', 90, 90)).toEqual(transposed(rowsOf('topleft', 90, 90)));
  });

  test.for(ARROWS)('touch the edge that they point to, and stay in their box: %s', (arrow) => {
    for (const [width, height] of [
      [104, 97],
      [96, 32],
      [48, 60],
      [7, 5],
    ] as const) {
      const rows = rowsOf(arrow, width, height);
      if (arrow.includes('left')) expect(rows.some((row) => row.startsWith(INK))).toBe(true);
      if (arrow.includes('right')) expect(rows.some((row) => row.endsWith(INK))).toBe(true);
      if (arrow.includes('top')) expect(rows[0]).toContain(INK);
      if (arrow.includes('bottom')) expect(rows.at(-1)).toContain(INK);
    }
  });
});
