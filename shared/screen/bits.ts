import { SCREEN_HEIGHT, SCREEN_WIDTH } from './content.ts';
import type { ScreenSize } from './panel.ts';
import type { Glyph } from './sheet.ts';

/**
 * The pixels of a screen, row by row in whole bytes (37 per row on the usual screen). The most significant bit is the leftmost pixel; 1 is
 * black. Bits beyond the width are ignored.
 */
export type Bitmap = ScreenSize & { bytes: Uint8Array };

export function bytesPerRow(width: number): number {
  return (width + 7) >> 3;
}

/** Creates a white screen. */
export function createBitmap({ width, height }: ScreenSize = { width: SCREEN_WIDTH, height: SCREEN_HEIGHT }): Bitmap {
  return { width, height, bytes: new Uint8Array(bytesPerRow(width) * height) };
}

/** Draws a glyph over existing ink, with its pen position at `x` on the baseline `y`. Clips at the screen edges. */
export function drawGlyph(bitmap: Bitmap, glyph: Glyph, x: number, y: number): void {
  const { bytes } = bitmap;
  const perRow = bytesPerRow(bitmap.width);
  const { bits, stride, height } = glyph;
  const left = x + glyph.left;
  const top = y + glyph.top;
  const shift = left & 7;
  const firstByte = left >> 3;
  for (let row = Math.max(0, -top); row < height && top + row < bitmap.height; row++) {
    const rowAt = (top + row) * perRow;
    for (let column = 0; column < stride; column++) {
      const eight = bits[row * stride + column] ?? 0;
      if (eight === 0) continue;
      const byte = firstByte + column;
      if (byte >= 0 && byte < perRow) or(bytes, rowAt + byte, eight >> shift);
      if (shift !== 0 && byte >= -1 && byte < perRow - 1) or(bytes, rowAt + byte + 1, (eight << (8 - shift)) & 0xff);
    }
  }
}

/** Blackens the pixels of row `y` from `start` (inclusive) to `end` (exclusive). Clips at the screen edges. */
export function fillSpan(bitmap: Bitmap, y: number, start: number, end: number): void {
  const from = Math.max(0, start);
  const to = Math.min(bitmap.width, end);
  if (y < 0 || y >= bitmap.height || from >= to) return;
  const { bytes } = bitmap;
  const rowAt = y * bytesPerRow(bitmap.width);
  const firstByte = from >> 3;
  const lastByte = (to - 1) >> 3;
  const firstMask = 0xff >> (from & 7);
  const lastMask = (0xff << (7 - ((to - 1) & 7))) & 0xff;
  if (firstByte === lastByte) {
    or(bytes, rowAt + firstByte, firstMask & lastMask);
    return;
  }
  or(bytes, rowAt + firstByte, firstMask);
  bytes.fill(0xff, rowAt + firstByte + 1, rowAt + lastByte);
  or(bytes, rowAt + lastByte, lastMask);
}

function or(bytes: Uint8Array, index: number, bits: number): void {
  bytes[index] = (bytes[index] ?? 0) | bits;
}
