import { bold104 } from './glyphs/bold104.ts';
import { bold17 } from './glyphs/bold17.ts';
import { bold20 } from './glyphs/bold20.ts';
import { bold24 } from './glyphs/bold24.ts';
import { bold28 } from './glyphs/bold28.ts';
import { bold32 } from './glyphs/bold32.ts';
import { bold44 } from './glyphs/bold44.ts';
import { bold64 } from './glyphs/bold64.ts';
import { further12 } from './glyphs/further12.ts';
import { further14 } from './glyphs/further14.ts';
import { small12 } from './glyphs/small12.ts';
import { small14 } from './glyphs/small14.ts';
import { openSheet, type Sheet } from './sheet.ts';

/** The sizes of text there are, in nominal pixels, largest first. */
export const TEXT_SIZES = [104, 64, 44, 32, 28, 24, 20, 17, 14, 12] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

const OPENERS: Record<TextSize, () => Sheet> = {
  104: () => openSheet(bold104),
  64: () => openSheet(bold64),
  44: () => openSheet(bold44),
  32: () => openSheet(bold32),
  28: () => openSheet(bold28),
  24: () => openSheet(bold24),
  20: () => openSheet(bold20),
  17: () => openSheet(bold17),
  14: () => openSheet(small14, further14),
  12: () => openSheet(small12, further12),
};

// Constant once opened, so that sharing it between callers changes nothing but the time it takes.
const opened: Partial<Record<TextSize, Sheet>> = {};

/** The glyph sheet of a size. The first call for a size unpacks its index (a millisecond or less). */
export function sheetOf(size: TextSize): Sheet {
  return (opened[size] ??= OPENERS[size]());
}
