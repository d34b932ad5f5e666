import {
  boxedElements,
  countElements,
  MAX_QUANTITY,
  SCREEN_HEIGHT,
  SCREEN_WIDTH,
  type BoxedName,
  type ScreenContent,
} from './content.ts';
import { inset, type Rect } from './items.ts';
import { readLines } from './lines.ts';
import { QR_MODULES, QR_QUIET_MODULES } from './qrcode.ts';

/** Where the parts of a screen go, before anything is drawn. */
export type Composition = {
  header: Rect;
  /** Rows of text that fit the header. */
  headerRows: number;
  text: Rect;
  graphics: readonly Placed[];
};

type Placed = readonly [name: BoxedName, place: Rect];

/** Pixels from the top: first row of a body below a header, without a header, and the row after its last. */
type Rows = { top: number; first: number; bottom: number; headerBaseline: number };

/** White on all sides; the bezel covers a little of the edge. */
export const MARGIN = 6;
/** Margin when two graphics stand beside 26 characters. */
const NARROW_MARGIN = 3;
const COLUMN_GAP = 10;
const TEXT_INSET = 2;

const ROOMY: Rows = { headerBaseline: 18, top: 24, first: 5, bottom: 123 };
/** Closer rows above a barcode: four lines with accents and descenders still fit. */
const CLOSE: Rows = { headerBaseline: 15, top: 21, first: 4, bottom: 92 };

/** 26 characters of the smallest size. */
const MIN_TEXT_WIDTH = 156;

/** A QR code with its quiet zone, at two and three pixels per module. */
const QR_SIDE = 2 * (QR_MODULES + 2 * QR_QUIET_MODULES);
/** Top of a QR code with nothing below it. */
const QR_TOP = 4;
const LARGE_QR_SIDE = 3 * (QR_MODULES + 2 * QR_QUIET_MODULES);

/** Layout of a graphic area: a place per graphic, and where the columns of header and text begin. */
type Filling = {
  places: readonly Rect[];
  textX: number;
  /** Set if the graphics reach up beside the header; otherwise the header has the full width. */
  headerX?: number;
  /** Last column of text and header, if not the default. */
  right?: number;
  header?: Rect;
  text?: Rect;
};

type Fill = (rows: Rows) => Filling;

const ONE: Record<BoxedName, { roomy: Fill; close: Fill }> = {
  quantity: { roomy: below(108), close: below(108) },
  arrow: { roomy: below(104), close: below(90) },
  icon: { roomy: below(96), close: below(72) },
  qrcode: { roomy: corner(LARGE_QR_SIDE), close: corner(QR_SIDE) },
};

/** Layouts of two graphics, by their names in order. */
const TWO: Record<string, { roomy: Fill; close: Fill }> = {
  'quantity arrow': { roomy: stacked(104, 34, 4, 'below'), close: sideBySide(84, 34, 4) },
  'quantity icon': { roomy: stacked(104, 62, 3, 'beside', 3), close: sideBySide(83, 44, 3, NARROW_MARGIN) },
  'icon arrow': { roomy: stacked(96, 50, 6, 'beside'), close: sideBySide(62, 52, 5) },
  'qrcode quantity': { roomy: underQrcode(84, 53), close: besideQrcode(57) },
  'qrcode arrow': { roomy: underQrcode(66, 44), close: besideQrcode(46, 6) },
  'qrcode icon': { roomy: underQrcode(66, 44), close: besideQrcode(44, 5) },
};

/** One graphic below the header. */
function below(width: number): Fill {
  return ({ top, bottom }) => ({
    places: [{ x: MARGIN, y: top, width, height: bottom - top }],
    textX: MARGIN + width + COLUMN_GAP,
  });
}

/** A QR code in the corner; its quiet zone serves as margin and gap. */
function corner(side: number): Fill {
  return () => ({ places: [{ x: 0, y: QR_TOP, width: side, height: side }], textX: side + 3, headerX: side + 3 });
}

