import * as api from '#shared/api/callback.ts';
import { type TaskCallback, taskCallbackSchema } from '#shared/api/task.ts';
import { withExamples } from './content.ts';
import { schemaOf, type Json } from './schemas.ts';

const PRESSED: api.SimpleCallback = {
  acknack: 'ack',
  deviceid: '51D000:000001',
  location: 'A-3-2',
  nonce: 'pick-1',
  qty: 12,
};

const EXAMPLES = {
  pressed: { summary: 'A worker pressed', value: PRESSED },
  timedOut: { summary: 'Nobody pressed in time', value: { ...PRESSED, acknack: 'nack', qty: 0 } },
  called: {
    summary: 'A long press on an idle device',
    value: { ...PRESSED, acknack: 'call', nonce: 'help-A', qty: 0 },
  },
  step: { summary: 'A step of a sequence', value: { ...PRESSED, nonce: 'round-7-1', qty: 2 } },
  sequence: {
    summary: 'The last step of a sequence was acknowledged; `deviceid` is the sequenceid',
    value: { acknack: 'ack', deviceid: 'round-7', location: '', nonce: 'round-7-done', qty: 0 } as const,
  },
};

const RAISED: api.ConditionCallback = {
  condition_event: 'alert_raised',
  kind: 'battery_low',
  alert: '7',
  deviceid: '51D000:000001',
  location: 'A-3-2',
  turbo: '',
  order_number: '',
  about: '',
  since: '2026-11-20T09:30:00.000Z',
  ended: null,
  value: 12,
  threshold: 15,
  problem: null,
};

const CONDITION_EXAMPLES = {
  raised: { summary: 'A battery is low', value: RAISED },
  ended: {
    summary: 'The battery was changed',
    value: { ...RAISED, condition_event: 'alert_ended', ended: '2026-11-20T11:05:00.000Z' },
  },
  offline: { summary: 'A device is offline', value: { ...RAISED, kind: 'device_offline', value: 300, threshold: 300 } },
  turbo: {
    summary: 'A turbo is offline; its devices raise no alerts',
    value: { ...RAISED, kind: 'turbo_offline', deviceid: '', location: '', turbo: 'T-2041', value: 60, threshold: 60 },
  },
  station: {
    summary: 'The station started without some of its stored data',
    value: {
      ...RAISED,
      kind: 'data_lost',
      deviceid: '',
      location: '',
      about: 'lost-20261120-093000Z',
      value: null,
      threshold: null,
      problem: 'The station started without 31 of its changes.',
    } as const,
  },
};

const CONDITION_DESCRIPTION = `The family \`condition\` of \`callback_families\`, off by default, reports each alert when it is raised and when it is resolved.
The settings \`alert_...\` decide when an alert is raised. \`GET /api/alerts/\` lists the same alerts.

These callbacks are sent to the same \`callback_url\`, and delivered and signed like the others. The replacement fields of a URL are
\`{condition_event}\`, \`{kind}\`, \`{alert}\`, \`{deviceid}\`, \`{location}\`, \`{turbo}\`, \`{about}\`, \`{since}\`, \`{ended}\`, \`{value}\`, \`{threshold}\` and
\`{problem}\`; null becomes empty. \`{acknack}\`, \`{nonce}\` and \`{qty}\` are also empty, so a receiver that uses only those fields can ignore these callbacks.`;

const PICKED: api.ItemCallback = {
  order_event: 'device_ack',
  order: 'SO-1001',
  shipment: 'SO-1001-1',
  item: 'Cable tie 200',
  SKU: 'CT-200',
  UPC: '',
  location: 'A-3-2',
  device: '51D000:000001',
  deviceid: '51D000:000001',
  quantity: 5,
  ordered_quantity: 5,
  quantity_fulfilled: 5,
  quantity_remaining: 0,
  nonce: 'so-1001-a',
  vendor_nonce: 'so-1001-a',
};

const ITEM_EXAMPLES = {
  pressed: { summary: 'A worker pressed', value: PICKED },
  added: {
    summary: 'Also sent if the fulfilled quantity has increased',
    value: { ...PICKED, order_event: 'item_added' },
  },
  removed: {
    summary: 'A correction reduced the quantity',
    value: { ...PICKED, order_event: 'item_removed', quantity: 4, quantity_fulfilled: 4, quantity_remaining: 1 },
  },
};

