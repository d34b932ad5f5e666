// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startBlinking } from '../../../renderer/src/shop/device/blink.ts';

let frames: (() => void)[];
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) });
  frames = [];
});

afterEach(() => {
  end();
  document.body.innerHTML = '';
  vi.useRealTimers();
});

function start(lights: number, reduced = false): void {
  document.body.innerHTML = `${'<i data-blinks="true"></i>'.repeat(lights)}<b></b>`;
  end = startBlinking(document.body, { matches: reduced }, (run) => frames.push(run));
}

const dark = () => document.querySelectorAll('[data-dark]').length;

test('blinking lights switch off and on in step, and steady lights stay on', () => {
  start(3);
  expect(dark()).toBe(0);
  vi.advanceTimersByTime(500);
  expect(dark()).toBe(3);
  expect(document.querySelector('b')?.hasAttribute('data-dark')).toBe(false);
  vi.advanceTimersByTime(500);
  expect(dark()).toBe(0);
});

test('a light that stops blinking while off is switched on again', () => {
  start(2);
  vi.advanceTimersByTime(500);
  document.querySelector('i')?.removeAttribute('data-blinks');
  vi.advanceTimersByTime(1_000);
  expect(dark()).toBe(1);
});

test('switches only some of a thousand lights per frame', () => {
  start(1_000);
  vi.advanceTimersByTime(500);
  const first = dark();
  expect(first).toBeGreaterThan(100);
  expect(first).toBeLessThanOrEqual(150);
  while (frames.length > 0) for (const run of frames.splice(0)) run();
  expect(dark()).toBe(1_000);
});

test('lights do not blink with reduced motion, and stay on after blinking has stopped', () => {
  start(3, true);
  vi.advanceTimersByTime(500);
  expect(dark()).toBe(0);
  end();
  start(3);
  vi.advanceTimersByTime(500);
  end();
  expect(dark()).toBe(0);
});
