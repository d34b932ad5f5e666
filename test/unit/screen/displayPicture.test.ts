import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ScreenContent } from '#shared/screen/content.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import { parseDisplayConfig, type DisplayParts } from '../../../electron/server/turbo/openDisplay/displayConfig.ts';
import {
  compressPicture,
  drawDisplayPicture,
  isDrawable,
  sizeOf,
} from '../../../electron/server/turbo/openDisplay/displayPicture.ts';
import { configOf, type FakeDisplayOptions } from '../../helpers/devices/fakeDisplayConfig.ts';

const content: ScreenContent = {
  label: 'A-1',
  lines: ['M8 nut'],
  quantity: 3,
  arrow: null,
  barcode: '',
  qrcode: '',
  icon: '',
};

function partsOf(options: FakeDisplayOptions): DisplayParts {
  const parts = parseDisplayConfig(configOf(options));
  if (parts === undefined) throw new Error('There is no panel.');
  return parts;
}

/** Returns the screen's pixels row by row, true for ink. */
function seen({ width, height }: { width: number; height: number }): boolean[][] {
  const bitmap = drawScreen(content, { firmware: 70, batteryMv: 3_000, size: { width, height } });
  const perRow = (width + 7) >> 3;
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => ((bitmap.bytes[y * perRow + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0),
  );
}

/** Decodes pixels of `bits` bits each, where 0 is black. Returns them row by row, true for ink. */
function shown(pixels: Buffer, width: number, height: number, bits: number): boolean[][] {
  const perRow = Math.ceil((width * bits) / 8);
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => {
      const bit = x * bits;
      return (((pixels[y * perRow + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & ((1 << bits) - 1)) === 0;
    }),
  );
}

/** Rotates the picture counterclockwise by 90°. */
const turnedBack = (rows: boolean[][]): boolean[][] =>
  Array.from({ length: rows[0]?.length ?? 0 }, (_, y) => rows.map((row) => row[row.length - 1 - y] ?? false));

test.each([
  [0, 1, 1],
  [1, 1, 2],
  [2, 1, 2],
  [3, 2, 1],
  [4, 4, 1],
  [6, 4, 1],
  [7, 4, 1],
])('draws color scheme %i with %i bits per pixel and %i planes', (scheme, bits, planes) => {
  const parts = partsOf({ scheme });
  const { pixels } = drawDisplayPicture(content, parts, 3_000);
  const plane = (296 * bits * 128) / 8;
  expect(pixels).toHaveLength(plane * planes);
  expect(shown(pixels, 296, 128, bits)).toEqual(seen({ width: 296, height: 128 }));
  // The display has no second color, so the second plane is empty.
  expect(pixels.subarray(plane).every((byte) => byte === 0)).toBe(true);
});

test('rotates the picture for a rotated panel, in the size of the panel', () => {
  for (const [rotation, quarters] of [
    [1, 1],
    [3, 3],
  ] as const) {
    const parts = partsOf({ width: 168, height: 384, rotation });
    expect(sizeOf(parts)).toEqual({ width: 384, height: 168 });
    let rows = shown(drawDisplayPicture(content, parts, 3_000).pixels, 168, 384, 1);
    for (let turn = 0; turn < quarters; turn += 1) rows = turnedBack(rows);
    expect(rows).toEqual(seen({ width: 384, height: 168 }));
  }
});

test('ends rows with whole bytes, and gives equal pixels equal ids', () => {
  const parts = partsOf({ width: 250, height: 122 });
  const picture = drawDisplayPicture(content, parts, 3_000);
  expect(picture.pixels).toHaveLength(32 * 122);
  expect(drawDisplayPicture({ ...content }, parts, 3_000).id).toBe(picture.id);
  expect(drawDisplayPicture({ ...content, quantity: 4 }, parts, 3_000).id).not.toBe(picture.id);
  expect(drawDisplayPicture(undefined, partsOf({}), 3_000).pixels.every((byte) => byte === 0xff)).toBe(true);
});

test('draws only on panels whose pixel format is documented', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 100].filter((colorScheme) => isDrawable({ colorScheme }))).toEqual([
    0, 1, 2, 3, 4, 6, 7,
  ]);
});

test('compresses a picture so that unpacking needs at most 512 bytes of memory', async () => {
  const { pixels } = drawDisplayPicture(content, partsOf({}), 3_000);
  const packed = await compressPicture(pixels);
  expect((packed.readUInt8(0) >> 4) + 8).toBe(9);
  expect(inflateSync(packed)).toEqual(pixels);
});
