import { z } from 'zod';
import * as api from '#shared/api/article.ts';
import { readFlag } from '#shared/api/fields.ts';
import { MAX_ARTICLES, MAX_PICTURE_MEGAPIXELS } from '#shared/lib/articles/articleLimits.ts';
import { countText } from '#shared/lib/text/locale.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { StationError } from '../../errors.ts';
import type { ArticleElement, Articles, Pictures } from '../../services/articles/index.ts';
import { inWords } from '../../services/commands/index.ts';
import { lenientArticle } from '../compat/lenientArticle.ts';
import { isObject } from '../compat/looseValues.ts';
import { unknownFieldsOf } from '../compat/unknownFields.ts';
import { endpointsOf, pageBy, setMixedStatus, type Endpoint } from '../endpoint.ts';
import { PICTURE_TYPE, PICTURE_UPLOAD, pictureAnswer } from '../pictures.ts';
import { BULK_LIMIT } from '../bodies/requestBody.ts';
import { validate } from '../validation.ts';

const define = endpointsOf('articles');

const NO_ARTICLE = 'There is no such article.';
const TAKEN = 'Another article has the SKU or a barcode, or a removed place has stock (`in_use`).';

const TIE = {
  sku: 'CT-200',
  name: 'Cable tie 200',
  description: '200 x 4.8 mm, black',
  barcodes: [
    { code: '4006381333931', quantity: 1 },
    { code: 'CT-200-BOX', quantity: 100 },
  ],
  unit: 'pcs',
  places: [
    { location: 'A-1-1', priority: 1, minimum: 20, maximum: 200, on_hand: 75 },
    { location: 'Reserve 4', priority: 2 },
  ],
};
const CLIP = { sku: 'M8/20', name: 'Screw M8 x 20', places: [{ location: 'A-1-2' }] };

const TAKEN_BARCODE = { sku: 'CT-201', barcodes: [{ code: '4006381333931' }] };

const articleParams = z.object({
  sku: z.string().describe('The SKU, in any case, percent-encoded: a slash is %2F.').meta({ example: TIE.sku }),
});

/** Schema of the path for a change that may create the article, so the whole SKU is validated. */
const newArticleParams = z.object({ sku: api.skuSchema.meta({ example: 'CT-900' }) });

/** Removes the stock from an article's places for the entity tag. Stock changes all the time, but a change to an article never sets it. */
function withoutStock(answer: object): object {
  const { places } = answer as Partial<api.Article>;
  if (!Array.isArray(places)) return answer;
  return {
    ...answer,
    places: places.map(({ location, priority, minimum, maximum }) => ({ location, priority, minimum, maximum })),
  };
}

const TAGGED = { tagged: api.ARTICLE_FIELDS, tagView: withoutStock };

const manyBody = (schema: z.ZodType) =>
  ({
    body: z.array(z.unknown()).max(MAX_ARTICLES, {
      error: `Send at most ${countText(MAX_ARTICLES)} articles. Split a longer list into several calls.`,
    }),
    documentedBody: z.array(schema).max(MAX_ARTICLES),
    namesUnknown: true,
    limit: BULK_LIMIT,
    otherStatuses: [207],
  }) as const;

const changeSchema = api.articleChangeSchema.extend({ sku: api.skuSchema });
const unknownInNew = unknownFieldsOf(api.newArticleSchema);

/** Parses each article separately, so that one invalid article does not cause the others to be refused. */
function elementsOf(body: readonly unknown[], schema: z.ZodType<api.NewArticle>, strict: boolean): ArticleElement[] {
  const seen = new Set<string>();
  return body.map((sent): ArticleElement => {
    const canonical = lenientArticle(sent);
    const sku = isObject(canonical) && typeof canonical['sku'] === 'string' ? canonical['sku'].slice(0, 100) : '';
    try {
      const unknown = unknownInNew(canonical);
      const wanted = validate(schema, canonical, 'body', strict ? unknown : []);
      const key = nameKey(wanted.sku);
      const again = seen.has(key)
        ? [`/sku: ${wanted.sku} is already listed above. This element changes it again.`]
        : [];
      seen.add(key);
      return { sku, read: { wanted, warnings: [...unknown.map(inWords), ...again] } };
    } catch (error) {
      if (!(error instanceof StationError)) throw error;
      return { sku, read: { error } };
    }
  });
}

