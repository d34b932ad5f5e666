import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { ScreenContent } from '#shared/screen/content.ts';
import type { Bitmap } from '#shared/screen/bits.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import type { ScreenSize } from '#shared/screen/panel.ts';
import type { DisplayParts } from './displayConfig.ts';
import { DRAWING_RULES } from '../controllers/shownContent.ts';

/** Pixel format of a panel: bits per pixel, the value of white, and whether a second, empty color plane follows. */
type Packing = { bits: 1 | 2 | 4; white: number; isTwice: boolean };

const ONE_BIT = { bits: 1, white: 1, isTwice: false } as const;
const FOUR_BITS = { bits: 4, white: 1, isTwice: false } as const;
/** Bits per pixel and the value of white (black is 0), by color scheme. Panels with four grays and split panels have their own packing. */
const PACKINGS: Readonly<Record<number, Packing>> = {
  0: ONE_BIT,
  1: { ...ONE_BIT, isTwice: true },
  2: { ...ONE_BIT, isTwice: true },
  3: { bits: 2, white: 1, isTwice: false },
  4: FOUR_BITS,
  6: { ...FOUR_BITS, white: 15 },
  7: FOUR_BITS,
};
const compress = promisify(deflate);

/** Size of the compression window in bits, because displays decompress with 512 bytes. */
const WINDOW_BITS = 9;

export type DisplayPicture = { id: number; pixels: Buffer };

/** Whether the station can draw on this panel. */
export function isDrawable({ colorScheme }: Pick<DisplayParts, 'colorScheme'>): boolean {
  return colorScheme in PACKINGS;
}

/** Returns the screen size after rotation. */
export function sizeOf({ width, height, turns }: DisplayParts): ScreenSize {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Draws the content in the panel's pixel format. Undefined content is all white. Equal images have equal ids. */
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

export function compressPicture(pixels: Uint8Array): Promise<Buffer> {
  return compress(pixels, { windowBits: WINDOW_BITS });
}

/**
 * Packs a bitmap into the panel's format. Writes only black pixels, which are 0 on every panel, and skips white ones eight at a time,
 * because most of a large screen is white.
 */
function pack({ bytes, width: inkWidth, height: inkHeight }: Bitmap, parts: DisplayParts): Buffer {
  const { bits, white, isTwice } = PACKINGS[parts.colorScheme] ?? ONE_BIT;
  const plane = whitePlane(parts, bits, white);
  const perRow = plane.length / parts.height;
  const inkPerRow = (inkWidth + 7) >> 3;
  const mask = (1 << bits) - 1;
  for (let y = 0; y < inkHeight; y += 1) {
    for (let byte = 0; byte < inkPerRow; byte += 1) {
      const ink = bytes[y * inkPerRow + byte] ?? 0;
      for (let bit = 0; ink << bit !== 0 && bit < 8; bit += 1) {
        if ((ink & (0x80 >> bit)) === 0) continue;
        const [toX, toY] = turned(byte * 8 + bit, y, parts);
        const at = toY * perRow + ((toX * bits) >> 3);
        plane[at] = (plane[at] ?? 0) & ~(mask << (8 - bits - ((toX * bits) & 7)));
      }
    }
  }
  return isTwice ? Buffer.concat([plane, Buffer.alloc(plane.length)]) : plane;
}

/** Creates a white plane. Rows end at whole bytes; the bits after the last pixel are 0. */
function whitePlane({ width, height }: Pick<DisplayParts, 'width' | 'height'>, bits: number, white: number): Buffer {
  const row = Buffer.alloc(Math.ceil((width * bits) / 8));
  for (let bit = 0; bit < width * bits; bit += bits) {
    row[bit >> 3] = (row[bit >> 3] ?? 0) | (white << (8 - bits - (bit & 7)));
  }
  return Buffer.alloc(row.length * height, row);
}

/** Returns where a pixel of the image is on the panel, onto which the image is rotated clockwise. */
function turned(x: number, y: number, { width, height, turns }: Pick<DisplayParts, 'width' | 'height' | 'turns'>) {
  if (turns === 1) return [width - 1 - y, x] as const;
  if (turns === 2) return [width - 1 - x, height - 1 - y] as const;
  return turns === 3 ? ([y, height - 1 - x] as const) : ([x, y] as const);
}
