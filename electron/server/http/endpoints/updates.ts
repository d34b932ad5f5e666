import { installUpdateSchema, updateStatusSchema } from '#shared/api/updates.ts';
import type { Updates } from '../../services/updates/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

/** Endpoints for newer versions of the desktop program. */
export const updateEndpoints = ({ updates }: { updates: Updates }): Endpoint[] => [
  define('getUpdates', 'change_settings', 'Get the status of updates', {
    answer: updateStatusSchema,
    handle: () => updates.status(),
  }),
  define('checkForUpdate', 'change_settings', 'Check for a newer version', {
    actsOutside: true,
    description: 'If the check fails, `problem` in the response says why.',
    answer: updateStatusSchema,
    refusals: { 409: 'This program cannot check for updates; `reason` of `GET /api/updates/` says why.' },
    handle: () => updates.check(),
  }),
  define('installUpdate', 'change_settings', 'Install the newer version', {
    actsOutside: true,
    description:
      'Responds immediately. The station then downloads the new version if necessary, checks it, and restarts the program with it. If this fails, `problem` of `GET /api/updates/` says why. The previous version and its data are kept until the new version is ready, and are restored if it does not become ready.',
    body: installUpdateSchema,
    examples: { now: { summary: 'Install even if devices are lit or callbacks wait', value: { insist: true } } },
    status: 202,
    answer: updateStatusSchema,
    refusals: { 409: 'There is nothing to install, or devices are lit or callbacks wait and `insist` is false.' },
    handle: ({ body, by }) => updates.install(body, by),
  }),
];
