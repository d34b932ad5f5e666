import { array, assert, nat, property, record } from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPace, type InParts, sortedInParts, whole } from '#shared/lib/station/inParts.ts';

test('sorts in parts like toSorted, keeping equal values in their original order', () => {
  const values = array(record({ rank: nat(20), id: nat() }), {
    minLength: 0,
    maxLength: 3_000,
    size: 'max',
  });
  assert(
    property(values, (rows) => {
      const compare = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank;
      expect(whole(sortedInParts(rows, compare))).toEqual(rows.toSorted(compare));
    }),
    { numRuns: 20 },
  );
});

test('pauses after a few hundred values', () => {
  const values = Array.from({ length: 10_000 }, (_, index) => (index * 7_919) % 10_000);
  let compared = 0;
  const work = sortedInParts(values, (a, b) => {
    compared += 1;
    return a - b;
  });
  let most = 0;
  for (let part = work.next(); part.done !== true; part = work.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  expect(most).toBeLessThan(6_000);
});

test('a sort pauses after a millisecond, also if each comparison takes long', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const values = Array.from({ length: 1_000 }, (_, index) => (index * 7_919) % 1_000);
  const work = sortedInParts(values, (a, b) => {
    vi.advanceTimersByTime(0.02);
    return a - b;
  });
  let most = 0;
  for (let begun = performance.now(); work.next().done !== true; begun = performance.now())
    most = Math.max(most, performance.now() - begun);
  // A few values are sorted at once.
  expect(most).toBeLessThan(4);
});

test('a part of work ends after a millisecond, with few or many steps', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const steps: number[] = [];
  const work = (function* (): InParts<void> {
    const pace = createPace();
    for (const ms of [0.4, 0.4, 0.4, 5, 0.1, 0.1]) {
      vi.advanceTimersByTime(ms);
      steps.push(ms);
      if (pace.isDue()) yield* pace.rest();
    }
  })();
  work.next();
  expect(steps).toEqual([0.4, 0.4, 0.4]);
  // Time between two parts does not count.
  vi.advanceTimersByTime(50);
  work.next();
  expect(steps).toEqual([0.4, 0.4, 0.4, 5]);
  expect(work.next().done).toBe(true);
});
