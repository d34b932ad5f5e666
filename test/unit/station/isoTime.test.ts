import * as fc from '../../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { isoTime } from '../../../electron/server/domain/station/isoTime.ts';

test('writes a time exactly as toISOString does', () => {
  const moment = fc.oneof(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.integer({ min: 0, max: 5_000 }));
  fc.assert(
    fc.property(moment, (at) => isoTime(at) === new Date(at).toISOString()),
    { numRuns: 1_000 },
  );
  for (const at of [0, 999, 1_000, -1, -1_000, 1.5, 1_800_000_000_123]) {
    expect(isoTime(at)).toBe(new Date(at).toISOString());
    expect(isoTime(at)).toBe(new Date(at).toISOString());
  }
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  expect(() => isoTime(1e300)).toThrow(RangeError);
});
