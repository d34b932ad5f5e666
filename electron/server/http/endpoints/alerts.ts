import { z } from 'zod';
import { alertQuerySchema, alertSchema, seenResultSchema } from '#shared/api/alert.ts';
import type { Alerts, RefusedCallers } from '../../services/alerts/index.ts';
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('alerts');

const params = z.object({ id: z.string() });

export function alertEndpoints(parts: {
  alerts: Pick<Alerts, 'list' | 'acknowledge' | 'acknowledgeAll' | 'end'>;
  refusedCallers: Pick<RefusedCallers, 'allow' | 'neverAllow'>;
}): Endpoint[] {
  const { alerts, refusedCallers } = parts;
  return [
    define('GET /api/alerts/', {
      operationId: 'listAlerts',
      summary: 'What somebody has to look after, the newest first',
      description:
        'Devices that are offline, have a weak signal or a low battery, turbos that are offline or in trouble, and what happened to the station itself. Each alert is raised once and ends by itself; one about the station stays until somebody dismisses it. While a turbo is offline, nothing is said of the devices that it heard. The newest 10,000 that are over are kept. The settings `alert_...` say from when on; the callback family `condition` tells of each.',
      right: 'read',
      query: alertQuerySchema,
      parameterExamples: { state: 'open', limit: 50, after: '1000' },
      answer: z.array(alertSchema),
      handle: ({ query }) => alerts.list(query),
    }),
    define('POST /api/alerts/acknowledge/', {
      operationId: 'acknowledgeAlerts',
      summary: 'Say that somebody has seen all alerts that are open',
      description: 'Under the name of the caller, in one call; those that somebody has seen before keep his name.',
      right: 'handle_alerts',
      ...noFields,
      answer: seenResultSchema,
      handle: async ({ caller }) => ({ acknowledged: await alerts.acknowledgeAll(caller.name) }),
    }),
    define('POST /api/alerts/{id}/acknowledge/', {
      operationId: 'acknowledgeAlert',
      summary: 'Say that somebody has seen an alert',
      description: 'Under the name of the caller; it stays open until it ends. Who came first stays.',
      right: 'handle_alerts',
      params,
      ...noFields,
      parameterExamples: { id: '1' },
      answer: alertSchema,
      refusals: { 404: 'There is no such alert.', 409: 'It is over.' },
      handle: ({ params: { id }, caller }) => alerts.acknowledge(id, caller.name),
    }),
    define('POST /api/alerts/{id}/end/', {
      operationId: 'endAlert',
      summary: 'Dismiss an alert about the station, or end the alert of a turbo that will not come back',
      description:
        'The turbo is no longer missed until it comes again, and the devices that it heard are missed by themselves where no other turbo hears them.',
      right: 'handle_alerts',
      params,
      ...noFields,
      parameterExamples: { id: '1' },
      answer: alertSchema,
      refusals: { 404: 'There is no such alert.', 409: 'It is over, or ends by itself.' },
      handle: ({ params: { id } }) => alerts.end(id),
    }),
    define('POST /api/alerts/{id}/allow/', {
      operationId: 'allowRefusedCaller',
      summary: 'Allow the origin or address that an alert is about',
      description:
        'For an alert of the kind origin_refused or host_refused: adds the origin to the setting cors_origins or the address to public_urls, and ends the alert.',
      right: 'change_settings',
      params,
      ...noFields,
      parameterExamples: { id: '2' },
      answer: alertSchema,
      refusals: { 404: 'There is no such alert.', 409: 'It has already ended, or is not about a refused caller.' },
      handle: ({ params: { id }, by }) => refusedCallers.allow(id, by),
    }),
    define('POST /api/alerts/{id}/never-allow/', {
      operationId: 'neverAllowRefusedCaller',
      summary: 'Raise no more alerts about this origin or address',
      description:
        'Adds what the alert is about to the setting unwanted_callers, and ends the alert. Requests from there are refused as before.',
      right: 'change_settings',
      params,
      ...noFields,
      parameterExamples: { id: '3' },
      answer: alertSchema,
      refusals: { 404: 'There is no such alert.', 409: 'It has already ended, or is not about a refused caller.' },
      handle: ({ params: { id }, by }) => refusedCallers.neverAllow(id, by),
    }),
  ];
}
