import { bold104 } from './glyphs/bold104.ts';
import { bold17 } from './glyphs/bold17.ts';
import { bold20 } from './glyphs/bold20.ts';
import { bold24 } from './glyphs/bold24.ts';
import { bold28 } from './glyphs/bold28.ts';
import { bold32 } from './glyphs/bold32.ts';
import { bold44 } from './glyphs/bold44.ts';
import { bold64 } from './glyphs/bold64.ts';
import { small12 } from './glyphs/small12.ts';
import { small14 } from './glyphs/small14.ts';
import { openSheet, type PackedSheet, type Sheet } from './sheet.ts';

/** The sizes of text there are, in nominal pixels, largest first. */
export const TEXT_SIZES = [104, 64, 44, 32, 28, 24, 20, 17, 14, 12] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

const FIRST: Record<TextSize, PackedSheet> = {
  104: bold104,
  64: bold64,
  44: bold44,
  32: bold32,
  28: bold28,
  24: bold24,
  20: bold20,
  17: bold17,
  14: small14,
  12: small12,
};

export type FurtherSheets = Record<TextSize, readonly PackedSheet[]>;

let further: FurtherSheets | undefined;
// Constant once opened, so that sharing it between callers changes nothing but the time it takes.
let opened: Partial<Record<TextSize, Sheet>> = {};

/** The glyph sheet of a size. The first call for a size unpacks its index (a millisecond or less). */
export function sheetOf(size: TextSize): Sheet {
  return (opened[size] ??= openSheet(FIRST[size], ...(further?.[size] ?? [])));
}

/** Makes the letters beyond those of Western Europe known. allSheets.ts does it wherever it is imported. */
export function addFurtherSheets(sheets: FurtherSheets): void {
  further = sheets;
  opened = {};
}

/** Whether the sheets that are there have all that there will ever be. */
export function isComplete(): boolean {
  return further !== undefined;
}
