import { boxedElements, countElements, MAX_QUANTITY, type BoxedName, type ScreenContent } from './content.ts';
import { inset, type Rect } from './items.ts';
import { readLines } from './lines.ts';
import type { Panel } from './panel.ts';

/** Where the header, the lines and the graphics of a screen go. */
export type Composition = {
  header: Rect;
  /** Maximum number of rows for the label. */
  headerRows: number;
  text: Rect;
  graphics: readonly Placed[];
};

type Placed = readonly [name: BoxedName, place: Rect];

/** Vertical positions in pixels from the top. `top` is the first row of the body, and `bottom` is the row below the last one. */
type Rows = { panel: Panel; top: number; bottom: number; headerBaseline: number };

/** White margin on the usual screen. The bezel covers a little of the edge. */
export const MARGIN = 6;
/** Margin on a screen with two graphics next to a line of 26 characters. */
const NARROW_MARGIN = 3;
const COLUMN_GAP = 10;
const TEXT_INSET = 2;

/**
 * Lengths in pixels on the usual screen. `top` and `first` are the top of the body with and without a header. `fromBottom` is the height
 * below the body.
 */
const ROOMY = { headerBaseline: 18, top: 24, first: 5, fromBottom: 5 };
/** Like `ROOMY`, but with a barcode at the bottom: tighter spacing, so that four lines with accents and descenders fit above it. */
const CLOSE = { headerBaseline: 15, top: 21, first: 4, fromBottom: 36 };

/** Minimum width of the text, in which 26 characters fit in the smallest size. */
const MIN_TEXT_WIDTH = 156;

/** Top of a QR code that has nothing below it. */
const QR_TOP = 4;

/** Layout of the graphics: a place for each graphic, and the left edges of the header and the text. */
type Filling = {
  places: readonly Rect[];
  textX: number;
  /** Left edge of the header. The margin by default. */
  headerX?: number;
  /** Right edge of the text and the header. The margin by default. */
  right?: number;
  header?: Rect;
  text?: Rect;
};

type Fill = (rows: Rows) => Filling;

// Lengths in the following tables are pixels on the usual screen.
const ONE: Record<BoxedName, { roomy: Fill; close: Fill }> = {
  quantity: { roomy: below(108), close: below(108) },
  arrow: { roomy: below(104), close: below(90) },
  icon: { roomy: below(96), close: below(72) },
  qrcode: { roomy: corner('largeQrSide'), close: corner('qrSide') },
};

/** Layouts of two graphics, by their names in the order of `ORDER`. */
const TWO = new Map(
  Object.entries<{ roomy: Fill; close: Fill }>({
    'quantity arrow': { roomy: stacked(104, 34, 4, 'below'), close: sideBySide(84, 34, 4) },
    'quantity icon': { roomy: stacked(104, 62, 3, 'beside', 3), close: sideBySide(83, 44, 3, NARROW_MARGIN) },
    'icon arrow': { roomy: stacked(96, 50, 6, 'beside'), close: sideBySide(62, 52, 5) },
    'qrcode quantity': { roomy: underQrcode(84, 53, true), close: besideQrcode(57) },
    'qrcode arrow': { roomy: underQrcode(66, 44), close: besideQrcode(46, 6) },
    'qrcode icon': { roomy: underQrcode(66, 44), close: besideQrcode(44, 5) },
  }),
);

/** Returns the layout for one graphic below the header. */
function below(width: number): Fill {
  return ({ panel: { of }, top, bottom }) => ({
    places: [{ x: of(MARGIN), y: top, width: of(width), height: bottom - top }],
    textX: of(MARGIN + width + COLUMN_GAP),
  });
}

/** Returns the layout for a QR code in the corner, whose quiet zone serves as margin and gap. */
function corner(name: 'qrSide' | 'largeQrSide'): Fill {
  return ({ panel }) => {
    const side = panel[name];
    const textX = side + panel.of(3);
    return { places: [qrcodeAt(panel, side)], textX, headerX: textX };
  };
}

function qrcodeAt({ of, height }: Panel, side: number): Rect {
  return { x: 0, y: Math.min(of(QR_TOP), Math.floor((height - side) / 2)), width: side, height: side };
}

/**
 * Returns the layout for two graphics, one above the other. `secondHeight` is the height of the lower graphic; the upper one gets the rest.
 */
