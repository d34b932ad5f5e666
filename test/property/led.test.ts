import * as fc from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { isLit } from '#shared/led/blink.ts';
import { COLOR_NAMES, parseColor } from '#shared/led/color.ts';

const FASTEST_HZ = 3;

test('a blinking LED flashes at most three times in any second', () => {
  const start = fc.oneof(
    fc.double({ min: -10_000, max: 10_000, noNaN: true }),
    fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
  );
  fc.assert(
    fc.property(start, (from) => {
      let flashes = 0;
      for (let ms = 1; ms <= 1_000; ms++)
        flashes += Number(isLit('blink', from + ms) && !isLit('blink', from + ms - 1));
      expect(flashes).toBeGreaterThanOrEqual(1);
      expect(flashes).toBeLessThanOrEqual(FASTEST_HZ);
    }),
    { numRuns: 500 },
  );
});

test('a blinking LED is on and off for equal times, at least a sixth of a second each', () => {
  for (const from of [-123_456.5, 0, 1.25, Date.UTC(2026, 10, 20)]) {
    const states = Array.from({ length: 10_000 }, (_, ms) => isLit('blink', from + ms));
    expect(states.filter(Boolean)).toHaveLength(5_000);
    const changes = states.flatMap((lit, ms) => (ms > 0 && lit !== states[ms - 1] ? [ms] : []));
    for (const [index, ms] of changes.entries()) {
      if (index > 0) expect(ms - (changes[index - 1] ?? 0)).toBeGreaterThanOrEqual(1_000 / FASTEST_HZ / 2);
    }
  }
});

test('an LED has a state at any time, and a blinking LED is lit if the time is not finite', () => {
  fc.assert(
    fc.property(fc.double(), (sinceMs) => {
      expect(typeof isLit('blink', sinceMs)).toBe('boolean');
      expect(isLit('steady', sinceMs)).toBe(true);
      expect(isLit('off', sinceMs)).toBe(false);
    }),
  );
  for (const sinceMs of [Number.NaN, Infinity, -Infinity]) expect(isLit('blink', sinceMs)).toBe(true);
});

test('reads any text as a color with its letter, as black, or as no color', () => {
  const hexDigit = fc.constantFrom(...'0 1 7 8 9 a B c D e F g'.split(' '));
  const said = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: hexDigit, maxLength: 8 }),
    fc.string({ unit: hexDigit, maxLength: 8 }).map((digits) => `#${digits}`),
    fc.constantFrom(...COLOR_NAMES, 'constructor', '__proto__', 'hasOwnProperty'),
  );
  fc.assert(
    fc.property(said, (text) => {
      const color = parseColor(text);
      if (color === undefined) return;
      expect(color.hex).toMatch(/^#[0-9a-f]{6}$/);
      expect(color.letter).toMatch(color.hex === '#000000' ? /^$/ : /^[RGBYCMWOP]$/);
      expect(parseColor(color.hex)?.hex).toBe(color.hex);
    }),
    { numRuns: 1_000 },
  );
});
