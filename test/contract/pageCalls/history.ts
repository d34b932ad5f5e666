import { DEVICE, GIVEN_UP, type PageCalls } from './pageCall.ts';

/** The history and alerts. */
export const HISTORY_CALLS = {
  getHistoryReport: {
    given: [{ from: '2026-11-20T08:00:00.000Z', to: '2026-11-20T09:00:00.000Z' }, GIVEN_UP],
    sent: 'GET /api/history/report/?from=2026-11-20T08%3A00%3A00.000Z&to=2026-11-20T09%3A00%3A00.000Z',
  },
  listHistory: {
    given: [
      { by: 'Paula', deviceid: DEVICE, kind: 'call,late', order_number: '7', sequenceid: 's', limit: 50, after: '9' },
    ],
    sent: 'GET /api/history/?by=Paula&deviceid=51D000%3A000001&kind=call%2Clate&order_number=7&sequenceid=s&limit=50&after=9',
  },
  summarizeHistory: {
    given: [{ from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }, GIVEN_UP],
    sent: 'GET /api/history/summary/?from=2026-11-20T00%3A00%3A00Z&to=2026-11-21T00%3A00%3A00Z',
  },
  getTimeline: { given: ['7'], sent: 'GET /api/history/commands/7/' },
  getOrderTimeline: { given: ['A/7'], sent: 'GET /api/history/orders/A%2F7/' },
  getDeliveryTimeline: { given: ['msg_1'], sent: 'GET /api/history/deliveries/msg_1/' },
  loadEndedAlerts: { given: [{ limit: 50, after: '7' }], sent: 'GET /api/alerts/?state=ended&limit=50&after=7' },
  acknowledgeAlert: { given: ['7'], sent: 'POST /api/alerts/7/acknowledge/' },
  acknowledgeAlerts: { given: [], sent: 'POST /api/alerts/acknowledge/' },
  endAlert: { given: ['7'], sent: 'POST /api/alerts/7/end/' },
  allowRefusedCaller: { given: ['7'], sent: 'POST /api/alerts/7/allow/' },
  neverAllowRefusedCaller: { given: ['7'], sent: 'POST /api/alerts/7/never-allow/' },
} satisfies Partial<PageCalls>;
