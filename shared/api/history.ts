import { z } from 'zod';
import { alertSchema } from './alert.ts';
import { DELIVERY_STATES } from './callback.ts';
import { commandEntrySchema, deliverySchema } from './device.ts';
import { ORDER_STATES } from './order.ts';

const timestamp = z.iso.datetime();

export const HISTORY_KINDS = [
  'acknowledged',
  'timedOut',
  'killed',
  'replaced',
  'late',
  'call',
  'call_up',
  'call_down',
  'device_replaced',
  'device_took_over',
  'alert_raised',
  'alert_ended',
  'sequence_launched',
  'sequence_relaunched',
  'sequence_stalled',
  'sequence_completed',
  'sequence_cancelled',
  'order_launched',
  'order_fulfilled',
  'order_aborted',
  'order_corrected',
  'order_removed',
] as const;
const KINDS_EXPLAINED =
  'How a command ended: acknowledged, timedOut, killed, or replaced by one with its nonce. late: a press on what had ended. Of an idle device: call, call_up, call_down. device_replaced, device_took_over: of a device and the other one. alert_raised, alert_ended: of the `alert`. sequence_launched, sequence_relaunched (it went on where it had stalled), sequence_stalled, sequence_completed, sequence_cancelled (changed, deleted or begun anew while it ran): of the `sequenceid`. order_launched, order_fulfilled, order_aborted, order_removed: of an order. order_corrected: somebody set what is fulfilled of an `item`.';
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** One thing that happened and is over: a command that ended, a press that belonged to none, a device that took another's place, an alert, or a turn of a sequence or an order. */
export const historyEntrySchema = z
  .object({
    id: z.string(),
    at: timestamp,
    kind: z.enum(HISTORY_KINDS).describe(KINDS_EXPLAINED),
    deviceid: z.string().describe('Empty where it is about a turbo, or a sequence as a whole.'),
    command_id: z.string().nullable(),
    nonce: z.string(),
    location: z.string().describe('The location alias, else the label of the device, else empty.'),
    qty: z.int().describe('What was counted, as the callback says it; of a launch the items that were lit.'),
    sender: z.string().describe('Who sent the command; empty without one.'),
    by: z.string().describe('Who ended it: device, or the name of a person or an API user; empty where its time did.'),
    command: z.enum(['flash', 'pick']).nullable(),
    lines: z.array(z.string()).describe('The text of the command.'),
    quantity: z.int().nullable().describe('What was asked for.'),
    color: z.string().describe('Empty without a command.'),
    delivery: deliverySchema.nullable().describe('How far the command had come when it ended; null without one.'),
    sent_at: timestamp.nullable(),
    shown_at: timestamp.nullable(),
    unreachable_at: timestamp
      .nullable()
      .describe('Since when no turbo reached the device, the last time that this was so before the command was shown.'),
    reached_at: timestamp.nullable().describe('When a turbo reached it again; null where none did.'),
    sequenceid: z.string().nullable().describe('The sequence that it is about, or of which a step lit the command.'),
    order_number: z.string().nullable().describe('The order that it is about, or of which an item lit the command.'),
    reason: z
      .string()
      .describe(
        'Why it was acknowledged from the window or the API, why an item was corrected, or what halted a sequence; empty where nobody said.',
      ),
    other_deviceid: z
      .string()
      .nullable()
      .describe('The device that took the place of this one, or whose place this one took.'),
    alert: alertSchema
      .pick({ id: true, kind: true, turbo: true, about: true, value: true, threshold: true })
      .nullable()
      .describe('The alert that was raised or has ended.'),
    item: z
      .object({
        id: z.int().describe('As in the answer of the order.'),
        name: z.string(),
        before: z.int().describe('Pieces picked, before the correction.'),
      })
      .nullable()
      .describe(
        'The item that was corrected: its name or SKU or UPC, and what was fulfilled of it before. `qty` is what is now.',
      ),
  })
  .meta({ id: 'HistoryEntry' });
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** One kind or several, with commas between them. */
const kindsSchema = z
  .string()
  .regex(
    new RegExp(`^(${HISTORY_KINDS.join('|')})(,(${HISTORY_KINDS.join('|')}))*$`),
    `Use one of ${HISTORY_KINDS.join(', ')}, or several of them with commas between.`,
  )
  .transform((text) => text.split(',') as HistoryKind[]);

/** An hour of the day without where in the world that is would be another for each reader. */
const momentSchema = z.iso.datetime({
  offset: true,
  error: 'Give the time as ISO 8601 with its zone, such as 2026-11-20T08:00:00Z.',
});

/** Which part of history is asked for. */
export const historyFilterSchema = z.object({
  deviceid: z.string().optional().describe('Only of this device.'),
  command_id: z.string().optional().describe('As the answer to the command named it.'),
  kind: kindsSchema.optional().describe('Only of this kind, or of these, with commas between them.'),
  order_number: z.string().max(200).optional().describe('Only of this order.'),
  sequenceid: z.string().max(200).optional().describe('Only of this sequence.'),
  location: z.string().max(200).optional().describe('Only at this place, as `location` calls it.'),
  from: momentSchema
    .optional()
    .describe('Not what the station learned of before: a press that a turbo held counts when it came.'),
  to: momentSchema.optional().describe('Only what the station learned of before.'),
});
export type HistoryFilterQuery = z.infer<typeof historyFilterSchema>;

