import { array, assert, nat, property } from '../../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { bucketWidth, createSummary, wholeBucket } from '../../../electron/server/domain/history/historySummary.ts';
import { createTimes } from '../../../electron/server/domain/history/times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-20T00:00:00Z');

test.each([
  ['an empty period', 0, MINUTE],
  ['an hour', HOUR, MINUTE],
  ['a morning', 5 * HOUR, 5 * MINUTE],
  ['a day', DAY, HOUR],
  ['a day that is an hour longer', 25 * HOUR, HOUR],
  ['a week', 7 * DAY, 6 * HOUR],
  ['a month', 31 * DAY, DAY],
  ['a year', 366 * DAY, 7 * DAY],
  ['ten years', 3_653 * DAY, 63 * DAY],
])('chooses a bucket width for %s', (_name, span, width) => {
  expect(bucketWidth(span)).toBe(width);
  expect(span / width).toBeLessThanOrEqual(62);
});

test('counts each entry in the bucket of its time, and a held press of an earlier time in the first bucket', () => {
  const summary = createSummary({ from: START, to: START + DAY });
  const shown = (at: number, tookMs: number, qty = 1) =>
    summary.add({ at, kind: 'acknowledged', qty, shownAt: at - tookMs });
  shown(START - 5 * MINUTE, 4_000);
  shown(START + HOUR, 1_000);
  shown(START + HOUR + 1, 2_000, 5);
  shown(START + 2 * HOUR - 1, 60_000);
  summary.add({ at: START + HOUR, kind: 'acknowledged', qty: 1, shownAt: null });
  summary.add({ at: START + 23 * HOUR, kind: 'timedOut', qty: 0, shownAt: null });
  for (const kind of ['killed', 'replaced', 'late', 'call', 'call_up', 'device_replaced'] as const) {
    summary.add({ at: START, kind, qty: 0, shownAt: null });
  }
  const result = summary.result();
  expect(result).toMatchObject({
    bucket_seconds: 3_600,
    entries: 12,
    acknowledged: 5,
    timed_out: 1,
    killed: 1,
    replaced: 1,
    late: 1,
    calls: 2,
    qty: 9,
    picks_per_hour: 6.7,
    timeout_share: 1 / 6,
    timed: 4,
  });
  expect(result.buckets).toHaveLength(24);
  expect(result.buckets[0]).toMatchObject({ acknowledged: 1, median_ms: 4_000 });
  expect(result.buckets[1]).toMatchObject({ acknowledged: 4, picks_per_hour: 8, p95_ms: 60_000 });
  expect(result.buckets[1]?.median_ms).toBeCloseTo(2_000, -2);
  expect(result.buckets[2]).toEqual({
    at: '2026-11-20T02:00:00.000Z',
    acknowledged: 0,
    timed_out: 0,
    picks_per_hour: 0,
    median_ms: null,
    p95_ms: null,
  });
  expect(result.buckets[23]).toMatchObject({ timed_out: 1 });
});

test('the pace counts only the quarters of an hour in which somebody picked', () => {
  const summary = createSummary({ from: START, to: START + DAY });
  const pick = (at: number) => summary.add({ at, kind: 'acknowledged', qty: 1, shownAt: at });
  for (const at of [START + MINUTE, START + 2 * MINUTE, START + 3 * MINUTE]) pick(at);
  expect(summary.result()).toMatchObject({ picks_per_hour: 12, buckets: { 0: { picks_per_hour: 12 } } });
  // Add an earlier press that a turbo reported late, and a press after the night.
  pick(START - HOUR);
  pick(START + 20 * HOUR);
  expect(summary.result()).toMatchObject({
    picks_per_hour: 10,
    buckets: { 0: { picks_per_hour: 16 }, 1: { picks_per_hour: 0 } },
  });
});

test('the buckets of a short period show their own pace', () => {
  const summary = createSummary({ from: START, to: START + HOUR });
  for (const seconds of [0, 20, 40]) {
    const at = START + seconds * 1_000;
    summary.add({ at, kind: 'acknowledged', qty: 1, shownAt: at });
  }
  expect(summary.result()).toMatchObject({
    picks_per_hour: 12,
    bucket_seconds: 60,
    buckets: { 0: { picks_per_hour: 180 } },
  });
});

test('an empty period has neither a timeout rate nor times', () => {
  const summary = createSummary({ from: START, to: START });
  expect(summary.result()).toMatchObject({
    picks_per_hour: 0,
    timeout_share: null,
    median_ms: null,
    buckets: [{ acknowledged: 0 }],
  });
});

test('without a start time, the first bucket begins at a multiple of the bucket width', () => {
  expect(new Date(wholeBucket(START + 90 * MINUTE + 1, START + DAY)).toISOString()).toBe('2026-11-20T01:00:00.000Z');
});

test('median and 95th percentile are accurate to half a percent, and exact for equal values', () => {
  assert(
    property(array(nat(3_600_000), { minLength: 1, maxLength: 300 }), (all) => {
      const times = createTimes();
      for (const ms of all) times.add(ms);
      const sorted = all.toSorted((a, b) => a - b);
      for (const part of [0.5, 0.95, 1]) {
        const exact = sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1] ?? 0;
        expect(Math.abs((times.quantile(part) ?? -1) - exact)).toBeLessThanOrEqual(1 + exact * 0.005_1);
      }
    }),
  );
  const times = createTimes();
  for (let index = 0; index < 5; index += 1) times.add(12_345);
  expect(times.quantile(0.5)).toBe(12_345);
});
