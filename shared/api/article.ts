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
  'Your article number, unique in any case (`K-10` is `k-10`). In a path it is percent-encoded.',
);
export const articleLocationSchema = code(MAX_ARTICLE_TEXT).describe(
  'The name of the place, with or without a device, in any case. Never a part of a name.',
);

const text = (max: number, what: string) =>
  textUpTo(max).nullable().optional().describe(`${what} Null or empty: none.`);
const count = whole(0, MAX_STOCK);
const READ_ONLY = 'Ignored, so that an article can be sent as it was read.';

const newPlaceSchema = named('NewArticlePlace', {
  location: articleLocationSchema,
  priority: whole(0, MAX_STOCK).nullable().optional().describe('1 comes first; null: in the order of the list.'),
  minimum: count.nullable().optional().describe('At or below it, the place is to be filled up. Null: none.'),
  maximum: count.nullable().optional().describe('Pieces that fit. Null: not known.'),
  on_hand: z
    .int()
    .min(-MAX_STOCK)
    .max(MAX_STOCK)
    .nullable()
    .optional()
    .describe('Pieces there: a count when the article is created, from 0; later read-only. Null: not counted.'),
  allocated: z.int().optional().describe(READ_ONLY),
  available: intOrNull.optional().describe(READ_ONLY),
  empty: z.boolean().optional().describe(READ_ONLY),
  attention: z.array(z.string()).optional().describe(READ_ONLY),
});
export type NewArticlePlace = z.infer<typeof newPlaceSchema>;

const barcodeSchema = named('ArticleBarcode', {
  code: code(MAX_ARTICLE_TEXT).describe('As it is scanned. It belongs to one article.'),
  quantity: whole(1, MAX_STOCK)
    .default(1)
    .describe('Pieces that one scan of the code counts, such as those of a pack.'),
});

const isDistinct = (keys: readonly string[]): boolean => new Set(keys).size === keys.length;

const fields = {
  name: text(MAX_ARTICLE_TEXT, 'What a worker reads.'),
  description: text(MAX_ARTICLE_TEXT, 'What distinguishes the article.'),
  barcodes: z
    .array(barcodeSchema)
    .max(MAX_BARCODES)
    .refine((codes) => isDistinct(codes.map((each) => barcodeKey(each.code))), 'A barcode is listed twice.')
    .optional()
    .describe('Replaces the list.'),
  unit: text(20, 'What is counted, such as `pcs`.'),
  note: text(MAX_ARTICLE_NOTE, 'What people should know.'),
  active: z.boolean().optional().describe('false hides the article from lists and lookups. Default: true.'),
  places: z
    .array(newPlaceSchema)
    .max(MAX_ARTICLE_PLACES)
    .refine((places) => isDistinct(places.map(({ location }) => nameKey(location))), 'A place is listed twice.')
    .optional()
    .describe('Replaces the list. 409 `in_use` if a place that is left out has pieces.'),
  id: z.int().optional().describe(READ_ONLY),
  picture: textOrNull.optional().describe(READ_ONLY),
  updated: z.string().optional().describe(READ_ONLY),
};

export const newArticleSchema = described('NewArticle', 'An article as it is created or replaced.', {
  sku: skuSchema,
  ...fields,
});
export type NewArticle = z.infer<typeof newArticleSchema>;

export const articleReplacementSchema = described('ArticleReplacement', 'What is left out is cleared.', {
  sku: skuSchema.optional().describe('That of the path.'),
  ...fields,
});
export type ArticleReplacement = z.infer<typeof articleReplacementSchema>;

export const articleChangeSchema = described('ArticleChange', 'What is left out stays; null clears.', {
  sku: skuSchema.optional().describe('Another SKU renames the article. Open lines and movements follow.'),
  ...fields,
});
export type ArticleChange = z.infer<typeof articleChangeSchema>;

/** Fields of an article that a change can set. */
export const ARTICLE_FIELDS = ['sku', 'name', 'description', 'barcodes', 'unit', 'note', 'active', 'places'] as const;

