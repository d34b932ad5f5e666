import * as fc from '../../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { takeReport, type ReportWindow } from '../../../electron/server/domain/commands/reportWindow.ts';

const WIDTH = 64;
const LARGEST_COUNTER = 2 ** 32 - 1;

/** Creates a reference implementation that remembers every counter. */
function oracle() {
  const taken = new Set<number>();
  let highest = -1;
  return (counter: number): boolean => {
    if (highest !== -1 && highest - counter > WIDTH) return false;
    if (taken.has(counter)) return false;
    // Within the window, a counter below the first one counts as new once.
    taken.add(counter);
    highest = Math.max(highest, counter);
    return true;
  };
}

/** Generates counters from a device on a bad link: small and large steps forward, repeats, and late arrivals. */
const counters = fc
  .tuple(
    fc.integer({ min: 0, max: LARGEST_COUNTER - 5_000 }),
    fc.array(
      fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -70, max: 70 }), fc.constantFrom(0, 63, 64, 65)),
      {
        maxLength: 100,
      },
    ),
  )
  .map(([start, steps]) => {
    let current = start;
    return [start, ...steps.map((step) => (current = Math.max(0, current + step)))];
  });

test('accepts each report once, in any order of arrival, as if it remembered all of them', () => {
  fc.assert(
    fc.property(counters, (sent) => {
      const isNew = oracle();
      let window: ReportWindow | undefined;
      for (const counter of sent) {
        const taken = takeReport(window, counter);
        expect(taken !== 'duplicate').toBe(isNew(counter));
        if (taken === 'duplicate') continue;
        window = taken;
        expect(window.seen).toBeGreaterThanOrEqual(0n);
        expect(window.seen).toBeLessThan(2n ** BigInt(WIDTH));
      }
    }),
    { numRuns: 500 },
  );
});

test('accepts the first report, and does not change the given window', () => {
  const first = takeReport(undefined, 7);
  expect(first).toEqual({ highest: 7, seen: 0n, pressedAt: null });
  const window: ReportWindow = { highest: 7, seen: 0n, pressedAt: null };
  takeReport(window, 9);
  expect(window).toEqual({ highest: 7, seen: 0n, pressedAt: null });
});

test('accepts the highest counter after the lowest, and marks no counter below it as seen', () => {
  const taken = takeReport({ highest: 0, seen: 0n, pressedAt: null }, LARGEST_COUNTER);
  expect(taken).toEqual({ highest: LARGEST_COUNTER, seen: 0n, pressedAt: null });
});

test('recognizes a repeated counter 64 below the newest, and rejects every counter 65 below', () => {
  const window: ReportWindow = { highest: 100, seen: 0n, pressedAt: null };
  const taken = takeReport(window, 36);
  if (taken === 'duplicate') throw new Error('it was not taken');
  expect(takeReport(taken, 36)).toBe('duplicate');
  expect(takeReport(window, 35)).toBe('duplicate');
  expect(takeReport(window, 100)).toBe('duplicate');
});
