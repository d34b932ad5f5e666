/** Maximum number of characters in a SKU. */
export const MAX_SKU = 100;
/** Maximum number of characters in a name, a description or a barcode. */
export const MAX_ARTICLE_TEXT = 200;
/** Maximum number of characters in a note. */
export const MAX_ARTICLE_NOTE = 1_000;
/** Maximum number of barcodes per article. */
export const MAX_BARCODES = 50;
/** Maximum number of places per article. */
export const MAX_ARTICLE_PLACES = 100;
/** Maximum number of articles in one request. */
export const MAX_ARTICLES = 1_000;
/** Maximum number of movements in one request. */
export const MAX_MOVEMENTS = 1_000;
/** The largest count that can be stored. */
export const MAX_STOCK = 1_000_000_000;
/** Maximum size of an uploaded picture in bytes. */
export const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
/** Maximum size of an uploaded picture in megapixels. */
export const MAX_PICTURE_MEGAPIXELS = 40;
/** Maximum size of a stored picture in bytes. */
export const MAX_STORED_PICTURE_BYTES = 200 * 1000;
/** Length of the longer side of a stored picture in pixels. */
export const PICTURE_PIXELS = 640;
/** Length of the longer side of the small picture for lists in pixels. */
export const SMALL_PICTURE_PIXELS = 96;
