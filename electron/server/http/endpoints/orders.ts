import { z } from 'zod';
import * as api from '#shared/api/order.ts';
import { changedItemSchema, isLineChange, newLineSchema } from '#shared/api/orderItem.ts';
import { MAX_ITEMS } from '#shared/lib/orders/orderLimits.ts';
import type { Orders } from '../../services/orders/index.ts';
import { lenientItemChange, lenientLine, lenientOrder, lenientOrderChange } from '../compat/lenientOrder.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import type { Caller } from '../../services/access/index.ts';
import { endpointsOf, noFields, pageBy, type Endpoint } from '../endpoint.ts';
import { actorOf } from '../signIn.ts';
import { DEVICE, OTHER_DEVICE } from './examples.ts';

const define = endpointsOf('orders');

const NO_ORDER = 'There is no such order.';
const CHANGEABLE = Object.keys(api.orderChangeSchema.shape);
const NO_ITEM = 'There is no such order, or it has no such item.';
const NOT_CHANGEABLE = 'The order has ended or is in a batch.';
const NOT_A_PICKER = 'The person is not picking the order.';

/** Default number of orders per page. */
const MAX_ORDERS = 1_000;
const BY_NUMBER = pageBy('order_number', MAX_ORDERS);
/** A page with more items than this may have ended early. A page has at most 50,000 items, and one order at most 1,000. */
const MANY_ITEMS = 49_000;

function hasManyItems(orders: readonly unknown[]): boolean {
  // Safe cast: the schema of the answer validates the orders.
  const count = ({ shipments }: api.Order): number => shipments.reduce((sum, { items }) => sum + items.length, 0);
  return (orders as readonly api.Order[]).reduce((sum, order) => sum + count(order), 0) > MANY_ITEMS;
}

const ACTING = {
  body: api.actingPickerSchema,
  bodyOptional: true,
  dialect: lenientFields({ picker: 'person' }),
  examples: { paula: { summary: 'A program acts for a person', value: { picker: 'Paula' } } },
} as const;

const ORDER = {
  order_number: 'SO-1001',
  ordernonce: 'so-1001-done',
  color: 'g',
  seconds: 300,
  shipments: [
    {
      shipment_number: 'SO-1001-1',
      shipmentnonce: 'so-1001-1-done',
      items: [
        { name: 'Cable tie 200', SKU: 'CT-200', ordered_quantity: 5, deviceid: DEVICE, callback_nonce: 'so-1001-a' },
        { name: 'Cable tie 300', UPC: '4006381333931', ordered_quantity: 2, warehouse_location: 'B-1-1' },
      ],
    },
    {
      shipment_number: 'SO-1001-2',
      items: [
        { SKU: 'CT-500', ordered_quantity: 1, quantity_fulfilled: 0, warehouse_location: 'no device there' },
        { SKU: 'CT-600', ordered_quantity: 1, warehouse_location: 'nor there' },
      ],
    },
  ],
};

const FEW_ITEMS = {
  order_number: 'SO-1002',
  items: [{ name: 'Cable tie 200', ordered_quantity: 3, deviceid: OTHER_DEVICE }],
};

export const orderParams = z.object({
  order_number: z
    .string()
    .describe('The order number, percent-encoded: a slash is %2F. `id:5` names the order with the id 5.')
    .meta({ example: 'SO-1001' }),
});
const itemParams = orderParams.extend({
  id: z.coerce.number().int().min(1).describe('The id of the item, from its order.').meta({ example: 1 }),
});

/**
 * Returns the launch for a caller. If a picker launches an order, the order is for that picker. Throws `forbidden` if a picker names
 * somebody else.
 */
function forPicker({ color, picker }: api.Launch, caller: Caller): api.Launch {
  const isFor = picker !== undefined || caller.scope === 'picker';
  return { color, picker: isFor ? actorOf(caller, picker) : undefined };
}

/** Returns who acts, and on whose behalf. */
function acting(caller: Caller, picker: string | undefined): { by: string; picker: string } {
  return { by: caller.name, picker: actorOf(caller, picker) };
}

