import type { Bitmap, Rgb } from '#shared/screen/drawing.ts';

/**
 * How much ink each pixel of a smaller (or larger) picture covers: the mean over its area, 0 to 1, row by row.
 * `width` and `height` are that picture's, in pixels.
 */
export function inkCoverage(bitmap: Bitmap, width: number, height: number): Float32Array {
  const columns = sharesOf(bitmap.width, width);
  const rows = sharesOf(bitmap.height, height);
  const ink = readInk(bitmap);
  const narrow = new Float32Array(width * bitmap.height);
  for (let y = 0; y < bitmap.height; y += 1) {
    for (let x = 0; x < width; x += 1) narrow[y * width + x] = mean(columns, x, ink, y * bitmap.width, 1);
  }
  const coverage = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) coverage[y * width + x] = mean(rows, y, narrow, x, width);
  }
  return coverage;
}

/** Coverage as opaque RGBA between the two colours. */
export function coverageToRgba(
  coverage: Float32Array,
  colors: { ink: Rgb; paper: Rgb },
): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(coverage.length * 4);
  for (let pixel = 0; pixel < coverage.length; pixel += 1) {
    const covered = coverage[pixel] ?? 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const paper = colors.paper[channel] ?? 0;
      rgba[pixel * 4 + channel] = paper + covered * ((colors.ink[channel] ?? 0) - paper);
    }
    rgba[pixel * 4 + 3] = 255;
  }
  return rgba;
}

/** For each target pixel along one axis: its first source pixel and the weights of that and the following ones. */
type Shares = { first: Int32Array; weights: Float32Array; most: number };

function sharesOf(source: number, target: number): Shares {
  const ratio = source / target;
  const most = Math.ceil(ratio) + 1;
  const first = new Int32Array(target);
  const weights = new Float32Array(target * most);
  for (let index = 0; index < target; index += 1) {
    const start = index * ratio;
    const end = Math.min(source, start + ratio);
    const from = Math.floor(start);
    first[index] = from;
    for (let step = 0; step < most && from + step < end; step += 1) {
      weights[index * most + step] = (Math.min(end, from + step + 1) - Math.max(start, from + step)) / ratio;
    }
  }
  return { first, weights, most };
}

function mean(shares: Shares, index: number, values: Float32Array, offset: number, stride: number): number {
  const from = shares.first[index] ?? 0;
  let sum = 0;
  for (let step = 0; step < shares.most; step += 1) {
    const weight = shares.weights[index * shares.most + step] ?? 0;
    if (weight > 0) sum += weight * (values[offset + (from + step) * stride] ?? 0);
  }
  return sum;
}

function readInk({ width, height, bytes }: Bitmap): Float32Array {
  const ink = new Float32Array(width * height);
  for (let pixel = 0; pixel < ink.length; pixel += 1) {
    ink[pixel] = ((bytes[pixel >> 3] ?? 0) >> (7 - (pixel & 7))) & 1;
  }
  return ink;
}
