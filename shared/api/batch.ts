import { z } from 'zod';
import { LARGEST_QUANTITY } from '../lib/requests/deviceFields.ts';
import { PUT_CONFIRMATIONS } from '../lib/picking/putConfirmations.ts';
import { slotNameSchema } from './carrier.ts';
import {
  afterId,
  confirmationKey,
  described,
  intOrNull,
  named,
  oneOf,
  personName,
  textOrNull,
  textUpTo,
  timestamp,
  whole,
} from './fields.ts';

export const BATCH_STATES = ['loading', 'picking', 'sorting', 'paused', 'done'] as const;
export const SLOT_STATES = ['free', 'open', 'complete', 'stopped'] as const;
export const SHARE_STATES = ['open', 'in_hand', 'put', 'short', 'stopped'] as const;
const MAX_FILL = 234;
const pieces = whole(0, LARGEST_QUANTITY);
const itemId = z.int().min(1).describe('The id of the item in its order.');

const actor = {
  picker: personName(100)
    .optional()
    .describe('The person who does this. Defaults to the caller. A picker cannot name another person.'),
  key: confirmationKey,
};

export const batchSlotAskSchema = described('BatchSlotAsk', 'An order to load into a slot.', {
  slot: slotNameSchema
    .optional()
    .describe('Defaults to the first free slot. An order with several shipments takes one slot for each.'),
  order_number: textUpTo(200).min(1).describe('Number of the order.'),
  tote: textUpTo(100).optional().describe('A code that identifies the slot until the batch ends.'),
});
export type BatchSlotAsk = z.infer<typeof batchSlotAskSchema>;

export const newBatchSchema = described('NewBatch', 'A batch of orders that are picked together.', {
  mode: oneOf(['cart', 'wall']).describe(
    'cart: all orders are picked in one walk into the slots of a cart. wall: pieces are sorted by scans into the slots of a wall. wall with a cart: all pieces are picked onto the cart first, then sorted.',
  ),
  cart: z
    .int()
    .min(1)
    .optional()
    .describe('The id of the cart. With mode `wall`, all pieces are first picked onto this cart.'),
  wall: z.int().min(1).optional().describe('The id of the wall, for mode `wall`.'),
  slots: z.array(batchSlotAskSchema).max(MAX_FILL).optional().describe('Orders to load.'),
  fill: z
    .object({ count: whole(1, MAX_FILL).describe('Maximum number of orders to load.') })
    .optional()
    .describe(
      'Loads open orders without a picker: the next order, then orders due on the same day that share the most places with it.',
    ),
  put_confirmation: oneOf(PUT_CONFIRMATIONS)
    .optional()
    .describe(
      'each: each slot needs a confirmation. once: one confirmation puts the whole hand; at a wall, everything that its person scanned. none: a pick is a put; at a wall, a scan is a put. Defaults to the setting `put_confirmation`.',
    ),
  singles: z
    .boolean()
    .optional()
    .describe(
      'For mode `wall`. true: a shipment of one piece does not take a slot; its scan says that it goes straight to packing. Defaults to the setting `singles`.',
    ),
});
export type NewBatch = z.infer<typeof newBatchSchema>;

export const batchShareSchema = named('BatchShare', {
  slot: textOrNull,
  order_number: z.string(),
  item_id: itemId,
  quantity: z.int().describe('Pieces for this slot.'),
  picked: z.int().describe('Pieces that were taken from the shelf for this slot.'),
  put: z.int().describe('Picked pieces that are in the slot.'),
  put_back: z.int().describe('Picked pieces that have to return to their place.'),
  in_hand: z.int().describe('Picked pieces that somebody holds.'),
  state: oneOf(SHARE_STATES),
  awaits_scan: z
    .boolean()
    .describe(
      'With `scan_required`: whether the article of the item still has to be scanned. Verify picked pieces by a scan with `intent` verify, or skip the scan with POST /api/orders/{order_number}/items/{id}/verify/.',
    ),
});
export type BatchShare = z.infer<typeof batchShareSchema>;

export const pickerSchema = z.object({
  name: z.string(),
  color: textOrNull.describe('Color in which lines of this person are lit; null for the setting `order_color`.'),
});

export const handPiecesSchema = z.object({
  slot: textOrNull,
  order_number: z.string(),
  item_id: itemId,
  quantity: z.int().describe('Pieces in this hand.'),
});

