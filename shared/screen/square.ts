import { placeBars, placeLargestBarcode, placeQrcode } from './codes.ts';
import { boxedElements, countElements, type BoxedName, type ScreenContent } from './content.ts';
import { encodeBarcode } from './barcode.ts';
import { placeGraphic } from './graphicArea.ts';
import { isEmpty, isTooLong, placeHeader, placeHeaderColumns, readHeader, type Header } from './header.ts';
import type { DrawnItem, Rect } from './items.ts';
import { MIN_LINE_PITCH, placeLargest, placeLines, readLines, type TextLine } from './lines.ts';
import { placeNote } from './note.ts';
import { createPanel, type ScreenSize } from './panel.ts';

const SIDE = 152;
const MARGIN = 5;
const GAP = 6;
const HEADER_BASELINE = 18;
const HEADER_BOTTOM = 24;
const STRIP_HEIGHT = 26;
const PANEL = createPanel({ width: SIDE, height: SIDE }, 1);
/** Side of a QR code including its quiet zone. */
const QR_SIDE = 74;
const MAX_LARGE_CHARACTERS = 4;
/** Number of characters per row in the smallest size, in which each is 6 pixels wide. */
const ROW_CHARACTERS = Math.floor((SIDE - 2 * MARGIN) / 6);
/** Minimum height of a graphic above lines. */
const MIN_GRAPHIC = 44;
const SPACE = 0x20;

/** Whether `placeOnSquare` lays out screens of this size. */
export function isSquare({ width, height }: ScreenSize): boolean {
  return width === SIDE && height === SIDE;
}

/**
 * Lays out a screen of 152 x 152 pixels: header, graphics, lines, barcode. Drops what does not fit: first the battery read-out, then lines,
 * starting with the last one.
 */
export function placeOnSquare(content: ScreenContent, batteryMv: number | null): DrawnItem[] {
  const header = roomFor(readHeader(content.label, batteryMv, PANEL));
  const boxed = boxedElements(content);
  const lines = readLines(content.lines);
  const body = bodyBelow(isEmpty(header) ? MARGIN : HEADER_BOTTOM, SIDE - 3);
  if (countElements(content) === 1) {
    const alone = placeOne(content, boxed[0], lines, body);
    if (alone !== undefined) return [...placeRow(header), ...alone];
  }
  const hasBarcode = content.barcode !== '';
  const strip = { ...body, y: SIDE - 3 - STRIP_HEIGHT, height: STRIP_HEIGHT };
  const bottom = hasBarcode ? strip.y - 3 : SIDE - 3;
  const top = boxed.includes('qrcode')
    ? placeAroundQrcode(content, header, boxed)
    : placeBelowHeader(content, header, boxed, { ...body, height: bottom - body.y }, lines.length);
  const text = { ...body, y: top.end, height: bottom - top.end };
  return [
    ...top.items,
    ...placeLines(fittingLines(lines, text), text, PANEL),
    ...(hasBarcode ? placeStrip(content.barcode, strip) : []),
  ];
}

type Top = { items: DrawnItem[]; end: number };

/** Drops the battery read-out if the label does not fit next to it. */
function roomFor(header: Header): Header {
  const place = { x: MARGIN, y: 0, width: SIDE - 2 * MARGIN, height: HEADER_BASELINE };
  return header.label.length > 0 && isTooLong(header, place) ? { ...header, battery: [] } : header;
}

function bodyBelow(y: number, bottom: number): Rect {
  return { x: MARGIN, y, width: SIDE - 2 * MARGIN, height: bottom - y };
}

function placeRow(header: Header): DrawnItem[] {
  return placeHeader(header, { x: MARGIN, y: 0, width: SIDE - 2 * MARGIN, height: HEADER_BASELINE }, 1);
}

