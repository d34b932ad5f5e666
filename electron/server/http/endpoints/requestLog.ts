import { z } from 'zod';
import { loggedExchangeSchema, loggedRequestSchema, requestLogQuerySchema } from '#shared/api/requestLog.ts';
import type { RequestLog } from '../../services/base/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('requests');

export function requestLogEndpoints(parts: { requestLog: RequestLog }): Endpoint[] {
  const { requestLog } = parts;
  return [
    define('GET /api/requests/', {
      operationId: 'listRequests',
      summary: 'The last requests to the API, the newest first',
      description:
        'Those below /api/, refused ones too, once they are answered; not the event stream and not what reads this list. Kept in memory are 1,000, fewer where their bodies take more than 8 MiB, none over a restart or with the setting `request_log` off. Secrets are hidden.',
      right: 'diagnose',
      query: requestLogQuerySchema,
      parameterExamples: {
        status: 'failed',
        by: 'ERP',
        path: '/api/device/',
        from: 'programs',
        limit: 100,
        after: '1000',
      },
      answer: z.array(loggedRequestSchema),
      handle: ({ query }) => requestLog.list(query),
    }),
    define('GET /api/requests/{id}/', {
      operationId: 'getRequest',
      summary: 'One of them with its bodies',
      description:
        'Of each body 16,384 characters. *** stands in the place of passwords, keys, tokens and other secrets; of headers none is kept but those that are here.',
      right: 'diagnose',
      params: z.object({ id: z.string() }),
      parameterExamples: { id: '1795161600004' },
      answer: loggedExchangeSchema,
      refusals: { 404: 'It is not kept, or no longer.' },
      handle: ({ params }) => requestLog.get(params.id),
    }),
  ];
}
