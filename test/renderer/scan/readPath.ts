import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// By default, the library would download the reader from the Internet.
const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } });

const HEIGHT = 40;
const PIXELS = 2;

/** Reads a barcode from its path (bars such as `M10 0h2v1h-2z`) with an independent reader. */
export async function readPath(path: string, modules: number): Promise<{ text: string; symbology: string }> {
  const [width, height] = [modules * PIXELS, HEIGHT];
  const row = new Uint32Array(width).fill(0xffffffff);
  for (const [, from = '', length = ''] of path.matchAll(/M(\d+) 0h(\d+)/g)) {
    row.fill(0xff000000, Number(from) * PIXELS, (Number(from) + Number(length)) * PIXELS);
  }
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) pixels.set(row, y * width);
  const picture = { data: new Uint8ClampedArray(pixels.buffer), width, height, colorSpace: 'srgb' as const };
  const [found] = await readBarcodes(picture, { textMode: 'Plain' });
  return { text: found?.text ?? '', symbology: found?.symbologyIdentifier ?? '' };
}
