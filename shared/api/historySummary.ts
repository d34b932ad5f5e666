import { z } from 'zod';

const timestamp = z.iso.datetime();
const count = z.int().min(0);
const ms = z.int().nullable();

const MEDIAN =
  'Milliseconds from when the command was shown to its press: half of them were quicker. Null without one.';
const P95 = 'Of twenty of them nineteen were quicker.';

export const historyBucketSchema = z
  .object({
    at: timestamp.describe('Where it begins.'),
    acknowledged: count.describe('Commands that were acknowledged.'),
    timed_out: count.describe('Commands that timed out.'),
    picks_per_hour: z.number().describe('As many as would be acknowledged in an hour at this pace.'),
    median_ms: ms.describe(MEDIAN),
    p95_ms: ms.describe(P95),
  })
  .meta({ id: 'HistoryBucket' });
export type HistoryBucket = z.infer<typeof historyBucketSchema>;

/** How well it went in a span of time. */
export const historySummarySchema = z
  .object({
    from: timestamp.describe('Where the first bucket begins.'),
    to: timestamp,
    bucket_seconds: z.int().describe('How long each bucket is; the last one may end after `to`.'),
    entries: count.describe('Everything that happened.'),
    acknowledged: count.describe('Commands that were acknowledged.'),
    timed_out: count.describe('Commands that timed out.'),
    killed: count.describe('Commands that were taken away.'),
    replaced: count.describe('Commands whose place another one took.'),
    late: count.describe('Presses on what had ended.'),
    calls: count.describe('Presses of idle devices that called somebody.'),
    qty: z.int().describe('What was counted in all that was acknowledged.'),
    picks_per_hour: z
      .number()
      .describe(
        'Commands that were acknowledged, for each hour from `from` to `to`, or to now; of one bucket at least.',
      ),
    timeout_share: z
      .number()
      .nullable()
      .describe('Of those that were acknowledged or timed out, the part that timed out: 0 to 1. Null without any.'),
    timed: count.describe('Acknowledged commands of which it is known when they were shown.'),
    median_ms: ms.describe(MEDIAN),
    p95_ms: ms.describe(P95),
    buckets: z.array(historyBucketSchema),
  })
  .meta({ id: 'HistorySummary' });
export type HistorySummary = z.infer<typeof historySummarySchema>;
