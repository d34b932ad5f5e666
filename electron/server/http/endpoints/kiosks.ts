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
      'Requires the cookie of a kiosk. Only pickers can sign in with a PIN. Sets the same cookies as a sign-in with a password, and ends the previous session of this browser.',
    query: pageQuery,
    body: api.pinSignInSchema,
    examples: { picker: { summary: 'A picker at a kiosk', value: { username: 'Paula', pin: '4711' } } },
    limit: STRANGER_LIMIT,
    answer: loginResultSchema,
    refusals: {
      401: 'The name or PIN is wrong, or this person has no PIN.',
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
    description: 'Without the cookie of a kiosk, the list is empty.',
    answer: api.kioskScreenSchema,
    handle: ({ req }) => kiosks.screen(kioskTokenOf(req)),
  }),
  define('listKiosks', 'manage_people', 'List the kiosks', {
    description: 'Kiosks are browsers that are locked to the page Pick.',
    answer: z.array(api.kioskSchema),
    handle: () => kiosks.list(),
  }),
  define('addKiosk', 'manage_people', 'Lock this browser to Pick', {
    isKeyless: true,
    description:
      'Turns the requesting browser into a kiosk: sets a cookie that scripts cannot read and other sites cannot send. Pickers who have a PIN can then sign in with it in this browser.',
    body: api.newKioskSchema,
    examples: { bench: { summary: 'The tablet at a bench', value: { name: 'Bench 1' } } },
    status: 201,
    answer: api.kioskSchema,
    refusals: { 409: 'A kiosk with this name exists, or this browser is already a kiosk.' },
    async handle({ body, by, req, res }) {
      const { kiosk, token } = await kiosks.add(body, kioskTokenOf(req), by);
      giveKiosk(req, res, token);
      return kiosk;
    },
  }),
  define('removeKiosk', 'manage_people', 'Unlock a kiosk', {
    description: 'The browser is no longer a kiosk, and sessions that were started there with a PIN end.',
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
