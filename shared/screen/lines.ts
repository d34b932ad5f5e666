import { LINE_NAMES, MAX_LINES, MAX_LINE_CHARACTERS, type LineName } from './content.ts';
import { placeCentred, placeText, type Rect, type TextItem } from './items.ts';
import type { Panel } from './panel.ts';
import { sheetOf, TEXT_SIZES, type TextSize } from './sheets.ts';
import { countMissing, cutToWidth, measureInk, measureText, toCodes, type Codes } from './text.ts';

const SMALLEST: TextSize = 15;
const SMALLEST_BOLD: TextSize = 17;
/** Weight of the first line relative to each other line when sizes are chosen, because the picker looks for the first line. */
const FIRST_WEIGHT = 1.5;
/**
 * Minimum and maximum size of the first line relative to the other lines. With a lower ratio, it looks like one of them; with a higher
 * ratio, the others look too small.
 */
const MIN_CONTRAST = 1.15;
const MAX_CONTRAST = 2.4;
/** Minimum white between the ink of two lines. */
const MIN_GAP = 3;
/**
 * Minimum and maximum distance from a baseline to the capitals of the next line, relative to the mean height of both lines. The maximum
 * applies if there is height to spare.
 */
const MIN_LEAD = 0.48;
const WIDEST_LEAD = 0.9;

/** Fraction of the free height that goes between the lines. The rest goes above and below them. */
const SHARE_OF_LEADS = 0.6;

/** Height of a line in the smallest size, including accents and descenders. */
export const MIN_LINE_PITCH = 18;

export type TextLine = { name: LineName; codes: Codes };
type Sizes = { first: TextSize; further: TextSize };

/** Converts lines to code points. Omits empty lines at the end, but keeps those before a line with text. */
export function readLines(lines: readonly string[]): TextLine[] {
  const all = LINE_NAMES.map((name, slot) => ({
    name,
    codes: toCodes(lines[slot] ?? '').slice(0, MAX_LINE_CHARACTERS),
  }));
  const used = all.findLastIndex((line) => line.codes.length > 0) + 1;
  return all.slice(0, Math.min(used, MAX_LINES));
}

/**
 * Places lines left-aligned in a region, in the largest sizes that fit: the first line larger, all others equal. 26 characters always fit
 * into 156 pixels.
 */
export function placeLines(lines: readonly TextLine[], region: Rect, { largest }: Panel): TextItem[] {
  if (lines.length === 0) return [];
  return stack(lines, chooseSizes(lines, region, largest), region);
}

/** Places a short text centered, as large as the region allows. */
export function placeLargest(line: TextLine, region: Rect): TextItem {
  const size = TEXT_SIZES.find((candidate) => fits(line.codes, candidate, region)) ?? SMALLEST;
  return placeCentred(line.name, line.codes, size, region, sheetOf(size).capHeight);
}

function fits(codes: Codes, size: TextSize, region: Rect): boolean {
  const ink = measureInk(codes, size);
  return (
    ink.right - ink.left <= region.width && ink.bottom - ink.top <= region.height && !isWorseThanSmallest(codes, size)
  );
}

// Whether this size lacks more of the characters than the smallest one, because large sheets contain fewer. A box in a line is worse than a
// small size.
function isWorseThanSmallest(codes: Codes, size: TextSize): boolean {
  return countMissing(codes, size) > countMissing(codes, SMALLEST);
}

function chooseSizes(lines: readonly TextLine[], region: Rect, allowed: Panel['largest']): Sizes {
  const [first, ...further] = lines;
  const largest = further.length === 0 ? allowed.alone : allowed.first;
  const firstSizes = fittingSizes(first === undefined ? [] : [first], largest, region.width);
  const furtherSizes = fittingSizes(further, allowed.further, region.width);
  let best: { sizes: Sizes; worth: number } | undefined;
  for (const size of firstSizes) {
    for (const other of furtherSizes) {
      if (further.length > 0 && !areInContrast(size, other)) continue;
      const worth = FIRST_WEIGHT * legibility(size) + further.length * legibility(other);
      if (best !== undefined && worth <= best.worth) continue;
      const sizes = { first: size, further: other };
      if (heightOf(toRows(lines, sizes)) <= region.height) best = { sizes, worth };
    }
  }
  return best?.sizes ?? { first: SMALLEST, further: SMALLEST };
}

// Apparent height of thin letters, relative to bold ones of the same height.
const THIN_SHARE = 0.85;

function legibility(size: TextSize): number {
  return Math.log(size < SMALLEST_BOLD ? size * THIN_SHARE : size);
}

function areInContrast(first: TextSize, further: TextSize): boolean {
  // The two smallest sizes are thin. They differ enough from a bold line, but not from each other.
  if (first < SMALLEST_BOLD) return further <= first;
  const contrast = first / further;
  return (further < SMALLEST_BOLD || contrast >= MIN_CONTRAST) && contrast <= MAX_CONTRAST;
}