function placeOne(
  content: ScreenContent,
  name: BoxedName | undefined,
  lines: readonly TextLine[],
  body: Rect,
): DrawnItem[] | undefined {
  if (name === 'qrcode') return placeQrcode(content.qrcode, { ...body, x: 0, width: SIDE }, PANEL);
  if (name !== undefined) return placeGraphic(name, content, body, { toCorner: true, panel: PANEL });
  if (content.barcode !== '') {
    return isShortBarcode(content.barcode)
      ? placeLargestBarcode(content.barcode, body, PANEL)
      : placeNote('barcode', content.barcode, body);
  }
  const line = lines.find(({ codes }) => codes.length > 0);
  return line === undefined || line.codes.length > MAX_LARGE_CHARACTERS ? undefined : [placeLargest(line, body)];
}

/** Whether bars one pixel wide leave the quiet zone, without which scanners cannot read them. */
function isShortBarcode(text: string): boolean {
  return (encodeBarcode(text)?.length ?? Infinity) + 20 <= SIDE;
}

function placeStrip(text: string, strip: Rect): DrawnItem[] {
  const bars = isShortBarcode(text) ? placeBars(text, strip, 2, PANEL) : undefined;
  return bars === undefined ? placeNote('barcode', text, strip) : [bars];
}

/**
 * Places the header, and below it the graphics side by side. The lines below them get about half of the height, or more if they need it.
 */
function placeBelowHeader(
  content: ScreenContent,
  header: Header,
  names: readonly BoxedName[],
  body: Rect,
  lineCount: number,
): Top {
  const row = placeRow(header);
  if (names.length === 0) return { items: row, end: body.y };
  const needed = lineCount * MIN_LINE_PITCH;
  const half = Math.floor((body.height - GAP) / 2);
  const most = lineCount === 0 ? body.height : body.height - GAP - needed;
  const height = lineCount === 0 ? most : Math.max(MIN_GRAPHIC, Math.min(most, Math.max(half, 62)));
  const width = Math.floor((body.width - GAP * (names.length - 1)) / names.length);
  const items = names.flatMap((name, index) =>
    placeGraphic(
      name,
      content,
      { x: body.x + index * (width + GAP), y: body.y, width, height },
      { toCorner: true, panel: PANEL },
    ),
  );
  return { items: [...row, ...items], end: body.y + height + GAP };
}

/** Places a QR code in the corner, with the label and another graphic next to it. */
function placeAroundQrcode(content: ScreenContent, header: Header, names: readonly BoxedName[]): Top {
  const qrcode = { x: 0, y: 0, width: QR_SIDE, height: QR_SIDE };
  const beside = { x: QR_SIDE + 2, y: 5, width: SIDE - MARGIN - QR_SIDE - 2, height: QR_SIDE - 10 };
  const others = names.filter((name) => name !== 'qrcode');
  const rows = others.length === 0 ? 3 : 1;
  const label = { ...beside, height: rows * 19 };
  const items = [
    ...placeQrcode(content.qrcode, qrcode, PANEL),
    ...placeHeaderColumns({ ...header, battery: [] }, label, label),
    ...others.slice(0, 1).flatMap((name) => {
      const place = { ...beside, y: HEADER_BOTTOM, height: QR_SIDE - HEADER_BOTTOM };
      return placeGraphic(name, content, place, { toCorner: true, panel: PANEL });
    }),
  ];
  return { items, end: QR_SIDE + 2 };
}

/** Breaks long lines into rows if all rows fit; otherwise leaves lines whole. Returns at most as many rows as fit. */
function fittingLines(lines: readonly TextLine[], { height }: Rect): TextLine[] {
  const most = Math.max(0, Math.floor((height + 4) / MIN_LINE_PITCH));
  const broken = lines.flatMap(breakLine);
  return (broken.length <= most ? broken : [...lines]).slice(0, most);
}

function breakLine(line: TextLine): TextLine[] {
  const { codes } = line;
  if (codes.length <= ROW_CHARACTERS) return [line];
  const space = codes.lastIndexOf(SPACE, ROW_CHARACTERS);
  const isAtSpace = space >= ROW_CHARACTERS / 2;
  const at = isAtSpace ? space : ROW_CHARACTERS;
  return [
    { ...line, codes: codes.slice(0, at) },
    { ...line, codes: codes.slice(isAtSpace ? at + 1 : at) },
  ];
}
