import { openSheet, type Glyph, type PackedSheet, type Sheet } from './sheet.ts';

/** Sizes of icons in pixels, largest first: alone on the screen, next to text, above a barcode, and as one of two graphics. */
export const ICON_SIZES = [120, 96, 62, 44] as const;
export type IconSize = (typeof ICON_SIZES)[number];

let packed: Record<IconSize, PackedSheet> | undefined;
// Module state is harmless here, because an opened sheet never changes.
let opened: Partial<Record<IconSize, Sheet>> = {};

/**
 * Finds the glyph of an icon at this size. `char` is the character after `hazard`. Returns undefined if the icon is unknown or not loaded
 * yet.
 */
export function findIconGlyph(char: string, size: IconSize): Glyph | undefined {
  if (packed === undefined || char.length !== 1) return undefined;
  const sheet = (opened[size] ??= openSheet(packed[size]));
  return sheet.findGlyph(char.charCodeAt(0));
}

/** Registers the icons. Called when allIcons.ts is imported. */
export function addIconSheets(sheets: Record<IconSize, PackedSheet>): void {
  packed = sheets;
  opened = {};
}

/** Whether the icons are loaded. */
export function hasIconSheets(): boolean {
  return packed !== undefined;
}
