import type { HistoryKind } from '#shared/api/history.ts';
import type { HistoryBucket, HistorySummary } from '#shared/api/historySummary.ts';
import type { ShopDays } from '#shared/lib/station/shopDay.ts';
import { createTimes, type Times } from './times.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Working time is counted in blocks of this length. A block counts if anything was acknowledged in it. */
const WORK_MS = 15 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Maximum number of bars in a chart: an hour has 60 minutes, and two months have up to 62 days. */
const MAX_BUCKETS = 62;
const WIDTHS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, WEEK_MS] as const;

/** The part of a history row that is counted. `shownAt` is when the acknowledged command was shown, `presses` the number of late presses. */
export type CountedEntry = { at: number; kind: HistoryKind; qty: number; shownAt: number | null; presses?: number };

export type Summary = {
  add(row: CountedEntry): void;
  result(): HistorySummary;
};

/** `worked` contains the blocks of working time in this bucket. */
type Bucket = { acknowledged: number; timedOut: number; worked: Set<number>; times: Times };
type Tally = 'acknowledged' | 'timed_out' | 'killed' | 'replaced' | 'late' | 'calls';

const TALLIES: Readonly<Partial<Record<HistoryKind, Tally>>> = {
  acknowledged: 'acknowledged',
  timedOut: 'timed_out',
  killed: 'killed',
  replaced: 'replaced',
  late: 'late',
  call: 'calls',
  call_up: 'calls',
  call_down: 'calls',
};

/** Returns the width of a bucket: the shortest usual unit that divides the span into at most MAX_BUCKETS buckets. */
export function bucketWidth(spanMs: number): number {
  const usual = WIDTHS_MS.find((width) => spanMs <= width * MAX_BUCKETS);
  return usual ?? Math.ceil(spanMs / (WEEK_MS * MAX_BUCKETS)) * WEEK_MS;
}

/** Returns the default start of the first bucket, aligned to the bucket width on the shop's clock. */
export function wholeBucket(from: number, to: number, { clockOf, startOf }: ShopDays): number {
  const width = bucketWidth(to - from);
  return startOf(Math.floor(clockOf(from) / width) * width);
}

/**
 * Returns when the buckets start, beginning at `from`. Buckets longer than an hour follow the shop's clock, so that days start at
 * midnight also after a clock change.
 */
function bucketStarts(from: number, to: number, width: number, { clockOf, startOf }: ShopDays): number[] {
  const clock = clockOf(from);
  const startAt = (place: number): number =>
    place === 0 || width <= HOUR_MS ? from + place * width : startOf(clock + place * width);
  const starts: number[] = [];
  do starts.push(startAt(starts.length));
  while (startAt(starts.length) < to);
  return starts;
}

/**
 * Counts events from `from` to `to`, in buckets that start at `from` and follow the shop's clock. A press that a turbo held back can be
 * earlier than `from`; it counts in the first bucket.
 */
export function createSummary({ from, to, days }: { from: number; to: number; days: ShopDays }): Summary {
  const width = bucketWidth(to - from);
  const workMs = Math.min(width, WORK_MS);
  const starts = bucketStarts(from, to, width, days);
  const buckets = starts.map((): Bucket => ({
    acknowledged: 0,
    timedOut: 0,
    worked: new Set(),
    times: createTimes(),
  }));
  const all = createTimes();
  const worked = new Set<number>();
  const tallies: Record<Tally, number> = { acknowledged: 0, timed_out: 0, killed: 0, replaced: 0, late: 0, calls: 0 };
  let entries = 0;
  let counted = 0;

  function bucketAt(at: number): Bucket | undefined {
    let place = Math.min(starts.length - 1, Math.max(0, Math.floor((at - from) / width)));
    while (place > 0 && at < (starts[place] ?? 0)) place -= 1;
    while (at >= (starts[place + 1] ?? Infinity)) place += 1;
    return buckets[place];
  }

  return {
    add({ at, kind, qty, shownAt, presses = 1 }) {
      entries += 1;
      const tally = TALLIES[kind];
      if (tally !== undefined) tallies[tally] += presses;
      if (kind === 'timedOut') {
        const bucket = bucketAt(at);
        if (bucket !== undefined) bucket.timedOut += 1;
      }
      if (kind !== 'acknowledged') return;
      counted += qty;
      const since = Math.max(0, at - from);
      const bucket = bucketAt(at);
      if (bucket !== undefined) {
        bucket.acknowledged += 1;
        bucket.worked.add(Math.floor(since / workMs));
      }
      worked.add(Math.floor(since / WORK_MS));
      if (shownAt === null) return;
      // The clock may have been set back between the two times.
      const tookMs = Math.max(0, at - shownAt);
      bucket?.times.add(tookMs);
      all.add(tookMs);
    },
    result() {
      const { acknowledged, timed_out: timedOut } = tallies;
      const ended = acknowledged + timedOut;
      return {
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        bucket_seconds: width / 1_000,
        entries,
        ...tallies,
        qty: counted,
        picks_per_hour: perHour(acknowledged, worked.size * Math.min(WORK_MS, to - from)),
        timeout_share: ended === 0 ? null : timedOut / ended,
        timed: all.count(),
        median_ms: all.quantile(0.5),
        p95_ms: all.quantile(0.95),
        buckets: buckets.map((bucket, place): HistoryBucket => ({
          at: new Date(starts[place] ?? from).toISOString(),
          acknowledged: bucket.acknowledged,
          timed_out: bucket.timedOut,
          picks_per_hour: perHour(bucket.acknowledged, bucket.worked.size * workMs),
          median_ms: bucket.times.quantile(0.5),
          p95_ms: bucket.times.quantile(0.95),
        })),
      };
    },
  };
}

/** Returns the rate per hour, rounded to a tenth. */
function perHour(count: number, ms: number): number {
  return ms <= 0 ? 0 : Math.round((count * HOUR_MS * 10) / ms) / 10;
}
