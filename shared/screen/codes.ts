import { BARCODE_QUIET_MODULES, encodeBarcode } from './barcode.ts';
import { SCREEN_WIDTH } from './content.ts';
import { inset, placeCentred, type BarcodeItem, type DrawnItem, type Rect } from './items.ts';
import { placeNote } from './note.ts';
import { encodeQrcode, QR_MODULES, QR_QUIET_MODULES } from './qrcode.ts';
import { sheetOf, TEXT_SIZES, type TextSize } from './sheets.ts';
import { measureInk, toCodes } from './text.ts';

const STRIP = { x: 6, y: 96, width: SCREEN_WIDTH - 12, height: 30 };
const LARGEST_STRIP_MODULE = 3;
const LARGEST_MODULE = 5;
/** For a barcode that is alone on its screen. */
const LARGEST_CAPTION: TextSize = 32;
const CAPTION_GAP = 6;
const MIN_QR_MODULE = 2;
const LARGEST_QR_MODULE = 3;

/** A barcode in the strip at the bottom. */
export function placeBarcodeStrip(text: string): DrawnItem[] {
  const bars = placeBars(text, STRIP, LARGEST_STRIP_MODULE);
  return bars === undefined ? placeNote('barcode', text, STRIP) : [bars];
}

/** A barcode alone on its screen: high bars, text below. Undefined if the text cannot be a barcode. */
export function placeLargestBarcode(text: string, body: Rect): DrawnItem[] | undefined {
  const codes = toCodes(text);
  const size =
    TEXT_SIZES.find((candidate) => {
      const ink = measureInk(codes, candidate);
      return candidate <= LARGEST_CAPTION && ink.right - ink.left <= body.width;
    }) ?? 15;
  const { capHeight, descent } = sheetOf(size);
  const captionHeight = capHeight + descent;
  const bars = placeBars(text, { ...body, height: body.height - captionHeight - CAPTION_GAP }, LARGEST_MODULE);
  if (bars === undefined) return undefined;
  const caption = { ...body, y: body.y + body.height - captionHeight, height: capHeight };
  return text.trim() === '' ? [bars] : [bars, placeCentred('barcode', codes, size, caption, capHeight)];
}

/** The widest bars that leave a whole quiet zone; otherwise one pixel per module. */
function placeBars(text: string, { y, height }: Rect, largestModule: number): BarcodeItem | undefined {
  const modules = encodeBarcode(text)?.length;
  if (modules === undefined || modules > SCREEN_WIDTH) return undefined;
  const fitting = Math.floor(SCREEN_WIDTH / (modules + 2 * BARCODE_QUIET_MODULES));
  const module = Math.max(1, Math.min(largestModule, fitting));
  const width = modules * module;
  return {
    kind: 'barcode',
    owner: 'barcode',
    text,
    module,
    x: Math.floor((SCREEN_WIDTH - width) / 2),
    y,
    width,
    height,
  };
}

/** A QR code centred in a place, quiet zone included. As a note if it does not fit or cannot be encoded. */
export function placeQrcode(text: string, place: Rect): DrawnItem[] {
  const modules = QR_MODULES + 2 * QR_QUIET_MODULES;
  const module = Math.min(LARGEST_QR_MODULE, Math.floor(Math.min(place.width, place.height) / modules));
  if (module < MIN_QR_MODULE || encodeQrcode(text) === undefined)
    return placeNote('qrcode', text, place.x === 0 || place.y === 0 ? inset(place, 6, 6) : place);
  const side = module * QR_MODULES;
  const x = place.x + Math.round((place.width - side) / 2);
  const y = place.y + Math.round((place.height - side) / 2);
  return [{ kind: 'qrcode', owner: 'qrcode', text, module, x, y, width: side, height: side }];
}
