import { SCREEN_HEIGHT, SCREEN_WIDTH } from './content.ts';
import type { Glyph } from './sheet.ts';

/** Pixels of a screen: row-major, 37 bytes per row, the most significant bit is the leftmost pixel, 1 = black. */
export type Bitmap = { width: 296; height: 128; bytes: Uint8Array };

export const BYTES_PER_ROW = SCREEN_WIDTH / 8;

/** A white screen. */
export function createBitmap(): Bitmap {
  return { width: SCREEN_WIDTH, height: SCREEN_HEIGHT, bytes: new Uint8Array(BYTES_PER_ROW * SCREEN_HEIGHT) };
}

/** Draws a glyph over existing ink, with its pen at `x` on the baseline `y`. Clips at the screen. */
export function drawGlyph(bitmap: Bitmap, glyph: Glyph, x: number, y: number): void {
  const { bytes } = bitmap;
  const { bits, stride, height } = glyph;
  const left = x + glyph.left;
  const top = y + glyph.top;
  const shift = left & 7;
  const firstByte = left >> 3;
  for (let row = Math.max(0, -top); row < height && top + row < SCREEN_HEIGHT; row++) {
    const rowAt = (top + row) * BYTES_PER_ROW;
    for (let column = 0; column < stride; column++) {
      const eight = bits[row * stride + column] ?? 0;
      if (eight === 0) continue;
      const byte = firstByte + column;
      if (byte >= 0 && byte < BYTES_PER_ROW) or(bytes, rowAt + byte, eight >> shift);
      if (shift !== 0 && byte >= -1 && byte < BYTES_PER_ROW - 1)
        or(bytes, rowAt + byte + 1, (eight << (8 - shift)) & 0xff);
    }
  }
}

/** Fills the pixels from `start` up to, not including, `end` of row `y`. Clips at the screen. */
export function fillSpan(bitmap: Bitmap, y: number, start: number, end: number): void {
  const from = Math.max(0, start);
  const to = Math.min(SCREEN_WIDTH, end);
  if (y < 0 || y >= SCREEN_HEIGHT || from >= to) return;
  const { bytes } = bitmap;
  const rowAt = y * BYTES_PER_ROW;
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
