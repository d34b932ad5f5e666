import { ODD, type PageCalls } from './pageCall.ts';

const CART = { name: 'Cart 1', rows: 2, columns: 3 };
const SEEN = { ...CART, id: 3, code: null, slots: [] };

/** Carts, walls and their batches. */
export const CART_CALLS = {
  loadCarriers: [
    { given: ['cart'], sent: 'GET /api/carts/' },
    { given: ['wall'], sent: 'GET /api/walls/' },
  ],
  loadCarrier: [
    { given: ['cart', 3], sent: 'GET /api/carts/3/' },
    { given: ['wall', 3], sent: 'GET /api/walls/3/' },
  ],
  addCarrier: [
    { given: ['cart', CART], sent: 'POST /api/carts/', body: CART },
    { given: ['wall', CART], sent: 'POST /api/walls/', body: CART },
  ],
  replaceCarrier: (['cart', 'wall'] as const).map((kind) => ({
    given: [{ kind, seen: SEEN, carrier: CART }],
    answer: JSON.stringify(SEEN),
    reads: `GET /api/${kind}s/3/`,
    sent: `PUT /api/${kind}s/3/`,
    body: CART,
  })),
  removeCarrier: (['cart', 'wall'] as const).map((kind) => ({
    given: [kind, SEEN],
    answer: JSON.stringify(SEEN),
    reads: `GET /api/${kind}s/3/`,
    sent: `DELETE /api/${kind}s/3/`,
  })),
  loadBatches: { given: [], sent: 'GET /api/batches/' },
  getBatch: { given: [7], sent: 'GET /api/batches/7/' },
  addBatch: {
    given: [{ mode: 'cart', cart: 3, slots: [{ order_number: ODD }] }],
    sent: 'POST /api/batches/',
    body: { mode: 'cart', cart: 3, slots: [{ order_number: ODD }] },
  },
  launchBatch: { given: [7], sent: 'POST /api/batches/7/launch/', body: {} },
  pauseBatch: { given: [7], sent: 'POST /api/batches/7/pause/', body: {} },
  joinBatch: { given: [7], sent: 'POST /api/batches/7/join/', body: {} },
  leaveBatch: { given: [7], sent: 'POST /api/batches/7/leave/', body: {} },
  handOverBatch: { given: [7, 'Ben'], sent: 'POST /api/batches/7/handover/', body: { picker: 'Ben' } },
  abortBatch: { given: [7], sent: 'POST /api/batches/7/abort/', body: {} },
  freeBatch: { given: [7], sent: 'POST /api/batches/7/free/', body: {} },
  freeSlot: { given: [7, 'A1'], sent: 'POST /api/batches/7/slots/A1/free/', body: {} },
  undoFreeSlot: { given: [7, 'A1'], sent: 'POST /api/batches/7/slots/A1/free/undo/', body: {} },
  loadBatchesIn: { given: ['loading'], sent: 'GET /api/batches/?state=loading' },
  undoPut: {
    given: [7, { slot: 'A1', item_id: 3 }],
    sent: 'POST /api/batches/7/put/undo/',
    body: { slot: 'A1', item_id: 3 },
  },
  reassignShares: {
    given: [7, { shares: [{ item_id: 3, quantity: 1 }], reason: 'missing' }],
    sent: 'POST /api/batches/7/shares/',
    body: { shares: [{ item_id: 3, quantity: 1 }], reason: 'missing' },
  },
  loadBatchWork: { given: [7], sent: 'GET /api/work/?batch=7' },
  addToBatch: { given: [7, { order_number: ODD }], sent: 'POST /api/batches/7/slots/', body: { order_number: ODD } },
  removeFromBatch: { given: [7, 'A1'], sent: 'DELETE /api/batches/7/slots/A1/' },
  moveSlot: { given: [7, 'A1', 'B2'], sent: 'POST /api/batches/7/slots/A1/move/', body: { to: 'B2' } },
  markSlotFull: { given: [7, 'A1'], sent: 'POST /api/batches/7/slots/A1/full/', body: {} },
  closeBatchItemsShort: {
    given: [7, [3, 5], 'missing'],
    sent: 'POST /api/batches/7/short/',
    body: { items: [3, 5], reason: 'missing' },
  },
  settleHand: {
    given: [7, { by: 'Paula' }, 'put_back'],
    sent: 'POST /api/batches/7/hand/',
    body: { by: 'Paula', do: 'put_back' },
  },
  putIntoSlot: { given: [7, { slot: 'A1' }], sent: 'POST /api/batches/7/put/', body: { slot: 'A1' } },
} satisfies Partial<PageCalls>;
