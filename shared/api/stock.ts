import { z } from 'zod';
import { MAX_ARTICLE_TEXT, MAX_MOVEMENTS, MAX_STOCK } from '../lib/articles/articleLimits.ts';
import { countText } from '../lib/text/locale.ts';
import { MOVEMENT_KINDS } from '../lib/articles/movementKinds.ts';
import { articleLocationSchema, articleQuerySchema, skuSchema, stockFields } from './article.ts';
import {
  afterId,
  intOrNull,
  momentSchema,
  named,
  oneOf,
  textOrNull,
  textUpTo,
  timestamp,
  timestampOrNull,
  whole,
} from './fields.ts';
import { ERROR_CODES, fieldErrorSchema } from './problem.ts';

export type { MovementKind } from '../lib/articles/movementKinds.ts';

const HOW = 'Give delta, or count, or from, to and quantity.';

/** A change to the stock: by a number of pieces, to a number of pieces, or from one place to another. */
export const newMovementSchema = z
  .object({
    sku: skuSchema.describe('The SKU of the article.'),
    location: articleLocationSchema.optional().describe('The place of `delta` or `count`.'),
    delta: z.int().min(-MAX_STOCK).max(MAX_STOCK).optional().describe('Pieces more, or fewer below 0 (`adjust`).'),
    count: whole(0, MAX_STOCK).optional().describe('Pieces that are there (`count`).'),
    from: articleLocationSchema.optional().describe('Where pieces are taken (`transfer`).'),
    to: articleLocationSchema.optional().describe('Where they are put.'),
    quantity: whole(1, MAX_STOCK).optional().describe('Pieces of a transfer.'),
    was: intOrNull
      .optional()
      .describe(
        '`on_hand` as it was shown; null: not counted. If it has changed since, a count is refused: 409 `outdated`.',
      ),
    reason: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Why.'),
    key: textUpTo(200)
      .min(1)
      .optional()
      .describe('Any text: a repeated movement with this key does nothing within 24 hours and gets the first answer.'),
  })
  .refine(
    ({ delta, count, from, to, quantity }) =>
      [delta, count, quantity].filter((each) => each !== undefined).length === 1 &&
      (quantity !== undefined) === (from !== undefined && to !== undefined) &&
      (quantity !== undefined || (from === undefined && to === undefined)),
    HOW,
  )
  .refine(({ quantity, location }) => quantity !== undefined || location !== undefined, {
    error: 'A delta or a count needs the place.',
    path: ['location'],
  })
  .meta({ id: 'NewMovement' });
export type NewMovement = z.infer<typeof newMovementSchema>;

export const stockChangeSchema = named('StockChange', {
  movements: z
    .array(z.unknown())
    .min(1)
    .max(MAX_MOVEMENTS, `Send at most ${countText(MAX_MOVEMENTS)} movements. Split more into several calls.`),
});
export const documentedStockChangeSchema = named('StockChange', {
  movements: z.array(newMovementSchema).min(1).max(MAX_MOVEMENTS).describe('Each is judged by itself.'),
});

export const movementResultSchema = named('MovementResult', {
  status: z
    .union([z.literal(200), z.literal(400), z.literal(404), z.literal(409)])
    .describe('200: it is booked, now or by an earlier request with this key.'),
  movement_id: intOrNull.describe('Of a transfer: that of the place where the pieces were put. Null: refused.'),
  on_hand: intOrNull.describe('Pieces there afterwards; null: not counted, or refused.'),
  warnings: z.array(z.string()).optional(),
  code: oneOf(ERROR_CODES).optional(),
  detail: z.string().optional().describe('Why it was refused.'),
  errors: z.array(fieldErrorSchema).optional(),
});
export type MovementResult = z.infer<typeof movementResultSchema>;

export const stockRowSchema = named('StockRow', {
  sku: z.string(),
  name: textOrNull,
  unit: textOrNull,
  picture: textOrNull.describe('Address of the picture of the article, as in the article. Null: none.'),
  ...stockFields,
});
export type StockRow = z.infer<typeof stockRowSchema>;

export const stockShowSchema = named('StockShow', {
  seconds: whole(0, 300).optional().describe('For how long. Default: 30. 0 ends what is shown.'),
});
export type StockShow = z.infer<typeof stockShowSchema>;

