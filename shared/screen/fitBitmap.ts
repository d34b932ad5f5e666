import { bytesPerRow, createBitmap, fillSpan, type Bitmap } from './bits.ts';
import type { ScreenSize } from './panel.ts';

/** Minimum fraction of ink for which a pixel of a smaller image becomes black. Low enough to keep thin strokes. */
const INK_SHARE = 0.4;

/** Centers an image on a screen of this size and shrinks it if it does not fit. Returns the same object if the size is equal. */
export function fitBitmap(bitmap: Bitmap, size: ScreenSize): Bitmap {
  if (bitmap.width === size.width && bitmap.height === size.height) return bitmap;
  const factor = Math.min(1, size.width / bitmap.width, size.height / bitmap.height);
  const width = Math.floor(bitmap.width * factor);
  const height = Math.floor(bitmap.height * factor);
  const left = Math.floor((size.width - width) / 2);
  const top = Math.floor((size.height - height) / 2);
  const fitted = createBitmap(size);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (inkShare(bitmap, x / factor, y / factor, 1 / factor) >= INK_SHARE)
        fillSpan(fitted, top + y, left + x, left + x + 1);
    }
  }
  return fitted;
}

/** Returns the fraction of a square that is black. The square can cover pixels partly. */
function inkShare(bitmap: Bitmap, x: number, y: number, side: number): number {
  let ink = 0;
  for (let row = Math.floor(y); row < y + side; row++) {
    const down = Math.min(row + 1, y + side) - Math.max(row, y);
    for (let column = Math.floor(x); column < x + side; column++) {
      if (isBlack(bitmap, column, row)) ink += down * (Math.min(column + 1, x + side) - Math.max(column, x));
    }
  }
  return ink / (side * side);
}

function isBlack({ bytes, width }: Bitmap, x: number, y: number): boolean {
  return x < width && (((bytes[y * bytesPerRow(width) + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
}