const progress = {
  id: z.int().describe('The id of the batch.'),
  mode: oneOf(['cart', 'wall']),
  cart: intOrNull.describe('The id of the cart; null if none.'),
  cart_name: z.string().describe('Empty if none.'),
  wall: intOrNull.describe('The id of the wall; null if none.'),
  wall_name: z.string().describe('Empty if none.'),
  state: oneOf(BATCH_STATES).describe(
    'picking: launched; pieces are picked at places. sorting: launched; pieces are scanned and put into a wall. done: all slots are free, nothing is in hand and no order waits.',
  ),
  put_confirmation: oneOf(PUT_CONFIRMATIONS),
  singles: z.boolean().describe('Whether shipments of one piece skip the slots of a wall.'),
  picker: textOrNull.describe('The person who last launched or took over the batch; null if no particular person.'),
  pickers: z.array(pickerSchema).describe('Everybody who picks the batch: `picker` first, then the people who joined.'),
  attention: z
    .array(oneOf(['stalled']))
    .describe(
      'stalled: the batch is launched and has pieces to pick or put, but nobody has worked on it for `order_stalled_minutes`.',
    ),
  created_time: timestamp,
  updated_time: timestamp,
};

export const batchProgressSchema = named('BatchProgress', progress);
export type BatchProgress = z.infer<typeof batchProgressSchema>;

export const batchSchema = named('Batch', {
  ...progress,
  slots: z.array(
    z.object({
      slot: z.string(),
      state: oneOf(SLOT_STATES).describe(
        'open: has pieces to pick or put. complete: everything is put or short. stopped: holds pieces of an order that was aborted, deleted or removed, until somebody empties the slot.',
      ),
      order_number: textOrNull,
      shipment_number: textOrNull,
      tote: textOrNull,
      shares: z.array(batchShareSchema),
      freed: z
        .object({
          at: timestamp,
          by: z.string().describe('Who freed the slot; `device` for a press at its light, empty if unknown.'),
          order_number: z.string().describe('The order that it held.'),
        })
        .nullable()
        .describe('Set after the slot was freed, until it takes another order. POST …/free/undo/ restores the order.'),
    }),
  ),
  hands: z
    .array(
      z.object({
        by: z.string().describe('Who picked the pieces; empty if no particular person.'),
        left: z
          .boolean()
          .optional()
          .describe(
            'true if this person no longer picks the batch with a cart. The pieces light no slot and no press puts them, until the person continues or POST …/hand/ settles them.',
          ),
        shares: z.array(handPiecesSchema),
      }),
    )
    .describe('Pieces that are picked but not put yet, in picking order.'),
  put_back: z.array(batchShareSchema).describe('Shares with pieces that have to return to their place.'),
  waiting: z.array(batchShareSchema).describe('At a wall: shares of shipments that wait for a slot, or need none.'),
  scanned: z
    .array(
      z.object({
        by: z.string().describe('Who scanned the pieces; empty if no particular person.'),
        slot: textOrNull,
        order_number: z.string(),
        item_id: itemId,
        quantity: z.int().describe('Number of pieces that the slot shows.'),
      }),
    )
    .describe('At a wall: pieces that are scanned but not put yet. Without a cart, the put books them.'),
});
export type Batch = z.infer<typeof batchSchema>;

export const leftOutSchema = z.object({ order_number: z.string(), reason: z.string() });
export type LeftOut = z.infer<typeof leftOutSchema>;

export const newBatchResultSchema = batchSchema
  .extend({ left_out: z.array(leftOutSchema).describe('Orders that `fill` did not load, and why.') })
  .meta({ id: 'NewBatchResult' });
export type NewBatchResult = z.infer<typeof newBatchResultSchema>;

export const batchQuerySchema = z.object({
  state: oneOf(BATCH_STATES).optional().describe('Only batches in this state.'),
  attention: z.enum(['1', 'true']).optional().describe('1 returns only batches that need attention.'),
  holder: personName(100)
    .optional()
    .describe('Only unfinished batches of which this person holds pieces that are not in a slot yet.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Defaults to 1,000.'),
  after: afterId('a batch'),
});
export type BatchQuery = z.infer<typeof batchQuerySchema>;

export const batchLaunchSchema = named('BatchLaunch', {
  color: textUpTo(100).optional().describe('Color of the lights. Defaults to the color of the picker.'),
  picker: personName(100)
    .optional()
    .describe(
      'Who picks the batch. Defaults to the caller, if the caller is a person. A picker cannot name another person.',
    ),
  key: confirmationKey,
});
export type BatchLaunch = z.infer<typeof batchLaunchSchema>;

export const batchHandOverSchema = named('BatchHandOver', {
  picker: personName(100).describe('The person who takes over.'),
  from: personName(100)
    .optional()
    .describe(
      'The person whose lines to hand over, if several people pick the batch. Defaults to the caller, if the caller picks it.',
    ),
  key: confirmationKey,
});

