import {
  conditionCallbackSchema,
  itemCallbackSchema,
  orderCallbackSchema,
  shipmentCallbackSchema,
  simpleCallbackSchema,
  type ConditionCallback,
  type ItemCallback,
  type OrderCallback,
  type ShipmentCallback,
  type SimpleCallback,
} from '#shared/api/callback.ts';
import { withExamples } from './content.ts';
import { schemaOf, type Json } from './schemas.ts';

const PRESSED: SimpleCallback = {
  acknack: 'ack',
  deviceid: '51D000:000001',
  location: 'A-3-2',
  nonce: 'pick-1',
  qty: 12,
};

const EXAMPLES = {
  pressed: { summary: 'A worker has pressed', value: PRESSED },
  timedOut: { summary: 'Nobody has: its seconds are over', value: { ...PRESSED, acknack: 'nack', qty: 0 } },
  called: {
    summary: 'A long press on an idle device',
    value: { ...PRESSED, acknack: 'call', nonce: 'help-A', qty: 0 },
  },
  step: { summary: 'A step of a sequence', value: { ...PRESSED, nonce: 'round-7-1', qty: 2 } },
  sequence: {
    summary: 'Its last step was acknowledged: deviceid is the sequenceid',
    value: { acknack: 'ack', deviceid: 'round-7', location: '', nonce: 'round-7-done', qty: 0 } as const,
  },
};

