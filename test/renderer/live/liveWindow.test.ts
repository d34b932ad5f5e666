import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveWindow } from '../../../renderer/src/station/live/liveWindow.ts';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Number of requests after which the fake station stops answering, so that an endless loop ends. */
const ENOUGH = 100;

/** Runs a window for some minutes, and returns the requested paths. */
async function paths(answer: () => Response, minutes: number): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    asked.push(input);
    await (asked.length < ENOUGH ? Promise.resolve() : new Promise(() => undefined));
    return answer();
  });
  createLiveWindow(window, 'test').start();
  await vi.advanceTimersByTimeAsync(minutes * 60_000);
  return asked;
}

test('behind a proxy that answers every request with 401, a window keeps retrying, but less and less often', async () => {
  const asked = await paths(() => new Response('Sign in at the proxy.', { status: 401 }), 10);
  expect(asked.length).toBeLessThan(20);
  expect(asked.filter((path) => path.includes('kiosk')).length).toBeGreaterThan(5);
});