export const batchActorSchema = named('BatchActor', actor);

export const slotFreeSchema = named('SlotFree', {
  keep: z
    .boolean()
    .optional()
    .describe(
      'true: the pieces of a stopped slot stay together, with their order. By default, they have to be put back.',
    ),
  ...actor,
});

export const batchAbortQuerySchema = z.object({
  orders: oneOf(['abort']).optional().describe('abort: also aborts incomplete orders.'),
});
export type BatchAbortQuery = z.infer<typeof batchAbortQuerySchema>;

export const putSchema = described('Put', 'Moves pieces from the hand into a slot.', {
  slot: slotNameSchema.optional(),
  all: z.boolean().optional().describe('true puts the whole hand, each piece into its slot.'),
  item_id: z
    .int()
    .min(1)
    .optional()
    .describe('Only pieces of this item. Defaults to the first article in hand for the slot.'),
  quantity: whole(1, LARGEST_QUANTITY)
    .optional()
    .describe(
      'Maximum number of pieces to put, into this slot only. With `once` and without a quantity, the whole hand is put.',
    ),
  ...actor,
});
export type Put = z.infer<typeof putSchema>;

export const putResultSchema = named('PutResult', {
  result: oneOf(['put', 'wrong_slot']).describe('wrong_slot: no pieces in hand belong in the slot; nothing is booked.'),
  says: z.string().describe('The result as a sentence.'),
  quantity: z.int().describe('Pieces that were put.'),
  expected: z
    .array(z.object({ slot: z.string(), quantity: z.int().describe('Pieces for the slot.') }))
    .describe('Slots of the remaining pieces in hand, each with the pieces of one article.'),
});
export type PutResult = z.infer<typeof putResultSchema>;

export const putUndoSchema = named('PutUndo', {
  slot: slotNameSchema
    .optional()
    .describe(
      'The slot that holds the pieces. Omit it if the item went straight to packing, as the only piece of its shipment.',
    ),
  item_id: itemId,
  quantity: whole(1, LARGEST_QUANTITY)
    .optional()
    .describe(
      'Defaults to all pieces of the item in the slot. With `instead`: how many pieces of the caller are put, only into this slot.',
    ),
  instead: z
    .boolean()
    .optional()
    .describe(
      'true: the last press at the slot was intended for the pieces of the caller. What it put returns to the hand of the person whose pieces they were, and the pieces of the caller are put. With `put_confirmation` `once`, this means both whole hands.',
    ),
  ...actor,
});
export type PutUndo = z.infer<typeof putUndoSchema>;

export const reassignSchema = named('Reassign', {
  shares: z
    .array(z.object({ item_id: itemId, quantity: pieces.describe('Pieces for this item.') }))
    .min(1)
    .max(1_000)
    .describe('All shares of the last pick. Their sum must equal the number of pieces that the pick found.'),
  reason: textUpTo(200).min(1).optional().describe('Why pieces are missing: a key from the setting `short_reasons`.'),
  ...actor,
});
export type Reassign = z.infer<typeof reassignSchema>;

export const batchShortSchema = described('BatchShort', 'Closes items of a batch with the pieces picked so far.', {
  items: z.array(itemId).min(1).max(1_000).describe('The ids of the items.'),
  reason: textUpTo(200).min(1).describe('Why pieces are missing: a key from the setting `short_reasons`.'),
  ...actor,
});
export type BatchShort = z.infer<typeof batchShortSchema>;

export const handSchema = named('HandChange', {
  by: textUpTo(100)
    .default('')
    .describe('Whose hand, as in `hands`. Defaults to the hand that belongs to no particular person.'),
  all: z.boolean().optional().describe('true selects the hands of all people, instead of `by`.'),
  do: oneOf(['take', 'missing', 'put_back', 'set_aside']).describe(
    'take: the caller holds the pieces. missing: the pieces are lost, and their shares are open again. put_back: the pieces return to their places. set_aside: at a wall, cancels the scans of this person without a put; their slots are no longer lit, and nothing is booked.',
  ),
  ...actor,
});
export type HandChange = z.infer<typeof handSchema>;

export const moveSchema = named('SlotMove', { to: slotNameSchema.describe('A free slot.'), ...actor });

export const batchWorkShareSchema = z.object({
  slot: textOrNull,
  order_number: z.string(),
  item_id: itemId,
  quantity: z.int().describe('Number of pieces left to pick.'),
  quantity_fulfilled: z.int().describe('Picked pieces of the item, including those of earlier batches.'),
});
