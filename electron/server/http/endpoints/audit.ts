import { z } from 'zod';
import { auditEntrySchema, auditQuerySchema } from '#shared/api/access.ts';
import type { Audit } from '../../services/base/index.ts';
import { endpointsOf, pageBy, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('access');

export const auditEndpoints = ({ audit }: { audit: Audit }): Endpoint[] => [
  define('listAudit', 'see_activity', 'List the activity, newest first', {
    description:
      'Lists sign-ins, and changes of people, keys, settings, location aliases and devices. The station keeps the newest 20,000 changes and, separately, 10,000 changes of location aliases, labels and the map, 10,000 sign-ins and sign-outs, 2,000 refused sign-ins, and 2,000 requests that were refused for a missing right.',
    query: auditQuerySchema,
    page: pageBy('id'),
    parameterExamples: { limit: 50, after: '1000' },
    answer: z.array(auditEntrySchema),
    handle: ({ query }) => audit.list(query),
  }),
];
