import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { RawGlyph } from '../glyphs/rawGlyph.ts';
import { frameDrawing } from './frames.ts';

const OVERSAMPLING = 4;
/** Fraction of a pixel that must be covered for the pixel to become ink. */
const INK_THRESHOLD = 0.5;
const WHITE = 255;

/** Converts a drawing to 1-bit images in several sizes, which are in pixels. */
export async function rasterizeSign(svg: string, sizes: readonly number[]): Promise<RawGlyph[]> {
  const framed = frameDrawing(svg);
  const pictures: RawGlyph[] = [];
  for (const size of sizes) {
    const fine = size * OVERSAMPLING;
    const sized = framed.replace('width="96" height="96"', `width="${fine}" height="${fine}"`);
    const context = createCanvas(fine, fine).getContext('2d');
    context.fillStyle = 'white';
    context.fillRect(0, 0, fine, fine);
    context.drawImage(await loadImage(Buffer.from(sized)), 0, 0, fine, fine);
    const ink = reduce(context.getImageData(0, 0, fine, fine).data, size);
    const isInk = (x: number, y: number) => (ink[y * size + x] ?? 0) >= INK_THRESHOLD;
    pictures.push({ advance: size, left: 0, top: 0, width: size, height: size, isInk });
  }
  return pictures;
}

/** Returns the fraction of black in each pixel. */
function reduce(rgba: Uint8ClampedArray, size: number): Float64Array {
  const fine = size * OVERSAMPLING;
  const ink = new Float64Array(size * size);
  for (let y = 0; y < fine; y++) {
    for (let x = 0; x < fine; x++) {
      const at = Math.floor(y / OVERSAMPLING) * size + Math.floor(x / OVERSAMPLING);
      ink[at] = (ink[at] ?? 0) + (WHITE - (rgba[(y * fine + x) * 4] ?? WHITE)) / WHITE / OVERSAMPLING ** 2;
    }
  }
  return ink;
}
