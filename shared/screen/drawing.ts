import { arrowSpans } from './arrow.ts';
import { encodeBarcode } from './barcode.ts';
import { createBitmap, drawGlyph, fillSpan, type Bitmap } from './bits.ts';
import type { ScreenContent } from './content.ts';
import { findIconGlyph } from './iconSheets.ts';
import type { BarcodeItem, FrameItem, IconItem, DrawnItem, Layout, QrcodeItem, TextItem } from './items.ts';
import { layout, type LayoutOptions } from './layout.ts';
import { fitBitmap } from './fitBitmap.ts';
import { encodeQrcode, QR_MODULES } from './qrcode.ts';
import { sheetOf } from './sheets.ts';

export type { Bitmap } from './bits.ts';

/** Draws a layout. Produces the same bytes on every machine. Clips at the screen edges. */
export function rasterize(placed: Layout): Bitmap {
  const bitmap = createBitmap(placed.size);
  for (const item of placed.items) drawItem(bitmap, item);
  return bitmap;
}

/**
 * Draws content, which takes a fraction of a millisecond. For a size without its own layout, centers the image of 296 x 128 pixels, shrunk
 * if necessary.
 */
export function drawScreen(content: ScreenContent, options: LayoutOptions): Bitmap {
  const bitmap = rasterize(layout(content, options));
  return options.size === undefined ? bitmap : fitBitmap(bitmap, options.size);
}

function drawItem(bitmap: Bitmap, item: DrawnItem): void {
  switch (item.kind) {
    case 'text':
      return drawText(bitmap, item);
    case 'frame':
      return drawFrame(bitmap, item);
    case 'arrow':
      for (const [y, start, end] of arrowSpans(item.arrow, item.width, item.height)) {
        fillSpan(bitmap, item.y + y, item.x + start, item.x + end);
      }
      return;
    case 'barcode':
      return drawBarcode(bitmap, item);
    case 'qrcode':
      return drawQrcode(bitmap, item);
    case 'icon':
      return drawIcon(bitmap, item);
  }
}

function drawBarcode(bitmap: Bitmap, { text, module, x, y, height }: BarcodeItem): void {
  for (const bar of (encodeBarcode(text) ?? '').matchAll(/1+/g)) {
    const start = x + bar.index * module;
    for (let row = y; row < y + height; row++) fillSpan(bitmap, row, start, start + bar[0].length * module);
  }
}

function drawQrcode(bitmap: Bitmap, { text, module, x, y }: QrcodeItem): void {
  const code = encodeQrcode(text);
  for (let row = 0; row < QR_MODULES; row++) {
    for (let column = 0; column < QR_MODULES; column++) {
      if (code?.isDark(column, row) !== true) continue;
      const start = x + column * module;
      for (let part = 0; part < module; part++) fillSpan(bitmap, y + row * module + part, start, start + module);
    }
  }
}

function drawIcon(bitmap: Bitmap, { char, size, x, y, width, height }: IconItem): void {
  const glyph = findIconGlyph(char, size);
  if (glyph !== undefined) return drawGlyph(bitmap, glyph, x, y);
  // Draw a frame until the icons are loaded, which happens after the letters are loaded.
  drawFrame(bitmap, { x, y, width, height, border: 1 });
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

function drawFrame(bitmap: Bitmap, { x, y, width, height, border }: Omit<FrameItem, 'kind' | 'owner'>): void {
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
