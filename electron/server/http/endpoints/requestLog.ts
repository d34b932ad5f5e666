import { z } from 'zod';
import { loggedExchangeSchema, loggedRequestSchema, requestLogQuerySchema } from '#shared/api/requestLog.ts';
import type { RequestLog } from '../../services/base/index.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

export function requestLogEndpoints(parts: { requestLog: RequestLog }): Endpoint[] {
  const { requestLog } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/requests/',
      tag: 'requests',
      summary: 'The last requests to the API, the newest first',
      description:
        'Those below /api/, refused ones too, once they are answered; not the event stream and not what reads this list. Kept in memory are 1,000, fewer where their bodies take more than 8 MiB, none over a restart or with the setting `request_log` off. Secrets are hidden.',
      right: 'diagnose',
      query: requestLogQuerySchema,
      answer: z.array(loggedRequestSchema),
      handle: ({ query }) => requestLog.list(query),
    }),
    endpoint({
      method: 'GET',
      path: '/api/requests/{id}/',
      tag: 'requests',
      summary: 'One of them with its bodies',
      description:
        'Of each body 16,384 characters. *** stands in the place of passwords, keys, tokens and other secrets; of headers none is kept but those that are here.',
      right: 'diagnose',
      params: z.object({ id: z.string() }),
      answer: loggedExchangeSchema,
      handle: ({ params }) => requestLog.get(params.id),
    }),
  ];
}