const devices = (color: string) => z.int().describe(`Devices that are lit ${color}.`);
export const stockShownSchema = named('StockShown', {
  until: timestampOrNull.describe('When the lights go off; null: nothing is shown.'),
  green: devices('green: enough'),
  yellow: devices('yellow: at or below the minimum'),
  red: devices('red: empty'),
  busy: z.array(z.string()).describe('Places whose device shows work, which keeps its light.'),
  left_out: z.array(z.string()).describe('Places whose device has a slow link or no LED.'),
});
export type StockShown = z.infer<typeof stockShownSchema>;

const flag = z.enum(['1', 'true']).optional();
const filters = {
  sku: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Only of this article.'),
  SKU: textUpTo(MAX_ARTICLE_TEXT).optional().describe('The same as `sku`.'),
  location: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Only at this place.'),
};

export const stockQuerySchema = z.object({
  ...filters,
  q: articleQuerySchema.shape.q,
  below_minimum: flag.describe('1: only places at or below their minimum.'),
  to_reorder: flag.describe('1: the same, and places that have a minimum but were never counted.'),
  negative: flag.describe('1: only places below 0.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Default: 1,000.'),
  after: z.string().optional().describe('SKU and place of the last row of the previous page, as in the header `Link`.'),
});
export type StockQuery = z.infer<typeof stockQuerySchema>;

export const movementSchema = named('Movement', {
  movement_id: z.int().describe('Increases with every movement.'),
  kind: oneOf(MOVEMENT_KINDS),
  time: timestamp,
  SKU: z.string(),
  location: z.string(),
  deviceid: z.string().describe('Empty: no device.'),
  delta: z.int().describe('Pieces more or, below 0, fewer.'),
  on_hand: intOrNull.describe('Pieces there afterwards; null: not counted, or the article does not have this place.'),
  order: textOrNull,
  shipment: textOrNull,
  item: intOrNull.describe('Its id.'),
  ordered_quantity: intOrNull.describe('Of the item.'),
  quantity_fulfilled: intOrNull.describe('Of the item, afterwards.'),
  reason: z.string(),
  picker: z.string().describe('Whose line it is; empty: nobody’s.'),
  by: z.string().describe('Who did it; `device`: a press.'),
  nonce: z.string(),
});
export type Movement = z.infer<typeof movementSchema>;

export const movementQuerySchema = z.object({
  ...filters,
  order_number: z.string().optional().describe('Only of this order.'),
  kind: oneOf(MOVEMENT_KINDS).optional().describe('Only of this kind.'),
  from: momentSchema.optional().describe('Only at this time or later.'),
  to: momentSchema.optional().describe('Only before this time.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Default: 1,000.'),
  after: afterId('a movement'),
});
export type MovementQuery = z.infer<typeof movementQuerySchema>;

/** A question about the stock at a place, which people can ignore. */
export const leftAskedSchema = named('LeftAsked', {
  what: oneOf(['empty', 'count']).describe(
    'empty: the pick should have left nothing (`zero_check`). count: how many are left (`count_every`).',
  ),
  movement_id: z.int().describe('The pick.'),
  SKU: z.string(),
  location: z.string(),
  deviceid: z.string().describe('Empty: no device.'),
  order: textOrNull,
  item: intOrNull.describe('Its id.'),
  picker: z.string().describe('Whose line it is; empty: nobody’s.'),
});
export type LeftAsked = z.infer<typeof leftAskedSchema>;

export const leftSchema = z
  .object({
    sku: skuSchema,
    location: articleLocationSchema,
    count: whole(0, MAX_STOCK).optional().describe('Pieces that are left (a `count`); 0: the place is empty.'),
    some_left: z.literal(true).optional().describe('The place is not empty, and nobody has counted: opens a count.'),
    movement_id: z
      .int()
      .optional()
      .describe('That of the question. If something has moved there since: 409 `outdated`.'),
  })
  .refine(
    ({ count, some_left: isSome }) => (count === undefined) !== (isSome === undefined),
    'Give count or some_left.',
  )
  .meta({ id: 'Left' });
export type Left = z.infer<typeof leftSchema>;
