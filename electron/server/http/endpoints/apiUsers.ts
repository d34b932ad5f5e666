import { z } from 'zod';
import { apiUserSchema, apiUserSecretsSchema, newApiUserSchema, rotationSchema } from '#shared/api/access.ts';
import type { Access } from '../../services/access/index.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';

const params = z.object({ id: z.string() });

export function apiUserEndpoints(parts: { apiUsers: Access['apiUsers']; streams: EventStreams }): Endpoint[] {
  const { apiUsers, streams } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/api-users/',
      tag: 'access',
      summary: 'Programs that have a key',
      right: 'manage_keys',
      answer: z.array(apiUserSchema),
      handle: () => apiUsers.list(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/api-users/',
      tag: 'access',
      summary: 'Give a program a key',
      description:
        'Key and client secret are answered this once. Scopes: read, control (unless something else is said), admin; turbo connects a turbo and opens nothing of the API. 409 where a person or an API user has that name.',
      right: 'manage_keys',
      body: newApiUserSchema,
      status: 201,
      answer: apiUserSecretsSchema,
      handle: ({ body, by }) => apiUsers.add(body, by),
    }),
    endpoint({
      method: 'POST',
      path: '/api/api-users/{id}/rotate/',
      tag: 'access',
      summary: 'Replace key and client secret',
      description: '409 for the key of the environment: it is changed there.',
      right: 'manage_keys',
      params,
      body: rotationSchema,
      bodyOptional: true,
      answer: apiUserSecretsSchema,
      async handle({ params, body, by }) {
        const secrets = await apiUsers.rotate(params.id, body.grace_seconds, by);
        streams.endSignedOut();
        return secrets;
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/api-users/{id}/',
      tag: 'access',
      summary: "Take a program's key away",
      description: 'At once, with its access tokens and open streams. 409 for the key of the environment.',
      right: 'manage_keys',
      params,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await apiUsers.remove(params.id, by);
        streams.endSignedOut();
        return undefined;
      },
    }),
  ];
}
