import { z } from 'zod';
import { LARGEST_QUANTITY } from '../lib/requests/deviceFields.ts';
import { BATCH_STATES, batchShareSchema, handPiecesSchema, pickerSchema, SLOT_STATES } from './batch.ts';
import {
  described,
  lateField,
  momentSchema,
  named,
  oneOf,
  personName,
  textOrNull,
  textUpTo,
  waitedFields,
  whole,
} from './fields.ts';
import { ITEM_STATES } from './order.ts';
import { problemSchema } from './problem.ts';

/** Maximum number of acts in a request. */
export const MAX_ACTS = 100;
const MAX_LINES = 1_000;

const itemId = z.int().min(1).describe('The id of the item in its order.');
const actKey = textUpTo(200)
  .min(1)
  .describe('Identifies the act. For 24 hours, an act with the same key from the same caller books nothing again.');
const how = oneOf(['page', 'scan', 'program']);

export const pickActSchema = described('PickAct', 'Books the pieces that somebody took at one place.', {
  key: actKey,
  act: oneOf(['pick']).describe('pick: somebody took pieces.'),
  acted_at: momentSchema
    .optional()
    .describe(
      'When the person acted. Defaults to now, as does a time in the future. The act is refused with 409 `outdated` if it is more than an hour old, unless it is `late`.',
    ),
  late: lateField,
  how: how.optional().describe('How the person acted. Defaults to page for a person, and to program for a key.'),
  lines: z
    .array(
      z.object({
        item_id: itemId,
        quantity: whole(0, LARGEST_QUANTITY).describe('Pieces that were taken for this item.'),
        seen: waitedFields.seen,
      }),
    )
    .min(1)
    .max(MAX_LINES)
    .describe('Items of one place and article. At a light, all items that it shows.'),
  reason: textUpTo(200)
    .min(1)
    .optional()
    .describe(
      'Why pieces are missing: a key from the setting `short_reasons`. Required for fewer pieces than to pick at a place without a light.',
    ),
  code: textUpTo(200)
    .nullable()
    .optional()
    .describe(
      'With `scan_required`: the scanned code of the article, which verifies the items that got pieces; null if it cannot be scanned. Another code books the pieces, and verifies nothing.',
    ),
  of: textUpTo(200)
    .min(1)
    .optional()
    .describe(
      'Key of the act to which this one belongs. If that act was refused or never arrived, this one does nothing: `cancelled`.',
    ),
});
export type PickAct = z.infer<typeof pickActSchema>;

export const batchActsSchema = described('BatchActs', 'What a person did in a batch, in order.', {
  acts: z.array(pickActSchema).min(1).max(MAX_ACTS).describe('Booked in this order.'),
  picker: personName(100)
    .optional()
    .describe('The person who acted. Defaults to the caller. A picker cannot name another person.'),
});
export type BatchActs = z.infer<typeof batchActsSchema>;

export const actOutcomeSchema = named('ActOutcome', {
  key: z.string(),
  status: z.int().describe('200; 207 if some lines were not booked; or the status of the error.'),
  result: oneOf(['booked', 'cancelled', 'refused']).describe('cancelled: the act in `of` was not booked.'),
  says: z.string().describe('What was booked, or why nothing was.'),
  not_booked: z
    .array(z.object({ item_id: itemId, quantity: z.int().describe('Pieces that were taken for this item.') }))
    .optional()
    .describe(
      'With 207: lines that have changed since the caller saw them, or that are no longer in the batch. The others are booked.',
    ),
  problem: problemSchema.optional().describe('Why the act, or a line of it, was refused.'),
});
export type ActOutcome = z.infer<typeof actOutcomeSchema>;

export const actsChangeSchema = described(
  'ActsChange',
  'What the acts changed, as it is after the commit. Contains only what changed, and the lines that the acts name.',
  {
    job: z.object({ batch: z.int().describe('The id of the batch.') }),
    before: z.int().describe('Revision of the station before the acts.'),
    revision: z.int().describe('Revision with the acts; the same as `before` if this request booked nothing.'),
    acts: z
      .array(
        z.object({
          key: z.string(),
          act: oneOf(['pick']),
          by: z.string().describe('Who acted; empty for a program without `picker`.'),
          how,
          lines: z.array(z.object({ item_id: itemId, quantity: z.int().describe('Booked pieces.') })),
          left_over: z.int().optional().describe('Pieces that nobody needs, which have to go back to the place.'),
        }),
      )
      .describe('Acts that this request booked. A repeated act is not listed.'),
    lines: z.array(
      z.object({
        item_id: itemId,
        order_number: z.string(),
        state: oneOf(ITEM_STATES),
        ordered_quantity: z.int().describe('Pieces that were ordered.'),
        quantity_fulfilled: z.int().describe('Pieces that are picked.'),
        location: textOrNull.describe('Where the rest has to be picked; null if nothing is left to pick.'),
        deviceid: textOrNull.describe('Device at that place; null if none.'),
        command_id: textOrNull.describe('Command that lights the rest; null if it is not lit.'),
      }),
    ),
    slots: z.array(
      z.object({
        slot: z.string(),
        state: oneOf(SLOT_STATES),
        shares: z.array(batchShareSchema).describe('Shares that changed.'),
      }),
    ),
    hands: z
      .array(z.object({ by: z.string(), shares: z.array(handPiecesSchema) }))
      .describe('Pieces in hand that changed; a quantity of 0 means that the pieces have left this hand.'),
    people: z.array(pickerSchema).describe('Everybody who picks the batch, if that changed; otherwise empty.'),
    state: oneOf(BATCH_STATES).describe('State of the batch.'),
  },
);
export type ActsChange = z.infer<typeof actsChangeSchema>;

export const batchActsResultSchema = named('BatchActsResult', {
  outcomes: z.array(actOutcomeSchema).describe('One outcome for each act, in the same order.'),
  change: actsChangeSchema,
});
export type BatchActsResult = z.infer<typeof batchActsResultSchema>;
