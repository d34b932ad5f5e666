import { describe, expect, test } from 'vitest';
import { afterAttempt, askedWaitMs } from '../../../electron/server/domain/callbacks/deliverySchedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MADE = Date.UTC(2026, 10, 20, 8);

function attempt(change: Partial<Parameters<typeof afterAttempt>[0]>) {
  return afterAttempt({
    status: 500,
    attempts: 1,
    dueInMs: 0,
    now: MADE,
    ranMs: 0,
    retryAfter: undefined,
    fraction: 0,
    ...change,
  });
}

/** Returns the milliseconds from this attempt to the next. */
function wait(change: Partial<Parameters<typeof afterAttempt>[0]>): number {
  const outcome = attempt(change);
  if (outcome.kind !== 'retry') throw new Error(`It is ${outcome.kind}.`);
  return outcome.waitMs;
}

test('only 2xx counts as success', () => {
  for (const status of [200, 201, 202, 204, 299]) expect(attempt({ status })).toEqual({ kind: 'delivered' });
  for (const status of [undefined, 100, 199, 300, 301, 302, 307, 304, 400, 401, 404, 410, 429, 500, 503, 600]) {
    expect(attempt({ status }).kind, String(status)).toBe('retry');
  }
});

test('waits 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, then 4 h each time', () => {
  const waits = Array.from({ length: 10 }, (_, index) => wait({ attempts: index + 1 }));
  expect(waits).toEqual([
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    4 * HOUR,
    4 * HOUR,
    4 * HOUR,
  ]);
});

test('jitter only lengthens a wait, by at most a tenth', () => {
  for (const attempts of [1, 4, 8, 12]) {
    const least = wait({ attempts, fraction: 0 });
    const most = wait({ attempts, fraction: 0.999_999 });
    expect(wait({ attempts, fraction: 0.5 })).toBe(least * 1.05);
    expect(most).toBeGreaterThan(least * 1.09);
    expect(most).toBeLessThanOrEqual(least * 1.1);
  }
});

test('a delivery gets its last attempt at 72 hours of running time, and does not fail earlier', () => {
  const late = 72 * HOUR - 3 * HOUR;
  expect(attempt({ attempts: 20, ranMs: late })).toEqual({ kind: 'retry', waitMs: 3 * HOUR });
  expect(attempt({ attempts: 20, ranMs: 72 * HOUR - 1 })).toEqual({ kind: 'retry', waitMs: 5 * SECOND });
  expect(attempt({ attempts: 20, ranMs: 72 * HOUR })).toEqual({ kind: 'dead' });
  expect(attempt({ attempts: 20, ranMs: 72 * HOUR, status: 200 })).toEqual({ kind: 'delivered' });
  expect(attempt({ attempts: 20, ranMs: 71 * HOUR, retryAfter: '7200' })).toEqual({ kind: 'retry', waitMs: 2 * HOUR });
});

test('a change to the wall clock does not make a delivery fail', () => {
  for (const now of [0, MADE - 400 * HOUR, MADE + 4_000 * HOUR]) {
    expect(attempt({ attempts: 20, now, ranMs: HOUR })).toMatchObject({ kind: 'retry', waitMs: 4 * HOUR });
  }
});

test('a delivery makes every scheduled attempt before it fails, even after 72 hours', () => {
  for (let attempts = 1; attempts <= 8; attempts += 1) {
    expect(wait({ attempts, ranMs: 500 * HOUR }), String(attempts)).toBe(wait({ attempts }));
  }
  expect(attempt({ attempts: 9, ranMs: 500 * HOUR })).toEqual({ kind: 'dead' });
});

describe('Retry-After', () => {
  test('is ignored when missing, past or invalid', () => {
    for (const header of [undefined, '', '0', '-5', 'soon', new Date(MADE - MINUTE).toUTCString()]) {
      expect(askedWaitMs(header, MADE), header).toBe(0);
    }
  });

  test('in seconds lengthens the wait and never shortens it', () => {
    expect(wait({ retryAfter: '120' })).toBe(120 * SECOND);
    expect(wait({ retryAfter: ' 120 ' })).toBe(120 * SECOND);
    expect(wait({ retryAfter: '1' })).toBe(5 * SECOND);
    expect(wait({ retryAfter: '0' })).toBe(5 * SECOND);
  });

  test('as a date lengthens the wait, unless the date is past', () => {
    expect(wait({ retryAfter: new Date(MADE + 10 * MINUTE).toUTCString() })).toBe(10 * MINUTE);
    expect(wait({ retryAfter: new Date(MADE - 10 * MINUTE).toUTCString() })).toBe(5 * SECOND);
  });

  test('is limited to four hours, and ignored when invalid', () => {
    expect(wait({ retryAfter: '9999999' })).toBe(4 * HOUR);
    expect(wait({ retryAfter: '9'.repeat(400) })).toBe(5 * SECOND);
    expect(wait({ retryAfter: new Date(MADE + 1_000 * HOUR).toUTCString() })).toBe(4 * HOUR);
    for (const nonsense of ['', 'soon', '-5', '1.5', 'NaN', '1e3', 'Infinity']) {
      expect(wait({ retryAfter: nonsense }), nonsense).toBe(5 * SECOND);
    }
  });
});

test('an early attempt leaves the schedule unchanged, unless Retry-After asks for a longer wait', () => {
  const early = { dueInMs: 30 * MINUTE, attempts: 40, ranMs: 80 * HOUR };
  expect(wait(early)).toBe(30 * MINUTE);
  expect(wait({ ...early, retryAfter: '3600' })).toBe(HOUR);
  expect(wait({ ...early, retryAfter: '5' })).toBe(30 * MINUTE);
  expect(attempt({ ...early, status: 204 })).toEqual({ kind: 'delivered' });
});