/** Returns the sizes in which all these lines fit into a width. Always includes the smallest size. */
function fittingSizes(lines: readonly TextLine[], largest: TextSize, width: number): TextSize[] {
  return TEXT_SIZES.filter(
    (size) =>
      size === SMALLEST ||
      (size <= largest &&
        lines.every(({ codes }) => measureText(codes, size) <= width && !isWorseThanSmallest(codes, size))),
  );
}

/** A line with its measurements. `above` and `below` are the height of the ink above and below the baseline. */
type Row = TextLine & { size: TextSize; capHeight: number; above: number; below: number };

function toRows(lines: readonly TextLine[], sizes: Sizes): Row[] {
  const rows = lines.map((line, slot): Row => {
    const size = slot === 0 && line.codes.length > 0 ? sizes.first : sizes.further;
    const { capHeight } = sheetOf(size);
    const ink = measureInk(line.codes, size);
    return { ...line, size, capHeight, above: Math.max(capHeight, -ink.top), below: Math.max(0, ink.bottom) };
  });
  // Lines of one size are equally spaced, regardless of accents and descenders.
  const alike = rows.filter((row) => row.size === sizes.further);
  const above = Math.max(...alike.map((row) => row.above));
  const below = Math.max(...alike.map((row) => row.below));
  return rows.map((row) => (row.size === sizes.further ? { ...row, above, below } : row));
}

/** Returns the minimum distance from the baseline of a row to the capitals of the next one. */
function leadBetween(row: Row, next: Row): number {
  const rise = next.above - next.capHeight;
  return Math.max(row.below + MIN_GAP + rise, Math.round(meanHeight(row, next) * MIN_LEAD));
}

function meanHeight(row: Row, next: Row): number {
  return (row.capHeight + next.capHeight) / 2;
}

function heightOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row, slot) => {
    const next = rows[slot + 1];
    return sum + row.capHeight + (next === undefined ? row.below : leadBetween(row, next));
  }, riseOf(rows));
}

function riseOf([first]: readonly Row[]): number {
  return first === undefined ? 0 : first.above - first.capHeight;
}

function stack(lines: readonly TextLine[], sizes: Sizes, region: Rect): TextItem[] {
  const rows = toRows(lines, sizes);
  return heightOf(rows) <= region.height ? spread(rows, region) : squeeze(rows, region);
}

/**
 * Places rows that do not fit with the minimum distance. Puts them as close as their ink allows, and distributes the remaining height
 * equally.
 */
function squeeze(rows: readonly Row[], region: Rect): TextItem[] {
  const inks = rows.map((row) => measureInk(row.codes, row.size));
  const pitches = rows.map(
    (row, slot) =>
      Math.max(0, inks[slot - 1]?.bottom ?? 0) +
      (row.codes.length === 0 ? 0 : Math.max(row.capHeight, -(inks[slot]?.top ?? 0))),
  );
  const needed = pitches.reduce((sum, pitch) => sum + pitch, 0) + Math.max(0, inks.at(-1)?.bottom ?? 0);
  const share = (region.height - needed) / Math.max(1, rows.length - 1);
  let baseline = region.y;
  return rows.flatMap((row, slot) => {
    baseline += pitches[slot] ?? 0;
    return placeRow(row, baseline + Math.floor(slot * share), region);
  });
}

/** Places rows and distributes the free height between and around them. */
function spread(rows: readonly Row[], region: Rect): TextItem[] {
  const free = Math.max(0, region.height - heightOf(rows));
  const wider = rows.slice(1).map((next, slot) => {
    const row = rows[slot] ?? next;
    return Math.max(0, Math.round(meanHeight(row, next) * WIDEST_LEAD) - leadBetween(row, next));
  });
  const widerInAll = wider.reduce((sum, gap) => sum + gap, 0);
  const share = widerInAll === 0 ? 0 : Math.min(1, (free * SHARE_OF_LEADS) / widerInAll);
  const gaps = wider.map((gap) => Math.floor(gap * share));
  const rest = free - gaps.reduce((sum, gap) => sum + gap, 0);
  let baseline = region.y + Math.round(rest / 2) + riseOf(rows) + (rows[0]?.capHeight ?? 0);
  return rows.flatMap((row, slot) => {
    const y = baseline;
    const next = rows[slot + 1];
    if (next !== undefined) baseline += leadBetween(row, next) + (gaps[slot] ?? 0) + next.capHeight;
    return placeRow(row, y, region);
  });
}

function placeRow(row: Row, baseline: number, region: Rect): TextItem[] {
  if (row.codes.length === 0) return [];
  const codes = cutToWidth(row.codes, row.size, region.width);
  // Aligns the ink with the edge, ignoring the letter's side bearing.
  const x = region.x - measureInk(codes, row.size).left;
  return [placeText(row.name, codes, row.size, { x, baseline, capHeight: row.capHeight })];
}
