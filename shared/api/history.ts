import { z } from 'zod';
import { WORK_KINDS } from '../lib/history/workKinds.ts';
import { alertSchema } from './alert.ts';
import { BATCH_STATES } from './batch.ts';
import { DELIVERY_STATES } from './callback.ts';
import { commandEntrySchema, deliverySchema } from './device.ts';
import { ORDER_STATES } from './order.ts';
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
} from './fields.ts';

export const HISTORY_KINDS = [
  'acknowledged',
  'timedOut',
  'killed',
  'replaced',
  'late',
  'early',
  'call',
  'call_up',
  'call_down',
  'device_replaced',
  'device_took_over',
  'alert_raised',
  'alert_ended',
  ...WORK_KINDS,
] as const;
const KINDS_EXPLAINED =
  'How a command ended: acknowledged, timedOut, killed, or replaced by one with the same nonce. late: a press after the command had ended; one entry for all presses of a command. early: a press that came too soon to be meant for the line; nothing was booked. From an idle device: call, call_up, call_down. device_replaced, device_took_over: the two devices of a replacement. alert_raised, alert_ended: the `alert`. sequence_launched, sequence_relaunched (continued after a stall), sequence_stalled, sequence_completed, sequence_cancelled (changed, deleted or restarted while it ran): the sequence `sequenceid`. order_launched, order_fulfilled, order_aborted, order_removed: the order `order_number`. order_changed: somebody set the fields `changed` of an order. order_corrected, order_counted, order_short, order_reopened, order_confirmed, order_dismissed: somebody set the fulfilled quantity of an `item`, counted some of its pieces with a scan, closed it with the pieces found, reopened it, picked it without a light, or dismissed it. In a batch, order_counted is a pick, and order_confirmed the last put of the item. order_verified: a scan of the article confirmed an `item` that was waiting for the scan. order_not_scanned: somebody decided that the item cannot be scanned. order_returned: somebody put `qty` pieces back at `location` that were taken for the order but never booked. order_moved: the place of an `item` was found empty, and the item moved to the next place of its article. order_joined, order_left, order_paused: what a picker did. order_loaded, order_unloaded: the order joined or left a `batch`. order_put, order_put_undone: pieces of an `item` moved from the hand into its slot or back; `qty` is the new number of these pieces in the slot. batch_launched, batch_paused, batch_done: the batch itself.';
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/**
 * A finished event: a command that ended, a press without a command, a replaced device, an alert, or a step in the life of a sequence or an
 * order.
 */
