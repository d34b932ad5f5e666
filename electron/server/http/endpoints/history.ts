import { z } from 'zod';
import { historyEntrySchema, historyQuerySchema, timelineSchema } from '#shared/api/history.ts';
import type { HistoryService } from '../../services/history.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

export function historyEndpoints(parts: { history: HistoryService }): Endpoint[] {
  const { history } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/history/',
      tag: 'history',
      summary: 'What happened, the newest first',
      description:
        'Commands that are over, presses that came too late, presses while a device was idle, devices that took the place of another, and alerts. What is lit or waits is in `commands` of its device.',
      scope: 'read',
      query: historyQuerySchema,
      answer: z.array(historyEntrySchema),
      handle: ({ query }) => history.list(query),
    }),
    endpoint({
      method: 'GET',
      path: '/api/history/commands/{command_id}/',
      tag: 'history',
      summary: 'The timeline of one command, from the request to the delivery of its callback',
      description: 'Of a command that is lit or waits as well as of one that is over. It tells what the station knows.',
      scope: 'read',
      params: z.object({ command_id: z.string() }),
      answer: timelineSchema,
      handle: ({ params }) => history.timeline(params.command_id),
    }),
  ];
}
