import { z } from 'zod';
import {
  MAX_ARTICLE_NOTE,
  MAX_ARTICLE_PLACES,
  MAX_ARTICLE_TEXT,
  MAX_BARCODES,
  MAX_SKU,
  MAX_STOCK,
} from '../lib/articles/articleLimits.ts';
import { barcodeKey } from '../lib/articles/barcodeKey.ts';
import { nameKey } from '../lib/text/nameKey.ts';
import { ERROR_CODES, fieldErrorSchema } from './problem.ts';
import {
  described,
  inPath,
  intOrNull,
  afterRevision,
  momentSchema,
  named,
  oneOf,
  textOrNull,
  textUpTo,
  timestamp,
  whole,
  withoutControl,
} from './fields.ts';

/** Why the stock of an article at a place needs attention. */
export const STOCK_ATTENTION = ['negative'] as const;

/** Schema for a code. Codes are trimmed, unlike other texts, because people type and scan codes, and addresses contain them. */
const code = (max: number) => withoutControl(z.string().trim().min(1).max(max));

export const skuSchema = inPath(code(MAX_SKU)).describe(
  'Your article number. Unique, ignoring case (`K-10` equals `k-10`). Percent-encode it in a path.',
);
export const articleLocationSchema = code(MAX_ARTICLE_TEXT).describe(
  'Full name of the place, with or without a device, ignoring case. Partial names do not match.',
);

const text = (max: number, what: string) =>
  textUpTo(max).nullable().optional().describe(`${what} Null or empty means none.`);
const count = whole(0, MAX_STOCK);
const READ_ONLY = 'Ignored. Accepted so that you can send an article back as returned.';

const newPlaceSchema = named('NewArticlePlace', {
  location: articleLocationSchema,
  priority: whole(0, MAX_STOCK)
    .nullable()
    .optional()
    .describe('1 comes first. If null, the order of the list applies.'),
  minimum: count
    .nullable()
    .optional()
    .describe('The place needs refilling at or below this number of pieces. Null if none.'),
  maximum: count.nullable().optional().describe('Maximum number of pieces at the place. Null if unknown.'),
  on_hand: z
    .int()
    .min(-MAX_STOCK)
    .max(MAX_STOCK)
    .nullable()
    .optional()
    .describe(
      'Pieces at the place: an initial count of at least 0 when the article is created; later read-only. Null if not counted.',
    ),
  allocated: z.int().optional().describe(READ_ONLY),
  available: intOrNull.optional().describe(READ_ONLY),
  empty: z.boolean().optional().describe(READ_ONLY),
  attention: z.array(z.string()).optional().describe(READ_ONLY),
});
export type NewArticlePlace = z.infer<typeof newPlaceSchema>;

const barcodeSchema = named('ArticleBarcode', {
  code: code(MAX_ARTICLE_TEXT).describe('The barcode as scanned. It belongs to one article only.'),
  quantity: whole(1, MAX_STOCK)
    .default(1)
    .describe('Number of pieces that one scan counts, such as the pieces of a pack.'),
});

const isDistinct = (keys: readonly string[]): boolean => new Set(keys).size === keys.length;

const fields = {
  name: text(MAX_ARTICLE_TEXT, 'Name that workers see.'),
  description: text(MAX_ARTICLE_TEXT, 'Details that distinguish the article.'),
  barcodes: z
    .array(barcodeSchema)
    .max(MAX_BARCODES)
    .refine((codes) => isDistinct(codes.map((each) => barcodeKey(each.code))), 'A barcode is listed twice.')
    .optional()
    .describe('Replaces the list; an empty list removes all. If it is omitted, the list stays.'),
  unit: text(20, 'Unit of the quantities, such as `pcs`.'),
  note: text(MAX_ARTICLE_NOTE, 'Note for people.'),
  active: z.boolean().optional().describe('false hides the article from lists and lookups. Defaults to true.'),
  places: z
    .array(newPlaceSchema)
    .max(MAX_ARTICLE_PLACES)
    .refine((places) => isDistinct(places.map(({ location }) => nameKey(location))), 'A place is listed twice.')
    .optional()
    .describe(
      'Replaces the list; an empty list removes all. If it is omitted, the list stays. Refused with 409 `in_use` if an omitted place has pieces.',
    ),
  id: z.int().optional().describe(READ_ONLY),
  picture: textOrNull.optional().describe(READ_ONLY),
  wanted: z.int().optional().describe(READ_ONLY),
  updated: z.string().optional().describe(READ_ONLY),
};

export const newArticleSchema = described('NewArticle', 'An article to create or replace.', {
  sku: skuSchema,
  ...fields,
});
export type NewArticle = z.infer<typeof newArticleSchema>;

export const articleReplacementSchema = described(
  'ArticleReplacement',
  'Omitted fields are cleared, except `barcodes` and `places`.',
  {
    sku: skuSchema.optional().describe('The SKU in the path.'),
    ...fields,
  },
);
export type ArticleReplacement = z.infer<typeof articleReplacementSchema>;

