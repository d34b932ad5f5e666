import { z } from 'zod';
import { newUserSchema, userChangeSchema, userSchema } from '#shared/api/access.ts';
import type { Access } from '../../services/access/index.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';

const params = z.object({ username: z.string().describe('Without regard to case.').meta({ example: 'admin' }) });

export function userEndpoints(parts: { people: Access['people']; streams: EventStreams }): Endpoint[] {
  const { people, streams } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/users/',
      tag: 'access',
      summary: 'People who may sign in',
      right: 'manage_people',
      answer: z.array(userSchema),
      handle: () => people.list(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/users/',
      tag: 'access',
      summary: 'Add a person',
      description:
        'An admin does everything; a picker works with devices, and sees no settings, users or keys. 409 where a person or an API user has that name.',
      right: 'manage_people',
      body: newUserSchema,
      status: 201,
      answer: userSchema,
      handle: ({ body, by }) => people.add(body, by),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/users/{username}/',
      tag: 'access',
      summary: "Change a person's role or password, or sign him out everywhere",
      description:
        'Your own session goes on. 409 where no admin would be left. Your own password is better changed at /api/user/password/, which asks for the old one.',
      right: 'manage_people',
      params,
      body: userChangeSchema,
      answer: userSchema,
      async handle({ params, body, caller, by }) {
        const { credential } = caller;
        const own = credential.kind === 'session' ? credential.session : undefined;
        const user = await people.change(params.username, body, by, own);
        streams.endSignedOut();
        return user;
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/users/{username}/',
      tag: 'access',
      summary: 'Remove a person',
      description: 'His sessions end at once. 409 where no admin would be left.',
      right: 'manage_people',
      params,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await people.remove(params.username, by);
        streams.endSignedOut();
        return undefined;
      },
    }),
  ];
}
