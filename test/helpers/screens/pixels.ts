import { PNG } from 'pngjs';

/** The 296 x 128 pixels of a screen as text, row by row with one character each. `#` is ink. */
export type Pixels = string;

const INK = '#'.charCodeAt(0);
const PAPER = '.'.charCodeAt(0);

/** Builds the text from bytes, because concatenating characters takes thirty times the memory. */
function write(count: number, isInk: (pixel: number) => boolean): Pixels {
  const text = Buffer.alloc(count, PAPER);
  for (let pixel = 0; pixel < count; pixel += 1) if (isInk(pixel)) text[pixel] = INK;
  return text.toString('latin1');
}

/** Reads a PNG of a screen with an independent decoder. Throws if the size or the colors are not those of a screen. */
export function pngPixels(png: Uint8Array): Pixels {
  const { width, height, data } = PNG.sync.read(Buffer.from(png));
  if (width !== 296 || height !== 128) throw new Error(`The picture has ${width} x ${height} pixels.`);
  const colors = new Set<number>();
  for (let at = 0; at < data.length; at += 4) colors.add(data.readUInt32BE(at));
  if (colors.size > 2) throw new Error(`The picture has ${colors.size} colors.`);
  return write(width * height, (pixel) => (data[pixel * 4] ?? 0) < 128);
}

/** Reads a bitmap as sent to a device: 37 bytes per row, the most significant bit on the left, 1 for ink. */
export function bitmapPixels(bytes: Uint8Array): Pixels {
  return write(bytes.length * 8, (pixel) => (((bytes[pixel >> 3] ?? 0) >> (7 - (pixel & 7))) & 1) === 1);
}
