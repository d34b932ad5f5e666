import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTicker } from '../../../renderer/src/station/ticker.ts';
import { formatAgo, formatTimeLeft } from '../../../renderer/src/station/time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the ticker uses one timer for all watchers, and none without watchers', () => {
  const heard: string[] = [];
  const ticker = createTicker(250);
  expect(vi.getTimerCount()).toBe(0);
  const ends = ['one', 'two'].map((name) => ticker.subscribe(() => heard.push(name)));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(250);
  ends[0]?.();
  vi.advanceTimersByTime(250);
  expect(heard).toEqual(['one', 'two', 'two']);
  ends[1]?.();
  expect(vi.getTimerCount()).toBe(0);
  ticker.subscribe(() => heard.push('three'));
  vi.advanceTimersByTime(250);
  expect(heard.at(-1)).toBe('three');
});

test('spreads a tick over several animation frames, and notifies each watcher once', () => {
  const frames: ((atMs: number) => void)[] = [];
  const heard: number[] = [];
  const ticker = createTicker(250, (run) => frames.push(run));
  const ends = Array.from({ length: 1_000 }, (_, index) => ticker.subscribe(() => heard.push(index)));
  vi.advanceTimersByTime(250);
  expect(heard.length).toBeLessThan(500);
  ends[999]?.();
  // The next tick waits until all watchers have been notified of this one.
  vi.advanceTimersByTime(250);
  while (frames.length > 0) for (const run of frames.splice(0)) run(0);
  expect(heard).toEqual(Array.from({ length: 999 }, (_, index) => index));
  for (const end of ends) end();
});

test('formats elapsed and remaining time in a fitting unit', () => {
  const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
  const ago = [-1, 0, MINUTE - 1, MINUTE, HOUR - 1, HOUR, 2 * DAY - 1, 2 * DAY, 9 * DAY].map(formatAgo);
  expect(ago).toEqual(['0 s', '0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 d', '9 d']);
  const left = [-1, 1, 52 * SECOND, 9 * MINUTE, HOUR - 1, HOUR + 4 * MINUTE, 2 * DAY - SECOND, 2 * DAY].map(
    formatTimeLeft,
  );
  expect(left).toEqual(['0:00', '0:01', '0:52', '9:00', '1:00:00', '1:04:00', '47:59:59', '2 d']);
});
