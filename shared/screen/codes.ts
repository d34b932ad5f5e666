import { BARCODE_QUIET_MODULES, encodeBarcode } from './barcode.ts';
import { inset, placeCentred, type BarcodeItem, type DrawnItem, type Rect } from './items.ts';
import { placeNote } from './note.ts';
import type { Panel } from './panel.ts';
import { encodeQrcode, QR_MODULES, QR_QUIET_MODULES } from './qrcode.ts';
import { sheetOf, TEXT_SIZES, type TextSize } from './sheets.ts';
import { measureInk, toCodes } from './text.ts';

/** The strip for a barcode at the bottom of the usual screen. */
const STRIP = { margin: 6, fromBottom: 32, height: 30 };
const LARGEST_STRIP_MODULE = 3;
const LARGEST_MODULE = 5;
/** Largest size of the text below a barcode. */
const LARGEST_CAPTION: TextSize = 32;
const CAPTION_GAP = 6;
const MIN_QR_MODULE = 2;

/** Draws a barcode in the strip at the bottom. Draws a text that cannot be encoded as a note. */
export function placeBarcodeStrip(text: string, panel: Panel): DrawnItem[] {
  const { width, height, of } = panel;
  const x = of(STRIP.margin);
  const strip = { x, y: height - of(STRIP.fromBottom), width: width - 2 * x, height: of(STRIP.height) };
  const bars = placeBars(text, strip, LARGEST_STRIP_MODULE, panel);
  return bars === undefined ? placeNote('barcode', text, strip) : [bars];
}

/** Draws a barcode as the only element, with high bars and the text below. Returns undefined if the text cannot be encoded. */
export function placeLargestBarcode(text: string, body: Rect, panel: Panel): DrawnItem[] | undefined {
  const codes = toCodes(text);
  const size =
    TEXT_SIZES.find((candidate) => {
      const ink = measureInk(codes, candidate);
      return candidate <= LARGEST_CAPTION && ink.right - ink.left <= body.width;
    }) ?? 15;
  const { capHeight, descent } = sheetOf(size);
  const captionHeight = capHeight + descent;
  const height = body.height - captionHeight - CAPTION_GAP;
  const bars = placeBars(text, { ...body, height }, LARGEST_MODULE, panel);
  if (bars === undefined) return undefined;
  const caption = { ...body, y: body.y + body.height - captionHeight, height: capHeight };
  return text.trim() === '' ? [bars] : [bars, placeCentred('barcode', codes, size, caption, capHeight)];
}

/**
 * Draws the widest bars that leave a complete quiet zone, or else bars with one pixel per module. Returns undefined if the text is too long
 * or cannot be encoded.
 */
export function placeBars(
  text: string,
  { y, height }: Rect,
  largestModule: number,
  panel: Pick<Panel, 'width'>,
): BarcodeItem | undefined {
  const modules = encodeBarcode(text)?.length;
  if (modules === undefined || modules > panel.width) return undefined;
  const fitting = Math.floor(panel.width / (modules + 2 * BARCODE_QUIET_MODULES));
  const module = Math.max(1, Math.min(largestModule, fitting));
  const width = modules * module;
  return {
    kind: 'barcode',
    owner: 'barcode',
    text,
    module,
    x: Math.floor((panel.width - width) / 2),
    y,
    width,
    height,
  };
}

/** Centers a QR code with its quiet zone in a place. Draws a text that does not fit or cannot be encoded as a note. */
export function placeQrcode(text: string, place: Rect, { largeQrModule }: Panel): DrawnItem[] {
  const modules = QR_MODULES + 2 * QR_QUIET_MODULES;
  const module = Math.min(largeQrModule, Math.floor(Math.min(place.width, place.height) / modules));
  if (module < MIN_QR_MODULE || encodeQrcode(text) === undefined)
    return placeNote('qrcode', text, place.x === 0 || place.y === 0 ? inset(place, 6, 6) : place);
  const side = module * QR_MODULES;
  const x = place.x + Math.round((place.width - side) / 2);
  const y = place.y + Math.round((place.height - side) / 2);
  return [{ kind: 'qrcode', owner: 'qrcode', text, module, x, y, width: side, height: side }];
}
