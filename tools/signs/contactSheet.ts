import { createCanvas } from '@napi-rs/canvas';
import type { RawGlyph } from '../glyphs/rawGlyph.ts';

type Row = { name: string; pictures: readonly RawGlyph[] };

const GAP = 12;
const CAPTION = 14;

/** Draws all signs in all sizes. Returns a PNG. `scale` is the width and height of each pixel of a sign. */
export function drawContactSheet(rows: readonly Row[], options: { scale: number; columns: number }): Buffer {
  const { scale, columns } = options;
  const sizes = rows[0]?.pictures.map(({ width }) => width * scale) ?? [];
  const width = sizes.reduce((sum, size) => sum + size + GAP, GAP);
  const height = Math.max(0, ...sizes) + GAP + CAPTION;
  const canvas = createCanvas(width * columns, height * Math.ceil(rows.length / columns));
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = '12px sans-serif';
  for (const [place, { name, pictures }] of rows.entries()) {
    let left = (place % columns) * width + GAP;
    const top = Math.floor(place / columns) * height + CAPTION;
    context.fillStyle = '#00c';
    context.fillText(name, left, top - 3);
    context.fillStyle = '#000';
    for (const picture of pictures) {
      for (let y = 0; y < picture.height; y++) {
        for (let x = 0; x < picture.width; x++) {
          if (picture.isInk(x, y)) context.fillRect(left + x * scale, top + y * scale, scale, scale);
        }
      }
      left += picture.width * scale + GAP;
    }
  }
  return canvas.toBuffer('image/png');
}
