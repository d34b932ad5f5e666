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
    delta: z
      .int()
      .min(-MAX_STOCK)
      .max(MAX_STOCK)
      .optional()
      .describe('Number of pieces to add, or to remove if negative (`adjust`).'),
    count: whole(0, MAX_STOCK).optional().describe('Number of pieces counted at the place (`count`).'),
    from: articleLocationSchema.optional().describe('The place to take pieces from (`transfer`).'),
    to: articleLocationSchema.optional().describe('The place to put the pieces.'),
    quantity: whole(1, MAX_STOCK).optional().describe('Number of pieces to transfer.'),
    was: intOrNull
      .optional()
      .describe(
        '`on_hand` as shown to the person; null if not counted. If it has changed since, a count is refused with 409 `outdated`.',
      ),
    reason: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Reason for the movement.'),
    key: textUpTo(200)
      .min(1)
      .optional()
      .describe(
        'Names what is booked, such as the line of a delivery (`delivery-4711/1`), but not an SKU or a counter that starts again. Repeating a movement with the same key never has an effect, even years later, and returns the first answer.',
      ),
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
  movements: z
    .array(newMovementSchema)
    .min(1)
    .max(MAX_MOVEMENTS)
    .describe('Movements, each of which succeeds or fails separately.'),
});

export const movementResultSchema = named('MovementResult', {
  status: z
    .union([z.literal(200), z.literal(400), z.literal(404), z.literal(409)])
    .describe('200: the movement is booked, by this request or by an earlier one with the same key.'),
  movement_id: intOrNull.describe(
    'Id of the movement; for a transfer, the movement at the place where the pieces were put. Null if refused.',
  ),
  on_hand: intOrNull.describe('Pieces at the place after the movement; null if not counted or if refused.'),
  replayed: z
    .literal(true)
    .optional()
    .describe('The movement was booked earlier with the same key, so nothing was done.'),
  at: timestamp.optional().describe('When a movement with `replayed` was booked.'),
  warnings: z.array(z.string()).optional(),
  code: oneOf(ERROR_CODES).optional(),
  detail: z.string().optional().describe('Why the movement was refused.'),
  errors: z.array(fieldErrorSchema).optional(),
});
export type MovementResult = z.infer<typeof movementResultSchema>;

export const stockRowSchema = named('StockRow', {
  sku: z.string(),
  name: textOrNull,
  unit: textOrNull,
  picture: textOrNull.describe('Address of the picture, as in the article. Null if none.'),
  ...stockFields,
});
export type StockRow = z.infer<typeof stockRowSchema>;

export const stockShowSchema = named('StockShow', {
  seconds: whole(0, 300)
    .optional()
    .describe('Duration of the lights in seconds. Defaults to 30. 0 turns the lights off.'),
});
export type StockShow = z.infer<typeof stockShowSchema>;

const devices = (color: string) => z.int().describe(`Number of devices lit ${color}.`);
export const stockShownSchema = named('StockShown', {
  until: timestampOrNull.describe('When the lights go off; null if nothing is shown.'),
  green: devices('green: enough'),
  yellow: devices('yellow: at or below the minimum'),
  red: devices('red: empty'),
  busy: z.array(z.string()).describe('Places whose devices show work and therefore keep their lights.'),
  left_out: z.array(z.string()).describe('Places whose devices have a slow link or no LED.'),
});
export type StockShown = z.infer<typeof stockShownSchema>;

const flag = z.enum(['1', 'true']).optional();
const filters = {
  sku: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Only results of this article.'),
  SKU: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Alternative name of `sku`.'),
  location: textUpTo(MAX_ARTICLE_TEXT).optional().describe('Only results at this place.'),
};

export const stockQuerySchema = z.object({
  ...filters,
  q: articleQuerySchema.shape.q,
  below_minimum: flag.describe('1 returns only places at or below their minimum.'),
  to_reorder: flag.describe(
    '1 returns only places at or below their minimum, and places that have a minimum but were never counted.',
  ),
  negative: flag.describe('1 returns only places with stock below 0.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Defaults to 1,000.'),
  after: z
    .string()
    .optional()
    .describe('SKU and place of the last row of the previous page, in the form of the header `Link`.'),
});
export type StockQuery = z.infer<typeof stockQuerySchema>;

export const movementSchema = named('Movement', {
  movement_id: z.int().describe('Id of the movement. Increases with every movement.'),
  kind: oneOf(MOVEMENT_KINDS),
  time: timestamp,
  SKU: z.string(),
  location: z.string(),
  deviceid: z.string().describe('Empty if the place has no device.'),
  delta: z.int().describe('Number of pieces added, or removed if negative.'),
  on_hand: intOrNull.describe(
    'Pieces at the place after the movement; null if not counted, or if the article does not have this place.',
  ),
  order: textOrNull,
  shipment: textOrNull,
  item: intOrNull.describe('Id of the item.'),
  ordered_quantity: intOrNull.describe('Pieces of the item to pick.'),
  quantity_fulfilled: intOrNull.describe('Pieces of the item picked after the movement.'),
  reason: z.string(),
  picker: z
    .string()
    .describe(
      'The person who has the line or was asked, otherwise the person who caused the movement; empty if unknown.',
    ),
  by: z.string().describe('Who caused the movement; `device` for a press.'),
  nonce: z.string(),
  key: textOrNull.describe('`key` with which the movement was posted; null if none.'),
});
export type Movement = z.infer<typeof movementSchema>;

export const movementQuerySchema = z.object({
  ...filters,
  order_number: z.string().optional().describe('Only movements of this order.'),
  kind: oneOf(MOVEMENT_KINDS).optional().describe('Only movements of this kind.'),
  from: momentSchema.optional().describe('Only movements at or after this time.'),
  to: momentSchema.optional().describe('Only movements before this time.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Defaults to 1,000.'),
  after: afterId('a movement'),
});
export type MovementQuery = z.infer<typeof movementQuerySchema>;

/** A question about the stock at a place, which people can ignore. */
export const leftAskedSchema = named('LeftAsked', {
  what: oneOf(['empty', 'count']).describe(
    'empty: whether the place is empty, as expected after the pick (`zero_check`). count: how many pieces are left (`count_every`).',
  ),
  movement_id: z.int().describe('Id of the movement of the pick.'),
  SKU: z.string(),
  location: z.string(),
  deviceid: z.string().describe('Empty if the place has no device.'),
  order: textOrNull,
  item: intOrNull.describe('Id of the item.'),
  picker: z.string().describe('The person who is asked: who has the line, otherwise who picked; empty if unknown.'),
});
export type LeftAsked = z.infer<typeof leftAskedSchema>;

export const leftSchema = z
  .object({
    sku: skuSchema,
    location: articleLocationSchema,
    count: whole(0, MAX_STOCK)
      .optional()
      .describe('Number of pieces left, booked as a `count`; 0 if the place is empty.'),
    some_left: z
      .literal(true)
      .optional()
      .describe('The place is not empty, but nobody has counted. Opens a task `count`.'),
    movement_id: z
      .int()
      .optional()
      .describe(
        '`movement_id` of the question. Without it, the last question to the caller at this place. Refused with 409 `outdated` if stock has moved at the place since.',
      ),
  })
  .refine(
    ({ count, some_left: isSome }) => (count === undefined) !== (isSome === undefined),
    'Give count or some_left.',
  )
  .meta({ id: 'Left' });
export type Left = z.infer<typeof leftSchema>;