/** Two graphics stacked, the second with the given height. */
function stacked(
  width: number,
  secondHeight: number,
  gap: number,
  header: 'below' | 'beside',
  edge: number = MARGIN - 1,
): Fill {
  return (rows) => {
    const y = header === 'below' ? rows.top : edge;
    const bottom = header === 'below' ? rows.bottom : SCREEN_HEIGHT - edge;
    const textX = MARGIN + width + COLUMN_GAP;
    const place = { x: MARGIN, width };
    return {
      places: [
        { ...place, y, height: bottom - y - secondHeight - gap },
        { ...place, y: bottom - secondHeight, height: secondHeight },
      ],
      textX,
      ...(header === 'beside' && { headerX: textX }),
    };
  };
}

function sideBySide(firstWidth: number, secondWidth: number, gap: number, margin = MARGIN): Fill {
  return ({ top, bottom }) => {
    const place = { y: top, height: bottom - top };
    const right = SCREEN_WIDTH - margin;
    return {
      places: [
        { ...place, x: margin, width: firstWidth },
        { ...place, x: margin + firstWidth + gap, width: secondWidth },
      ],
      textX: right - MIN_TEXT_WIDTH,
      headerX: margin,
      right,
    };
  };
}

function underQrcode(width: number, height: number): Fill {
  return () => {
    const x = Math.max(QR_SIDE, MARGIN + width) + COLUMN_GAP;
    // A box for 10 mm figures needs all the height below a QR code; smaller ones keep the margin.
    const y = Math.max(QR_SIDE, ROOMY.bottom - height);
    const qrcode = { x: 0, y: 0, width: QR_SIDE, height: QR_SIDE };
    return { places: [qrcode, { x: MARGIN, y, width, height }], textX: x, headerX: x };
  };
}

function besideQrcode(width: number, gap = 1): Fill {
  return () => {
    const x = QR_SIDE + gap;
    const textX = x + width + Math.min(COLUMN_GAP, SCREEN_WIDTH - NARROW_MARGIN - MIN_TEXT_WIDTH - x - width);
    const qrcode = { x: 0, y: QR_TOP, width: QR_SIDE, height: QR_SIDE };
    return {
      places: [qrcode, { x, y: QR_TOP, width, height: QR_SIDE }],
      textX,
      headerX: textX,
      right: Math.max(textX + MIN_TEXT_WIDTH, SCREEN_WIDTH - MARGIN),
    };
  };
}

/** 26 characters do not fit beside a QR code and `99+`: the text goes below the quantity, the header beside it. */
function wideQuantityBesideQrcode({ bottom }: Rows): Filling {
  const right = SCREEN_WIDTH - MARGIN;
  const box = { x: QR_SIDE + 4, y: 1, width: 84, height: 53 };
  const headerX = box.x + box.width + 8;
  return {
    places: [{ x: 0, y: QR_TOP, width: QR_SIDE, height: QR_SIDE }, box],
    textX: QR_SIDE + 4,
    header: { x: headerX, y: 0, width: right - headerX, height: 15 },
    text: { x: box.x, y: box.y + box.height + 2, width: right - box.x, height: bottom + 1 - box.y - box.height - 2 },
  };
}

/** Composes a screen with several elements, or one for a firmware that draws none extra large. */
export function compose(
  content: ScreenContent,
  { hasHeader, toCorner }: { hasHeader: boolean; toCorner: boolean },
): Composition {
  const isClose = content.barcode !== '';
  const rows = rowsOf(isClose, hasHeader);
  const names = inOrder(boxedElements(content));
  const isWide = content.quantity !== null && content.quantity > MAX_QUANTITY;
  const filling =
    isWide && isClose && names.join(' ') === 'qrcode quantity'
      ? wideQuantityBesideQrcode(rows)
      : fillingOf(names, isClose || isLoneQrcode(content), rows);
  const right = filling.right ?? SCREEN_WIDTH - MARGIN;
  const headerX = filling.headerX ?? MARGIN;
  const {
    header = headerRow(rows, headerX, right),
    text = textColumn(columnOf(rows, filling.textX, right), isClose, readLines(content.lines).length),
  } = filling;
  const places = toCorner ? towardsArrow(names, filling.places, content.arrow) : filling.places;
  const graphics = names.flatMap((name, index): Placed[] => {
    const place = places[index];
    return place === undefined ? [] : [[name, place]];
  });
  const composition = { header, headerRows: filling.header === undefined ? 1 : 3, text, graphics };
  return toCorner && content.arrow?.endsWith('right') === true ? mirror(composition) : composition;
}

