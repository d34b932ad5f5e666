import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BoardOrders } from '../../../renderer/src/features/board/BoardOrders.tsx';
import { BoardLines } from '../../../renderer/src/features/board/BoardLines.tsx';
import { readFilter, spanOf } from '../../../renderer/src/features/history/pastFilter.ts';
import { bucketSpan, endWords } from '../../../renderer/src/features/history/pastWords.ts';
import { dueWords } from '../../../renderer/src/features/pick/session/lines.ts';
import { createStationStore, takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { dayTitle, timeWords, untilWords } from '../../../renderer/src/words/moments.ts';
import { fieldTime, typedTime } from '../../../renderer/src/words/shopClock.ts';
import { station } from '../../helpers/snapshots.ts';

const at = (text: string): number => Date.parse(text);
const iso = (moment: number | undefined): string => (moment === undefined ? 'none' : new Date(moment).toISOString());
const filter = (range: string) => readFilter(new URLSearchParams({ range }));
const span = (range: string, now: string): string[] => {
  const { from, to } = spanOf(filter(range), at(now));
  return [iso(from), iso(to)];
};

afterEach(() => vi.unstubAllEnvs());

// The shop is in Berlin. Its day is not the day of a browser in Los Angeles or Auckland.
describe.each(['America/Los_Angeles', 'Pacific/Auckland', 'Europe/Berlin'])('in a browser in %s', (zone) => {
  beforeEach(() => {
    vi.stubEnv('TZ', zone);
    const store = createStationStore();
    takeSnapshot(store, { station: { ...station(), time_zone: 'Europe/Berlin' }, clockSkewMs: 0 });
  });

  test('today, the last 7 days and the last 30 days begin at midnight in the shop', () => {
    expect(new Date('2026-11-20T00:00').toISOString() === '2026-11-19T23:00:00.000Z').toBe(zone === 'Europe/Berlin');
    const now = '2026-11-20T22:30:00Z';
    expect(span('today', now)).toEqual(['2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z']);
    expect(span('week', now)).toEqual(['2026-11-13T23:00:00.000Z', '2026-11-20T23:00:00.000Z']);
    // The clock changes on 25 October and on 29 March.
    expect(span('month', now)[0]).toBe('2026-10-21T22:00:00.000Z');
    expect(span('today', '2026-10-25T12:00:00Z')).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
    expect(span('today', '2026-03-29T12:00:00Z')).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
  });

  test('today and yesterday are days of the shop, with its time of day', () => {
    // 00:30 on 21 November in the shop.
    const now = at('2026-11-20T23:30:00Z');
    expect(dayTitle(now, now)).toBe('Today');
    expect(dayTitle(at('2026-11-20T22:59:00Z'), now)).toBe('Yesterday');
    expect(dayTitle(at('2026-11-19T22:59:00Z'), now)).toBe('Thursday, 19 November');
    expect(dayTitle(at('2025-12-31T23:30:00Z'), now)).toBe('Thursday, 1 January');
    expect(untilWords(at('2026-11-21T07:00:00Z'), now)).toBe('08:00');
    expect(untilWords(at('2026-11-20T22:00:00Z'), now)).toBe('20 November, 23:00');
    expect(timeWords(at('2026-11-20T23:05:06Z'), now)).toBe('00:05:06');
  });

  test('a due time shows the day unless it is due today in the shop', () => {
    const now = at('2026-11-20T23:30:00Z');
    expect(dueWords('2026-11-21T22:30:00Z', now)).toBe('23:30');
    expect(dueWords('2026-11-20T22:30:00Z', now)).toBe('Fri 20 Nov 23:30');
    expect(dueWords('2026-11-21T23:30:00Z', now)).toBe('Sun 22 Nov 00:30');
  });

  test('a typed time is a time in the shop, also on the day of a clock change', () => {
    expect(fieldTime(at('2026-11-20T23:30:00Z'))).toBe('2026-11-21T00:30');
    expect(iso(typedTime('2026-11-21T00:30'))).toBe('2026-11-20T23:30:00.000Z');
    // The clock skips 02:30 and shows 02:30 twice: the later one, as in files.
    expect(iso(typedTime('2026-03-29T02:30'))).toBe('2026-03-29T01:30:00.000Z');
    expect(iso(typedTime('2026-10-25T02:30'))).toBe('2026-10-25T01:30:00.000Z');
    expect(typedTime('')).toBeUndefined();
    expect(fieldTime(undefined)).toBe('');
  });

  test.each(['0002', '0020', '0202', '2027'])('a time typed with the year %s keeps its day', (year) => {
    expect(fieldTime(typedTime(`${year}-11-20T14:30`))).toBe(`${year}-11-20T14:30`);
  });

  test('bars of days and of six hours are named by the clock of the shop across a clock change', () => {
    const of = (bucket_seconds: number, from: string, to: string, ...starts: string[]) => ({
      ...SUMMARY,
      bucket_seconds,
      from,
      to,
      buckets: starts.map((start) => ({ ...BUCKET, at: start })),
    });
    const days = of(86_400, '2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z', '2026-10-24T22:00:00Z');
    expect(days.buckets.map((bucket) => bucketSpan(bucket, days))).toEqual(['25 Oct']);
    const hours = of(21_600, '2026-10-19T22:00:00Z', '2026-10-26T23:00:00Z', '2026-10-24T22:00:00Z');
    expect(hours.buckets.map((bucket) => bucketSpan(bucket, hours))).toEqual(['25 Oct, 00:00 to 06:00']);
    const late = of(21_600, '2026-10-19T22:00:00Z', '2026-10-25T23:00:00Z', '2026-10-25T17:00:00Z');
    expect(endWords(late)).toBe('25 Oct, 24:00');
  });

  test('the board shows due times and hours of the shop', () => {
    const now = at('2026-11-20T23:30:00Z');
    const order = { ...ORDER, due_time: '2026-11-21T07:00:00Z' };
    const yesterday = { ...ORDER, order_number: '2', due_time: '2026-11-20T22:00:00Z', late: true };
    const board = { ...BOARD, orders: [order, yesterday], order_count: 2 };
    render(<BoardOrders board={board} now={now} isStale={false} />);
    expect(screen.getByText('08:00')).toBeTruthy();
    expect(screen.getByText('Fri 23:00')).toBeTruthy();
    render(<BoardLines board={{ ...BOARD, lines_today: 1, hours: [{ at: '2026-11-20T23:00:00Z', lines: 1 }] }} />);
    expect(screen.getByText('0:00', { exact: false })).toBeTruthy();
  });
});

test('in a shop whose zone this browser does not know, days are those of the browser', () => {
  vi.stubEnv('TZ', 'UTC');
  createStationStore({ station: { ...station(), time_zone: 'Etc/Nowhere' } });
  expect(fieldTime(at('2026-11-20T23:30:00Z'))).toBe('2026-11-20T23:30');
});

const BUCKET = { at: '', acknowledged: 0, timed_out: 0, picks_per_hour: 0, median_ms: null, p95_ms: null };

const SUMMARY = {
  from: '',
  to: '',
  bucket_seconds: 0,
  entries: 0,
  acknowledged: 0,
  timed_out: 0,
  killed: 0,
  replaced: 0,
  late: 0,
  calls: 0,
  qty: 0,
  picks_per_hour: 0,
  timeout_share: null,
  timed: 0,
  median_ms: null,
  p95_ms: null,
  buckets: [],
};

const ORDER = {
  order_number: '1',
  state: 'open' as const,
  due_time: null,
  late: false,
  item_count: 1,
  done_count: 0,
  short_count: 0,
  attention: [],
  pickers: [],
};

const BOARD = {
  at: '2026-11-20T23:30:00Z',
  version: '1.0.0',
  time_zone: 'Europe/Berlin',
  order_count: 0,
  late_count: 0,
  orders: [],
  batches: [],
  batch_count: 0,
  care: [],
  lines_today: 0,
  lines_last_hour: 0,
  hours: [],
  people: [],
};
