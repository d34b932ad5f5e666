/** Characters of a SKU. */
export const MAX_SKU = 100;
/** Characters of a name, a description or a barcode. */
export const MAX_ARTICLE_TEXT = 200;
/** Characters of a note. */
export const MAX_ARTICLE_NOTE = 1_000;
/** Barcodes of an article. */
export const MAX_BARCODES = 50;
/** Places of an article. */
export const MAX_ARTICLE_PLACES = 100;
/** Elements of one call. */
export const MAX_ARTICLES = 1_000;
/** Movements of one call. */
export const MAX_MOVEMENTS = 1_000;
/** The largest count. */
export const MAX_STOCK = 1_000_000_000;
/** Bytes of a picture as it is sent. */
export const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
/** Millions of pixels of a picture as it is sent. */
export const MAX_PICTURE_MEGAPIXELS = 40;
/** Bytes of a picture as it is stored. */
export const MAX_STORED_PICTURE_BYTES = 200 * 1000;
/** Pixels of the longer side of a stored picture. */
export const PICTURE_PIXELS = 640;
/** The same of the small one for lists. */
export const SMALL_PICTURE_PIXELS = 96;