/** Endpoints for articles (section 20 of the contract). */
export const articleEndpoints = ({ articles, pictures }: { articles: Articles; pictures: Pictures }): Endpoint[] => [
  define('listArticles', 'read', 'List the articles with their places and stock', {
    description: 'Sorted by SKU; at most 1,000 without a `limit`. Hidden articles are listed only with `active`.',
    namesRevision: true,
    query: api.articleQuerySchema,
    page: pageBy('sku', 1_000),
    tagged: [],
    parameterExamples: { q: 'cable', limit: 100, after: 'CT-100', location: 'A-1-1', barcode: '4006381333931' },
    answer: z.array(api.articleSchema),
    handle: ({ query }) => articles.list(query),
  }),
  define('addArticle', 'edit_stock', 'Create an article', {
    description:
      'An article has places, each with its own stock. A place is the name of an alias, a label or a shelf without a device. The `on_hand` of a new article is booked as a count. A barcode belongs to only one article.',
    body: api.newArticleSchema,
    dialect: lenientArticle,
    examples: {
      tie: { summary: 'With two places, one of them counted', value: TIE },
      screw: { summary: 'A SKU with a slash', value: CLIP },
    },
    status: 201,
    answer: api.articleResultSchema,
    refusals: { 409: 'Another article has the SKU or a barcode; `detail` names it.' },
    handle: ({ body, caller }) => articles.add(body, caller.name),
  }),
  define('replaceArticles', 'edit_stock', 'Create or replace many articles', {
    description:
      'Creates or replaces the article with the SKU of each element, and clears fields that the element leaves out, except `places` and `barcodes`. Returns an array in the same order, with the status 200 if all elements succeeded, otherwise 207. Valid elements take effect even if others are refused. At most 1,000 elements and 4 MiB.',
    ...manyBody(api.newArticleSchema),
    examples: {
      two: { summary: 'Two articles', value: [TIE, CLIP] },
      mixed: { summary: 'A barcode of another article: returns 207', value: [TAKEN_BARCODE, CLIP] },
    },
    answer: z.array(api.articleBulkSchema),
    async handle({ body, strict, caller, res }) {
      const results = await articles.saveMany(elementsOf(body, api.newArticleSchema, strict), true, caller.name);
      setMixedStatus(res, results);
      return results;
    },
  }),
  define('changeArticles', 'edit_stock', 'Create or change many articles', {
    description:
      'Like PUT, but an existing article keeps the fields that its element leaves out. Cannot rename an article.',
    ...manyBody(changeSchema),
    examples: {
      name: { summary: 'Another name', value: [{ sku: 'CT-200', name: 'Cable tie 200 mm' }] },
      mixed: { summary: 'A barcode of another article: returns 207', value: [TAKEN_BARCODE] },
    },
    answer: z.array(api.articleBulkSchema),
    async handle({ body, strict, caller, res }) {
      const results = await articles.saveMany(elementsOf(body, changeSchema, strict), false, caller.name);
      setMixedStatus(res, results);
      return results;
    },
  }),
  define('getArticle', 'read', 'Get an article', {
    params: articleParams,
    ...TAGGED,
    answer: api.articleSchema,
    refusals: { 404: NO_ARTICLE },
    handle: ({ params }) => articles.get(params.sku),
  }),
  define('replaceArticle', 'edit_stock', 'Create or replace an article', {
    description:
      'Clears fields that are left out, except `places` and `barcodes`: an empty list removes them. Only movements change the stock. If `on_hand` differs from the stock, `warnings` says so.',
    params: newArticleParams,
    body: api.articleReplacementSchema,
    dialect: lenientArticle,
    ...TAGGED,
    examples: {
      created: { summary: 'A new article: returns 201', value: { name: 'Cable tie 900' } },
      replaced: {
        summary: 'An existing article: returns 200',
        value: { name: 'Cable tie 900', places: [{ location: 'A-2-1' }] },
      },
    },
    otherStatuses: [201],
    answer: api.articleResultSchema,
    refusals: { 409: TAKEN },
    async handle(call) {
      const { params, body, caller, res } = call;
      const { result, isNew } = await articles.replace(params.sku, body, caller.name, (current) =>
        call.refuseChanged(current, ['places', 'barcodes']),
      );
      if (isNew) res.status(201);
      return result;
    },
  }),
  define('changeArticle', 'edit_stock', 'Change or rename an article', {
    description:
      'Fields that are left out stay unchanged; null clears a field. `places` and `barcodes` replace the whole list. Another `sku` renames the article.',
    params: articleParams,
    body: api.articleChangeSchema,
    dialect: lenientArticle,
    ...TAGGED,
    examples: { note: { summary: 'A note', value: { note: 'Order early', unit: 'pcs' } } },
    answer: api.articleResultSchema,
    refusals: { 404: NO_ARTICLE, 409: TAKEN },
    handle(call) {
      const { params, body, caller } = call;
      return articles.change(params.sku, body, caller.name, (current) => call.refuseChanged(current));
    },
  }),
  define('setArticlePicture', 'edit_stock', 'Set the picture of an article', {
    description: `The body is the file itself: a JPEG, PNG or WebP, detected by its content, with at most ${MAX_PICTURE_MEGAPIXELS} megapixels. The station rotates it upright, removes its metadata, and stores a WebP of at most 640 pixels and 200 KB.`,
    params: articleParams,
    upload: PICTURE_UPLOAD,
    answer: api.articlePictureSchema,
    refusals: { 404: NO_ARTICLE, 415: 'The file is not a supported picture; `detail` says what to do.' },
    handle: ({ params, file }) => pictures.set(params.sku, Buffer.from(file?.bytes ?? [])),
  }),
  define('getArticlePicture', 'read', 'Get the picture of an article', {
    description:
      '`picture` of the article is the address of the picture with a version. Browsers cache that address for one year. Without the version, they check with each request whether the picture has changed.',
    params: articleParams,
    query: api.pictureQuerySchema,
    parameterExamples: { size: '96' },
    answer: { contentType: PICTURE_TYPE },
    refusals: { 404: 'There is no such article, or it has no picture.' },
    handle: ({ params, query: { size, v }, req, res }) =>
      pictureAnswer(pictures.get(params.sku, size !== undefined), {
        req,
        res,
        named: v,
        part: size === undefined ? '' : `-${size}`,
      }),
  }),
  define('removeArticlePicture', 'edit_stock', 'Remove the picture of an article', {
    params: articleParams,
    refusals: { 404: 'There is no such article, or it has no picture.' },
    handle: ({ params }) => pictures.remove(params.sku),
  }),
  define('removeArticle', 'edit_stock', 'Delete an article', {
    description: 'Its movements are kept. To hide an article instead, set `active` to false.',
    params: articleParams,
    query: api.articleRemovalQuerySchema,
    parameterExamples: { sku: CLIP.sku },
    ...TAGGED,
    refusals: {
      404: NO_ARTICLE,
      409: 'The article has stock, open lines or open tasks (`in_use`); `detail` names them.',
    },
    handle(call) {
      const { params, query, caller } = call;
      const force = readFlag(query.force ?? '') === true;
      return articles.remove(params.sku, { force, by: caller.name }, (current) => call.refuseChanged(current));
    },
  }),
];