const ITEM_DESCRIPTION = `The family \`order\` of \`callback_families\`. Each press on an item of an order sends \`device_ack\` and, if the fulfilled quantity has
increased, \`item_added\`. A correction sends \`item_added\` or \`item_removed\`. Each callback describes the state after the change.

\`nonce\` and \`vendor_nonce\` are the \`callback_nonce\` of the item, or that of the settings, or a token of the station that never
changes. A press does not also send a callback of the family \`device\`. A timeout sends a callback only for items with a
\`callback_nonce\`: the \`nack\` of \`pressOrTimeout\`, in the family \`order\`. The item is then open again. For a launch, an abort, a removal and a short, see \`orderState\`.

The replacement fields of a URL are \`{order_event}\`, \`{order}\`, \`{shipment}\`, \`{item}\`, \`{SKU}\` and so on.`;

const CLOSED: api.OrderStateCallback = {
  order_state: 'item_short',
  state: 'short',
  order: 'SO-1001',
  shipment: 'SO-1001-1',
  item: 'Cable tie 200',
  SKU: 'CT-200',
  quantity_fulfilled: 0,
  ordered_quantity: 5,
  reason: 'missing',
  picker: 'Anna',
  nonce: 'so-1001-a',
};

const STATE_EXAMPLES = {
  short: { summary: 'A line was closed, and nothing was found', value: CLOSED },
  aborted: {
    summary: 'An order was aborted',
    value: {
      order_state: 'aborted',
      state: 'aborted',
      order: 'SO-1001',
      quantity_fulfilled: 2,
      ordered_quantity: 5,
      picker: 'Olaf',
      nonce: 'so-1001-done',
    },
  },
  batch: {
    summary: 'A batch has ended',
    value: { order_state: 'batch_done', state: 'done', picker: 'Anna', batch: 3 },
  },
} as const;

const STATE_DESCRIPTION = `The family \`order_state\` of \`callback_families\`, off by default, reports what the family \`order\` does not: launches, aborts,
removals and edits of orders, lines that are closed short (also with 0), opened again or dismissed, and batches that have ended. A body has only
the fields that apply. Fulfilled orders that are removed send none. \`item_short\` is sent again if the line gets a reason later.

**Never book quantities from it**: \`item_added\` and \`item_removed\` carry them. It can arrive before or after the callbacks of the same event:
\`pickstation-revision\` tells the order.`;

const SHIPPED: api.ShipmentCallback = {
  order_event: 'shipment_fulfilled',
  order: 'SO-1001',
  shipment: 'SO-1001-1',
  nonce: 'so-1001-1-done',
  vendor_nonce: 'so-1001-1-done',
  shipmentnonce: 'so-1001-1-done',
};

const ORDERED: api.OrderCallback = {
  order_event: 'order_fulfilled',
  order: 'SO-1001',
  nonce: 'so-1001-done',
  vendor_nonce: 'so-1001-done',
  ordernonce: 'so-1001-done',
};

const MOVED: api.MovementCallback = {
  movement_id: 4711,
  kind: 'pick',
  time: '2026-11-20T09:30:00.000Z',
  SKU: 'CT-200',
  location: 'A-3-2',
  deviceid: '51D000:000001',
  delta: -5,
  on_hand: 70,
  order: 'SO-1001',
  shipment: 'SO-1001-1',
  item: 31,
  ordered_quantity: 5,
  quantity_fulfilled: 5,
  reason: '',
  picker: 'Anna',
  nonce: 'so-1001-a',
  key: null,
};

const OF_NO_ORDER = {
  order: null,
  shipment: null,
  item: null,
  ordered_quantity: null,
  quantity_fulfilled: null,
  picker: '',
  nonce: '',
};

