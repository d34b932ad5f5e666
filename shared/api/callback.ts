import { z } from 'zod';
import { alertKindSchema } from './alert.ts';
import { CALLBACK_FAMILIES } from './settings.ts';

/** Body of the simple device callback. Specification, Events. */
export const simpleCallbackSchema = z
  .object({
    acknack: z
      .enum(['ack', 'nack', 'call', 'call_up', 'call_down'])
      .describe(
        'ack: pressed, or acknowledged in the place of a press. nack: timed out. Of an idle device: call (a long press of the front button), call_up and call_down (plus and minus).',
      ),
    deviceid: z.string(),
    location: z
      .string()
      .describe('The location alias that the command was sent to, else the label of the device, else empty.'),
    nonce: z
      .string()
      .describe("The command's; of an idle device its unsolicitedNonce, which is empty where it was not set."),
    qty: z
      .int()
      .describe(
        'The quantity as the worker left it, 0 without one; with a nack only what he set himself. 0 of an idle device.',
      ),
  })
  .meta({ id: 'SimpleCallback', description: 'What a callback says.' });
export type SimpleCallback = z.infer<typeof simpleCallbackSchema>;

/** Body of a callback of the family `condition`: an alert was raised, or is over. */
export const conditionCallbackSchema = z
  .object({
    condition_event: z.enum(['alert_raised', 'alert_ended']),
    kind: alertKindSchema,
    alert: z.string().describe('The id of the alert: the same when it is raised and when it has ended.'),
    deviceid: z.string().describe('Empty where it is not about a device.'),
    location: z.string().describe('The label of the device, else empty.'),
    turbo: z.string().describe('Serial number; empty where it is not about a turbo.'),
    about: z.string().describe('Of an alert about the station: what it is about; else empty.'),
    since: z.iso.datetime().describe('Since when it is so; of a device that is offline, when it was heard last.'),
    ended: z.iso.datetime().nullable().describe('Null while it is open.'),
    value: z
      .int()
      .nullable()
      .describe('When it was raised: seconds offline, dBm, or percent; null of a turbo in trouble and of the station.'),
    threshold: z.int().nullable().describe('The setting at that time, in the same unit.'),
    problem: z
      .string()
      .nullable()
      .describe('What is wrong with the station or a turbo in trouble, in words for people; otherwise null.'),
  })
  .meta({ id: 'ConditionCallback', description: 'What a callback says of an alert.' });
export type ConditionCallback = z.infer<typeof conditionCallbackSchema>;

const item = z.string().describe('Its name, else its SKU, else its UPC.');
const ofItem = {
  order: z.string().describe('Its order_number.'),
  shipment: z.string().describe('Its shipment_number.'),
};

/** Body of a callback about an item of an order: a snapshot after the change. Specification, Structured business callbacks. */
export const itemCallbackSchema = z
  .object({
    order_event: z
      .enum(['item_added', 'item_removed', 'device_ack'])
      .describe(
        'device_ack: acknowledged at its device. item_added, item_removed: quantity_fulfilled has grown or shrunk.',
      ),
    ...ofItem,
    item,
    SKU: z.string(),
    UPC: z.string(),
    location: z.string().describe('The location alias that it was lit by, else the label of its device, else empty.'),
    device: z.string().describe('Equal to deviceid.'),
    deviceid: z.string().describe('Empty where it has no device.'),
    quantity: z.int().describe('Equal to quantity_fulfilled.'),
    ordered_quantity: z.int().describe('Pieces to pick.'),
    quantity_fulfilled: z.int().describe('Pieces picked so far.'),
    quantity_remaining: z.int().describe('Pieces still to pick; never below 0.'),
    nonce: z.string().describe('The callback_nonce of the item, else a stable token of this station.'),
    vendor_nonce: z.string().describe('Equal to nonce.'),
  })
  .meta({ id: 'ItemCallback', description: 'What a callback says of an item of an order.' });
export type ItemCallback = z.infer<typeof itemCallbackSchema>;

const completionNonce = {
  nonce: z.string(),
  vendor_nonce: z.string().describe('Equal to nonce.'),
};

/** Every item of a shipment that has a device is done. Sent only with a nonce. */
export const shipmentCallbackSchema = z
  .object({
    order_event: z.literal('shipment_fulfilled'),
    ...ofItem,
    ...completionNonce,
    shipmentnonce: z.string().describe('Equal to nonce.'),
  })
  .meta({ id: 'ShipmentCallback', description: 'What a callback says of a shipment that is complete.' });
export type ShipmentCallback = z.infer<typeof shipmentCallbackSchema>;

/** Every item of an order that has a device is done. Sent only with a nonce. */
export const orderCallbackSchema = z
  .object({
    order_event: z.literal('order_fulfilled'),
    order: ofItem.order,
    ...completionNonce,
    ordernonce: z.string().describe('Equal to nonce.'),
  })
  .meta({ id: 'OrderCallback', description: 'What a callback says of an order that is complete.' });
export type OrderCallback = z.infer<typeof orderCallbackSchema>;

