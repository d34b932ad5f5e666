import { openSheet, type Glyph, type PackedSheet, type Sheet } from './sheet.ts';

/** Widths and heights that signs are drawn in, in pixels, largest first: alone on the screen, beside text, above a barcode, one of two. */
export const ICON_SIZES = [120, 96, 62, 44] as const;
export type IconSize = (typeof ICON_SIZES)[number];

let packed: Record<IconSize, PackedSheet> | undefined;
// Constant once opened, so that sharing it between callers changes nothing but the time it takes.
let opened: Partial<Record<IconSize, Sheet>> = {};

/**
 * The picture of a sign (the character after `hazard`) in a size, to be drawn at the upper left of its place. Undefined where
 * there is no such sign, or its sheets are not there yet.
 */
export function findIconGlyph(char: string, size: IconSize): Glyph | undefined {
  if (packed === undefined || char.length !== 1) return undefined;
  const sheet = (opened[size] ??= openSheet(packed[size]));
  return sheet.findGlyph(char.charCodeAt(0));
}

/** Makes the signs known. allIcons.ts does it wherever it is imported. */
export function addIconSheets(sheets: Record<IconSize, PackedSheet>): void {
  packed = sheets;
  opened = {};
}

/** Whether signs can be drawn. */
export function hasIconSheets(): boolean {
  return packed !== undefined;
}
