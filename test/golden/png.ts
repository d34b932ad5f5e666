import { createCanvas, loadImage } from '@napi-rs/canvas';
import { readFileSync } from 'node:fs';
import { bitmapToRgba, type Bitmap } from '#shared/screen/raster.ts';

const BLACK_ON_WHITE = { ink: [0, 0, 0], paper: [255, 255, 255] } as const;

/** Encodes a screen as a PNG file. */
export function encodePng(bitmap: Bitmap): Buffer {
  const canvas = createCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(bitmap.width, bitmap.height);
  image.data.set(bitmapToRgba(bitmap, BLACK_ON_WHITE));
  context.putImageData(image, 0, 0);
  return canvas.toBuffer('image/png');
}

/** Reads a PNG file as rows of `#` and `.`, so that a failed test shows the difference. Throws if the file does not exist. */
export async function readPngRows(path: string): Promise<string[]> {
  const image = await loadImage(readFileSync(path));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return Array.from({ length: image.height }, (_, y) =>
    Array.from({ length: image.width }, (__, x) => ((data[(y * image.width + x) * 4] ?? 0) < 128 ? '#' : '.')).join(''),
  );
}
