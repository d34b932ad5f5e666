import { z } from 'zod';
import { apiUserSchema, apiUserSecretsSchema, newApiUserSchema, rotationSchema } from '#shared/api/access.ts';
import type { Access } from '../../services/access/index.ts';
import { endpointsOf, idParams, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';
import { NAME_TAKEN } from './examples.ts';

const define = endpointsOf('access');

const ENVIRONMENT_KEY = 'This is the key from `PICKSTATION_API_KEY`: change it there.';

const params = idParams('API user', '2');

type Parts = { apiUsers: Access['apiUsers']; streams: EventStreams };

export const apiUserEndpoints = ({ apiUsers, streams }: Parts): Endpoint[] => [
  define('listApiUsers', 'manage_keys', 'List the API users', {
    answer: z.array(apiUserSchema),
    handle: () => apiUsers.list(),
  }),
  define('addApiUser', 'manage_keys', 'Create an API user', {
    description:
      'Only this response contains the key and the client secret. The scope is `read`, `control` (the default), `admin` or `turbo`. With `turbo`, a turbo can connect, but the key gives no access to the API. Returns 409 if a person or an API user has this name.',
    body: newApiUserSchema,
    examples: { control: { summary: 'A program that lights devices', value: { name: 'ERP', scope: 'control' } } },
    status: 201,
    answer: apiUserSecretsSchema,
    refusals: { 409: NAME_TAKEN },
    handle: ({ body, by }) => apiUsers.add(body, by),
  }),
  define('rotateApiUser', 'manage_keys', 'Replace the key and the client secret', {
    isFinal: true,
    description: 'Returns 409 for the key from `PICKSTATION_API_KEY`: change it there.',
    params,
    body: rotationSchema,
    bodyOptional: true,
    examples: { grace: { summary: 'The old key stays valid for one hour', value: { grace_seconds: 3_600 } } },
    answer: apiUserSecretsSchema,
    refusals: { 404: 'There is no such API user.', 409: ENVIRONMENT_KEY },
    async handle({ params, body, by }) {
      const secrets = await apiUsers.rotate(params.id, body.grace_seconds, by);
      streams.endSignedOut();
      return secrets;
    },
  }),
  define('removeApiUser', 'manage_keys', 'Remove an API user', {
    description:
      'Its key, access tokens and open streams end immediately. Returns 409 for the key from `PICKSTATION_API_KEY`.',
    params,
    refusals: { 404: 'There is no such API user.', 409: ENVIRONMENT_KEY },
    async handle({ params, by }) {
      await apiUsers.remove(params.id, by);
      streams.endSignedOut();
      return undefined;
    },
  }),
];