/** Rows of a body, above a barcode or not, below a header or not. */
export function rowsOf(isClose: boolean, hasHeader: boolean): Rows {
  const rows = isClose ? CLOSE : ROOMY;
  return hasHeader ? rows : { ...rows, top: rows.first };
}

/** One header row between two columns; its capitals stand on the lower edge. */
export function headerRow({ headerBaseline }: Rows, x: number, right: number): Rect {
  return { x, y: 0, width: right - x, height: headerBaseline };
}

/** Everything below the header between two columns. */
export function columnOf({ top, bottom }: Rows, x: number, right: number): Rect {
  return { x, y: top, width: right - x, height: bottom - top };
}

// Text needs white to header and bars; but three lines above a barcode need every row.
function textColumn(column: Rect, isClose: boolean, lineCount: number): Rect {
  return inset(column, 0, isClose && lineCount >= 3 ? -1 : TEXT_INSET);
}

/** A single QR code without the extra large way: kept as small as in other layouts. */
function isLoneQrcode(content: ScreenContent): boolean {
  return content.qrcode !== '' && countElements(content) === 1;
}

// A QR code keeps its corner. The arrow comes last since it can have any size.
const ORDER: readonly BoxedName[] = ['qrcode', 'quantity', 'icon', 'arrow'];

function inOrder(names: readonly BoxedName[]): BoxedName[] {
  return ORDER.filter((name) => names.includes(name));
}

function fillingOf(names: readonly BoxedName[], isClose: boolean, rows: Rows): Filling {
  const [first] = names;
  const fills = names.length === 1 && first !== undefined ? ONE[first] : TWO[names.join(' ')];
  if (fills !== undefined) return (isClose ? fills.close : fills.roomy)(rows);
  return names.length === 0 ? { places: [], textX: MARGIN } : crowd(names.length, rows);
}

/** More elements than a screen is made for: each graphic gets a small place. */
function crowd(count: number, { top, bottom }: Rows): Filling {
  const [width, gap] = [58, 4];
  const rowCount = Math.ceil(count / 2);
  const height = Math.floor((bottom - top - (rowCount - 1) * gap) / rowCount);
  const places = Array.from({ length: count }, (_, index) => ({
    x: MARGIN + (index % 2) * (width + gap),
    y: top + Math.floor(index / 2) * (height + gap),
    width,
    height,
  }));
  return { places, textX: MARGIN + 2 * width + gap + COLUMN_GAP };
}

/** Swaps an arrow that points up or left with the graphic above or before it. */
function towardsArrow(
  names: readonly BoxedName[],
  places: readonly Rect[],
  arrow: ScreenContent['arrow'],
): readonly Rect[] {
  const [first, second] = places;
  if (names[1] !== 'arrow' || names.length > 2 || arrow === null || first === undefined || second === undefined)
    return places;
  const isStacked = second.y >= first.y + first.height;
  // Screens with arrows to the right are mirrored as a whole.
  const pointsToFirst = isStacked ? arrow.startsWith('top') : /left$|right$/.test(arrow);
  if (!pointsToFirst) return places;
  return isStacked
    ? [
        { ...first, y: second.y + second.height - first.height },
        { ...second, y: Math.max(first.y, ROOMY.first) },
      ]
    : [
        { ...first, x: second.x + second.width - first.width },
        { ...second, x: Math.max(first.x, MARGIN) },
      ];
}

function mirror({ header, headerRows, text, graphics }: Composition): Composition {
  return {
    header: flip(header),
    headerRows,
    text: flip(text),
    graphics: graphics.map(([name, place]) => [name, flip(place)] as const),
  };
}

function flip(place: Rect): Rect {
  return { ...place, x: SCREEN_WIDTH - place.x - place.width };
}
