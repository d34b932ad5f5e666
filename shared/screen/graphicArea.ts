import { placeQrcode } from './codes.ts';
import { MAX_QUANTITY, type Arrow, type BoxedName, type ScreenContent } from './content.ts';
import { ICON_SIZES } from './iconSheets.ts';
import { findIcon } from './icons.ts';
import { inset, placeCentred, type DrawnItem, type Rect } from './items.ts';
import { placeNote } from './note.ts';
import type { Panel } from './panel.ts';
import { FIGURE_SIZES, sheetOf, TEXT_SIZES, type FigureSize, type TextSize } from './sheets.ts';
import { measureInk, toCodes } from './text.ts';

/** Border and padding of the box around a quantity. The first entry that is at least as wide or as high as the place is used. */
const BOXES = [
  { width: 0, height: 53, border: 1, paddingX: 2, paddingY: 1 },
  { width: 84, height: 82, border: 2, paddingX: 1, paddingY: 2 },
  { width: Infinity, height: Infinity, border: 4, paddingX: 4, paddingY: 3 },
] as const;
const WIDEST_PAIR = '44';
/** Minimum white on each side of the figures in a wide box. */
const ROOMY_PADDING = 20;
/** Maximum length of an arrow relative to its thickness, which limits arrows in long places. */
const LONGEST_ARROW = 1.8;

/** Draws a graphic in its place. `toCorner` tells whether to move an arrow from the middle to the edge or corner to which it points. */
export function placeGraphic(
  name: BoxedName,
  content: ScreenContent,
  place: Rect,
  { toCorner, panel }: { toCorner: boolean; panel: Panel },
): DrawnItem[] {
  switch (name) {
    case 'quantity':
      return placeQuantity(content.quantity ?? 0, place, panel);
    case 'arrow':
      return content.arrow === null ? [] : placeArrow(content.arrow, place, toCorner);
    case 'qrcode':
      return placeQrcode(content.qrcode, place, panel);
    case 'icon':
      return placeIcon(content.icon, place);
  }
}

/** Formats a quantity for a screen. */
export function formatQuantity(quantity: number): string {
  if (quantity > MAX_QUANTITY) return `${MAX_QUANTITY}+`;
  return quantity >= 0 ? String(Math.trunc(quantity)) : '?';
}

function placeQuantity(quantity: number, place: Rect, { of }: Panel): DrawnItem[] {
  const found = BOXES.find(({ width, height }) => place.width <= of(width) || place.height <= of(height));
  const box = found ?? BOXES[1];
  const [border, paddingX, paddingY] = [of(box.border), of(box.paddingX), of(box.paddingY)];
  const text = formatQuantity(quantity);
  const size = figureSize(text, inset(place, border + paddingX, border + paddingY));
  return [
    { kind: 'frame', owner: 'quantity', border, ...place },
    placeCentred('quantity', toCodes(text), size, place, sheetOf(size).capHeight),
  ];
}

/**
 * Returns the largest size that fits. The size is the same for all two-digit numbers, so that the figures do not jump when a worker adjusts
 * the quantity.
 */
function figureSize(text: string, inside: Rect): FigureSize | TextSize {
  const codes = toCodes(text.length === 2 ? WIDEST_PAIR : text);
  return [...FIGURE_SIZES, ...TEXT_SIZES.slice(2)].find((size) => fits(codes, size, inside)) ?? 15;
}

function fits(codes: readonly number[], size: FigureSize | TextSize, inside: Rect): boolean {
  const ink = measureInk(codes, size);
  return ink.right - ink.left <= inside.width && sheetOf(size).capHeight <= inside.height;
}

/**
 * Draws `99+` as the only element of a screen: with the largest digits, in a box at least twice as wide as high, if the screen is wide
 * enough.
 */
export function placeWideQuantity(quantity: number, body: Rect, panel: Panel): DrawnItem[] {
  const ink = measureInk(toCodes(formatQuantity(quantity)), '104');
  const width = Math.min(body.width, Math.max(2 * body.height, ink.right - ink.left + 2 * panel.of(ROOMY_PADDING)));
  return placeQuantity(quantity, { ...body, x: body.x + Math.round((body.width - width) / 2), width }, panel);
}

/** Draws an icon centered and as large as possible. If the name is unknown, draws the name as text. */
function placeIcon(name: string, place: Rect): DrawnItem[] {
  const char = findIcon(name)?.char;
  const size = ICON_SIZES.find((candidate) => candidate <= Math.min(place.width, place.height));
  if (char === undefined || size === undefined) return placeNote('icon', name, place);
  const x = place.x + Math.round((place.width - size) / 2);
  const y = place.y + Math.round((place.height - size) / 2);
  return [{ kind: 'icon', owner: 'icon', char, size, x, y, width: size, height: size }];
}

function placeArrow(arrow: Arrow, place: Rect, toCorner: boolean): DrawnItem[] {
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

// Sides have even lengths, so that their middle is between two pixels and the tip looks the same in all directions.
function even(length: number): number {
  return length - (length % 2);
}