/** Body of any callback, each by its family. */
export type CallbackPayload = SimpleCallback | ConditionCallback | ItemCallback | ShipmentCallback | OrderCallback;

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One delivery of one callback. */
export const deliverySchema = z
  .object({
    id: z.string().describe('The webhook-id header, equal over all attempts.'),
    state: z
      .enum(DELIVERY_STATES)
      .describe('pending: sent again at next_attempt. dead: given up after 72 hours, until it is replayed.'),
    family: z.enum(CALLBACK_FAMILIES),
    payload: z
      .record(z.string(), z.unknown())
      .describe('What is sent; the callback of PATCH /api/settings/ says what its fields are.'),
    url: z.string().nullable().describe('Where the last attempt went.'),
    attempts: z.int().describe('How often it was sent; a replay does not begin anew.'),
    next_attempt: z.iso.datetime().nullable(),
    last_attempt: z.iso.datetime().nullable().describe('When it was tried last; of a delivered one, when it arrived.'),
    last_status: z.int().nullable().describe('What the receiver answered last; null: it gave no answer.'),
    last_error: z.string().nullable().describe('Why the last attempt failed, as a sentence.'),
    created: z.iso.datetime(),
    command_id: z
      .string()
      .nullable()
      .describe(
        'The command that it tells of; null of an idle device, of an alert, and where history is so old no more.',
      ),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof deliverySchema>;

const headersSchema = z.array(z.object({ name: z.string(), value: z.string() }));

/** One delivery with what was sent and answered at its last attempt. */
export const deliveryExchangeSchema = deliverySchema
  .extend({
    request: z
      .object({
        method: z.enum(['GET', 'POST']),
        url: z.string().describe('With its replacement fields filled in, and *** in the place of secrets.'),
        headers: headersSchema.describe('With *** in the place of secrets.'),
        body: z.string().describe('As it was signed; empty of a GET.'),
      })
      .nullable()
      .describe('The last attempt; null before the first.'),
    answer: z
      .object({
        headers: headersSchema.describe('With *** in the place of secrets.'),
        body: z
          .string()
          .nullable()
          .describe('Its beginning, a kilobyte at most, with *** in the place of secrets; null where it is no text.'),
        whole: z.boolean().describe('The body is all of it.'),
      })
      .nullable()
      .describe('null: there was none.'),
    milliseconds: z.int().nullable().describe('Until the answer, or until it failed.'),
  })
  .meta({ id: 'DeliveryExchange' });
export type DeliveryExchange = z.infer<typeof deliveryExchangeSchema>;

/** How much is owed. */
export const deliveryCountsSchema = z
  .object({
    pending: z.int().describe('To be sent yet, or again.'),
    dead: z.int().describe('Given up, until they are replayed.'),
    oldest_pending: z.iso.datetime().nullable().describe('When the oldest of the pending was made.'),
  })
  .meta({ id: 'DeliveryCounts' });
export type DeliveryCounts = z.infer<typeof deliveryCountsSchema>;

/** A callback that the built-in receiver took. */
export const receivedCallbackSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    webhook_id: z.string(),
    times: z.int().describe('How often this webhook-id has come: a receiver has to expect it again.'),
    method: z.enum(['GET', 'POST']),
    url: z.string().describe('With *** in the place of secrets.'),
    headers: headersSchema.describe('With *** in the place of secrets.'),
    body: z.string().describe('Empty of a GET.'),
    signature: z
      .enum(['right', 'wrong', 'none'])
      .describe('Checked as a receiver checks it, with the `callback_signing_secret` of now. none: it is not signed.'),
  })
  .meta({ id: 'ReceivedCallback' });
export type ReceivedCallback = z.infer<typeof receivedCallbackSchema>;

export const replaySchema = z
  .object({ state: z.literal('dead').describe('Which are sent again: those that were given up.') })
  .meta({ id: 'Replay' });
export const replayResultSchema = z
  .object({ replayed: z.int().describe('Deliveries that are pending again.') })
  .meta({ id: 'ReplayResult' });

/** What became of a test, told at once. */
export const testDeliverySchema = z
  .object({
    id: z.string().describe('The webhook-id header.'),
    state: z.enum(['delivered', 'failed']),
    url: z.string().describe('The `callback_url` of now, its replacement fields as they are written.'),
    method: z.enum(['GET', 'POST']),
    payload: simpleCallbackSchema,
    status: z.int().nullable().describe('What the receiver answered; null: it gave no answer.'),
    error: z.string().nullable().describe('Why it failed, as a sentence.'),
    milliseconds: z.int().describe('Until the answer, or until it failed.'),
  })
  .meta({ id: 'TestDelivery' });
export type TestDelivery = z.infer<typeof testDeliverySchema>;

export const deliveryQuerySchema = z.object({
  state: z.enum(DELIVERY_STATES).optional().describe('Only in this state.'),
  family: z.enum(CALLBACK_FAMILIES).optional().describe('Only this family of `callback_families`.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('At most this many deliveries.'),
  after: z.string().optional().describe('The last id of the previous page.'),
});
export type DeliveryQuery = z.infer<typeof deliveryQuerySchema>;