/** Endpoints for orders (sections 8 and 16 of the contract, and the specification of orders). */
export const orderEndpoints = ({ orders }: { orders: Orders }): Endpoint[] => [
  define('listOrders', 'read', 'List the orders with their items', {
    description:
      'Sorted by order number. Returns at most 1,000 orders without a `limit`, and fewer if they have very many items: continue with `after` until a page is empty.',
    namesRevision: true,
    query: api.orderQuerySchema,
    page: { ...BY_NUMBER, mayEndEarly: hasManyItems },
    tagged: [],
    parameterExamples: { state: 'open', limit: 100, after: 'SO-1000' },
    answer: z.array(api.orderSchema),
    handle: ({ query }) => orders.list(query),
  }),
  define('addOrder', 'create_orders', 'Create an order', {
    description: `Send \`shipments\` with items, or only \`items\`, which become one shipment with the number of the order. Nothing is lit before the launch. At most ${MAX_ITEMS.toLocaleString('en')} items. Returns 409 if an order with this number exists.

An item is lit at its \`deviceid\`. If that is missing or unknown, it is lit at its \`warehouse_location\`: a location alias, a label or a DeviceID. A part of an alias or label is enough if no other device matches, and if the part does not begin or end within a word or number (\`A-1-1\` is not a part of \`A-1-10\`). Otherwise the item is lit at the place that is named like its SKU, UPC or name. The launch finds the places, so you can add them later.

If a place was found by a part of a name, or by a label that two devices have, \`warnings\` names it, and the order has \`attention: ["guessed"]\`. With \`?strict=1\`, such an order is refused.

Items that are already complete are \`done\` and never lit. The same applies to items with an \`ordered_quantity\` of 0, which \`warnings\` names. An order with only such items is \`fulfilled\` when it is created.`,
    body: api.newOrderSchema,
    namesUnknown: true,
    dialect: lenientOrder,
    examples: {
      shipments: { summary: 'Two shipments; two items have no device yet', value: ORDER },
      items: { summary: 'Only items: they become one shipment', value: FEW_ITEMS },
    },
    status: 201,
    answer: api.orderResultSchema,
    refusals: { 409: 'An order with this number exists. `same` says whether it has the same content.' },
    handle: ({ body, strict, unknown }) => orders.add(body, { strict, unknown }),
  }),
  define('removeEndedOrders', 'edit_orders', 'Delete orders that have ended', {
    description:
      'Deletes the orders one by one, so that other work continues. If the station stops meanwhile, the remaining orders are kept. History is kept: as long as it contains a deleted order, importing a file with that order reports `known`. `POST /api/orders/` can use the number again.',
    query: api.endedOrdersQuerySchema,
    parameterExamples: { state: 'fulfilled', ended_before: '2026-11-01T00:00:00Z' },
    answer: api.deletedOrdersSchema,
    handle: ({ query, caller }) => orders.removeEnded(query, caller.name),
  }),
  define('listOrderProgress', 'read', 'List the progress of the orders, without their items', {
    description:
      'Sorted by order number; at most 1,000 without a `limit`. To follow changes, send the header `pickstation-revision` of the first page as `Last-Event-ID` to `GET /api/events/`.',
    namesRevision: true,
    query: api.orderQuerySchema,
    page: BY_NUMBER,
    tagged: [],
    parameterExamples: { state: 'open', limit: 100, after: 'SO-1000' },
    answer: z.array(api.orderProgressSchema),
    handle: ({ query }) => orders.listProgress(query),
  }),
  define('getOrder', 'read', 'Get an order with its items', {
    description:
      'Contains the `address` for people who pick and for callers with the scope control or admin, but not for keys with the scope read. Lists never contain it.',
    params: orderParams,
    tagged: CHANGEABLE,
    answer: api.orderSchema,
    refusals: { 404: NO_ORDER },
    handle: (call) => orders.get(call.params.order_number, { withAddress: call.may('work') }),
  }),
  define('launchOrder', 'work', 'Launch an order', {
    description: `Lights all open items of all shipments at once; a device with several items shows them one after the other. The display shows the name or SKU, the description or else the \`warehouse_location\`, the quantity to pick, and the UPC or SKU as a barcode if it fits.

A press books the quantity on the display, which plus and minus can change. The item is then \`done\`, or \`short\` if the quantity is lower than ordered; a short item has also ended. An item that timed out or was killed is \`open\` again: launch the order again, also after an abort. Lit items stay unchanged. If a picker has an item without a device, the picker confirms it by hand, and the order is not complete before. If the order is launched without a picker, the item is listed in \`unassigned\`, and the rest of the order continues.

Returns 409 and lights nothing if the order is fulfilled or has nothing to light, if nobody picks it and no item has a device, or if the queue of a device is full. A fulfilled order can be launched again if it has unassigned items.

A person picks one order at a time. Taking an order pauses the other one. If a program or a colleague launches an order for a person who is picking another one, the order is not lit and waits until that person takes it: \`waits\`.`,
    params: orderParams,
    body: api.launchSchema,
    bodyOptional: true,
    dialect: lenientFields({ color: 'text', picker: 'person' }),
    examples: { blue: { summary: 'In blue, for all pickers', value: { color: 'blue' } } },
    answer: api.orderResultSchema,
    refusals: {
      404: NO_ORDER,
      409: 'The order is fulfilled or has nothing to light, no item has a device, the queue of a device is full, or other people are picking the order. Nothing was lit.',
    },
    handle: ({ params, body, caller }) => orders.launch(params.order_number, caller.name, forPicker(body, caller)),
  }),
  define('joinOrder', 'work', 'Join an order as another picker', {
    description:
      'The picker gets the lines that have no picker. If there are none, a picker without lines gets the second half of the lines of the picker who has the most. The lines change to the color of the picker; lines that were not lit are lit again.',
    params: orderParams,
    body: api.launchSchema,
    bodyOptional: true,
    dialect: lenientFields({ color: 'text', picker: 'person' }),
    examples: { paula: { summary: 'A person joins', value: { picker: 'Paula' } } },
    answer: api.orderSchema,
    refusals: { 404: NO_ORDER, 409: 'The order is fulfilled, or no item has a device.' },
    handle: ({ params, body, caller }) => orders.join(params.order_number, caller.name, forPicker(body, caller)),
  }),
  define('leaveOrder', 'work', 'Leave an order', {
    description:
      'The unfinished lines of the person go to another picker of the order who has not paused. Without another picker, the lines have no picker and stay lit in the color of the order.',
    params: orderParams,
    ...ACTING,
    answer: api.orderSchema,
    refusals: { 404: NO_ORDER, 409: NOT_A_PICKER },
    handle: ({ params, body, caller }) => orders.leave(params.order_number, acting(caller, body.picker)),
  }),
  define('pauseOrder', 'work', 'Pause an order', {
    description:
      'Turns off the lights of the person without a callback. The lines still belong to that person. A launch for that person or for everybody lights them again.',
    params: orderParams,
    ...ACTING,
    answer: api.orderSchema,
    refusals: { 404: NO_ORDER, 409: NOT_A_PICKER },
    handle: ({ params, body, caller }) => orders.pause(params.order_number, acting(caller, body.picker)),
  }),
  define('handOverOrder', 'work', 'Hand over an order to another picker', {
    description:
      'The unfinished lines of the caller go to another person and light in the color of that person. A program, or a person with the role control or admin, that does not pick the order hands over all its unfinished lines. If the other person is picking another order, the lines wait.',
    params: orderParams,
    body: api.handoverSchema,
    dialect: lenientFields({ picker: 'person' }),
    examples: { paula: { summary: 'Paula continues', value: { picker: 'Paula' } } },
    answer: api.orderSchema,
    refusals: {
      404: NO_ORDER,
      409: 'The order is fulfilled, the person already has these lines, or the caller is a picker who is not picking the order.',
    },
    handle: ({ params, body, caller }) =>
      orders.handOver(params.order_number, caller.name, {
        picker: body.picker,
        isForAll: caller.scope !== 'picker',
      }),
  }),
  define('abortOrder', 'work', 'Abort an order', {
    description:
      'Turns off the devices of the order. Items that are not done become `cancelled` without a callback, and later presses acknowledge nothing. A launch lights the items again. A fulfilled or aborted order stays unchanged.',
    params: orderParams,
    ...noFields,
    answer: api.orderSchema,
    refusals: { 404: NO_ORDER },
    handle: ({ params, caller }) => orders.abort(params.order_number, caller.name),
  }),
  define('removeOrder', 'edit_orders', 'Delete an order', {
    description:
      'Turns off the devices of the order without a callback. History is kept. The number can be used again, also by an import.',
    params: orderParams,
    refusals: { 404: NO_ORDER },
    handle: ({ params, caller }) => orders.remove(params.order_number, caller.name),
  }),
  define('replaceOrder', 'create_orders', 'Replace an order that nobody has started', {
    description:
      'Sets everything that `POST /api/orders/` sets, with the same warnings; fields that are left out get their defaults. The items get new ids. Returns 409 with the reason unless the order is `open`, was never launched, waits for nobody and is in no batch. Otherwise change its items one by one.',
    params: orderParams,
    parameterExamples: { order_number: 'SO-1002' },
    body: api.replacedOrderSchema,
    namesUnknown: true,
    dialect: lenientOrder,
    examples: { items: { summary: 'Other items', value: { items: FEW_ITEMS.items, priority: 1 } } },
    answer: api.orderResultSchema,
    refusals: { 404: NO_ORDER, 409: 'The order was launched, has ended, waits for a person or is in a batch.' },
    handle: ({ params, body, caller, strict, unknown }) =>
      orders.replace(params.order_number, body, { by: caller.name, strict, unknown }),
  }),
  define('changeOrder', 'edit_orders', 'Change the details of an order', {
    description:
      'Changes the priority, due time, customer, note, address, date, payment and color. Fields that are left out stay unchanged; null clears a field. `address` is replaced as a whole. `customer`, `note`, `address`, `ordered_at` and `paid` are for people who use the page: they are never sent to devices or over MQTT, and never logged.',
    params: orderParams,
    body: api.orderChangeSchema,
    dialect: lenientOrderChange,
    tagged: CHANGEABLE,
    examples: {
      urgent: { summary: 'An urgent order', value: { priority: 5, customer: 'Miller & Sons', note: 'Fragile' } },
    },
    answer: api.orderResultSchema,
    refusals: { 404: NO_ORDER },
    handle(call) {
      const { params, body, caller } = call;
      return orders.change(params.order_number, body, caller.name, (current) => call.refuseChanged(current));
    },
  }),
  define('getItem', 'read', 'Get an item with the other places of its article', {
    description: 'Lists in `elsewhere` where the rest of the item may be, before it is closed as short.',
    params: itemParams,
    answer: api.itemWithPlacesSchema,
    refusals: { 404: NO_ITEM },
    handle: ({ params }) => orders.getItem(params.order_number, params.id),
  }),
  define('addItem', 'create_orders', 'Add an item to an order', {
    description:
      'For an order that has not ended and is in no batch. If the order is under way, the item is lit at once, for the picker with the fewest lines if people pick it, and the order is not complete before. The item has the same fields as in `POST /api/orders/`, with the same warnings.',
    params: orderParams,
    parameterExamples: { order_number: 'SO-1002' },
    body: newLineSchema,
    dialect: lenientLine,
    examples: { tie: { summary: 'Two more articles', value: { SKU: 'CT-200', ordered_quantity: 2 } } },
    status: 201,
    answer: api.itemSchema,
    refusals: { 404: NO_ORDER, 409: NOT_CHANGEABLE },
    handle: ({ params, body, caller, strict }) =>
      orders.addLine(params.order_number, body, { by: caller.name, strict }),
  }),
  define('removeItem', 'create_orders', 'Remove an item from an order', {
    description:
      'For an item without picked pieces, in an order that has not ended and is in no batch. Its light turns off without a callback. If no other item is open, the order is complete, with its callbacks.',
    params: itemParams,
    parameterExamples: { order_number: 'SO-1002', id: 7 },
    refusals: { 404: NO_ITEM, 409: `Pieces of the item are picked, or it is the only one. ${NOT_CHANGEABLE}` },
    handle: ({ params, caller }) => orders.removeLine(params.order_number, params.id, caller.name),
  }),
  define('correctItem', ['edit_orders', 'create_orders'], 'Change or correct an item', {
    description:
      '`ordered_quantity` changes how many pieces the item needs, at least those that are picked. It and the texts require the right `create_orders`. A new article is only possible while nothing is picked, and a new place while the item is not finished; a lit item is lit again, there. The light shows the new rest. With what is picked, the item is `done`; a finished item that needs more is open again and lit. A press for the previous screen books at most the new quantity, and the event `press.over` has the rest. Not for an order that has ended or is in a batch. `quantity_fulfilled` corrects what was picked; it requires the right `edit_orders`. Sends the callback `item_added` or `item_removed`. With the full quantity, the item is `done`, its light turns off, and its shipment and order may become complete. A lower quantity than before reopens an item that was done or short, together with its shipment and order. The display of a lit item shows the new remainder.',
    params: itemParams,
    body: changedItemSchema,
    dialect: lenientItemChange,
    examples: {
      one: { summary: 'One piece was already picked', value: { quantity_fulfilled: 1 } },
      three: { summary: 'Three pieces are needed', value: { ordered_quantity: 3 } },
      damaged: { summary: 'The article was damaged', value: { quantity_fulfilled: 0, reason: 'damaged' } },
    },
    answer: api.itemSchema,
    refusals: { 404: NO_ITEM, 409: `More pieces are picked. ${NOT_CHANGEABLE}` },
    handle(call) {
      const { params, body, caller, strict } = call;
      if (body.quantity_fulfilled !== undefined) call.demand('edit_orders');
      if (isLineChange(body)) call.demand('create_orders');
      return orders.changeItem(params.order_number, params.id, body, { by: caller.name, strict });
    },
  }),
  define('closeItemShort', 'work', 'Close an item with fewer pieces than ordered', {
    description:
      'The item becomes `short` and its light turns off; with the full quantity, it becomes `done`. Sends `item_added` if the quantity increased, but no `device_ack`, because nobody pressed. As after a press, the shipment and order may become complete. `elsewhere` in the response lists other devices that hold the article. With `elsewhere` in the request, the item stays open instead, and the rest is lit there. If the item is already `short` after a press with a lower quantity, only its reason is set, and no callback is sent.',
    params: itemParams,
    body: api.shortSchema,
    dialect: lenientFields({
      quantity_fulfilled: 'number',
      reason: 'text',
      elsewhere: 'text',
      seen: 'number',
      key: 'text',
    }),
    examples: {
      damaged: {
        summary: 'One piece was damaged',
        value: { quantity_fulfilled: 1, reason: 'damaged', key: 'tablet-3/81' },
      },
    },
    answer: api.shortResultSchema,
    refusals: {
      404: NO_ITEM,
      409: 'The item is done, or short with another quantity, or the key was used for another request.',
    },
    handle: ({ params, body, caller }) => orders.short(params.order_number, params.id, body, caller.name),
  }),
  define('confirmItem', 'work', 'Confirm an item that has no light', {
    description:
      'Books the rest of a line that no device serves, or `quantity`. If `quantity` is lower than the rest, a `reason` is required and the item becomes `short`. Sends `item_added` with an empty `device` and `deviceid`, but no `device_ack`. As after a press, the shipment and order may become complete.',
    params: itemParams,
    parameterExamples: { id: 4 },
    body: api.confirmSchema,
    bodyOptional: true,
    dialect: lenientFields({
      quantity: 'number',
      reason: 'text',
      picker: 'person',
      location: 'text',
      seen: 'number',
      key: 'text',
    }),
    examples: { rest: { summary: 'All of it', value: { key: 'tablet-3/83' } } },
    answer: api.itemSchema,
    refusals: {
      404: NO_ITEM,
      409: 'The item is lit, has ended or cannot be picked now, or the key was used for another request.',
    },
    handle: ({ params, body, caller }) =>
      orders.confirm(params.order_number, params.id, { ...body, picker: actorOf(caller, body.picker) }, caller.name),
  }),
  define('recordReturned', 'work', 'Record that pieces were put back', {
    description:
      'For pieces that somebody took for an order, but that were never booked, because the order was aborted, deleted or changed meanwhile. Books nothing; history keeps a line. The order may be deleted by now.',
    params: orderParams,
    body: api.returnedSchema,
    dialect: lenientFields({ item_id: 'number', quantity: 'number', location: 'text', picker: 'person', key: 'text' }),
    examples: {
      five: { summary: 'Five pieces', value: { item_id: 4, quantity: 5, location: 'A-3-1', key: 'tablet-3/84' } },
    },
    status: 204,
    refusals: { 404: 'Neither the orders nor history have this order.' },
    handle: ({ params, body, caller }) =>
      orders.returned(params.order_number, { ...body, picker: actorOf(caller, body.picker) }, caller.name),
  }),
  define('dismissItem', 'work', 'Dismiss an item that has no device', {
    isFinal: true,
    description:
      'Excludes the item from picking: it becomes `cancelled`, the order can complete without it, and a launch does not light it. Sends only a callback of the family `order_state`. Only for items that no device serves, including those of a fulfilled order.',
    params: itemParams,
    parameterExamples: { id: 3 },
    body: api.dismissSchema,
    bodyOptional: true,
    dialect: lenientFields({ reason: 'text', seen: 'number', key: 'text' }),
    examples: { elsewhere: { summary: 'It comes from another shop', value: { reason: 'sent by the supplier' } } },
    answer: api.itemSchema,
    refusals: {
      404: NO_ITEM,
      409: 'A device serves the item, the item has ended, or the key was used for another request.',
    },
    handle: ({ params, body, caller }) => orders.dismiss(params.order_number, params.id, body, caller.name),
  }),
  define('verifyItem', 'work', 'Complete a picked item without a scan', {
    description:
      'For orders with `scan_required`, if the article cannot be scanned: completes a picked item with `awaits_scan`. History records who decided it. In a batch, this also applies to picked pieces that are not put yet. Has no effect on an item that does not wait for a scan.',
    params: itemParams,
    body: api.verifySchema,
    bodyOptional: true,
    dialect: lenientFields({ reason: 'text', seen: 'number', key: 'text' }),
    examples: { torn: { summary: 'The barcode is torn', value: { reason: 'torn barcode' } } },
    answer: api.itemSchema,
    refusals: { 404: NO_ITEM, 409: 'The item is not picked yet, or the key was used for another request.' },
    handle: ({ params, body, caller }) => orders.giveUpScan(params.order_number, params.id, body, caller.name),
  }),
  define('lightItem', 'work', 'Light an item again', {
    description:
      'For an item whose light turned off because it timed out, was removed or replaced, or because its order was aborted. Lights the item at its current place, in the color of its picker, its order or the settings. The order is in progress again. Has no effect on an item that is lit or waits in the queue of its device.',
    params: itemParams,
    ...noFields,
    answer: api.itemSchema,
    refusals: {
      404: NO_ITEM,
      409: 'The item is done, short or dismissed, no device serves it, or its picker has paused the order.',
    },
    handle: ({ params, caller }) => orders.light(params.order_number, params.id, caller.name),
  }),
  define('reopenItem', 'work', 'Reopen a done or short item', {
    description:
      'The item is lit again at the same device, or becomes `open` while its order is paused or aborted. `quantity_fulfilled` is the quantity that still counts. If omitted, a done item loses the quantity of its last confirmation, and a short item keeps its quantity. Sends `item_removed` if the quantity decreased. The shipment and the order are in progress again; their completion is not reported twice. A line whose picker has started another order or a batch since waits, unlit. `instead` returns what the last press booked, also if the line is short, and books the remaining pieces of another item, for which the press was intended: sends `item_added` and turns off its light. If `instead` is the same item, `instead_quantity` is required and replaces what the press booked. In a batch, this applies to everything that the press booked.',
    params: itemParams,
    body: api.reopenSchema,
    bodyOptional: true,
    dialect: lenientFields({
      quantity_fulfilled: 'number',
      instead: 'number',
      instead_quantity: 'number',
      seen: 'number',
      key: 'text',
    }),
    examples: { last: { summary: 'One piece was correct', value: { quantity_fulfilled: 1 } } },
    answer: api.itemSchema,
    refusals: {
      404: NO_ITEM,
      409: 'The item is neither done nor short, the other item has been booked too, or the key was used for another request.',
    },
    handle: ({ params, body, caller }) => orders.reopen(params.order_number, params.id, body, caller.name),
  }),
];