function stacked(
  width: number,
  secondHeight: number,
  gap: number,
  header: 'below' | 'beside',
  edge: number = MARGIN - 1,
): Fill {
  return (rows) => {
    const { of, height } = rows.panel;
    const y = header === 'below' ? rows.top : of(edge);
    const bottom = header === 'below' ? rows.bottom : height - of(edge);
    const textX = of(MARGIN + width + COLUMN_GAP);
    const place = { x: of(MARGIN), width: of(width) };
    return {
      places: [
        { ...place, y, height: bottom - y - of(secondHeight) - of(gap) },
        { ...place, y: bottom - of(secondHeight), height: of(secondHeight) },
      ],
      textX,
      ...(header === 'beside' && { headerX: textX }),
    };
  };
}

function sideBySide(firstWidth: number, secondWidth: number, gap: number, margin = MARGIN): Fill {
  return ({ panel: { of, width }, top, bottom }) => {
    const place = { y: top, height: bottom - top };
    const right = width - of(margin);
    const secondX = of(margin) + of(firstWidth) + of(gap);
    const mostX = right - MIN_TEXT_WIDTH;
    return {
      places: [
        { ...place, x: of(margin), width: of(firstWidth) },
        { ...place, x: secondX, width: of(secondWidth) },
      ],
      textX: Math.min(mostX, secondX + of(secondWidth) + of(COLUMN_GAP)),
      headerX: of(margin),
      right,
    };
  };
}

/**
 * Returns the layout for a graphic below a QR code. `isTight` makes the graphic use all the height below the code, as a box with 10 mm
 * figures requires.
 */
function underQrcode(width: number, height: number, isTight = false): Fill {
  return ({ panel, bottom }) => {
    const { of, qrSide } = panel;
    const x = Math.max(qrSide, of(MARGIN + width)) + of(COLUMN_GAP);
    const y = Math.max(isTight ? qrSide : qrSide + of(ROOMY.first), bottom - of(height));
    const end = isTight ? panel.height - 1 : bottom;
    const place = { x: of(MARGIN), y, width: of(width), height: Math.min(of(height), end - y) };
    return { places: [{ x: 0, y: 0, width: qrSide, height: qrSide }, place], textX: x, headerX: x };
  };
}

function besideQrcode(width: number, gap = 1): Fill {
  return ({ panel }) => {
    const { of, qrSide } = panel;
    const x = qrSide + of(gap);
    const end = x + of(width);
    const textX = end + Math.min(of(COLUMN_GAP), panel.width - of(NARROW_MARGIN) - MIN_TEXT_WIDTH - end);
    const qrcode = qrcodeAt(panel, qrSide);
    return {
      places: [qrcode, { ...qrcode, x, width: of(width) }],
      textX,
      headerX: textX,
      right: Math.max(textX + MIN_TEXT_WIDTH, panel.width - of(MARGIN)),
    };
  };
}

/**
 * Lays out a QR code with `99+`. The text goes below the quantity and the header next to it, because 26 characters do not fit next to both.
 */
function wideQuantityBesideQrcode({ panel, bottom }: Rows): Filling {
  const { of, qrSide } = panel;
  const right = panel.width - of(MARGIN);
  const x = qrSide + of(4);
  const box = { x, y: 1, width: of(84), height: of(53) };
  const headerX = x + box.width + of(8);
  const textY = box.y + box.height + of(2);
  return {
    places: [qrcodeAt(panel, qrSide), box],
    textX: x,
    header: { x: headerX, y: 0, width: right - headerX, height: of(CLOSE.headerBaseline) },
    text: { x, y: textY, width: right - x, height: bottom + 1 - textY },
  };
}

/**
 * Composes a screen whose elements are not extra large. `toCorner` tells whether to move arrows to the edge or corner to which they point.
 */
export function compose(
  content: ScreenContent,
  { hasHeader, toCorner, panel }: { hasHeader: boolean; toCorner: boolean; panel: Panel },
): Composition {
  const isClose = content.barcode !== '';
  const rows = rowsOf(panel, isClose, hasHeader);
  const names = inOrder(boxedElements(content));
  const isWide = content.quantity !== null && content.quantity > MAX_QUANTITY;
  const filling =
    isWide && isClose && names.join(' ') === 'qrcode quantity'
      ? wideQuantityBesideQrcode(rows)
      : fillingOf(names, isClose || isLoneQrcode(content), rows);
  const right = filling.right ?? panel.width - panel.of(MARGIN);
  const headerX = filling.headerX ?? panel.of(MARGIN);
  const {
    header = headerRow(rows, headerX, right),
    text = textColumn(columnOf(rows, filling.textX, right), isClose, readLines(content.lines).length),
  } = filling;
  const places = toCorner ? towardsArrow(names, filling.places, content.arrow, panel) : filling.places;
  const graphics = names.flatMap((name, index): Placed[] => {
    const place = places[index];
    return place === undefined ? [] : [[name, place]];
  });
  const composition = { header, headerRows: filling.header === undefined ? 1 : 3, text, graphics };
  return toCorner && content.arrow?.endsWith('right') === true ? mirror(composition, panel.width) : composition;
}