export const historyEntrySchema = named('HistoryEntry', {
  id: z.string(),
  at: timestamp,
  kind: oneOf(HISTORY_KINDS).describe(KINDS_EXPLAINED),
  deviceid: z.string().describe('The device; empty for a turbo, and for a sequence as a whole.'),
  command_id: textOrNull,
  nonce: z.string(),
  location: z.string().describe('The location alias, otherwise the label of the device; empty if none.'),
  qty: z.int().describe('The quantity as in the callback; for a launch, the number of items lit.'),
  sender: z.string().describe('Who sent the command; empty without a command.'),
  by: z.string().describe('Who ended the command: device, or the name of a person or API user; empty if it timed out.'),
  for: z.string().describe('The person on whose behalf somebody else acted; otherwise empty.'),
  command: oneOf(['flash', 'pick']).nullable(),
  lines: z.array(z.string()).describe('The text lines of the command.'),
  quantity: intOrNull.describe('The requested quantity.'),
  color: z.string().describe('Empty without a command.'),
  delivery: deliverySchema
    .nullable()
    .describe('Progress of the delivery when the command ended; null without a command.'),
  sent_at: timestampOrNull,
  shown_at: timestampOrNull,
  unreachable_at: timestampOrNull.describe('When the device last went offline before the command was shown.'),
  reached_at: timestampOrNull.describe('When the device came back online; null if it did not.'),
  sequenceid: textOrNull.describe('The sequence of the event or command.'),
  order_number: textOrNull.describe('The order of the event or command.'),
  reason: z
    .string()
    .describe(
      'Why the command was acknowledged in the window or by the API, why an item was corrected, or what halted a sequence; empty if not given.',
    ),
  other_deviceid: textOrNull.describe('The device that replaced this one, or that this one replaced.'),
  alert: alertSchema
    .pick({ id: true, kind: true, turbo: true, about: true, value: true, threshold: true })
    .nullable()
    .describe('The alert that was raised or that ended.'),
  batch: z
    .object({
      id: z.int().describe('Id as in /api/batches/.'),
      name: z.string().describe('Name of the cart or wall; empty for the lights of a batch.'),
      slot: textOrNull.describe('The slots of the order or item; null if none.'),
    })
    .nullable()
    .describe('The batch of the event.'),
  changed: z.array(z.string()).describe('Names of the changed order fields, without their values.'),
  item_id: intOrNull.describe(
    'The item of the order that was lit, or that somebody counted, confirmed or corrected. Null without an item, and for commands from versions that did not record it.',
  ),
  item: z
    .object({
      id: z.int().describe('Id as in the order.'),
      name: z.string(),
      before: z.int().describe('Pieces fulfilled before the correction.'),
    })
    .nullable()
    .describe(
      'The corrected item: its name, SKU or UPC, and the previously fulfilled quantity. `qty` is the new quantity.',
    ),
  presses: z
    .int()
    .optional()
    .describe(
      'late: number of presses after the command had ended, at most five a second, if more than one; `at` is the first one.',
    ),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** Kinds of history to select: one, or several separated by commas. */
const kindsSchema = z
  .string()
  .regex(
    new RegExp(`^(${HISTORY_KINDS.join('|')})(,(${HISTORY_KINDS.join('|')}))*$`),
    `Use one of ${HISTORY_KINDS.join(', ')}, or several separated by commas.`,
  )
  .transform((text) => text.split(',') as HistoryKind[]);

/** Selects a part of history. */
export const historyFilterSchema = z.object({
  deviceid: z.string().optional().describe('Only entries of this device.'),
  command_id: z.string().optional().describe('Only entries of this command. The id is in the answer to the command.'),
  kind: kindsSchema.optional().describe('Only entries of this kind, or of several kinds separated by commas.'),
  order_number: textUpTo(200).optional().describe('Only entries of this order.'),
  sequenceid: textUpTo(200).optional().describe('Only entries of this sequence.'),
  batch: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Only entries of this batch: its lights, and events of its orders while they were in the batch.'),
  location: textUpTo(200).optional().describe('Only entries with this `location`.'),
  by: textUpTo(200)
    .optional()
    .describe(
      'Only actions of this person or API user (`by`, exact match), and actions of others on their behalf (`for`). `device` returns presses.',
    ),
  from: momentSchema
    .optional()
    .describe(
      'Only entries recorded at or after this time. A press that a turbo delivered late counts from its arrival.',
    ),
  to: momentSchema.optional().describe('Only entries recorded before this time.'),
});
export type HistoryFilterQuery = z.infer<typeof historyFilterSchema>;

export const historyQuerySchema = historyFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(1_000).default(50).describe('Maximum number of entries.'),
  after: afterId('a history entry'),
});
export type HistoryQuery = z.infer<typeof historyQuerySchema>;

const STEP_KINDS = [
  'requested',
  'queued',
  'first',
  'sent',
  'unreachable',
  'reached',
  'shown',
  'adjusted',
  'pressed',
  'acknowledged',
  'timed_out',
  'killed',
  'replaced',
  'committed',
  'delivered',
  'failed',
] as const;

export const timelineStepSchema = named('TimelineStep', {
  at: timestamp,
  kind: oneOf(STEP_KINDS).describe(
    'requested: the request arrived. queued, first: waiting behind other commands, or the next to be shown. sent, shown: sent to, or shown on the device. unreachable, reached: the device went offline or came back. committed: the end was stored. delivered, failed: an attempt to send its callback.',
  ),
  by: z.string().optional().describe('device, or the name of a person or an API user.'),
  detail: z.string().optional().describe('Text for people.'),
});
export type TimelineStep = z.infer<typeof timelineStepSchema>;

export const timelineCallbackSchema = named('TimelineCallback', {
  id: z.string().describe('The webhook-id header.'),
  acknack: z.string(),
  state: oneOf(DELIVERY_STATES),
  attempts: z.int().describe('Number of attempts.'),
  at: timestamp.describe('When the callback was created, in the same commit as the event that it reports.'),
  last_status: intOrNull.describe('HTTP status of the last answer; null if there was none.'),
  last_error: textOrNull,
  delivered_at: timestampOrNull,
});
export type TimelineCallback = z.infer<typeof timelineCallbackSchema>;

