import { GIVEN_UP, type PageCalls } from './pageCall.ts';

/** Callbacks, e-mail, folders, the broker and the fleet. */
export const CONNECTION_CALLS = {
  getFleet: { given: [], sent: 'GET /api/fleet/' },
  findInFleet: { given: ['SO-1', GIVEN_UP], sent: 'GET /api/fleet/find/?q=SO-1' },
  sendFleetOrder: {
    given: [{ station: 'berlin', order: { order_number: 'SO-1', items: [] }, isLaunched: true }],
    sent: 'POST /api/fleet/berlin/orders/?launch=1',
    body: { order_number: 'SO-1', items: [] },
  },
  changeCallbackReceiver: {
    given: [{ id: '2', change: { paused: true } }],
    sent: 'PATCH /api/callback-receivers/2/',
    body: { paused: true },
  },
  removeCallbackReceiver: { given: ['2'], sent: 'DELETE /api/callback-receivers/2/' },
} satisfies Partial<PageCalls>;
