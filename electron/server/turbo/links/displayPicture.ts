import { crc32, deflateSync } from 'node:zlib';
import type { ScreenContent } from '#shared/screen/content.ts';
import type { Bitmap } from '#shared/screen/bits.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import type { ScreenSize } from '#shared/screen/panel.ts';
import type { DisplayParts } from './displayConfig.ts';
import { DRAWING_RULES } from './tagPicture.ts';

/** Bits of a pixel, black and white, and whether a second, empty plane for a color follows. */
type Packing = { bits: 1 | 2 | 4; black: number; white: number; isTwice: boolean };

const ONE_BIT = { bits: 1, black: 0, white: 1, isTwice: false } as const;
const FOUR_BITS = { bits: 4, black: 0, white: 1, isTwice: false } as const;
/** How panels are told black and white, by their color scheme. Four grays and split panels are packed by panel. */
const PACKINGS: Readonly<Record<number, Packing>> = {
  0: ONE_BIT,
  1: { ...ONE_BIT, isTwice: true },
  2: { ...ONE_BIT, isTwice: true },
  3: { bits: 2, black: 0, white: 1, isTwice: false },
  4: FOUR_BITS,
  6: { ...FOUR_BITS, white: 15 },
  7: FOUR_BITS,
};
/** Displays keep 512 bytes of a compressed picture in mind. */
const WINDOW_BITS = 9;

export type DisplayPicture = { id: number; pixels: Buffer };

/** Whether the station can draw on this panel. */
export function isDrawable({ colorScheme }: Pick<DisplayParts, 'colorScheme'>): boolean {
  return colorScheme in PACKINGS;
}

/** The screen as people see it. */
export function sizeOf({ width, height, turns }: DisplayParts): ScreenSize {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** The content as the pixels of the panel; equal pixels have equal ids. Undefined content: all white. */
export function drawDisplayPicture(
  content: ScreenContent | undefined,
  parts: DisplayParts,
  batteryMv: number,
): DisplayPicture {
  const size = sizeOf(parts);
  const blank = { label: '', lines: [], quantity: null, arrow: null, barcode: '', qrcode: '', icon: '' };
  const bitmap = drawScreen(content ?? blank, {
    firmware: DRAWING_RULES,
    batteryMv: batteryMv === 0 || content === undefined ? null : batteryMv,
    size,
  });
  const pixels = pack(bitmap, parts);
  return { id: crc32(pixels), pixels };
}

export function compressPicture(pixels: Uint8Array): Buffer {
  return deflateSync(pixels, { windowBits: WINDOW_BITS });
}

function pack(bitmap: Bitmap, { width, height, turns, colorScheme }: DisplayParts): Buffer {
  const { bits, black, white, isTwice } = PACKINGS[colorScheme] ?? ONE_BIT;
  const perRow = Math.ceil((width * bits) / 8);
  const plane = Buffer.alloc(perRow * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [fromX, fromY] = turned(x, y, { width, height, turns });
      const value = isInk(bitmap, fromX, fromY) ? black : white;
      const bit = x * bits;
      const at = y * perRow + (bit >> 3);
      plane[at] = (plane[at] ?? 0) | (value << (8 - bits - (bit & 7)));
    }
  }
  return isTwice ? Buffer.concat([plane, Buffer.alloc(plane.length)]) : plane;
}

/** Where a pixel of the panel is in the picture, which is turned clockwise onto it. */
function turned(x: number, y: number, { width, height, turns }: Pick<DisplayParts, 'width' | 'height' | 'turns'>) {
  if (turns === 1) return [y, width - 1 - x] as const;
  if (turns === 2) return [width - 1 - x, height - 1 - y] as const;
  return turns === 3 ? ([height - 1 - y, x] as const) : ([x, y] as const);
}

function isInk({ bytes, width }: Bitmap, x: number, y: number): boolean {
  return ((bytes[y * ((width + 7) >> 3) + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0;
}
