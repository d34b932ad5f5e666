import { z } from 'zod';
import { loggedExchangeSchema, loggedRequestSchema, requestLogQuerySchema } from '#shared/api/requestLog.ts';
import type { RequestLog } from '../../services/base/index.ts';
import { endpointsOf, idParams, pageBy, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('requests');

export const requestLogEndpoints = ({ requestLog }: { requestLog: RequestLog }): Endpoint[] => [
  define('listRequests', 'diagnose', 'List the last requests to the API, newest first', {
    description:
      'Lists completed requests below `/api/`, including refused ones, without the event stream and requests to this list. The station keeps 1,000 requests in memory until it restarts, fewer if their bodies exceed 8 MiB, and none if the setting `request_log` is off. Secrets are hidden.',
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
      'Returns the first 16,384 characters of each body. Passwords, keys, tokens and other secrets are replaced with ***. Headers that the response does not contain are not stored.',
    params: idParams('request', '1795161600004'),
    answer: loggedExchangeSchema,
    refusals: { 404: 'The request is not stored, or is no longer stored.' },
    handle: ({ params }) => requestLog.get(params.id),
  }),
];
