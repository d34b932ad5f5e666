import { z } from 'zod';
import { loginResultSchema } from '#shared/api/access.ts';
import * as api from '#shared/api/kiosk.ts';
import type { Kiosks } from '../../services/access/index.ts';
import { endpointsOf, idParams, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';
import { STRANGER_LIMIT } from '../bodies/requestBody.ts';
import { endKiosk, giveKiosk, giveSession, kioskTokenOf, openerBy, pageQuery, sessionIdOf } from '../signIn.ts';

const define = endpointsOf('access');

/** Endpoints for kiosks (sections 15 and 16 of the contract). */
export const kioskEndpoints = ({ kiosks, streams }: { kiosks: Kiosks; streams: EventStreams }): Endpoint[] => [
  define('signInWithPin', 'public', 'Sign in with a PIN at a kiosk', {
    description:
      'Needs the cookie of a kiosk; for pickers only. Sets the same cookies as a sign-in with a password. Ends the session that this browser had before.',
    query: pageQuery,
    body: api.pinSignInSchema,
    examples: { picker: { summary: 'A picker at a kiosk', value: { username: 'Paula', pin: '4711' } } },
    limit: STRANGER_LIMIT,
    answer: loginResultSchema,
    refusals: {
      401: 'The name or the PIN is wrong, or this person has no PIN.',
      403: 'This browser is not a kiosk.',
    },
    async handle({ body, query, by, req, res }) {
      const token = kioskTokenOf(req);
      const from = { address: by.address, opener: openerBy(req.headers), before: sessionIdOf(req) };
      const opened = await kiosks.signIn(token, { ...body, ...from });
      streams.endSignedOut();
      if (token !== undefined) giveKiosk(req, res, token);
      return giveSession(req, res, opened, query.page === '1');
    },
  }),
  define('getKioskScreen', 'public', 'List who can sign in with a PIN at this kiosk', {
    description: 'Without the cookie of a kiosk the list is empty.',
    answer: api.kioskScreenSchema,
    handle: ({ req }) => kiosks.screen(kioskTokenOf(req)),
  }),
  define('listKiosks', 'manage_people', 'List the kiosks', {
    description: 'Browsers that are locked to Pick.',
    answer: z.array(api.kioskSchema),
    handle: () => kiosks.list(),
  }),
  define('addKiosk', 'manage_people', 'Lock this browser to Pick', {
    isKeyless: true,
    description:
      'Makes the requesting browser a kiosk: sets a cookie that scripts cannot read and that other sites cannot send. Pickers who have a PIN can then sign in there with it.',
    body: api.newKioskSchema,
    examples: { bench: { summary: 'The tablet of a bench', value: { name: 'Bench 1' } } },
    status: 201,
    answer: api.kioskSchema,
    refusals: { 409: 'There is a kiosk with this name, or this browser is one already.' },
    async handle({ body, by, req, res }) {
      const { kiosk, token } = await kiosks.add(body, kioskTokenOf(req), by);
      giveKiosk(req, res, token);
      return kiosk;
    },
  }),
  define('removeKiosk', 'manage_people', 'Unlock a kiosk', {
    description: 'Its browser is no longer a kiosk, and the sessions that began there with a PIN end.',
    params: idParams('kiosk', '1'),
    refusals: { 404: 'There is no such kiosk.' },
    async handle({ params, by, req, res }) {
      await kiosks.remove(params.id, by);
      streams.endSignedOut();
      if (!kiosks.isToken(kioskTokenOf(req))) endKiosk(req, res);
      return undefined;
    },
  }),
];
