import { z } from 'zod';
import { intOrNull, momentSchema, named, timestamp } from './fields.ts';

const count = z.int().min(0);
const ms = intOrNull;

const MEDIAN = 'Median time from showing a command to the press in milliseconds. Null without presses.';
const P95 = '95th percentile of the time from showing a command to the press in milliseconds.';

export const historyBucketSchema = named('HistoryBucket', {
  at: timestamp.describe('Start of the bucket.'),
  acknowledged: count.describe('Number of commands acknowledged.'),
  timed_out: count.describe('Number of commands timed out.'),
  picks_per_hour: z.number().describe('Acknowledged commands per hour of working time in the bucket.'),
  median_ms: ms.describe(MEDIAN),
  p95_ms: ms.describe(P95),
});
export type HistoryBucket = z.infer<typeof historyBucketSchema>;

/** Totals and rates for a span of time. */
export const historySummarySchema = named('HistorySummary', {
  from: timestamp.describe('Start of the first bucket.'),
  to: timestamp,
  bucket_seconds: z
    .int()
    .describe(
      'Length of a bucket in seconds. The last bucket may end after `to`. Buckets longer than an hour follow the clock of the shop, so a day with a clock change is an hour longer or shorter.',
    ),
  entries: count.describe('Number of all entries.'),
  acknowledged: count.describe('Number of commands acknowledged.'),
  timed_out: count.describe('Number of commands timed out.'),
  killed: count.describe('Number of commands removed.'),
  replaced: count.describe('Number of commands replaced by another.'),
  late: count.describe('Number of presses after the command had ended.'),
  calls: count.describe('Number of calls from idle devices.'),
  qty: z.int().describe('Sum of the quantities of acknowledged commands.'),
  picks_per_hour: z
    .number()
    .describe(
      'Acknowledged commands per hour of working time. Working time consists of the quarter-hours, counted from `from`, with at least one acknowledgment.',
    ),
  timeout_share: z
    .number()
    .nullable()
    .describe(
      'Fraction of timed-out commands among acknowledged and timed-out commands, from 0 to 1. Null if there are none.',
    ),
  timed: count.describe('Number of acknowledged commands whose time of showing is known.'),
  median_ms: ms.describe(MEDIAN),
  p95_ms: ms.describe(P95),
  buckets: z.array(historyBucketSchema),
});
export type HistorySummary = z.infer<typeof historySummarySchema>;

export const peopleQuerySchema = z.object({
  from: momentSchema.optional().describe('Only lines finished at or after this time.'),
  to: momentSchema.optional().describe('Only lines finished before this time.'),
});
export type PeopleQuery = z.infer<typeof peopleQuerySchema>;

/** A picker's finished work. */
export const pickerFiguresSchema = named('PickerFigures', {
  picker: z.string(),
  lines: count.describe('Number of finished items, including shorts.'),
  units: z.int().describe('Number of pieces picked.'),
  shorts: count.describe('Number of items closed with less than ordered.'),
  median_seconds: z
    .number()
    .nullable()
    .describe(
      'Median time from one line to the next in seconds, excluding breaks of more than 15 minutes. Null if no time is known.',
    ),
});
export type PickerFigures = z.infer<typeof pickerFiguresSchema>;
