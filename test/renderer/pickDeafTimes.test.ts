import { expect, test } from 'vitest';
import { isDeaf, LISTENING, nextDeaf } from '../../renderer/src/features/pick/deafTimes.ts';
import * as fc from '../helpers/fastCheck.ts';

/** Touches at these times, each of which books the line that is shown; answers how many were booked. */
function touch(times: readonly number[], drawMs = 16): number {
  let state = LISTENING;
  let booked = 0;
  for (const at of times) {
    if (isDeaf(state, at)) continue;
    booked += 1;
    state = nextDeaf(nextDeaf(state, { kind: 'confirmed', at }), { kind: 'drawn', at: at + drawMs, isOwn: true });
  }
  return booked;
}

test('twenty lines that are touched every 300 ms are twenty', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 20, maxLength: 20 }), (jitter) => {
      expect(touch(jitter.map((by, index) => 1_000 + index * 300 + by))).toBe(20);
    }),
  );
});

test('a double touch of 60 to 200 ms books one line', () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 200 }), fc.integer({ min: 0, max: 60 }), (gapMs, drawMs) => {
      expect(touch([1_000, 1_000 + gapMs], drawMs)).toBe(1);
    }),
  );
});

test('after somebody else changed the instruction, a touch counts once a person has seen it', () => {
  const changed = nextDeaf(LISTENING, { kind: 'drawn', at: 1_000, isOwn: false });
  expect([isDeaf(changed, 1_599), isDeaf(changed, 1_600)]).toEqual([true, false]);
  const confirmed = nextDeaf(changed, { kind: 'confirmed', at: 1_100 });
  expect(isDeaf(confirmed, 1_599)).toBe(true);
});
