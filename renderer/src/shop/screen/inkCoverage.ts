import { bytesPerRow } from '#shared/screen/bits.ts';
import type { Bitmap, Rgb } from '#shared/screen/drawing.ts';

/** Scales a bitmap to `width` x `height` pixels. Returns the mean ink in the area of each target pixel, from 0 to 1, row by row. */
export function inkCoverage(bitmap: Bitmap, width: number, height: number): Float32Array {
  const coverage = new Float32Array(width * height);
  const perRow = bytesPerRow(bitmap.width);
  /** Number of black pixels to the left of each position. */
  const inkBefore = new Float64Array(bitmap.width + 1);
  const narrow = new Float64Array(width);
  for (let row = 0; row < bitmap.height; row += 1) {
    const bytes = bitmap.bytes.subarray(row * perRow, (row + 1) * perRow);
    // Skip white rows, which are the majority.
    if (bytes.every((byte) => byte === 0)) continue;
    countInk(bytes, inkBefore);
    meanInk(inkBefore, narrow);
    addRow(coverage, narrow, row, bitmap.height / height);
  }
  return coverage;
}

function countInk(bytes: Uint8Array, inkBefore: Float64Array): void {
  let count = 0;
  let pixel = 0;
  for (const byte of bytes) {
    for (let mask = 0x80; mask !== 0; mask >>= 1) {
      if ((byte & mask) !== 0) count += 1;
      pixel += 1;
      inkBefore[pixel] = count;
    }
  }
}

/** Writes the mean ink of a row to `narrow`, for the width of each target pixel. */
function meanInk(inkBefore: Float64Array, narrow: Float64Array): void {
  const ratio = (inkBefore.length - 1) / narrow.length;
  let before = 0;
  for (let x = 0; x < narrow.length; x += 1) {
    const end = (x + 1) * ratio;
    const whole = Math.floor(end);
    const left = inkBefore[whole] ?? 0;
    const part = end - whole;
    const ink = part === 0 ? left : left + part * ((inkBefore[whole + 1] ?? left) - left);
    narrow[x] = (ink - before) / ratio;
    before = ink;
  }
}

/** Adds a row of the bitmap to the target rows that it overlaps. `ratio` is the number of bitmap rows per target row. */
function addRow(coverage: Float32Array, narrow: Float64Array, row: number, ratio: number): void {
  const width = narrow.length;
  const last = Math.min(coverage.length / width, Math.ceil((row + 1) / ratio));
  for (let y = Math.floor(row / ratio); y < last; y += 1) {
    const share = (Math.min(row + 1, (y + 1) * ratio) - Math.max(row, y * ratio)) / ratio;
    if (share <= 0) continue;
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      coverage[at] = (coverage[at] ?? 0) + share * (narrow[x] ?? 0);
    }
  }
}

/** Converts coverage to opaque RGBA pixels, whose colors are between those of paper and ink. */
export function coverageToRgba(
  coverage: Float32Array,
  { ink, paper }: { ink: Rgb; paper: Rgb },
): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(coverage.length * 4);
  // Fill whole pixels. The byte order does not matter, because the color is read through an array of the same type.
  const [paperPixel = 0] = new Uint32Array(new Uint8Array([...paper, 255]).buffer);
  new Uint32Array(rgba.buffer).fill(paperPixel);
  const [red, green, blue] = [ink[0] - paper[0], ink[1] - paper[1], ink[2] - paper[2]];
  for (let pixel = 0; pixel < coverage.length; pixel += 1) {
    const covered = coverage[pixel] ?? 0;
    if (covered === 0) continue;
    rgba[pixel * 4] = paper[0] + covered * red;
    rgba[pixel * 4 + 1] = paper[1] + covered * green;
    rgba[pixel * 4 + 2] = paper[2] + covered * blue;
  }
  return rgba;
}
