import { ODD, ODD_PATH, type PageCalls } from './pageCall.ts';

/** Calls about orders, picking and sequences. */
export const ORDER_CALLS = {
  loadOrders: { given: [], sent: 'GET /api/order-progress/?limit=10000' },
  loadOrdersIn: { given: ['open'], sent: 'GET /api/order-progress/?limit=10000&state=open' },
  changeOrder: {
    given: [{ order_number: ODD, change: { priority: 5, note: null }, seen: { priority: 0, due_time: null } }],
    answer: '{"priority":0,"due_time":null}',
    reads: `GET /api/orders/${ODD_PATH}/`,
    sent: `PATCH /api/orders/${ODD_PATH}/`,
    body: { priority: 5, note: null },
  },
  loadSequences: { given: [], sent: 'GET /api/sequence-progress/?limit=10000' },
} satisfies Partial<PageCalls>;
