/** Limit of characters of a SKU. */
export const MAX_SKU = 100;
/** Limit of characters of a name, a description or a barcode. */
export const MAX_ARTICLE_TEXT = 200;
/** Limit of characters of a note. */
export const MAX_ARTICLE_NOTE = 1_000;
/** Limit of barcodes of an article. */
export const MAX_BARCODES = 50;
/** Limit of places of an article. */
export const MAX_ARTICLE_PLACES = 100;
/** Limit of articles in one request. */
export const MAX_ARTICLES = 1_000;
/** Limit of movements in one request. */
export const MAX_MOVEMENTS = 1_000;
/** The largest count that can be stored. */
export const MAX_STOCK = 1_000_000_000;
/** Limit of bytes of an uploaded picture. */
export const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
/** Limit of megapixels of an uploaded picture. */
export const MAX_PICTURE_MEGAPIXELS = 40;
/** Limit of bytes of a stored picture. */
export const MAX_STORED_PICTURE_BYTES = 200 * 1000;
/** Longer side of a stored picture, in pixels. */
export const PICTURE_PIXELS = 640;
/** Longer side of the small picture for lists, in pixels. */
export const SMALL_PICTURE_PIXELS = 96;