const MOVEMENT_EXAMPLES = {
  pick: { summary: 'A worker pressed', value: MOVED },
  short: {
    summary: 'Nothing was left at the place',
    value: { ...MOVED, movement_id: 4712, kind: 'short', delta: -70, on_hand: 0, reason: 'missing' },
  },
  count: {
    summary: 'Somebody counted',
    value: { ...MOVED, ...OF_NO_ORDER, movement_id: 4713, kind: 'count', deviceid: '', delta: 80, on_hand: 80 },
  },
} as const;

const MOVEMENT_DESCRIPTION = `The family \`movement\` of \`callback_families\`, off by default, reports each movement of stock. \`GET /api/movements/\`
lists the same movements.

Callbacks can be repeated or arrive out of order. For each SKU and location, keep the \`on_hand\` of the highest \`movement_id\` that you have
received, and ignore lower ones. \`on_hand\` is null if the place is not counted, or if the article does not have this place.

If your shop system decreases its own stock when an order is fulfilled, use only \`count\`, \`short\`, \`put_away\` and \`adjust\`; \`pick\` is for
systems that book by place. The replacement fields of a URL are the names of the fields; null becomes empty.`;

const TO_DO: TaskCallback = {
  task_event: 'opened',
  id: 7,
  kind: 'replenish',
  SKU: 'CT-200',
  location: 'A-3-2',
  deviceid: '51D000:000001',
  quantity: 80,
  state: 'open',
  created: '2026-11-20T09:30:00.000Z',
  by: 'device',
  order: null,
};

const TASK_EXAMPLES = {
  opened: { summary: 'The stock at a place reached its minimum', value: TO_DO },
  done: { summary: 'Somebody refilled the place', value: { ...TO_DO, task_event: 'done', state: 'done' } },
  putBack: {
    summary: 'An order was aborted',
    value: { ...TO_DO, id: 8, kind: 'put_back', quantity: 3, by: 'Anna', order: 'SO-1001' },
  },
} as const;

const TASK_DESCRIPTION = `The family \`task\` of \`callback_families\`, off by default, reports each task when it is opened, done, dismissed, ended by itself,
or overdue (once). \`GET /api/tasks/\` lists the tasks. Callbacks can arrive out of order: a task that has ended never opens again. The replacement
fields of a URL are the names of the fields; null becomes empty.`;

const completion = (thing: string, nonce: string): string =>
  `Sent when the ${thing} is complete: every item except \`unassigned\` ones is done, short or dismissed, and none waits for a scan. Sent once per
launch, and only if the \`${nonce}\` of the ${thing} or, if it has none, that of the settings is not blank. It may arrive before or after the
callbacks of the press or correction that completed the ${thing}.`;

const DESCRIPTION = `Sent to your receiver when a command with a \`nonce\` is acknowledged or times out, and for each long press, plus and minus on an idle
device. Each step of a sequence sends a callback with its \`stepnonce\` as \`nonce\`, which is empty if the step has none. A sequence with a
\`sequencenonce\` sends another one when it is complete. Commands that are ended by \`kill\`, a removal or a request with the same nonce send none.

**As a GET.** If \`callback_url\` has replacement fields such as \`{nonce}\` or \`{acknack}\`, the callback is a GET without a body.
Each field is replaced with its percent-encoded value, or with nothing if it has no value.

**Your response.** Respond with 2xx immediately, within \`callback_timeout\` seconds, and process the callback afterwards. After any other
response, including a redirect, the station retries: after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, then every 4 h, or later if your
\`Retry-After\` says so. In the first ten minutes of an outage, the oldest callback is also sent after 5 s, 10 s and then every 20 s, one request
at a time. After 72 hours, the delivery fails (state \`dead\`); \`POST /api/callbacks/replay/\` sends it again. \`GET /api/callbacks/\` lists all
deliveries.

**Duplicates and order.** A callback may arrive twice, with the same \`webhook-id\`, or after a later callback. \`pickstation-revision\` and
\`pickstation-time\` refer to the event, not to the delivery attempt. To book items, add up \`pickstation-picked\`, but only once for each
\`webhook-id\`. It is 0 for all events except \`item_added\` and \`item_removed\`.

**The signature** follows Standard Webhooks. To get the key, decode the part of \`callback_signing_secret\` after \`whsec_\` from base64.
Compute the HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{body}\`, with the body as the received bytes (empty for a GET), and encode it
in base64. \`webhook-signature\` is \`v1,\` followed by the result. Refuse timestamps that differ from the current time by minutes.`;

