import { expect, test } from 'vitest';
import { BLINK_PERIOD_MS, isLit } from '#shared/led/blink.ts';

test('an LED that is off is never lit, and a steady one always is', () => {
  for (const sinceMs of [0, 1, 499, 500, 12_345, -7]) {
    expect(isLit('off', sinceMs)).toBe(false);
    expect(isLit('steady', sinceMs)).toBe(true);
  }
});

test('a blinking LED is lit for the first half of each period, and off for the second', () => {
  expect([0, 499, 500, 999, 1_000, 1_499, 1_500].map((sinceMs) => isLit('blink', sinceMs))).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
});

test('a clock that is slightly behind keeps the rhythm', () => {
  expect(isLit('blink', -1)).toBe(false);
  expect(isLit('blink', -501)).toBe(true);
});

test('a blinking LED flashes at most twice a second', () => {
  let flashes = 0;
  for (let ms = 1; ms <= 60_000; ms++) if (isLit('blink', ms) && !isLit('blink', ms - 1)) flashes++;
  expect(flashes / 60).toBeLessThanOrEqual(2);
  expect(flashes).toBe(60_000 / BLINK_PERIOD_MS);
});
