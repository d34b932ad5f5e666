import { placeText, type ItemOwner, type Rect, type TextItem } from './items.ts';
import type { Panel } from './panel.ts';
import { sheetOf, type TextSize } from './sheets.ts';
import { cutToWidth, measureInk, measureText, toCodes, type Codes } from './text.ts';

const SMALLEST_LABEL: TextSize = 15;
const BATTERY_SIZE: TextSize = 16;
/** Minimum white between label and battery read-out. */
const GAP = 12;
/** Distance between the baselines of a label with several rows, on the usual screen. */
const PITCH = 19;
const SPACE = 0x20;
const MAX_MV = 100_000;
/**
 * Maximum number of characters of a label to measure, because measuring takes time. Even all rows together hold fewer of the narrowest
 * letters.
 */
const MAX_CODES = 240;

export type Header = { label: Codes; battery: Codes; panel: Panel };

/** Returns the content of the header. Omits the battery read-out for null, NaN and impossible voltages. */
export function readHeader(label: string, batteryMv: number | null, panel: Panel): Header {
  const isKnown = batteryMv !== null && batteryMv >= 0 && batteryMv < MAX_MV;
  const battery = isKnown ? toCodes(formatVolts(batteryMv)) : [];
  return { label: toCodes(label).slice(0, MAX_CODES), battery, panel };
}

/** Returns the distance between the baselines of a label with several rows, in pixels. */
export function headerPitch({ of }: Panel): number {
  return of(PITCH);
}

export function isEmpty({ label, battery }: Header): boolean {
  return label.length === 0 && battery.length === 0;
}

function formatVolts(mv: number): string {
  return `${(Math.round(mv / 10) / 100).toFixed(2)} V`;
}

/**
 * Places the label on the left and the battery read-out on the right. The lower edge of `place` is the baseline of the first row; more rows
 * follow below. Breaks only a label that is too long in the smallest size, and cuts it after the last row.
 */
export function placeHeader({ label, battery, panel }: Header, place: Rect, mostRows: number): TextItem[] {
  const right = place.x + place.width;
  const baseline = place.y + place.height;
  const readOut = battery.length === 0 ? [] : [placeAtRight('battery', battery, BATTERY_SIZE, right, baseline)];
  if (label.length === 0) return readOut;
  const width = labelWidth(battery, place);
  const size = panel.labelSizes.find((candidate) => fitsRow(label, candidate, width, baseline));
  if (size !== undefined) return [...readOut, placeAtLeft('label', label, size, place.x, baseline)];
  const column = { ...place, y: baseline };
  const isShort = measureText(label, SMALLEST_LABEL) <= width;
  const rows = isShort
    ? stackRows([label], SMALLEST_LABEL, column, panel)
    : placeRows(label, column, mostRows, width, panel);
  return [...readOut, ...rows];
}

/** Whether the label needs more than one row. */
export function isTooLong({ label, battery }: Header, place: Rect): boolean {
  return measureText(label, SMALLEST_LABEL) > labelWidth(battery, place);
}

function labelWidth(battery: Codes, { width }: Rect): number {
  return battery.length === 0 ? width : width - measureInk(battery, BATTERY_SIZE).right - GAP;
}

function fitsRow(label: Codes, size: TextSize, width: number, baseline: number): boolean {
  return measureText(label, size) <= width && baseline + measureInk(label, size).top >= 0;
}

/** Places the label, broken into rows, in the left column, and the battery read-out in the right one. */
export function placeHeaderColumns({ label, battery, panel }: Header, left: Rect, right: Rect): TextItem[] {
  const capHeight = labelCapHeight(panel);
  const baseline = right.y + capHeight;
  const column = { ...left, y: left.y + capHeight };
  const rows =
    label.length === 0 ? [] : placeRows(label, column, Math.floor(left.height / headerPitch(panel)), left.width, panel);
  if (battery.length === 0) return rows;
  return [...rows, placeAtRight('battery', battery, BATTERY_SIZE, right.x + right.width, baseline)];
}

/**
 * Places the label and the battery read-out in one column: side by side if they fit, otherwise with the label in rows below the battery
 * read-out.
 */
