import { MAX_QUANTITY, type Arrow, type BoxedName, type ScreenContent } from './content.ts';
import { inset, placeCentred, placeText, type Item, type Rect } from './items.ts';
import { sheetOf, TEXT_SIZES, type TextSize } from './sheets.ts';
import { cutToWidth, measureInk, toCodes, type Codes } from './text.ts';

/** White between two graphics. */
const GAP = 4;
/** Least white between a box's border and what is in it. */
const PADDING_X = 4;
const PADDING_Y = 3;
/** From the edge of a box that is alone to its figures. */
const ROOMY_PADDING = 20;
const NOTE_SIZE: TextSize = 12;
const NOTE_PITCH = 13;
/** Of two graphics, the height or width of the one that is no arrow, for 1 of both: two large figures fit its box. */
const MAIN_HEIGHT_SHARE = 0.65;
const MAIN_WIDTH_SHARE = 0.58;
/** A short, wide place makes a long arrow, but not longer than this for 1 of its height. */
const LONGEST_ARROW = 1.8;

/** One graphic in its place: a quantity's box, an arrow, or for now the text of a code or an icon. */
export function placeGraphic(name: BoxedName, content: ScreenContent, place: Rect, toCorner: boolean): Item[] {
  switch (name) {
    case 'quantity':
      return placeQuantity(content.quantity ?? 0, place);
    case 'arrow':
      return content.arrow === null ? [] : placeArrow(content.arrow, place, toCorner);
    case 'qrcode':
      return placeNote('qrcode', content.qrcode, place);
    case 'icon':
      return placeNote('icon', content.icon, place);
  }
}

/**
 * Splits a graphic area between two, the arrow the smaller one: one above the other, or side by side where a barcode takes
 * the height. With `toCorner` an arrow comes first that points there.
 */
export function splitArea(
  names: readonly [BoxedName, BoxedName],
  content: ScreenContent,
  { x, y, width, height }: Rect,
  { sideBySide, toCorner }: { sideBySide: boolean; toCorner: boolean },
): [name: BoxedName, place: Rect][] {
  const [main, minor] = names[0] === 'arrow' ? [names[1], names[0]] : names;
  const pointsToStart = sideBySide ? content.arrow?.endsWith('left') : content.arrow?.startsWith('top');
  const minorFirst = toCorner && minor === 'arrow' && pointsToStart === true;
  const length = (sideBySide ? width : height) - GAP;
  const mainLength = Math.round(length * (sideBySide ? MAIN_WIDTH_SHARE : MAIN_HEIGHT_SHARE));
  const minorLength = length - mainLength;
  const mainStart = minorFirst ? minorLength + GAP : 0;
  const minorStart = minorFirst ? 0 : mainLength + GAP;
  const part = (start: number, partLength: number): Rect =>
    sideBySide ? { x: x + start, y, width: partLength, height } : { x, y: y + start, width, height: partLength };
  return [
    [main, part(mainStart, mainLength)],
    [minor, part(minorStart, minorLength)],
  ];
}

/** A quantity as it is drawn. */
export function formatQuantity(quantity: number): string {
  if (quantity > MAX_QUANTITY) return `${MAX_QUANTITY}+`;
  return quantity >= 0 ? String(Math.trunc(quantity)) : '?';
}

function placeQuantity(quantity: number, place: Rect): Item[] {
  const border = place.height < 70 ? 3 : 4;
  const inside = inset(place, border + PADDING_X, border + PADDING_Y);
  const codes = toCodes(formatQuantity(quantity));
  const size = TEXT_SIZES.find((candidate) => digitsFit(codes, candidate, inside)) ?? NOTE_SIZE;
  return [
    { kind: 'frame', owner: 'quantity', border, ...place },
    placeCentred('quantity', codes, size, place, sheetOf(size).capHeight),
  ];
}

/** A quantity alone on its screen: the largest digits, in a box as wide as they need. */
export function placeLargestQuantity(quantity: number, body: Rect): Item[] {
  const ink = measureInk(toCodes(formatQuantity(quantity)), TEXT_SIZES[0]);
  const width = Math.min(body.width, Math.max(body.height, ink.right - ink.left + 2 * ROOMY_PADDING));
  return placeQuantity(quantity, { ...body, x: body.x + Math.round((body.width - width) / 2), width });
}

function digitsFit(codes: Codes, size: TextSize, inside: Rect): boolean {
  const ink = measureInk(codes, size);
  return ink.right - ink.left <= inside.width && sheetOf(size).capHeight <= inside.height;
}

function placeArrow(arrow: Arrow, place: Rect, toCorner: boolean): Item[] {
  const { width, height } = arrowSize(arrow, place);
  const across = place.width - width;
  const down = place.height - height;
  const column = arrow.endsWith('left') ? 0 : arrow.endsWith('right') ? across : Math.round(across / 2);
  const row = arrow.startsWith('top') ? 0 : arrow.startsWith('bottom') ? down : Math.round(down / 2);
  const x = place.x + (toCorner ? column : Math.round(across / 2));
  const y = place.y + (toCorner ? row : Math.round(down / 2));
  return [{ kind: 'arrow', owner: 'arrow', arrow, x, y, width, height }];
}

function arrowSize(arrow: Arrow, place: Rect): { width: number; height: number } {
  const side = even(Math.min(place.width, place.height));
  switch (arrow) {
    case 'left':
    case 'right':
      return { width: Math.min(place.width, Math.round(side * LONGEST_ARROW)), height: side };
    case 'top':
    case 'bottom':
      return { width: side, height: Math.min(place.height, Math.round(side * LONGEST_ARROW)) };
    default:
      return { width: side, height: side };
  }
}

// An even side has its middle between two pixels, which gives an arrow the same tip in every direction.
function even(length: number): number {
  return length - (length % 2);
}

/** The text of something that cannot be drawn yet, in a plain box, as many rows as there is place for. */
export function placeNote(owner: 'qrcode' | 'icon' | 'barcode', text: string, place: Rect): Item[] {
  const inside = inset(place, 1 + PADDING_X, 1 + PADDING_Y);
  const { capHeight } = sheetOf(NOTE_SIZE);
  const perRow = Math.max(1, Math.floor(inside.width / 6));
  const mostRows = Math.max(1, Math.floor((inside.height - capHeight) / NOTE_PITCH) + 1);
  const codes = toCodes(text);
  const rowCount = Math.min(mostRows, Math.max(1, Math.ceil(codes.length / perRow)));
  const height = (rowCount - 1) * NOTE_PITCH + capHeight;
  const top = inside.y + Math.round((inside.height - height) / 2);
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const isLast = row === rowCount - 1;
    const part = codes.slice(row * perRow, isLast ? undefined : (row + 1) * perRow);
    const baseline = top + row * NOTE_PITCH + capHeight;
    return placeText(owner, cutToWidth(part, NOTE_SIZE, inside.width), NOTE_SIZE, { x: inside.x, baseline, capHeight });
  });
  return [{ kind: 'frame', owner, border: 1, ...place }, ...rows];
}
