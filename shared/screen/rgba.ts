import { bytesPerRow, type Bitmap } from './bits.ts';

/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Converts a bitmap to opaque pixels of four bytes for a canvas (`new ImageData(rgba, width, height)`). */
export function bitmapToRgba(bitmap: Bitmap, { ink, paper }: { ink: Rgb; paper: Rgb }): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(bitmap.width * bitmap.height * 4);
  // Write whole pixels. The colors are composed through a view of the same type, so the byte order does not matter.
  const pixels = new Uint32Array(rgba.buffer);
  const [inkPixel = 0, paperPixel = 0] = new Uint32Array(new Uint8Array([...ink, 255, ...paper, 255]).buffer);
  const perRow = bytesPerRow(bitmap.width);
  for (let row = 0; row < bitmap.height; row++) {
    let pixel = row * bitmap.width;
    const end = pixel + bitmap.width;
    for (let byte = row * perRow; pixel < end; byte++) {
      const eight = bitmap.bytes[byte] ?? 0;
      for (let mask = 0x80; mask !== 0 && pixel < end; mask >>= 1)
        pixels[pixel++] = (eight & mask) === 0 ? paperPixel : inkPixel;
    }
  }
  return rgba;
}
