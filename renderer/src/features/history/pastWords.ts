import { countText } from '#shared/lib/text/locale.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { HistoryBucket, HistorySummary } from '#shared/api/historySummary.ts';
import * as texts from '../../words/texts.ts';
import { timeText } from '../../words/formats.ts';
import { shopClock } from '../../words/shopClock.ts';

const words = texts.history;

const two = (value: number) => String(value).padStart(2, '0');

/** Formats a duration, such as `0.8 s`, `12 s`, `2:05 min` or `1:20 h`. */
export function lengthWords(ms: number): string {
  const tenths = Math.round(ms / 100) / 10;
  if (tenths < 10) return words.seconds(tenths.toFixed(1));
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return words.seconds(String(seconds));
  if (seconds < 3_600) return words.minutes(Math.floor(seconds / 60), two(seconds % 60));
  return words.hours(Math.floor(seconds / 3_600), two(Math.floor((seconds % 3_600) / 60)));
}

/** Formats a rate, such as `53`, or `4.5` below ten. */
export function rateWords(rate: number): string {
  return rate < 10 && !Number.isInteger(rate) ? rate.toFixed(1) : countText(Math.round(rate));
}

/** Formats a fraction as a percentage, such as `2.1 %`. Small values are not rounded to 0. */
export function shareWords(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return words.percent('< 0.1');
  return words.percent(percent === 0 || percent >= 10 ? String(Math.round(percent)) : percent.toFixed(1));
}

/** Returns the milliseconds from the light to the press, or undefined if they are unknown. */
export function tookMs({ kind, at, shown_at: shownAt }: HistoryEntry): number | undefined {
  if (kind !== 'acknowledged' || shownAt === null) return undefined;
  return Math.max(0, Date.parse(at) - Date.parse(shownAt));
}

const DAY_S = 86_400;
const HOUR_MS = 3_600_000;

/** Formats the start of a bucket, such as `10:00`, `20 Nov, 06:00` or `20 Nov`. */
export function bucketWords(at: number, summary: HistorySummary): string {
  if (summary.bucket_seconds >= DAY_S) return dayWords(at);
  return isOneDay(summary) ? timeWords(at) : `${dayWords(at)}, ${timeWords(at)}`;
}

/** Formats the end of the last bucket. If buckets span a day or more, formats the last day. */
export function endWords(summary: HistorySummary): string {
  const { buckets, bucket_seconds: seconds, to } = summary;
  const last = Date.parse(buckets.at(-1)?.at ?? to);
  const end = shopClock().after(last, seconds * 1_000);
  // For one-day buckets, use the start, because a day may be only 23 hours long.
  if (seconds >= DAY_S) return dayWords(seconds === DAY_S ? last : Math.min(end, Date.parse(to)) - 1);
  // Show midnight as the end of the previous day.
  const time = timeWords(end);
  const atMidnight = time === '00:00';
  return isOneDay(summary)
    ? atMidnight
      ? '24:00'
      : time
    : `${dayWords(atMidnight ? end - 1 : end)}, ${atMidnight ? '24:00' : time}`;
}

/**
 * Formats the time span of a bucket, such as `10:00 to 11:00`, `20 Nov, 06:00 to 12:00`, `20 Nov` or `16 Nov to 22
 * Nov`.
 */
export function bucketSpan({ at }: HistoryBucket, summary: HistorySummary): string {
  const from = Date.parse(at);
  const to = shopClock().after(from, summary.bucket_seconds * 1_000);
  const first = bucketWords(from, summary);
  if (summary.bucket_seconds === DAY_S) return first;
  if (summary.bucket_seconds > DAY_S) return words.span(first, dayWords(to - 1));
  return words.span(first, timeWords(to));
}

function dayWords(at: number): string {
  return timeText('day', at);
}

function timeWords(at: number): string {
  return timeText('clock', at);
}

/** Whether the period is one day. A day on which daylight saving time ends has 25 hours. */
function isOneDay({ from, to }: HistorySummary): boolean {
  return Date.parse(to) - Date.parse(from) <= DAY_S * 1_000 + HOUR_MS;
}