export function placeHeaderBeside(header: Header, column: Rect): TextItem[] {
  const row = { ...column, y: 0, height: column.y + labelCapHeight(header.panel) };
  if (!isTooLong(header, row)) return placeHeader(header, row, 1);
  const drop = header.battery.length === 0 ? 0 : headerPitch(header.panel);
  return placeHeaderColumns(header, { ...column, y: column.y + drop, height: column.height - drop }, column);
}

/**
 * Places the label in rows, in the largest size that fits. The upper edge of `place` is the first baseline. `firstWidth` is the width of
 * the first row.
 */
function placeRows(label: Codes, place: Rect, mostRows: number, firstWidth: number, panel: Panel): TextItem[] {
  const widthOf = (row: number) => (row === 0 ? firstWidth : place.width);
  for (const size of panel.labelSizes) {
    const rows = breakAtSpaces(splitWords(label), size, widthOf);
    if (rows.length <= mostRows && rows.every((row, index) => measureText(row, size) <= widthOf(index)))
      return stackRows(rows, size, place, panel);
  }
  // The last row gets the rest of the label, which is then cut to the width.
  const rows = breakAnywhere(splitWords(label), (row) => (row < mostRows - 1 ? widthOf(row) : Infinity));
  const cut = rows.map((row, index) => cutToWidth(row, SMALLEST_LABEL, widthOf(index)));
  return stackRows(cut, SMALLEST_LABEL, place, panel);
}

function labelCapHeight({ labelSizes: [largest = SMALLEST_LABEL] }: Panel): number {
  return sheetOf(largest).capHeight;
}

function stackRows(rows: readonly Codes[], size: TextSize, { x, y }: Rect, panel: Panel): TextItem[] {
  // Move the rows down if capitals with two accents in the first row would leave the screen.
  const first = Math.max(y, ...rows.slice(0, 1).map((row) => -measureInk(row, size).top));
  return rows.map((row, index) => placeAtLeft('label', row, size, x, first + index * headerPitch(panel)));
}

function breakAtSpaces(words: readonly Codes[], size: TextSize, widthOf: (row: number) => number): Codes[] {
  const rows: Codes[] = [];
  for (const word of words) {
    const last = rows.at(-1);
    const longer = last === undefined ? word : [...last, SPACE, ...word];
    if (last !== undefined && measureText(longer, size) <= widthOf(rows.length - 1)) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

/** Breaks words into rows in the smallest size, which is monospaced. Also breaks words that are longer than a row. */
function breakAnywhere(words: readonly Codes[], widthOf: (row: number) => number): Codes[] {
  const rows: Codes[] = [];
  for (const word of words) {
    const longer = [...(rows.at(-1) ?? []), SPACE, ...word];
    if (rows.length > 0 && measureText(longer, SMALLEST_LABEL) <= widthOf(rows.length - 1)) {
      rows[rows.length - 1] = longer;
      continue;
    }
    for (let from = 0; from < word.length;) {
      const perRow = Math.max(1, Math.floor(widthOf(rows.length) / measureText([SPACE], SMALLEST_LABEL)));
      rows.push(word.slice(from, from + perRow));
      from += perRow;
    }
  }
  return rows;
}

function splitWords(codes: Codes): Codes[] {
  const words: number[][] = [[]];
  for (const code of codes) {
    if (code === SPACE) words.push([]);
    else words.at(-1)?.push(code);
  }
  return words.filter((word) => word.length > 0);
}

// Aligns the ink with the edge, ignoring the letter's side bearing.
function placeAtLeft(owner: ItemOwner, codes: Codes, size: TextSize, x: number, baseline: number): TextItem {
  const { capHeight } = sheetOf(size);
  return placeText(owner, codes, size, { x: x - measureInk(codes, size).left, baseline, capHeight });
}

function placeAtRight(owner: ItemOwner, codes: Codes, size: TextSize, right: number, baseline: number): TextItem {
  const { capHeight } = sheetOf(size);
  return placeText(owner, codes, size, { x: right - measureInk(codes, size).right, baseline, capHeight });
}
