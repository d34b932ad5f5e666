import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTicker } from '../../renderer/src/station/time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the ticker has one timer for all who watch, and none while nobody does', () => {
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
