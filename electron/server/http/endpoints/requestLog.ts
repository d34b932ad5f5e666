import { z } from 'zod';
import { loggedExchangeSchema, loggedRequestSchema, requestLogQuerySchema } from '#shared/api/requestLog.ts';
import type { RequestLog } from '../../services/base/index.ts';
import { endpointsOf, idParams, pageBy, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('requests');

export const requestLogEndpoints = ({ requestLog }: { requestLog: RequestLog }): Endpoint[] => [
  define('listRequests', 'diagnose', 'List the last requests to the API, newest first', {
    description:
      'Answered requests below /api/, refused ones included, without the event stream and requests to this list. The station keeps 1,000 in memory until a restart, fewer if their bodies exceed 8 MiB, and none if the setting `request_log` is off. Secrets are hidden.',
    query: requestLogQuerySchema,
    page: pageBy('id'),
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
  define('getRequest', 'diagnose', 'Get a request with its bodies', {
    description:
      'Shows the first 16,384 characters of each body. Passwords, keys, tokens and other secrets are replaced by ***. Other headers than these are not stored.',
    params: idParams('request', '1795161600004'),
    answer: loggedExchangeSchema,
    refusals: { 404: 'The request is not stored, or no longer.' },
    handle: ({ params }) => requestLog.get(params.id),
  }),
];