/** Headers, each with its name, whether it is always sent, a description and an example. */
const HEADERS = [
  ['webhook-id', true, 'The `id` in `GET /api/callbacks/`. It is the same for each attempt.', 'msg_oACH--dHnLht_1'],
  ['webhook-timestamp', true, 'Time of this attempt, in seconds since 1970.', '1795202907'],
  [
    'pickstation-revision',
    false,
    'Revision of the reported change, as in `GET /api/events/`. It increases with each change.',
    '4711',
  ],
  ['pickstation-time', false, 'Time of the event. A device may report a press later.', '2026-11-20T09:30:00.000Z'],
  [
    'pickstation-picked',
    false,
    'Quantity that this event added to its item. Negative if it removed pieces; 0 if it changed none.',
    '2',
  ],
  [
    'webhook-signature',
    false,
    'Only if `callback_signing_secret` is set.',
    'v1,+Dv71O4Vqq9dEjJD9+2nuzJ9/LrCcRYtY1GXdIOion8=',
  ],
  ['X-API-Key', false, 'The setting `callback_api_key`. Only if it is set.', 'key-of-the-receiver'],
] as const;

const PARAMETERS = HEADERS.map(([name, required, description, example]) => ({
  name,
  required,
  description,
  example,
  in: 'header',
  schema: { type: 'string' },
}));

/** The callbacks to `callback_url` in the form of the OpenAPI document. */
export const CALLBACKS: Json = {
  pressOrTimeout: callback(
    ['receiveCallback', 'A command was acknowledged or timed out, or an idle device was pressed', DESCRIPTION],
    withExamples(schemaOf(api.simpleCallbackSchema, 'output'), EXAMPLES),
  ),
  item: callback(
    ['receiveItemCallback', 'An item of an order was pressed or corrected', ITEM_DESCRIPTION],
    withExamples(schemaOf(api.itemCallbackSchema, 'output'), ITEM_EXAMPLES),
  ),
  shipment: callback(
    ['receiveShipmentCallback', 'A shipment is complete', completion('shipment', 'shipmentnonce')],
    withExamples(schemaOf(api.shipmentCallbackSchema, 'output'), { complete: { summary: 'Complete', value: SHIPPED } }),
  ),
  order: callback(
    ['receiveOrderCallback', 'An order is complete', completion('order', 'ordernonce')],
    withExamples(schemaOf(api.orderCallbackSchema, 'output'), { complete: { summary: 'Complete', value: ORDERED } }),
  ),
  orderState: callback(
    ['receiveOrderStateCallback', 'An order, an item or a batch has changed in another way', STATE_DESCRIPTION],
    withExamples(schemaOf(api.orderStateCallbackSchema, 'output'), STATE_EXAMPLES),
  ),
  condition: callback(
    ['receiveConditionCallback', 'An alert was raised or resolved', CONDITION_DESCRIPTION],
    withExamples(schemaOf(api.conditionCallbackSchema, 'output'), CONDITION_EXAMPLES),
  ),
  movement: callback(
    ['receiveMovementCallback', 'Stock moved', MOVEMENT_DESCRIPTION],
    withExamples(schemaOf(api.movementCallbackSchema, 'output'), MOVEMENT_EXAMPLES),
  ),
  task: callback(
    ['receiveTaskCallback', 'A task about the stock changed', TASK_DESCRIPTION],
    withExamples(schemaOf(taskCallbackSchema, 'output'), TASK_EXAMPLES),
  ),
};

function callback([operationId, summary, description]: readonly [string, string, string], content: Json): Json {
  return {
    '{$request.body#/callback_url}': {
      post: {
        operationId,
        summary,
        description,
        tags: ['callbacks'],
        security: [],
        parameters: PARAMETERS,
        requestBody: { required: true, content: { 'application/json': content } },
        responses: {
          '2XX': { description: 'Accepted. The station does not retry.' },
          '4XX': { description: 'Refused. The station retries, as after any other response.' },
        },
      },
    },
  };
}