/** Returns the vertical positions. `isClose` tells whether the body is above a barcode. */
export function rowsOf(panel: Panel, isClose: boolean, hasHeader: boolean): Rows {
  const { of, height } = panel;
  const { headerBaseline, top, first, fromBottom } = isClose ? CLOSE : ROOMY;
  return {
    panel,
    headerBaseline: of(headerBaseline),
    top: of(hasHeader ? top : first),
    bottom: height - of(fromBottom),
  };
}

/** Returns the rectangle of the header between two edges. Its lower edge is the baseline. */
export function headerRow({ headerBaseline }: Rows, x: number, right: number): Rect {
  return { x, y: 0, width: right - x, height: headerBaseline };
}

/** Returns the rectangle of the body between two edges. */
export function columnOf({ top, bottom }: Rows, x: number, right: number): Rect {
  return { x, y: top, width: right - x, height: bottom - top };
}

// Text keeps a distance from header and bars, except for three or more lines above a barcode, which need all the height.
function textColumn(column: Rect, isClose: boolean, lineCount: number): Rect {
  return inset(column, 0, isClose && lineCount >= 3 ? -1 : TEXT_INSET);
}

/** Whether a QR code is the only element. If so, `compose` does not make it larger. */
function isLoneQrcode(content: ScreenContent): boolean {
  return content.qrcode !== '' && countElements(content) === 1;
}

// The QR code comes first because it goes to the corner, and the arrow last because it can have any size.
const ORDER: readonly BoxedName[] = ['qrcode', 'quantity', 'icon', 'arrow'];

function inOrder(names: readonly BoxedName[]): BoxedName[] {
  return ORDER.filter((name) => names.includes(name));
}

function fillingOf(names: readonly BoxedName[], isClose: boolean, rows: Rows): Filling {
  const [first] = names;
  const fills = names.length === 1 && first !== undefined ? ONE[first] : TWO.get(names.join(' '));
  if (fills !== undefined) return (isClose ? fills.close : fills.roomy)(rows);
  return names.length === 0 ? { places: [], textX: rows.panel.of(MARGIN) } : crowd(names.length, rows);
}

/** Returns a layout for too many elements, in which each graphic gets a small place. */
function crowd(count: number, { panel: { of }, top, bottom }: Rows): Filling {
  const [width, gap] = [of(58), of(4)];
  const rowCount = Math.ceil(count / 2);
  const height = Math.floor((bottom - top - (rowCount - 1) * gap) / rowCount);
  const places = Array.from({ length: count }, (_, index) => ({
    x: of(MARGIN) + (index % 2) * (width + gap),
    y: top + Math.floor(index / 2) * (height + gap),
    width,
    height,
  }));
  return { places, textX: of(MARGIN) + 2 * width + gap + of(COLUMN_GAP) };
}

/** Swaps an arrow that points up or left with the graphic above it or to its left. */
function towardsArrow(
  names: readonly BoxedName[],
  places: readonly Rect[],
  arrow: ScreenContent['arrow'],
  { of }: Panel,
): readonly Rect[] {
  const [first, second] = places;
  if (names[1] !== 'arrow' || names.length > 2 || arrow === null || first === undefined || second === undefined)
    return places;
  const isStacked = second.y >= first.y + first.height;
  // Includes arrows to the right, because `compose` mirrors their screens.
  const pointsToFirst = isStacked ? arrow.startsWith('top') : /left$|right$/.test(arrow);
  if (!pointsToFirst) return places;
  return isStacked
    ? [
        { ...first, y: second.y + second.height - first.height },
        { ...second, y: Math.max(first.y, of(ROOMY.first)) },
      ]
    : [
        { ...first, x: second.x + second.width - first.width },
        { ...second, x: Math.max(first.x, of(MARGIN)) },
      ];
}

function mirror({ header, headerRows, text, graphics }: Composition, width: number): Composition {
  const flip = (place: Rect): Rect => ({ ...place, x: width - place.x - place.width });
  return {
    header: flip(header),
    headerRows,
    text: flip(text),
    graphics: graphics.map(([name, place]) => [name, flip(place)] as const),
  };
}
