import { z } from 'zod';
import { alertQuerySchema, alertSchema, seenResultSchema } from '#shared/api/alert.ts';
import type { Alerts, RefusedCallers } from '../../services/alerts/index.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

const params = z.object({ id: z.string() });

export function alertEndpoints(parts: {
  alerts: Pick<Alerts, 'list' | 'acknowledge' | 'acknowledgeAll' | 'end'>;
  refusedCallers: Pick<RefusedCallers, 'allow' | 'neverAllow'>;
}): Endpoint[] {
  const { alerts, refusedCallers } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/alerts/',
      tag: 'alerts',
      summary: 'What somebody has to look after, the newest first',
      description:
        'Devices that are offline, have a weak signal or a low battery, turbos that are offline or in trouble, and what happened to the station itself. Each alert is raised once and ends by itself; one about the station stays until somebody dismisses it. While a turbo is offline, nothing is said of the devices that it heard. The newest 10,000 that are over are kept. The settings `alert_...` say from when on; the callback family `condition` tells of each.',
      right: 'read',
      query: alertQuerySchema,
      answer: z.array(alertSchema),
      handle: ({ query }) => alerts.list(query),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/acknowledge/',
      tag: 'alerts',
      summary: 'Say that somebody has seen all alerts that are open',
      description: 'Under the name of the caller, in one call; those that somebody has seen before keep his name.',
      right: 'handle_alerts',
      body: z.object({}),
      bodyOptional: true,
      answer: seenResultSchema,
      handle: async ({ caller }) => ({ acknowledged: await alerts.acknowledgeAll(caller.name) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/{id}/acknowledge/',
      tag: 'alerts',
      summary: 'Say that somebody has seen an alert',
      description: 'Under the name of the caller; it stays open until it ends. Who came first stays.',
      right: 'handle_alerts',
      params,
      body: z.object({}),
      bodyOptional: true,
      answer: alertSchema,
      handle: ({ params: { id }, caller }) => alerts.acknowledge(id, caller.name),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/{id}/end/',
      tag: 'alerts',
      summary: 'Dismiss an alert about the station, or end the alert of a turbo that will not come back',
      description:
        'The turbo is no longer missed until it comes again, and the devices that it heard are missed by themselves where no other turbo hears them.',
      right: 'handle_alerts',
      params,
      body: z.object({}),
      bodyOptional: true,
      answer: alertSchema,
      handle: ({ params: { id } }) => alerts.end(id),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/{id}/allow/',
      tag: 'alerts',
      summary: 'Allow the origin or address that an alert is about',
      description:
        'For an alert of the kind origin_refused or host_refused: adds the origin to the setting cors_origins or the address to public_urls, and ends the alert.',
      right: 'change_settings',
      params,
      body: z.object({}),
      bodyOptional: true,
      answer: alertSchema,
      handle: ({ params: { id }, by }) => refusedCallers.allow(id, by),
    }),
    endpoint({
      method: 'POST',
      path: '/api/alerts/{id}/never-allow/',
      tag: 'alerts',
      summary: 'Raise no more alerts about this origin or address',
      description:
        'Adds what the alert is about to the setting unwanted_callers, and ends the alert. Requests from there are refused as before.',
      right: 'change_settings',
      params,
      body: z.object({}),
      bodyOptional: true,
      answer: alertSchema,
      handle: ({ params: { id }, by }) => refusedCallers.neverAllow(id, by),
    }),
  ];
}
