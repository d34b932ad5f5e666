import { array, assert, nat, property } from '../../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { shopDaysIn } from '../../../shared/lib/station/shopDay.ts';
import { bucketWidth, createSummary, wholeBucket } from '../../../electron/server/domain/history/historySummary.ts';
import { createTimes } from '../../../electron/server/domain/history/times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-20T00:00:00Z');
const UTC = shopDaysIn('UTC');

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
  const summary = createSummary({ from: START, to: START + DAY, days: UTC });
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
  const summary = createSummary({ from: START, to: START + DAY, days: UTC });
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
  const summary = createSummary({ from: START, to: START + HOUR, days: UTC });
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
  const summary = createSummary({ from: START, to: START, days: UTC });
  expect(summary.result()).toMatchObject({
    picks_per_hour: 0,
    timeout_share: null,
    median_ms: null,
    buckets: [{ acknowledged: 0 }],
  });
});

test('without a start time, the first bucket begins at a multiple of the bucket width', () => {
  expect(new Date(wholeBucket(START + 90 * MINUTE + 1, START + DAY, UTC)).toISOString()).toBe(
    '2026-11-20T01:00:00.000Z',
  );
});

// In Berlin, 29 March 2026 has 23 hours and 25 October 25.
test.each([
  ['days', '2026-03-14T23:00Z', '2026-04-13T22:00Z', 30, '00:00'],
  ['days', '2026-10-10T22:00Z', '2026-11-09T23:00Z', 30, '00:00'],
  ['six hours', '2026-03-26T23:00Z', '2026-04-02T22:00Z', 28, '00:00 06:00 12:00 18:00'],
  ['six hours', '2026-10-19T22:00Z', '2026-10-26T23:00Z', 28, '00:00 06:00 12:00 18:00'],
])('buckets of %s from %s begin on the clock of the shop', (_name, from, to, count, hours) => {
  const days = shopDaysIn('Europe/Berlin');
  const summary = createSummary({ from: Date.parse(from), to: Date.parse(to), days });
  // The last hour of the period, which is in the last bucket.
  summary.add({ at: Date.parse(to) - MINUTE, kind: 'acknowledged', qty: 1, shownAt: null });
  const { buckets } = summary.result();
  expect(buckets).toHaveLength(count);
  expect(buckets.at(-1)?.acknowledged).toBe(1);
  const shown = buckets.map(({ at }) => new Date(days.clockOf(Date.parse(at))).toISOString().slice(11, 16));
  expect([...new Set(shown)].join(' ')).toBe(hours);
});

test('a press at 23:30 on the day after a clock change counts for that day', () => {
  const days = shopDaysIn('Europe/Berlin');
  const [from, to] = ['2026-03-14T23:00Z', '2026-04-13T22:00Z'].map((text) => Date.parse(text));
  const summary = createSummary({ from: from ?? 0, to: to ?? 0, days });
  summary.add({ at: Date.parse('2026-03-30T21:30Z'), kind: 'acknowledged', qty: 1, shownAt: null });
  const bucket = summary.result().buckets.find(({ acknowledged }) => acknowledged === 1);
  expect(bucket?.at).toBe('2026-03-29T22:00:00.000Z');
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
