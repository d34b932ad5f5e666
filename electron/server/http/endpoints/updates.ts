import { installUpdateSchema, updateStatusSchema } from '#shared/api/updates.ts';
import type { Updates } from '../../services/updates/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('station');

/** Endpoints for newer versions of the desktop program. */
export const updateEndpoints = ({ updates }: { updates: Updates }): Endpoint[] => [
  define('getUpdates', 'change_settings', 'Get whether there is a newer version', {
    answer: updateStatusSchema,
    handle: () => updates.status(),
  }),
  define('checkForUpdate', 'change_settings', 'Look for a newer version', {
    actsOutside: true,
    description: 'A failure is the `problem` of the answer.',
    answer: updateStatusSchema,
    refusals: { 409: 'This program cannot look for versions; `reason` of `GET /api/updates/` says why.' },
    handle: () => updates.check(),
  }),
  define('installUpdate', 'change_settings', 'Install the newer version', {
    actsOutside: true,
    description:
      'Answers at once. The station then downloads the version if necessary, checks it, and restarts the program with it. If something fails, `problem` of `GET /api/updates/` says what. The previous version and its data are kept until the new version is ready. If it never is, they are restored.',
    body: installUpdateSchema,
    examples: { now: { summary: 'Whatever is lit or owed', value: { insist: true } } },
    status: 202,
    answer: updateStatusSchema,
    refusals: { 409: 'There is nothing to install, or devices are lit or callbacks owed and `insist` is false.' },
    handle: ({ body, by }) => updates.install(body, by),
  }),
];
