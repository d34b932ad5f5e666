import { z } from 'zod';
import { newUserSchema, userChangeSchema, userSchema } from '#shared/api/access.ts';
import type { Access } from '../../services/access/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';
import { NAME_TAKEN } from './examples.ts';

const define = endpointsOf('access');

const LAST_ADMIN = 'No admin would be left.';

const params = z.object({ username: z.string().describe('The user name, in any case.').meta({ example: 'Paula' }) });

export const userEndpoints = ({ people, streams }: { people: Access['people']; streams: EventStreams }): Endpoint[] => [
  define('listUsers', 'manage_people', 'List the people', { answer: z.array(userSchema), handle: () => people.list() }),
  define('addUser', 'manage_people', 'Add a person', {
    description:
      'An admin is allowed to do everything. A picker works with devices, and cannot see settings, users or keys. Returns 409 if a person or an API user has this name.',
    body: newUserSchema,
    examples: {
      picker: { summary: 'A person who picks', value: { username: 'Paula', password: 'long enough', role: 'picker' } },
    },
    status: 201,
    answer: userSchema,
    refusals: { 409: NAME_TAKEN },
    handle: ({ body, by }) => people.add(body, by),
  }),
  define('changeUser', 'manage_people', 'Change the role, password or PIN of a person, or end their sessions', {
    description:
      'Your current session continues. Returns 409 if no admin would be left. Only pickers have a PIN: changing the role removes it. To change your own password, use `/api/user/password/`, which requires the old password.',
    params,
    body: userChangeSchema,
    examples: {
      pin: { summary: 'A PIN for signing in at a kiosk', value: { pin: '4711' } },
      out: { summary: 'End all sessions of the person', value: { end_sessions: true } },
    },
    answer: userSchema,
    refusals: { 404: 'There is no such person.', 409: LAST_ADMIN },
    async handle({ params, body, caller, by }) {
      const { credential } = caller;
      const own = credential.kind === 'session' ? credential.session : undefined;
      const user = await people.change(params.username, body, by, own);
      streams.endSignedOut();
      return user;
    },
  }),
  define('removeUser', 'manage_people', 'Remove a person', {
    description: 'Ends the sessions of the person immediately. Returns 409 if no admin would be left.',
    params,
    refusals: { 404: 'There is no such person.', 409: LAST_ADMIN },
    async handle({ params, by }) {
      await people.remove(params.username, by);
      streams.endSignedOut();
      return undefined;
    },
  }),
];
