import { placeLargestBarcode } from './codes.ts';
import { columnOf, MARGIN, rowsOf, headerRow } from './composition.ts';
import {
  listElements,
  MAX_QUANTITY,
  SCREEN_HEIGHT,
  SCREEN_WIDTH,
  type BoxedName,
  type ScreenContent,
} from './content.ts';
import { placeGraphic, placeWideQuantity } from './graphicArea.ts';
import { isEmpty, placeHeader, placeHeaderBeside, placeHeaderColumns, type Header } from './header.ts';
import type { DrawnItem, Rect } from './items.ts';
import { placeLargest, readLines } from './lines.ts';
import { QR_MODULES, QR_QUIET_MODULES } from './qrcode.ts';

const MAX_LARGE_CHARACTERS = 4;
/** How far a single text may rise into the gap below the header, in pixels. */
const LARGE_TEXT_RISE = 2;
const LARGE_QR_SIDE = 3 * (QR_MODULES + 2 * QR_QUIET_MODULES);
const LARGE_ICON_SIDE = 120;
const LARGE_QUANTITY = { width: 160, height: 118 };
const COLUMN_TOP = 5;
const COLUMN_GAP = 6;

/** Draws the only element of a screen extra large, with the header. Undefined if it cannot be drawn larger. */
export function placeAlone(content: ScreenContent, header: Header): DrawnItem[] | undefined {
  const [name] = listElements(content);
  const rows = rowsOf(false, !isEmpty(header));
  const [left, right] = [MARGIN, SCREEN_WIDTH - MARGIN];
  const body = columnOf(rows, left, right);
  const row = () => placeHeader(header, headerRow(rows, left, right), 1);
  switch (name) {
    case undefined:
      return undefined;
    case 'quantity': {
      const quantity = content.quantity ?? 0;
      if (quantity <= MAX_QUANTITY) return placeInMiddle('quantity', content, header, LARGE_QUANTITY);
      return [...row(), ...placeWideQuantity(quantity, body)];
    }
    case 'arrow':
      return placeLargestArrow(content, header);
    case 'barcode': {
      const items = placeLargestBarcode(content.barcode, body);
      return items === undefined ? undefined : [...row(), ...items];
    }
    case 'qrcode':
      return placeInMiddle('qrcode', content, header, squareOf(LARGE_QR_SIDE));
    case 'icon':
      return placeInMiddle('icon', content, header, squareOf(LARGE_ICON_SIDE));
    default: {
      const line = readLines(content.lines).find(({ codes }) => codes.length > 0);
      if (line === undefined || line.codes.length > MAX_LARGE_CHARACTERS) return undefined;
      const rise = isEmpty(header) ? 0 : LARGE_TEXT_RISE;
      return [...row(), placeLargest(line, { ...body, y: body.y - rise, height: body.height + rise })];
    }
  }
}

/** An arrow over the full height, at the edge that it points to, with the header beside it. */
function placeLargestArrow(content: ScreenContent, header: Header): DrawnItem[] {
  const whole = columnOf(rowsOf(false, false), MARGIN, SCREEN_WIDTH - MARGIN);
  const items = placeGraphic('arrow', content, whole, true);
  return [...items.flatMap((arrow) => placeHeaderAround(header, arrow, whole)), ...items];
}

function placeHeaderAround(header: Header, { x, width }: Rect, whole: Rect): DrawnItem[] {
  const leftWidth = x - whole.x - COLUMN_GAP;
  const rightX = x + width + COLUMN_GAP;
  const left = { ...whole, width: leftWidth };
  const right = { ...whole, x: rightX, width: whole.x + whole.width - rightX };
  if (left.width > 0 && right.width > 0) return placeHeaderColumns(header, left, right);
  return placeHeaderBeside(header, left.width > 0 ? left : right);
}

type Size = { width: number; height: number };

function squareOf(side: number): Size {
  return { width: side, height: side };
}

/** An element that needs the full height goes to the middle, with the header on both sides. */
function placeInMiddle(name: BoxedName, content: ScreenContent, header: Header, size: Size): DrawnItem[] {
  const x = Math.round((SCREEN_WIDTH - size.width) / 2);
  const place = { ...size, x, y: Math.round((SCREEN_HEIGHT - size.height) / 2) };
  const width = x - MARGIN - COLUMN_GAP;
  const column = { y: COLUMN_TOP, width, height: SCREEN_HEIGHT - 2 * COLUMN_TOP };
  const left = { ...column, x: MARGIN };
  const right = { ...column, x: SCREEN_WIDTH - MARGIN - width };
  return [...placeHeaderColumns(header, left, right), ...placeGraphic(name, content, place, true)];
}
