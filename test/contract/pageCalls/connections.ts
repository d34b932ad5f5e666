import { GIVEN_UP, type PageCalls } from './pageCall.ts';

/** Callbacks, e-mail, folders, the broker and the fleet. */
export const CONNECTION_CALLS = {
  listCallbacks: [
    { given: [{ limit: 50 }], sent: 'GET /api/callbacks/?limit=50' },
    {
      given: [{ state: 'dead', family: 'order', limit: 50, after: 'msg_1' }],
      sent: 'GET /api/callbacks/?state=dead&family=order&limit=50&after=msg_1',
    },
  ],
  getCallback: { given: ['msg_1'], sent: 'GET /api/callbacks/msg_1/' },
  countCallbacks: { given: [], sent: 'GET /api/callbacks/counts/' },
  replayCallback: { given: ['msg_1'], sent: 'POST /api/callbacks/msg_1/replay/' },
  getMail: { given: [], sent: 'GET /api/mail/' },
  getFolders: { given: [], sent: 'GET /api/folders/' },
  testMail: { given: [], sent: 'POST /api/mail/test/' },
  getMqtt: { given: [], sent: 'GET /api/mqtt/' },
  getFleet: { given: [], sent: 'GET /api/fleet/' },
  findInFleet: { given: ['SO-1', GIVEN_UP], sent: 'GET /api/fleet/find/?q=SO-1' },
  sendFleetOrder: {
    given: [{ station: 'berlin', order: { order_number: 'SO-1', items: [] }, isLaunched: true }],
    sent: 'POST /api/fleet/berlin/orders/?launch=1',
    body: { order_number: 'SO-1', items: [] },
  },
  testMqtt: { given: [], sent: 'POST /api/mqtt/test/' },
  sendWaiting: { given: [], sent: 'POST /api/callbacks/send/' },
  replayDead: { given: [], sent: 'POST /api/callbacks/replay/', body: { state: 'dead' } },
  testCallback: { given: ['2'], sent: 'POST /api/callbacks/test/', body: { receiver: '2' } },
  listCallbackReceivers: { given: [], sent: 'GET /api/callback-receivers/' },
  addCallbackReceiver: {
    given: [{ name: 'Printer', url: 'http://127.0.0.1:1/', paused: false }],
    sent: 'POST /api/callback-receivers/',
    body: { name: 'Printer', url: 'http://127.0.0.1:1/', paused: false },
  },
  changeCallbackReceiver: {
    given: [{ id: '2', change: { paused: true } }],
    sent: 'PATCH /api/callback-receivers/2/',
    body: { paused: true },
  },
  removeCallbackReceiver: { given: ['2'], sent: 'DELETE /api/callback-receivers/2/' },
  listReceivedCallbacks: { given: [], sent: 'GET /api/callbacks/received/' },
  forgetReceivedCallbacks: { given: [], sent: 'DELETE /api/callbacks/received/' },
} satisfies Partial<PageCalls>;
