import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signWindowIn, type CookieJar } from '../../../electron/main/signedIn.ts';
import { createStationFetch } from '../../../electron/main/stationFetch.ts';

const DAY = 24 * 3_600_000;
const URL = 'http://127.0.0.1:4680/';

function cookieJar(): { jar: CookieJar; cookies: Map<string, string> } {
  const cookies = new Map<string, string>();
  const jar: CookieJar = {
    set: async ({ name = '', value = '' }) => void cookies.set(name, value),
    get: async () => [...cookies].map(([name, value]) => ({ name, value })),
  };
  return { jar, cookies };
}

function unexpected(error: unknown): never {
  throw new Error('Nothing should fail here', { cause: error });
}

let signIns: number;

async function signIn(): Promise<{ sessionId: string; token: string; endsAt: number }> {
  signIns += 1;
  return { sessionId: `session-${signIns}`, token: `token-${signIns}`, endsAt: Date.now() + 14 * DAY };
}

beforeEach(() => {
  signIns = 0;
  vi.useFakeTimers();
});

afterEach(() => void vi.useRealTimers());

test('a window that stays open for weeks stays signed in', async () => {
  const { jar, cookies } = cookieJar();
  const signedIn = await signWindowIn(
    jar,
    URL,
    createStationFetch(() => undefined),
    signIn,
    unexpected,
  );
  expect(Object.fromEntries(cookies)).toEqual({ sessionid: 'session-1', csrftoken: 'token-1' });
  await vi.advanceTimersByTimeAsync(6 * DAY);
  expect(signIns).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * DAY);
  expect(Object.fromEntries(cookies)).toEqual({ sessionid: 'session-2', csrftoken: 'token-2' });
  expect(await signedIn.cookie()).toBe('sessionid=session-2');
  await vi.advanceTimersByTimeAsync(20 * DAY);
  expect(signIns).toBe(5);
});

test('does not sign in again after a sign-out in the window, and does not replace a sign-in by password', async () => {
  const { jar, cookies } = cookieJar();
  const signedIn = await signWindowIn(
    jar,
    URL,
    createStationFetch(() => undefined),
    signIn,
    unexpected,
  );
  cookies.clear();
  expect(await signedIn.cookie()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10 * DAY);
  expect([...cookies]).toEqual([]);
  cookies.set('sessionid', 'by password');
  await vi.advanceTimersByTimeAsync(10 * DAY);
  expect([...cookies]).toEqual([['sessionid', 'by password']]);
  expect(signIns).toBe(1);
});

test('reports a failed renewal and retries it', async () => {
  const { jar, cookies } = cookieJar();
  const complain = vi.fn<(error: unknown) => void>();
  let isFull = false;
  const sometimes = () => (isFull ? Promise.reject(new Error('The disk is full.')) : signIn());
  await signWindowIn(
    jar,
    URL,
    createStationFetch(() => undefined),
    sometimes,
    complain,
  );
  isFull = true;
  await vi.advanceTimersByTimeAsync(8 * DAY);
  expect(complain).toHaveBeenCalledWith(new Error('The disk is full.'));
  isFull = false;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(cookies.get('sessionid')).toBe('session-2');
});
