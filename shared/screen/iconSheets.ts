/** Widths and heights that signs are drawn in, in pixels, largest first: alone on the screen, beside text, above a barcode, one of two. */
export const ICON_SIZES = [120, 96, 62, 44] as const;
export type IconSize = (typeof ICON_SIZES)[number];
