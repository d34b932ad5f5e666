import { arrowSpans } from './arrow.ts';
import { createBitmap, drawGlyph, fillSpan, type Bitmap } from './bits.ts';
import type { ScreenContent } from './content.ts';
import type { FrameItem, Item, Layout, TextItem } from './items.ts';
import { layout, type LayoutOptions } from './layout.ts';
import { sheetOf } from './sheets.ts';

export type { Bitmap } from './bits.ts';

/** Draws a layout. Pure: the same layout gives the same bytes on every machine. What is outside the screen is lost. */
export function rasterise(placed: Layout): Bitmap {
  const bitmap = createBitmap();
  for (const item of placed.items) drawItem(bitmap, item);
  return bitmap;
}

/** From content to pixels, in a fraction of a millisecond. */
export function drawScreen(content: ScreenContent, options: LayoutOptions): Bitmap {
  return rasterise(layout(content, options));
}

function drawItem(bitmap: Bitmap, item: Item): void {
  switch (item.kind) {
    case 'text':
      return drawText(bitmap, item);
    case 'frame':
      return drawFrame(bitmap, item);
    case 'arrow':
      for (const [y, start, end] of arrowSpans(item.arrow, item.width, item.height)) {
        fillSpan(bitmap, item.y + y, item.x + start, item.x + end);
      }
  }
}

function drawText(bitmap: Bitmap, { codes, size, x, y, height }: TextItem): void {
  const sheet = sheetOf(size);
  let pen = x;
  for (const code of codes) {
    const glyph = sheet.findGlyph(code) ?? sheet.missing;
    drawGlyph(bitmap, glyph, pen, y + height);
    pen += glyph.advance;
  }
}

function drawFrame(bitmap: Bitmap, { x, y, width, height, border }: FrameItem): void {
  const [right, bottom] = [x + width, y + height];
  for (let row = y; row < bottom; row++) {
    if (row < y + border || row >= bottom - border) {
      fillSpan(bitmap, row, x, right);
    } else {
      fillSpan(bitmap, row, x, x + border);
      fillSpan(bitmap, row, right - border, right);
    }
  }
}
export { bitmapToRgba, type Rgb } from './rgba.ts';
