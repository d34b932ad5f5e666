import { DEVICE, GIVEN_UP, ODD, ODD_PATH, type PageCalls } from './pageCall.ts';

const STEPS = [{ order: 1, device: DEVICE }];

/** Orders, their picking, and sequences. */
export const ORDER_CALLS = {
  loadOrders: { given: [], sent: 'GET /api/order-progress/?limit=10000' },
  loadOrdersIn: { given: ['open'], sent: 'GET /api/order-progress/?limit=10000&state=open' },
  getOrder: { given: [ODD], sent: `GET /api/orders/${ODD_PATH}/` },
  addOrder: {
    given: [{ order_number: '7001', items: [] }, GIVEN_UP],
    sent: 'POST /api/orders/',
    body: { order_number: '7001', items: [] },
  },
  changeOrder: {
    given: [{ order_number: ODD, change: { priority: 5, note: null }, seen: { priority: 0, due_time: null } }],
    answer: '{"priority":0,"due_time":null}',
    reads: `GET /api/orders/${ODD_PATH}/`,
    sent: `PATCH /api/orders/${ODD_PATH}/`,
    body: { priority: 5, note: null },
  },
  removeEndedOrders: {
    given: [{ state: 'fulfilled', ended_before: '2026-11-01T00:00:00.000Z' }],
    answer: '{"deleted":2}',
    sent: 'DELETE /api/orders/?state=fulfilled&ended_before=2026-11-01T00%3A00%3A00.000Z',
  },
  removeOrder: { given: [ODD], sent: `DELETE /api/orders/${ODD_PATH}/` },
  launchOrder: [
    { given: [ODD], sent: `POST /api/orders/${ODD_PATH}/launch/`, body: {} },
    {
      given: [ODD, { picker: 'Paula', color: 'blue' }],
      sent: `POST /api/orders/${ODD_PATH}/launch/`,
      body: { picker: 'Paula', color: 'blue' },
    },
  ],
  abortOrder: { given: [ODD], sent: `POST /api/orders/${ODD_PATH}/abort/` },
  correctItem: {
    given: [{ order_number: ODD, id: 7, quantity_fulfilled: 2, reason: 'short' }],
    sent: `PATCH /api/orders/${ODD_PATH}/items/7/`,
    body: { quantity_fulfilled: 2, reason: 'short' },
  },
  loadSequences: { given: [], sent: 'GET /api/sequence-progress/?limit=10000' },
  getSequence: { given: [ODD], sent: `GET /api/sequence/${ODD_PATH}/` },
  addSequence: {
    given: [{ sequenceid: 's', steps: STEPS }],
    sent: 'POST /api/sequence/',
    body: { sequenceid: 's', steps: STEPS },
  },
  replaceSequence: { given: [ODD, { steps: STEPS }], sent: `PUT /api/sequence/${ODD_PATH}/`, body: { steps: STEPS } },
  removeSequence: { given: [ODD], sent: `DELETE /api/sequence/${ODD_PATH}/` },
  launchSequence: [
    { given: [ODD, { restart: false }], sent: `GET /api/launchsequence/${ODD_PATH}/` },
    { given: [ODD, { restart: true }], sent: `GET /api/launchsequence/${ODD_PATH}/?restart=1` },
  ],
} satisfies Partial<PageCalls>;
