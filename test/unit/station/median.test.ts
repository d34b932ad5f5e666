import { expect, test } from 'vitest';
import { createMedian } from '../../../electron/server/domain/history/median.ts';
import * as fc from '../../helpers/fastCheck.ts';

function medianOf(times: readonly number[]): number | null {
  const median = createMedian();
  for (const ms of times) median.add(ms);
  return median.result();
}

test('equals the median of the sorted times, to the millisecond', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1 }), (times) => {
      const sorted = times.toSorted((a, b) => a - b);
      const [low = 0, high = 0] = [sorted[Math.floor((times.length - 1) / 2)], sorted[Math.floor(times.length / 2)]];
      expect(medianOf(times)).toBe((low + high) / 2);
    }),
  );
});

test('is null without values', () => expect(medianOf([])).toBeNull());
