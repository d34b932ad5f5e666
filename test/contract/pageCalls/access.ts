import { type PageCalls } from './pageCall.ts';

/** Calls about people, programs and kiosks, and about what they did. */
export const ACCESS_CALLS = {
  signInWithPin: {
    given: [{ username: 'Paula', pin: '4711' }],
    sent: 'POST /api/user/pin/?page=1',
    body: { username: 'Paula', pin: '4711' },
  },
  signIn: {
    given: [{ username: 'Ann', password: 'secret' }],
    sent: 'POST /api/user/login/?page=1',
    body: { username: 'Ann', password: 'secret' },
  },
} satisfies Partial<PageCalls>;
