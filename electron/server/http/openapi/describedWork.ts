import { DEVICE, OTHER_DEVICE, type DescribedByRoute } from './described.ts';

const STEPS = [
  { order: 1, device: DEVICE, command: 'flash', line1: 'Cable tie 200', quantity: 2, stepnonce: 'round-7-1' },
  { order: 2, location: 'A-3-3', line1: 'Cable tie 300', quantity: 5, color: 'g', stepnonce: 'round-7-2' },
  { order: 2, device: OTHER_DEVICE, command: 'pick', line1: 'Box 4', seconds: 120, stepnonce: 'round-7-3' },
];
const NO_SEQUENCE = 'There is no such sequence.';
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

const ORDER_CSV =
  'order_number;SKU;ordered_quantity;warehouse_location\nSO-2001;CT-200;5;A-3-3\nSO-2001;CT-300;2;B-1-1\nSO-2002;CT-500;many;A-3-3';

/** Sequences and orders. */
export const WORK: DescribedByRoute = {
  'POST /api/sequence/': {
    name: 'addSequence',
    bodies: {
      round: {
        summary: 'One step, then two at once',
        value: { sequenceid: 'round-7', sequencenonce: 'round-7-done', steps: STEPS },
      },
    },
    refusals: { 409: 'There is a sequence with that sequenceid already.' },
  },
  'GET /api/sequence/': {
    name: 'listSequences',
    parameters: { state: 'unstarted', limit: 100, after: 'round-6' },
  },
  'GET /api/launchsequence/{seqID}/': {
    name: 'launchSequence',
    parameters: { seqID: 'round-7', restart: '0' },
    refusals: {
      404: NO_SEQUENCE,
      409: 'A step finds no device, or no room in its queue: `errors` name each. Nothing is lit.',
    },
  },
  'GET /api/sequence-progress/': {
    name: 'listSequenceProgress',
    parameters: { state: 'in-progress', limit: 100, after: 'round-6' },
  },
  'GET /api/sequence/{seqID}/': {
    name: 'getSequence',
    parameters: { seqID: 'round-7' },
    refusals: { 404: NO_SEQUENCE },
  },
  'PUT /api/sequence/{seqID}/': {
    name: 'replaceSequence',
    parameters: { seqID: 'round-7' },
    bodies: { one: { summary: 'The first step alone', value: { steps: STEPS.slice(0, 1) } } },
    refusals: { 404: NO_SEQUENCE },
  },
  'DELETE /api/sequence/{seqID}/': {
    name: 'removeSequence',
    parameters: { seqID: 'round-7' },
    refusals: { 404: NO_SEQUENCE },
  },
  'POST /api/orders/': {
    name: 'addOrder',
    bodies: {
      shipments: { summary: 'Two shipments; of one item nobody knows the device', value: ORDER },
      items: { summary: 'Items alone: one shipment that is called as the order', value: FEW_ITEMS },
    },
    refusals: { 409: 'There is an order of that number.' },
  },
  'GET /api/orders/': { name: 'listOrders', parameters: { state: 'open', limit: 100, after: 'SO-1000' } },
  'GET /api/order-progress/': {
    name: 'listOrderProgress',
    parameters: { state: 'open', limit: 100, after: 'SO-1000' },
  },
  'POST /api/orders/{order_number}/launch/': {
    name: 'launchOrder',
    refusals: {
      404: NO_ORDER,
      409: 'It is fulfilled, has nothing to light, no item has a device, or the queue of a device is full. Nothing was lit.',
    },
  },
  'PATCH /api/orders/{order_number}/items/{id}/': {
    name: 'correctItem',
    bodies: {
      one: { summary: 'One was found already', value: { quantity_fulfilled: 1 } },
      damaged: { summary: 'It was broken', value: { quantity_fulfilled: 0, reason: 'damaged' } },
    },
    refusals: { 404: 'There is no such order, or it has no such item.' },
  },
  'GET /api/orders/{order_number}/': { name: 'getOrder', refusals: { 404: NO_ORDER } },
  'POST /api/orders/{order_number}/abort/': { name: 'abortOrder', refusals: { 404: NO_ORDER } },
  'DELETE /api/orders/{order_number}/': { name: 'removeOrder', refusals: { 404: NO_ORDER } },
  'POST /api/order-import/': {
    name: 'importOrders',
    bodies: {
      preview: { summary: 'A preview: nothing is created', value: { csv: ORDER_CSV, dry_run: true } },
      import: { summary: 'SO-2001 is created, SO-2002 is left out', value: { csv: ORDER_CSV } },
    },
  },
  'GET /api/order-import/': {
    name: 'getLastOrderImport',
    refusals: { 404: 'No orders were imported, or the import was undone.' },
  },
  'POST /api/order-import/undo/': {
    name: 'undoOrderImport',
    bodies: { last: { summary: 'The last import', value: { id: 1 } } },
    refusals: { 404: 'It was undone already, or another import followed.' },
  },
  'GET /api/order-export/': {
    name: 'exportOrders',
    parameters: { state: 'open', limit: 100, after: 'SO-1000' },
  },
};