/** The life of a command, from the request to the delivery of its callback. Contains only what the station has recorded. */
export const timelineSchema = named('Timeline', {
  command_id: z.string(),
  deviceid: z.string(),
  state: oneOf(['queued', 'sent', 'shown', 'acknowledged', 'timedOut', 'killed', 'replaced']),
  sender: z.string(),
  nonce: z.string(),
  location: z.string(),
  qty: intOrNull.describe('The quantity as in the callback; null while the command is open.'),
  reason: z.string().describe('Why the command was acknowledged in the window or by the API; empty if not given.'),
  replaced_by: textOrNull.describe('The command that replaced this one; null if none.'),
  command: commandEntrySchema
    .omit({ command_id: true, state: true, nonce: true, location: true, sender: true })
    .describe('The requested command, and its times.'),
  steps: z.array(timelineStepSchema).describe('In chronological order.'),
  callbacks: z
    .array(timelineCallbackSchema)
    .describe('Callbacks of the command; empty without a nonce and callback_url.'),
  callbacks_kept: z
    .boolean()
    .describe('False if the events are so old that callbacks may have been delivered and removed.'),
});
export type Timeline = z.infer<typeof timelineSchema>;

/** Kinds of steps that orders and sequences have, but commands do not. */
const WORK_STEP_KINDS = [
  'order_created',
  'callback_created',
  'call',
  'call_up',
  'call_down',
  'alert_raised',
  'alert_ended',
  ...WORK_KINDS,
] as const;

export const workStepSchema = named('WorkStep', {
  ...timelineStepSchema.shape,
  kind: oneOf([...STEP_KINDS, ...WORK_STEP_KINDS]).describe(
    'As in the timeline of a command and as `kind` in history. order_created: the order was created. callback_created: a callback was created, in the same commit as the event that it reports.',
  ),
  command_id: z.string().optional().describe('The command of the step. Its timeline has all steps.'),
  deviceid: z.string().optional(),
  location: z.string().optional().describe('The location alias, otherwise the label of the device.'),
  item: z.string().optional().describe('First text that the command shows, or the corrected item.'),
  for: z.string().optional().describe('The person on whose behalf somebody else acted.'),
});
export type WorkStep = z.infer<typeof workStepSchema>;

/** The life of an order, from its creation to the delivery of its callbacks. */
export const orderTimelineSchema = named('OrderTimeline', {
  order_number: z.string(),
  state: oneOf([...ORDER_STATES, 'removed']).describe('removed: the order exists only in history.'),
  steps: z.array(workStepSchema).describe('In chronological order.'),
  callbacks: z.array(timelineCallbackSchema),
  callbacks_kept: z
    .boolean()
    .describe('False if the events are so old that callbacks may have been delivered and removed.'),
  complete: z
    .boolean()
    .describe(
      'False if older steps are left out: the timeline has the newest 200 entries of history. GET /api/history/?order_number= pages through all.',
    ),
});
export type OrderTimeline = z.infer<typeof orderTimelineSchema>;

/** The life of a batch, from loading to its end. */
export const batchTimelineSchema = named('BatchTimeline', {
  id: z.int().describe('Id as in /api/batches/.'),
  name: z.string().describe('Name of the cart or wall. For a batch with both, the wall.'),
  state: oneOf(BATCH_STATES),
  steps: z
    .array(
      z.object({
        ...workStepSchema.shape,
        order_number: z.string().optional().describe('The order of the step; absent for the batch itself.'),
        slot: z.string().optional().describe('The slot of the order.'),
      }),
    )
    .describe('In chronological order.'),
  complete: z
    .boolean()
    .describe(
      'False if older steps are left out: the timeline has the newest 200 entries of history. GET /api/history/?batch= pages through all.',
    ),
});
export type BatchTimeline = z.infer<typeof batchTimelineSchema>;

/** The life of a callback, from the request that caused it to the last delivery attempt. */
export const deliveryTimelineSchema = named('DeliveryTimeline', {
  id: z.string().describe('The webhook-id header.'),
  event: z.string().describe('`acknack` or `order_event` of its payload, otherwise its family.'),
  state: oneOf(DELIVERY_STATES),
  command_id: textOrNull.describe('The command that the callback reports.'),
  sequenceid: textOrNull,
  order_number: textOrNull,
  steps: z.array(workStepSchema).describe('In chronological order, with only the last attempt.'),
  callbacks: z.array(timelineCallbackSchema).describe('The delivery itself.'),
});
export type DeliveryTimeline = z.infer<typeof deliveryTimelineSchema>;
