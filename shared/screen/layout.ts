import {
  boxedElements,
  countElements,
  SCREEN_HEIGHT,
  SCREEN_WIDTH,
  type BoxedName,
  type ScreenContent,
} from './content.ts';
import { placeGraphic, placeLargestQuantity, placeNote, splitArea } from './graphicArea.ts';
import { inset, placeText, type Item, type Layout, type Rect } from './items.ts';
import { placeLargest, placeLines, readLines } from './lines.ts';
import { sheetOf, type TextSize } from './sheets.ts';
import { cutToWidth, measureInk, measureText, toCodes } from './text.ts';

export type { Layout } from './items.ts';

export type LayoutOptions = {
  /** From 67 on a lone element is drawn extra large, and arrows go where they point. */
  firmware: number;
  /** Null: no read-out. */
  batteryMv: number | null;
};

const FIRMWARE_WITH_LARGE_ELEMENTS = 67;
const MOST_LARGE_CHARACTERS = 4;

/** White on all sides; the bezel takes a little more from what is at the edge. */
const MARGIN = 6;
const TOP = 5;
const BOTTOM = SCREEN_HEIGHT - 5;
const HEADER_BASELINE = 18;
const BODY_TOP = 26;
/** Letters have no border of their own to keep them from the header. */
const TEXT_INSET = 2;
/** A text alone may come as near to the header as this. */
const LARGE_TEXT_TOP = 21;
const STRIP_HEIGHT = 30;
const STRIP_GAP = 5;
const COLUMN_GAP = 10;
const GRAPHIC_WIDTH = 104;
/** Two side by side; leaves the 156 pixels that 26 characters need. */
const WIDE_GRAPHIC_WIDTH = 118;
const LABEL_SIZES: readonly TextSize[] = [17, 14, 12];
const BATTERY_SIZE: TextSize = 14;

/**
 * Decides where everything on a screen goes, and how large. Pure; any content gives a layout inside the screen, but only
 * content within the limits (five elements, two boxed) is drawn whole: callers refuse the rest beforehand.
 */
export function layout(content: ScreenContent, options: LayoutOptions): Layout {
  const header = placeHeader(content.label, options.batteryMv);
  const body = bodyBelow(header.length > 0, content.barcode !== '');
  const toCorner = options.firmware >= FIRMWARE_WITH_LARGE_ELEMENTS;
  const alone = toCorner && countElements(content) === 1 ? placeAlone(content, body) : undefined;
  return { items: [...header, ...(alone ?? placeTogether(content, body, toCorner))] };
}

function placeHeader(label: string, batteryMv: number | null): Item[] {
  const items: Item[] = [];
  let labelEnd = SCREEN_WIDTH - MARGIN;
  if (batteryMv !== null && Number.isFinite(batteryMv)) {
    const codes = toCodes(`${(Math.round(batteryMv / 10) / 100).toFixed(2)} V`);
    const x = SCREEN_WIDTH - MARGIN - measureInk(codes, BATTERY_SIZE).right;
    const { capHeight } = sheetOf(BATTERY_SIZE);
    items.push(placeText('battery', codes, BATTERY_SIZE, { x, baseline: HEADER_BASELINE, capHeight }));
    labelEnd = x - COLUMN_GAP;
  }
  if (label !== '') {
    const codes = toCodes(label);
    const width = labelEnd - MARGIN;
    const size = LABEL_SIZES.find((candidate) => measureText(codes, candidate) <= width) ?? BATTERY_SIZE;
    const { capHeight } = sheetOf(size);
    const ink = measureInk(codes, size);
    const place = { x: MARGIN - ink.left, baseline: Math.max(HEADER_BASELINE, -ink.top), capHeight };
    items.push(placeText('label', cutToWidth(codes, size, width), size, place));
  }
  return items;
}

function bodyBelow(hasHeader: boolean, hasStrip: boolean): Rect {
  const y = hasHeader ? BODY_TOP : TOP;
  const bottom = hasStrip ? BOTTOM - STRIP_HEIGHT - STRIP_GAP : BOTTOM;
  return { x: MARGIN, y, width: SCREEN_WIDTH - 2 * MARGIN, height: bottom - y };
}

/** A lone element, extra large; undefined where there is no larger way to draw it. */
function placeAlone(content: ScreenContent, body: Rect): Item[] | undefined {
  const [boxed] = boxedElements(content);
  if (boxed === 'quantity') return placeLargestQuantity(content.quantity ?? 0, body);
  if (boxed !== undefined) return placeGraphic(boxed, content, body, true);
  const line = readLines(content.lines).find(({ codes }) => codes.length > 0);
  if (line === undefined || line.codes.length > MOST_LARGE_CHARACTERS) return undefined;
  const top = Math.min(body.y, LARGE_TEXT_TOP);
  return [placeLargest(line, { ...body, y: top, height: body.y + body.height - top })];
}

function placeTogether(content: ScreenContent, body: Rect, toCorner: boolean): Item[] {
  const strip = content.barcode === '' ? [] : placeNote('barcode', content.barcode, stripBelow(body));
  const [first, second] = boxedElements(content);
  const lines = readLines(content.lines);
  if (first === undefined) return [...placeLines(lines, inset(body, 0, TEXT_INSET)), ...strip];

  const sideBySide = second !== undefined && content.barcode !== '';
  const width = sideBySide ? WIDE_GRAPHIC_WIDTH : GRAPHIC_WIDTH;
  const atRight = toCorner && (content.arrow?.endsWith('right') ?? false);
  const area = { ...body, x: atRight ? body.x + body.width - width : body.x, width };
  const textX = atRight ? body.x : body.x + width + COLUMN_GAP;
  const text = { ...body, x: textX, width: body.width - width - COLUMN_GAP };
  const places: [BoxedName, Rect][] =
    second === undefined ? [[first, area]] : splitArea([first, second], content, area, { sideBySide, toCorner });
  const graphics = places.flatMap(([name, place]) => placeGraphic(name, content, place, toCorner));
  return [...graphics, ...placeLines(lines, inset(text, 0, TEXT_INSET)), ...strip];
}

function stripBelow(body: Rect): Rect {
  return { x: body.x, y: BOTTOM - STRIP_HEIGHT, width: body.width, height: STRIP_HEIGHT };
}
