import { type PageCalls } from './pageCall.ts';

/** Calls about callbacks, e-mail, folders, the broker and the fleet. */
export const CONNECTION_CALLS = {
  changeCallbackReceiver: {
    given: [{ id: '2', change: { paused: true } }],
    sent: 'PATCH /api/callback-receivers/2/',
    body: { paused: true },
  },
  removeCallbackReceiver: { given: ['2'], sent: 'DELETE /api/callback-receivers/2/' },
} satisfies Partial<PageCalls>;
