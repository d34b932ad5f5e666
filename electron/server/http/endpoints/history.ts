import { pipeline as pipe, Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Response } from 'express';
import { z } from 'zod';
import {
  deliveryTimelineSchema,
  historyEntrySchema,
  historyFilterSchema,
  historyQuerySchema,
  orderTimelineSchema,
  timelineSchema,
} from '#shared/api/history.ts';
import { historySummarySchema } from '#shared/api/historySummary.ts';
import type { HistorySearch, HistoryService, WorkTimelines } from '../../services/history/index.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { orderParams } from './orders.ts';

const pipeline = promisify(pipe);

const CSV = 'text/csv';

export function historyEndpoints(parts: {
  history: HistoryService;
  workTimelines: WorkTimelines;
  search: HistorySearch;
}): Endpoint[] {
  const { history, workTimelines, search } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/history/',
      tag: 'history',
      summary: 'What happened, the newest first',
      description:
        'Commands that are over, presses that came too late, presses while a device was idle, devices that took the place of another, and alerts. What is lit or waits is in `commands` of its device. The order is that in which the station learned of it: a press that a turbo held while there was no connection stands where it came, and its `at` is older than that of its neighbours.',
      right: 'read',
      query: historyQuerySchema,
      answer: z.array(historyEntrySchema),
      handle: ({ query }) => search.list(query),
    }),
    endpoint({
      method: 'GET',
      path: '/api/history/summary/',
      tag: 'history',
      summary: 'How well it went: picks an hour, time to acknowledge, timeouts',
      description:
        'Of a span of time, in at most 62 buckets that begin at `from`: minutes, hours, days or weeks, whatever fits. Without `from` it begins with the oldest entry, without `to` it ends now. Median and 95th percentile are right to half a per cent. Long spans take a while, as presses go first: some seconds for a million entries.',
      right: 'read',
      query: historyFilterSchema,
      answer: historySummarySchema,
      async handle({ query, res }) {
        const gone = goneSignal(res);
        try {
          return await search.summary(query, gone);
        } catch (error) {
          if (gone.aborted) return undefined;
          throw error;
        }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/history/export/',
      tag: 'history',
      summary: 'History as a CSV file, the newest first',
      description:
        'RFC 4180 with a byte order mark, times in UTC, with what the list can be narrowed by. A text that a spreadsheet would run as a formula has an apostrophe before it.',
      right: 'read',
      query: historyFilterSchema,
      answer: { contentType: CSV },
      async handle({ query, req, res }) {
        const lines = search.export(query);
        // What is wrong with the question is said before the file begins.
        const head = await lines.next();
        res.setHeader('content-type', `${CSV}; charset=utf-8`);
        res.setHeader('content-disposition', 'attachment; filename="history.csv"');
        res.setHeader('cache-control', 'no-store');
        res.setHeader('x-content-type-options', 'nosniff');
        if (req.method === 'HEAD' || head.done === true) {
          await lines.return();
          res.end();
          return undefined;
        }
        res.write(head.value);
        // Who goes away in the middle is told nothing more.
        await pipeline(Readable.from(lines), res).catch(() => undefined);
        return undefined;
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/history/commands/{command_id}/',
      tag: 'history',
      summary: 'The timeline of one command, from the request to the delivery of its callback',
      description: 'Of a command that is lit or waits as well as of one that is over. It tells what the station knows.',
      right: 'read',
      params: z.object({ command_id: z.string() }),
      answer: timelineSchema,
      handle: ({ params }) => history.timeline(params.command_id),
    }),
    endpoint({
      method: 'GET',
      path: '/api/history/orders/{order_number}/',
      tag: 'history',
      summary: 'The timeline of one order, from its creation to the delivery of its callbacks',
      description:
        'Launches, corrections and completion, when each item was shown and how it ended, and how its callbacks were delivered. A deleted order keeps its timeline as long as history does. Of orders that had the same number one after the other it tells of the last.',
      right: 'read',
      params: orderParams,
      answer: orderTimelineSchema,
      handle: ({ params }) => workTimelines.order(params.order_number),
    }),
    endpoint({
      method: 'GET',
      path: '/api/history/deliveries/{id}/',
      tag: 'history',
      summary: 'The timeline of one delivery, from what it reports to its last attempt',
      description:
        'Of a callback about a command it begins with the request that lit it; of others with the event itself. `id` is the `webhook-id`.',
      right: 'read',
      params: z.object({ id: z.string() }),
      answer: deliveryTimelineSchema,
      handle: ({ params }) => workTimelines.delivery(params.id),
    }),
  ];
}

/** Says when nobody waits for the answer any more. */
function goneSignal(res: Response): AbortSignal {
  const gone = new AbortController();
  res.on('close', () => gone.abort());
  return gone.signal;
}
