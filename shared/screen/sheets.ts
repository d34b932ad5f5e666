import bold104 from './glyphs/bold104.json' with { type: 'json' };
import bold17 from './glyphs/bold17.json' with { type: 'json' };
import bold20 from './glyphs/bold20.json' with { type: 'json' };
import bold24 from './glyphs/bold24.json' with { type: 'json' };
import bold28 from './glyphs/bold28.json' with { type: 'json' };
import bold32 from './glyphs/bold32.json' with { type: 'json' };
import bold44 from './glyphs/bold44.json' with { type: 'json' };
import bold64 from './glyphs/bold64.json' with { type: 'json' };
import figures from './glyphs/figures.json' with { type: 'json' };
import small15 from './glyphs/small15.json' with { type: 'json' };
import small16 from './glyphs/small16.json' with { type: 'json' };
import { openSheet, type PackedSheet, type Sheet } from './sheet.ts';

/**
 * Text sizes in nominal pixels, largest first. Capitals are at least 12 pixels (2.7 mm) high. The last two sizes are monospaced, with
 * widths of 8 and 6 pixels.
 */
export const TEXT_SIZES = [104, 64, 44, 32, 28, 24, 20, 17, 16, 15] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

/**
 * Sheets for quantities, with only digits, plus and question mark, most legible first. Sizes 136, 104, 84 and 64 are 100, 75, 61 and 47
 * pixels high.
 */
export const FIGURE_SIZES = ['136narrow', '104', '104narrow', '84', '84narrow', '64', '64narrow', '64slim'] as const;
export type FigureSize = (typeof FIGURE_SIZES)[number];

const FIRST: Record<TextSize, PackedSheet> = {
  104: bold104,
  64: bold64,
  44: bold44,
  32: bold32,
  28: bold28,
  24: bold24,
  20: bold20,
  17: bold17,
  16: small16,
  15: small15,
};

const FIGURES: Record<FigureSize, PackedSheet> = {
  '136narrow': figures.figures136Narrow,
  '104': figures.figures104,
  '104narrow': figures.figures104Narrow,
  '84': figures.figures84,
  '84narrow': figures.figures84Narrow,
  '64': figures.figures64,
  '64narrow': figures.figures64Narrow,
  '64slim': figures.figures64Slim,
};

export type FurtherSheets = Record<TextSize, readonly PackedSheet[]>;

let further: FurtherSheets | undefined;
// Module state is harmless here, because an opened sheet never changes.
let opened: Partial<Record<TextSize, Sheet>> = {};
const openedFigures: Partial<Record<FigureSize, Sheet>> = {};

/** Returns the glyph sheet of a size. The first call for a size unpacks the sheet's index, in at most a millisecond. */
export function sheetOf(size: TextSize | FigureSize): Sheet {
  if (typeof size === 'string') return (openedFigures[size] ??= openSheet(FIGURES[size]));
  return (opened[size] ??= openSheet(FIRST[size], ...(further?.[size] ?? [])));
}

/** Registers the glyphs beyond Western Europe. Called when allSheets.ts is imported. */
export function addFurtherSheets(sheets: FurtherSheets): void {
  further = sheets;
  opened = {};
}

/** Whether all sheets are loaded. */
export function isComplete(): boolean {
  return further !== undefined;
}
