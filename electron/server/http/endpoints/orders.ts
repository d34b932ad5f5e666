import { z } from 'zod';
import {
  correctionSchema,
  itemSchema,
  newOrderSchema,
  orderProgressSchema,
  orderQuerySchema,
  orderResultSchema,
  orderSchema,
} from '#shared/api/order.ts';
import { isStrict, strictQuerySchema } from '#shared/api/device.ts';
import { MAX_ITEMS } from '#shared/lib/orderLimits.ts';
import type { Orders } from '../../services/orders/index.ts';
import { lenientCorrection, lenientOrder } from '../compat/lenientOrder.ts';
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';
import { DEVICE, OTHER_DEVICE } from './examples.ts';

const define = endpointsOf('orders');

const NO_ORDER = 'There is no such order.';

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
      items: [{ SKU: 'CT-500', ordered_quantity: 1, quantity_fulfilled: 0, warehouse_location: 'no device there' }],
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
    .describe('Percent-encoded where it has more than letters and digits: a slash is %2F.')
    .meta({ example: 'SO-1001' }),
});
const itemParams = orderParams.extend({
  id: z.coerce.number().int().min(1).describe('The id of the item in the answer of its order.').meta({ example: 1 }),
});

/** Specification, Orders; contract, section 8. */
export function orderEndpoints(parts: { orders: Orders }): Endpoint[] {
  const { orders } = parts;
  return [
    define('GET /api/orders/', {
      operationId: 'listOrders',
      summary: 'List the orders with all their items',
      description:
        'In the order of their numbers, at most 1,000 where no limit is given, and fewer where they have very many items: go on with `after` until a page is empty.',
      right: 'read',
      query: orderQuerySchema,
      parameterExamples: { state: 'open', limit: 100, after: 'SO-1000' },
      answer: z.array(orderSchema),
      handle: ({ query }) => orders.list(query),
    }),
    define('POST /api/orders/', {
      operationId: 'addOrder',
      summary: 'Make an order',
      description: `With \`shipments\` of items, or with \`items\` alone, which form one shipment with the name of the order. Nothing is lit before the launch. At most ${MAX_ITEMS.toLocaleString('en')} items; 409 if an order of that number exists.

An item is lit at its \`deviceid\` or, without one that is known, at the place that its \`warehouse_location\` names: a location alias, a label or a DeviceID, else the first alias or label that contains it; else where its SKU, UPC or name is the name of a place. Only the launch looks: places may come later.

Items that are already complete are \`done\` and never lit. So are items with an \`ordered_quantity\` of 0, which \`warnings\` name. An order that has only such items is \`fulfilled\` when it is created.`,
      right: 'create_orders',
      query: strictQuerySchema,
      body: newOrderSchema,
      dialect: lenientOrder,
      examples: {
        shipments: { summary: 'Two shipments; of one item nobody knows the device', value: ORDER },
        items: { summary: 'Items alone: one shipment that is called as the order', value: FEW_ITEMS },
      },
      status: 201,
      answer: orderResultSchema,
      refusals: { 409: 'There is an order of that number.' },
      handle: ({ body, query }) => orders.add(body, { strict: isStrict(query) }),
    }),
    define('GET /api/order-progress/', {
      operationId: 'listOrderProgress',
      summary: 'How far the orders are, without their items',
      description: 'In the order of their numbers, at most 1,000 where no limit is given.',
      right: 'read',
      query: orderQuerySchema,
      parameterExamples: { state: 'open', limit: 100, after: 'SO-1000' },
      answer: z.array(orderProgressSchema),
      handle: ({ query }) => orders.listProgress(query),
    }),
    define('GET /api/orders/{order_number}/', {
      operationId: 'getOrder',
      summary: 'One order with all its items',
      right: 'read',
      params: orderParams,
      answer: orderSchema,
      refusals: { 404: NO_ORDER },
      handle: ({ params }) => orders.get(params.order_number),
    }),
    define('POST /api/orders/{order_number}/launch/', {
      operationId: 'launchOrder',
      summary: 'Light every item that is to be picked',
      description: `All at once, whatever shipment they are of; several at one device are shown one after the other. The display shows name or SKU, the warehouse_location, what remains to be picked, and UPC or SKU as barcode where it fits.

A press counts what the display says, as plus and minus left it: the item is \`done\`, or \`short\` with less than was ordered, and that is over. What timed out or was killed is \`open\` again: launch it once more. So does what was aborted; what is lit stays as it is. Items that no device was found for are in \`unassigned\`: they hold back nothing.

409, and nothing is lit: it is fulfilled, has nothing to light, no item has a device, or the queue of a device is full.`,
      right: 'work',
      params: orderParams,
      ...noFields,
      answer: orderSchema,
      refusals: {
        404: NO_ORDER,
        409: 'It is fulfilled, has nothing to light, no item has a device, or the queue of a device is full. Nothing was lit.',
      },
      handle: ({ params, caller }) => orders.launch(params.order_number, caller.name),
    }),
    define('POST /api/orders/{order_number}/abort/', {
      operationId: 'abortOrder',
      summary: 'Turn off every device of an order',
      description:
        'What is not done is `cancelled`, without a callback; a press that comes later acknowledges nothing. A launch lights it again. Nothing happens to an order that is fulfilled or aborted.',
      right: 'work',
      params: orderParams,
      ...noFields,
      answer: orderSchema,
      refusals: { 404: NO_ORDER },
      handle: ({ params, caller }) => orders.abort(params.order_number, caller.name),
    }),
    define('DELETE /api/orders/{order_number}/', {
      operationId: 'removeOrder',
      summary: 'Turn off every device of an order, and remove it',
      description: 'Without a callback; history stays, and its number is free again.',
      right: 'edit_orders',
      params: orderParams,
      refusals: { 404: NO_ORDER },
      handle: ({ params, caller }) => orders.remove(params.order_number, caller.name),
    }),
    define('PATCH /api/orders/{order_number}/items/{id}/', {
      operationId: 'correctItem',
      summary: 'Correct what is fulfilled of an item',
      description:
        'Told as `item_added` or `item_removed`. In full it is `done`, what is lit of it goes out, and shipment and order may be complete by it. Less than before opens what was done or short again, and so its shipment and order. While it is lit its quantity on the display follows.',
      right: 'edit_orders',
      params: itemParams,
      body: correctionSchema,
      dialect: lenientCorrection,
      examples: {
        one: { summary: 'One was found already', value: { quantity_fulfilled: 1 } },
        damaged: { summary: 'It was broken', value: { quantity_fulfilled: 0, reason: 'damaged' } },
      },
      answer: itemSchema,
      refusals: { 404: 'There is no such order, or it has no such item.' },
      handle: ({ params, body, caller }) => orders.correct(params.order_number, params.id, body, caller.name),
    }),
  ];
}