const RAISED: ConditionCallback = {
  condition_event: 'alert_raised',
  kind: 'battery_low',
  alert: '7',
  deviceid: '51D000:000001',
  location: 'A-3-2',
  turbo: '',
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
    summary: 'It was changed',
    value: { ...RAISED, condition_event: 'alert_ended', ended: '2026-11-20T11:05:00.000Z' },
  },
  offline: {
    summary: 'Nothing is heard of a device',
    value: { ...RAISED, kind: 'device_offline', value: 300, threshold: 300 },
  },
  turbo: {
    summary: 'There is no link to a turbo; nothing is said of the devices that it heard',
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

const CONDITION_DESCRIPTION = `The family \`condition\` of \`callback_families\`, which is off by default: of each alert that it was raised, and that it is over.
The settings \`alert_...\` say from when on. Of \`GET /api/alerts/\` it is what changes.

It goes to the same \`callback_url\`, delivered and signed as the others are. In a URL with replacement fields these are
\`{condition_event}\`, \`{kind}\`, \`{alert}\`, \`{deviceid}\`, \`{location}\`, \`{turbo}\`, \`{about}\`, \`{since}\`, \`{ended}\`, \`{value}\`, \`{threshold}\` and
\`{problem}\`; what is null is empty, as are \`{acknack}\`, \`{nonce}\` and \`{qty}\`: a receiver that knows those alone takes none of these.`;

const PICKED: ItemCallback = {
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
  pressed: { summary: 'A worker has pressed', value: PICKED },
  added: { summary: 'Beside it, where the count has grown', value: { ...PICKED, order_event: 'item_added' } },
  removed: {
    summary: 'Somebody took one back',
    value: { ...PICKED, order_event: 'item_removed', quantity: 4, quantity_fulfilled: 4, quantity_remaining: 1 },
  },
};

const ITEM_DESCRIPTION = `The family \`order\` of \`callback_families\`: of each press on an item of an order \`device_ack\` and, where what is fulfilled has
grown, \`item_added\`; of a correction \`item_added\` or \`item_removed\`. Each is a snapshot after the change.

\`nonce\` and \`vendor_nonce\` are the \`callback_nonce\` of the item, else that of the settings, else a token of the station, the same for
ever. There is no callback of the family \`device\` beside them. A timeout is told of items alone that were given a \`callback_nonce\`, as the
\`nack\` of \`pressOrTimeout\`, in the family \`order\`; the item is open again. What \`kill\`, abort or DELETE turned off is not told.

In a URL with replacement fields these are \`{order_event}\`, \`{order}\`, \`{shipment}\`, \`{item}\`, \`{SKU}\` and so on.`;

const SHIPPED: ShipmentCallback = {
  order_event: 'shipment_fulfilled',
  order: 'SO-1001',
  shipment: 'SO-1001-1',
  nonce: 'so-1001-1-done',
  vendor_nonce: 'so-1001-1-done',
  shipmentnonce: 'so-1001-1-done',
};

const ORDERED: OrderCallback = {
  order_event: 'order_fulfilled',
  order: 'SO-1001',
  nonce: 'so-1001-done',
  vendor_nonce: 'so-1001-done',
  ordernonce: 'so-1001-done',
};

const completion = (thing: string, nonce: string): string =>
  `Every item of the ${thing} that has a device is done or short. Once per launch, and only where \`${nonce}\` is not blank: that of the ${thing}, else that
of the settings. It comes after the callbacks of the press or correction that completed it, or before: the order of callbacks is not kept.`;

const DESCRIPTION = `What your receiver gets: of each command with a \`nonce\` that it was pressed or timed out, and of an idle device each long
press, plus and minus. Each step of a sequence is told, with its \`stepnonce\` as \`nonce\`, empty where it has none; and a
sequence with a \`sequencenonce\` that it is complete. What \`kill\`, a removal or a request with the same nonce ended is not told.

**As a GET.** Where \`callback_url\` has replacement fields such as \`{nonce}\` or \`{acknack}\`, it is a GET without a body:
each field is replaced by its value, percent-encoded, by nothing where there is no such value.

**The answer.** Answer 2xx at once, and work afterwards: within \`callback_timeout\` seconds. After anything else, a redirect
too, it is sent again: after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, then every 4 h, or later where your \`Retry-After\` says so.
After 72 hours it is dead, until \`POST /api/callbacks/replay/\`. \`GET /api/callbacks/\` tells how each went.

**Twice, or late.** One may come twice, with the same \`webhook-id\`, or after one that was made later.

**The signature.** It is the Standard Webhooks one. Decode what follows \`whsec_\` in \`callback_signing_secret\` from base64; that is the key.
Take the HMAC-SHA256 of \`{webhook-id}.{webhook-timestamp}.{body}\`, the body as the bytes that came, empty for a GET, and write it in base64.
\`webhook-signature\` is \`v1,\` and this. Refuse a timestamp that is minutes away.`;

const HEADERS: readonly { name: string; required: boolean; description: string; example: string }[] = [
  {
    name: 'webhook-id',
    required: true,
    description: 'The same at each attempt: `id` in `GET /api/callbacks/`.',
    example: 'msg_oACH--dHnLht_1',
  },
  {
    name: 'webhook-timestamp',
    required: true,
    description: 'When this attempt was made, in seconds since 1970.',
    example: '1795202907',
  },
  {
    name: 'webhook-signature',
    required: false,
    description: 'Where `callback_signing_secret` is set.',
    example: 'v1,+Dv71O4Vqq9dEjJD9+2nuzJ9/LrCcRYtY1GXdIOion8=',
  },
  {
    name: 'X-API-Key',
    required: false,
    description: 'The setting `callback_api_key`, where it is set.',
    example: 'key-of-the-receiver',
  },
];

/** What the station sends to `callback_url`, in the form of OpenAPI. */
export const CALLBACKS: Json = {
  pressOrTimeout: callback({
    operationId: 'receiveCallback',
    summary: 'A command was pressed or timed out, or an idle device was pressed',
    description: DESCRIPTION,
    content: withExamples(schemaOf(simpleCallbackSchema, 'output'), EXAMPLES),
  }),
  item: callback({
    operationId: 'receiveItemCallback',
    summary: 'An item of an order was pressed or corrected',
    description: ITEM_DESCRIPTION,
    content: withExamples(schemaOf(itemCallbackSchema, 'output'), ITEM_EXAMPLES),
  }),
  shipment: callback({
    operationId: 'receiveShipmentCallback',
    summary: 'A shipment is complete',
    description: completion('shipment', 'shipmentnonce'),
    content: withExamples(schemaOf(shipmentCallbackSchema, 'output'), {
      complete: { summary: 'All of it', value: SHIPPED },
    }),
  }),
  order: callback({
    operationId: 'receiveOrderCallback',
    summary: 'An order is complete',
    description: completion('order', 'ordernonce'),
    content: withExamples(schemaOf(orderCallbackSchema, 'output'), {
      complete: { summary: 'All of it', value: ORDERED },
    }),
  }),
  condition: callback({
    operationId: 'receiveConditionCallback',
    summary: 'An alert was raised, or is over',
    description: CONDITION_DESCRIPTION,
    content: withExamples(schemaOf(conditionCallbackSchema, 'output'), CONDITION_EXAMPLES),
  }),
};

function callback({
  content,
  ...said
}: {
  operationId: string;
  summary: string;
  description: string;
  content: Json;
}): Json {
  return {
    '{$request.body#/callback_url}': {
      post: {
        ...said,
        tags: ['callbacks'],
        security: [],
        parameters: HEADERS.map((header) => ({ ...header, in: 'header', schema: { type: 'string' } })),
        requestBody: { required: true, content: { 'application/json': content } },
        responses: {
          '2XX': { description: 'Taken: it is not sent again.' },
          '4XX': { description: 'Not taken: it is sent again, as after any other answer.' },
        },
      },
    },
  };
}