export const historyQuerySchema = historyFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(1_000).default(50).describe('At most this many entries.'),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'This is no id of a history entry.')
    .optional()
    .describe('The last id of the page before.'),
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

export const timelineStepSchema = z
  .object({
    at: timestamp,
    kind: z
      .enum(STEP_KINDS)
      .describe(
        'requested: the request came. queued, first: behind others, or not. sent, shown: to and on the device. unreachable, reached: no turbo reached it, and one does again. committed: the end is on disk. delivered, failed: an attempt of its callback.',
      ),
    by: z.string().optional().describe('device, or the name of a person or an API user.'),
    detail: z.string().optional().describe('A sentence for people.'),
  })
  .meta({ id: 'TimelineStep' });
export type TimelineStep = z.infer<typeof timelineStepSchema>;

export const timelineCallbackSchema = z
  .object({
    id: z.string().describe('The webhook-id header.'),
    acknack: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int().describe('How often it was sent.'),
    at: timestamp.describe('When it was made, in the same commit as what it tells.'),
    last_status: z.int().nullable().describe('What the receiver answered last; null: it gave no answer.'),
    last_error: z.string().nullable(),
    delivered_at: timestamp.nullable(),
  })
  .meta({ id: 'TimelineCallback' });
export type TimelineCallback = z.infer<typeof timelineCallbackSchema>;

/** Why something is lit, or was: from the request to the delivery. Only what the station knows is told. */
export const timelineSchema = z
  .object({
    command_id: z.string(),
    deviceid: z.string(),
    state: z.enum(['queued', 'sent', 'shown', 'acknowledged', 'timedOut', 'killed', 'replaced']),
    sender: z.string(),
    nonce: z.string(),
    location: z.string(),
    qty: z.int().nullable().describe('What was counted; null while it is open.'),
    reason: z.string().describe('Why it was acknowledged from the window or the API, where somebody said so.'),
    replaced_by: z.string().nullable().describe('The command that took its place.'),
    command: commandEntrySchema
      .omit({ command_id: true, state: true, nonce: true, location: true, sender: true })
      .describe('What was asked for, and its times.'),
    steps: z.array(timelineStepSchema).describe('In the order in which they happened.'),
    callbacks: z
      .array(timelineCallbackSchema)
      .describe('What was told of it; empty without a nonce or a callback_url.'),
    callbacks_kept: z
      .boolean()
      .describe('False where it is so old that callbacks of it may have been delivered and removed since.'),
  })
  .meta({ id: 'Timeline' });
export type Timeline = z.infer<typeof timelineSchema>;

/** What a step of a command does not have: how work as a whole went on, and that a callback was created. */
const WORK_STEP_KINDS = [
  'order_created',
  'callback_created',
  'call',
  'call_up',
  'call_down',
  'alert_raised',
  'alert_ended',
  'sequence_launched',
  'sequence_relaunched',
  'sequence_stalled',
  'sequence_completed',
  'sequence_cancelled',
  'order_launched',
  'order_fulfilled',
  'order_aborted',
  'order_corrected',
  'order_removed',
] as const;

export const workStepSchema = timelineStepSchema
  .extend({
    kind: z
      .enum([...STEP_KINDS, ...WORK_STEP_KINDS])
      .describe(
        'As in the timeline of a command and as `kind` in history. order_created: the order exists. callback_created: in the same commit as the event that it reports.',
      ),
    command_id: z.string().optional().describe('The command that the step is about: its own timeline has every step.'),
    deviceid: z.string().optional(),
    location: z.string().optional().describe('The location alias, else the label of the device.'),
    item: z.string().optional().describe('What the command shows first, or the item that was corrected.'),
  })
  .meta({ id: 'WorkStep' });
export type WorkStep = z.infer<typeof workStepSchema>;

/** How an order went, from its creation to the delivery of its callbacks. */
export const orderTimelineSchema = z
  .object({
    order_number: z.string(),
    state: z.enum([...ORDER_STATES, 'removed']).describe('removed: only history knows the order.'),
    steps: z.array(workStepSchema).describe('In the order in which they happened.'),
    callbacks: z.array(timelineCallbackSchema),
    callbacks_kept: z
      .boolean()
      .describe('False where it is so old that callbacks of it may have been delivered and removed since.'),
    complete: z
      .boolean()
      .describe(
        'False where older steps are left out: it has the newest 200 entries of history. GET /api/history/?order_number= pages through all.',
      ),
  })
  .meta({ id: 'OrderTimeline' });
export type OrderTimeline = z.infer<typeof orderTimelineSchema>;

/** What a callback reports, from the request to the last attempt to deliver it. */
export const deliveryTimelineSchema = z
  .object({
    id: z.string().describe('The webhook-id header.'),
    event: z.string().describe('`acknack` or `order_event` of its payload, else its family.'),
    state: z.enum(DELIVERY_STATES),
    command_id: z.string().nullable().describe('The command that it reports.'),
    sequenceid: z.string().nullable(),
    order_number: z.string().nullable(),
    steps: z.array(workStepSchema).describe('In the order in which they happened. Of the attempts it has the last.'),
    callbacks: z.array(timelineCallbackSchema).describe('The delivery itself.'),
  })
  .meta({ id: 'DeliveryTimeline' });
export type DeliveryTimeline = z.infer<typeof deliveryTimelineSchema>;
