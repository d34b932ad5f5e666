import { placeLargestBarcode } from './codes.ts';
import { columnOf, MARGIN, rowsOf, headerRow } from './composition.ts';
import { listElements, MAX_QUANTITY, type BoxedName, type ScreenContent } from './content.ts';
import { placeGraphic, placeWideQuantity } from './graphicArea.ts';
import { isEmpty, placeHeader, placeHeaderBeside, placeHeaderColumns, type Header } from './header.ts';
import type { DrawnItem, Rect } from './items.ts';
import { placeLargest, readLines } from './lines.ts';

const MAX_LARGE_CHARACTERS = 4;
/** Number of pixels by which a single text can extend up into the gap below the header. */
const LARGE_TEXT_RISE = 2;
const LARGE_ICON_SIDE = 120;
const LARGE_QUANTITY = { width: 160, height: 118 };
const COLUMN_TOP = 5;
const COLUMN_GAP = 6;

/** Draws the only element of a screen extra large, with the header. Returns undefined if the element cannot be drawn larger. */
export function placeAlone(content: ScreenContent, header: Header): DrawnItem[] | undefined {
  const [name] = listElements(content);
  const { panel } = header;
  const { of } = panel;
  const rows = rowsOf(panel, false, !isEmpty(header));
  const [left, right] = [of(MARGIN), panel.width - of(MARGIN)];
  const body = columnOf(rows, left, right);
  const row = () => placeHeader(header, headerRow(rows, left, right), 1);
  switch (name) {
    case undefined:
      return undefined;
    case 'quantity': {
      const quantity = content.quantity ?? 0;
      if (quantity <= MAX_QUANTITY) {
        const { width, height } = LARGE_QUANTITY;
        return placeInMiddle('quantity', content, header, { width: of(width), height: of(height) });
      }
      return [...row(), ...placeWideQuantity(quantity, body, panel)];
    }
    case 'arrow':
      return placeLargestArrow(content, header);
    case 'barcode': {
      const items = placeLargestBarcode(content.barcode, body, panel);
      return items === undefined ? undefined : [...row(), ...items];
    }
    case 'qrcode':
      return placeInMiddle('qrcode', content, header, squareOf(panel.largeQrSide));
    case 'icon':
      return placeInMiddle('icon', content, header, squareOf(of(LARGE_ICON_SIDE)));
    default: {
      const line = readLines(content.lines).find(({ codes }) => codes.length > 0);
      if (line === undefined || line.codes.length > MAX_LARGE_CHARACTERS) return undefined;
      const rise = isEmpty(header) ? 0 : LARGE_TEXT_RISE;
      return [...row(), placeLargest(line, { ...body, y: body.y - rise, height: body.height + rise })];
    }
  }
}

/** Draws an arrow at full height at the edge to which it points, and the header next to it. */
function placeLargestArrow(content: ScreenContent, header: Header): DrawnItem[] {
  const { panel } = header;
  const margin = panel.of(MARGIN);
  const whole = columnOf(rowsOf(panel, false, false), margin, panel.width - margin);
  const items = placeGraphic('arrow', content, whole, { toCorner: true, panel });
  return [...items.flatMap((arrow) => placeHeaderAround(header, arrow, whole)), ...items];
}

function placeHeaderAround(header: Header, { x, width }: Rect, whole: Rect): DrawnItem[] {
  const gap = header.panel.of(COLUMN_GAP);
  const leftWidth = x - whole.x - gap;
  const rightX = x + width + gap;
  const left = { ...whole, width: leftWidth };
  const right = { ...whole, x: rightX, width: whole.x + whole.width - rightX };
  if (left.width > 0 && right.width > 0) return placeHeaderColumns(header, left, right);
  return placeHeaderBeside(header, left.width > 0 ? left : right);
}

type Size = { width: number; height: number };

function squareOf(side: number): Size {
  return { width: side, height: side };
}

/** Draws an element at full height in the middle, and the header on both sides. */
function placeInMiddle(name: BoxedName, content: ScreenContent, header: Header, size: Size): DrawnItem[] {
  const { panel } = header;
  const margin = panel.of(MARGIN);
  const top = panel.of(COLUMN_TOP);
  const x = Math.round((panel.width - size.width) / 2);
  const place = { ...size, x, y: Math.round((panel.height - size.height) / 2) };
  const width = x - margin - panel.of(COLUMN_GAP);
  const column = { y: top, width, height: panel.height - 2 * top };
  const left = { ...column, x: margin };
  const right = { ...column, x: panel.width - margin - width };
  return [...placeHeaderColumns(header, left, right), ...placeGraphic(name, content, place, { toCorner: true, panel })];
}