const limits = {
  minimum: intOrNull.describe('At or below it, the place is to be filled up; null: none.'),
  maximum: intOrNull.describe('Pieces that fit; null: not known.'),
};

/** Stock of an article at a place. */
export const stockFields = {
  location: z.string(),
  ...limits,
  on_hand: intOrNull.describe('Pieces there; null: not counted. Below 0: the count was wrong.'),
  allocated: z.int().describe('What launched, unfinished lines still need here.'),
  available: intOrNull.describe('`on_hand` less `allocated`; it reserves nothing.'),
  empty: z.boolean().describe('Somebody found it empty, and it is not counted.'),
  attention: z.array(oneOf(STOCK_ATTENTION)).describe('negative: more was picked than was counted.'),
};

export const articlePlaceSchema = named('ArticlePlace', {
  ...stockFields,
  priority: intOrNull.describe('1 comes first; null: in the order of the list.'),
});
export type ArticlePlace = z.infer<typeof articlePlaceSchema>;

export const articleSchema = named('Article', {
  id: z.int().describe('Stays when the article is renamed.'),
  sku: z.string(),
  name: textOrNull,
  description: textOrNull,
  barcodes: z.array(
    z.object({ code: z.string(), quantity: z.int().describe('Pieces that one scan of the code counts.') }),
  ),
  unit: textOrNull,
  note: textOrNull,
  picture: textOrNull.describe(
    'Address of its picture, which changes with the picture. With `&size=96`, a small one. Null: none.',
  ),
  active: z.boolean(),
  places: z.array(articlePlaceSchema),
  updated: timestamp.describe('The last change of the article or its stock.'),
});
export type Article = z.infer<typeof articleSchema>;

export const articleResultSchema = articleSchema
  .extend({ warnings: z.array(z.string()).describe('What may be a mistake.') })
  .meta({ id: 'ArticleResult' });
export type ArticleResult = z.infer<typeof articleResultSchema>;

/** The result for one element of a bulk request. */
export const articleBulkSchema = named('ArticleBulkResult', {
  status: z.union([z.literal(200), z.literal(201), z.literal(400), z.literal(409)]).describe('201: created.'),
  sku: z.string().describe('As it is now; of a refused element as it was sent.'),
  warnings: z.array(z.string()).optional(),
  code: oneOf(ERROR_CODES).optional(),
  detail: z.string().optional().describe('Why it was refused.'),
  errors: z.array(fieldErrorSchema).optional(),
});
export type ArticleBulkResult = z.infer<typeof articleBulkSchema>;

export const ARTICLE_SORTS = ['sku', 'name', 'updated'] as const;

export const articleQuerySchema = z.object({
  q: textUpTo(MAX_ARTICLE_TEXT)
    .optional()
    .describe('Only articles with this in SKU, name, description, a barcode or a place.'),
  barcode: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Only the article with this barcode.'),
  location: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Only articles with this place.'),
  updated_after: momentSchema.optional().describe('Only articles with an `updated` at this time or later.'),
  active: z.enum(['1', 'true', '0', 'false', 'all']).optional().describe('Default: 1. 0: only hidden ones.'),
  sort: oneOf(ARTICLE_SORTS).optional().describe('Default: sku.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Default: 1,000.'),
  after: z.string().optional().describe('SKU of the last article of the previous page.'),
});
export type ArticleQuery = z.infer<typeof articleQuerySchema>;

export const articleRemovalQuerySchema = z.object({
  force: z
    .enum(['0', '1', 'true', 'false'])
    .optional()
    .describe('1: also with stock, which is written off (`adjust`), and with open lines, which keep their name.'),
});

export const articlePictureSchema = named('ArticlePicture', {
  picture: textOrNull.describe('Address of the picture, which changes with the picture.'),
});
export type ArticlePicture = z.infer<typeof articlePictureSchema>;

export const pictureQuerySchema = z.object({
  size: z.enum(['96']).optional().describe('96: a small one for lists. Default: up to 640 pixels.'),
  v: z.string().optional().describe('The version of the address. Only with it, browsers keep the picture.'),
});
