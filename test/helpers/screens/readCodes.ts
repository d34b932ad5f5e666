import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { bitmapToRgba } from '#shared/screen/rgba.ts';
import type { Bitmap } from '#shared/screen/bits.ts';

/** A code found by an independent reader. Its corners are in pixels from the top left. */
export type ReadCode = {
  format: 'Code128' | 'QRCode';
  text: string;
  /** Error correction level of a QR code. Empty for a barcode. */
  level: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
};

// By default the package would download its reader from the Internet.
const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } });

/** Enlargement factor of the pixels, because the reader needs modules of more than one pixel. */
const PIXELS_A_PIXEL = 2;

/** Reader options for screens, which are upright and black on white. Searching for other forms takes three times as long. */
const UPRIGHT = { tryRotate: false, tryInvert: false, tryDenoise: false, tryDownscale: false };

/** Reads every code on a screen from its pixels, with a library other than the one that drew the codes. */
export async function readCodes(bitmap: Bitmap): Promise<ReadCode[]> {
  const found = await readBarcodes(enlarge(bitmap), { textMode: 'Plain', formats: ['Code128', 'QRCode'], ...UPRIGHT });
  return found.map(({ format, text, ecLevel, position, isMirrored }): ReadCode => {
    if (format !== 'Code128' && format !== 'QRCode')
      throw new Error(`The reader found a code of another kind: ${format}`);
    // This reader also accepts mirrored codes, unlike others.
    if (isMirrored) throw new Error(`The code of "${text}" is drawn as in a mirror.`);
    const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight];
    const across = corners.map(({ x }) => x / PIXELS_A_PIXEL);
    const down = corners.map(({ y }) => y / PIXELS_A_PIXEL);
    return {
      format,
      text,
      level: ecLevel,
      left: Math.min(...across),
      top: Math.min(...down),
      right: Math.max(...across),
      bottom: Math.max(...down),
    };
  });
}

/** Reads the texts of all barcodes and QR codes in a PNG of a screen or of paper. */
export async function readPicture(png: Uint8Array): Promise<string[]> {
  const found = await readBarcodes(png, {
    textMode: 'Plain',
    formats: ['Code128', 'QRCode'],
    ...UPRIGHT,
    maxNumberOfSymbols: 255,
  });
  return found.map(({ text }) => text);
}

type Picture = { data: Uint8ClampedArray; width: number; height: number; colorSpace: 'srgb' };

function enlarge(bitmap: Bitmap): Picture {
  const small = new Uint32Array(bitmapToRgba(bitmap, { ink: [0, 0, 0], paper: [255, 255, 255] }).buffer);
  const [width, height] = [bitmap.width * PIXELS_A_PIXEL, bitmap.height * PIXELS_A_PIXEL];
  const large = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = Math.floor(y / PIXELS_A_PIXEL) * bitmap.width + Math.floor(x / PIXELS_A_PIXEL);
      large[y * width + x] = small[from] ?? 0;
    }
  }
  return { data: new Uint8ClampedArray(large.buffer), width, height, colorSpace: 'srgb' };
}
