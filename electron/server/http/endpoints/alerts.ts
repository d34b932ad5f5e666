import { z } from 'zod';
import { alertQuerySchema, alertSchema, seenResultSchema } from '#shared/api/alert.ts';
import type { Alerts, RefusedCallers } from '../../services/alerts/index.ts';
import { endpointsOf, idParams, noFields, pageBy, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('alerts');

const params = idParams('alert', '1');

type Parts = {
  alerts: Pick<Alerts, 'list' | 'acknowledge' | 'acknowledgeAll' | 'end'>;
  refusedCallers: Pick<RefusedCallers, 'allow' | 'neverAllow'>;
};

export const alertEndpoints = ({ alerts, refusedCallers }: Parts): Endpoint[] => [
  define('listAlerts', 'read', 'List the alerts, newest first', {
    description:
      'Alerts about devices that are offline or have a weak signal or a low battery, about turbos that are offline or report errors, and about the station itself. Each alert is raised once and resolves by itself; an alert about the station stays open until somebody dismisses it. While a turbo is offline, its devices raise no alerts. The station keeps the newest 10,000 resolved alerts. The settings `alert_...` decide when an alert is raised; the callback family `condition` reports each alert.',
    query: alertQuerySchema,
    page: pageBy('id'),
    parameterExamples: { state: 'open', limit: 50, after: '1000' },
    answer: z.array(alertSchema),
    handle: ({ query }) => alerts.list(query),
  }),
  define('acknowledgeAlerts', 'handle_alerts', 'Acknowledge all open alerts', {
    description: 'Records the name of the caller. Alerts that are already acknowledged keep the earlier name.',
    ...noFields,
    answer: seenResultSchema,
    handle: async ({ caller }) => ({ acknowledged: await alerts.acknowledgeAll(caller.name) }),
  }),
  define('acknowledgeAlert', 'handle_alerts', 'Acknowledge an alert', {
    description:
      'Records the name of the caller, unless the alert is already acknowledged. The alert stays open until it is resolved.',
    params,
    ...noFields,
    answer: alertSchema,
    refusals: { 404: 'There is no such alert.', 409: 'The alert is already resolved.' },
    handle: ({ params: { id }, caller }) => alerts.acknowledge(id, caller.name),
  }),
  define('endAlert', 'handle_alerts', 'Dismiss an alert about the station or about a turbo that will not return', {
    description:
      'A turbo raises no further alert until it connects again. Its devices raise their own alerts, unless another turbo receives them.',
    params,
    ...noFields,
    answer: alertSchema,
    refusals: { 404: 'There is no such alert.', 409: 'The alert is already resolved, or resolves by itself.' },
    handle: ({ params: { id } }) => alerts.end(id),
  }),
  define('allowRefusedCaller', 'change_settings', 'Allow the origin or address in an alert', {
    description:
      'For alerts of the kind `origin_refused` or `host_refused`: adds the origin to the setting `cors_origins`, or the address to `public_urls`, and resolves the alert.',
    params,
    ...noFields,
    answer: alertSchema,
    refusals: {
      404: 'There is no such alert.',
      409: 'The alert is already resolved, or is not about a refused caller.',
    },
    handle: ({ params: { id }, by }) => refusedCallers.allow(id, by),
  }),
  define('neverAllowRefusedCaller', 'change_settings', 'Stop alerts about an origin or address', {
    description:
      'Adds the origin or address to the setting `unwanted_callers` and resolves the alert. The station still refuses requests from it.',
    params,
    ...noFields,
    answer: alertSchema,
    refusals: {
      404: 'There is no such alert.',
      409: 'The alert is already resolved, or is not about a refused caller.',
    },
    handle: ({ params: { id }, by }) => refusedCallers.neverAllow(id, by),
  }),
];