export const articleChangeSchema = described('ArticleChange', 'Omitted fields stay unchanged; null clears a field.', {
  sku: skuSchema.optional().describe('A different SKU renames the article, also in its open lines and movements.'),
  ...fields,
});
export type ArticleChange = z.infer<typeof articleChangeSchema>;

/** Fields of an article that a change can set. */
export const ARTICLE_FIELDS = ['sku', 'name', 'description', 'barcodes', 'unit', 'note', 'active', 'places'] as const;

const limits = {
  minimum: intOrNull.describe('The place needs refilling at or below this number of pieces; null if none.'),
  maximum: intOrNull.describe('Maximum number of pieces at the place; null if unknown.'),
};

/** Stock of an article at a place. */
export const stockFields = {
  location: z.string(),
  ...limits,
  on_hand: intOrNull.describe(
    'Pieces at the place; null if not counted. A negative number means that the count was wrong.',
  ),
  allocated: z.int().describe('Pieces that launched, unfinished lines still need from this place.'),
  available: intOrNull.describe('`on_hand` minus `allocated`. Nothing is reserved.'),
  empty: z.boolean().describe('Whether the place was found empty and is not counted.'),
  attention: z.array(oneOf(STOCK_ATTENTION)).describe('negative: more pieces were picked than counted.'),
};

export const articlePlaceSchema = named('ArticlePlace', {
  ...stockFields,
  priority: intOrNull.describe('1 comes first. If null, the order of the list applies.'),
});
export type ArticlePlace = z.infer<typeof articlePlaceSchema>;

export const articleSchema = named('Article', {
  id: z.int().describe('Unchanged when the article is renamed.'),
  sku: z.string(),
  name: textOrNull,
  description: textOrNull,
  barcodes: z.array(
    z.object({ code: z.string(), quantity: z.int().describe('Number of pieces that one scan counts.') }),
  ),
  unit: textOrNull,
  note: textOrNull,
  picture: textOrNull.describe(
    'Address of the picture, which changes with the picture. Add `&size=96` for a small version. Null if none.',
  ),
  active: z.boolean(),
  places: z.array(articlePlaceSchema),
  wanted: z
    .int()
    .optional()
    .describe(
      'Pieces that orders still need: all lines of orders that are open, under way, paused or waiting, without aborted orders and shorts. Only in answers to GET.',
    ),
  updated: timestamp.describe('Time of the last change to the article or its stock.'),
});
export type Article = z.infer<typeof articleSchema>;

export const articleResultSchema = articleSchema
  .extend({ warnings: z.array(z.string()).describe('Possible mistakes in the request.') })
  .meta({ id: 'ArticleResult' });
export type ArticleResult = z.infer<typeof articleResultSchema>;

/** The result for one element of a bulk request. */
export const articleBulkSchema = named('ArticleBulkResult', {
  status: z.union([z.literal(200), z.literal(201), z.literal(400), z.literal(409)]).describe('201: created.'),
  sku: z.string().describe('Current SKU of the article; for a refused element, the SKU as sent.'),
  warnings: z.array(z.string()).optional(),
  code: oneOf(ERROR_CODES).optional(),
  detail: z.string().optional().describe('Why the element was refused.'),
  errors: z.array(fieldErrorSchema).optional(),
});
export type ArticleBulkResult = z.infer<typeof articleBulkSchema>;

export const ARTICLE_SORTS = ['sku', 'name', 'updated'] as const;

export const articleQuerySchema = z.object({
  q: textUpTo(MAX_ARTICLE_TEXT)
    .optional()
    .describe('Only articles with this text in the SKU, name, description, a barcode or a place.'),
  barcode: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Only the article with this barcode.'),
  location: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Only articles at this place.'),
  updated_after: momentSchema.optional().describe('Only articles with `updated` at or after this time.'),
  after_revision: afterRevision('articles'),
  active: z
    .enum(['1', 'true', '0', 'false', 'all'])
    .optional()
    .describe('Defaults to 1. 0 returns only hidden articles.'),
  sort: oneOf(ARTICLE_SORTS).optional().describe('Defaults to sku.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Defaults to 1,000.'),
  after: z.string().optional().describe('SKU of the last article of the previous page.'),
});
export type ArticleQuery = z.infer<typeof articleQuerySchema>;

export const articleRemovalQuerySchema = z.object({
  force: z
    .enum(['0', '1', 'true', 'false'])
    .optional()
    .describe(
      '1 also deletes an article with stock, which is written off (`adjust`), or with open lines, which keep their name.',
    ),
});

export const articlePictureSchema = named('ArticlePicture', {
  picture: textOrNull.describe('Address of the picture, which changes with the picture.'),
});
export type ArticlePicture = z.infer<typeof articlePictureSchema>;

export const pictureQuerySchema = z.object({
  size: z
    .enum(['96'])
    .optional()
    .describe('96 returns a small picture for lists. Defaults to a picture of up to 640 pixels.'),
  v: z
    .string()
    .optional()
    .describe('Version from the address of the picture. Browsers cache the picture only with this parameter.'),
});
