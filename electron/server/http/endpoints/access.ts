import { rateLimit, ipKeyGenerator } from 'express-rate-limit';
import { z } from 'zod';
import { loginResultSchema, loginSchema } from '#shared/api/access.ts';
import { StationError } from '../../errors.ts';
import { SESSION_MS, type Access } from '../../services/access.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';
import { CSRF_COOKIE, SESSION_COOKIE } from '../signIn.ts';

/** Wrong passwords of one user name from one address, in a minute: nobody else is locked out by them. */
const MAX_WRONG = 10;
const WINDOW_MS = 60_000;

export function accessEndpoints(parts: { access: Access; streams: EventStreams }): Endpoint[] {
  const { access, streams } = parts;
  const throttle = rateLimit({
    windowMs: WINDOW_MS,
    limit: MAX_WRONG,
    standardHeaders: false,
    legacyHeaders: false,
    skipSuccessfulRequests: true,
    keyGenerator: (req) =>
      `${ipKeyGenerator(req.ip ?? '')} ${String((req.body as { username?: unknown })?.username).toLowerCase()}`,
    handler: (_req, res) => {
      res.setHeader('retry-after', String(WINDOW_MS / 1_000));
      throw new StationError('too_many_requests', 'Too many wrong passwords. Wait a minute and try again.');
    },
  });

  return [
    endpoint({
      method: 'POST',
      path: '/api/user/login/',
      tag: 'access',
      summary: 'Sign in',
      description:
        'Sets the cookies sessionid and csrftoken. Writes in the session carry the token in x-csrf-token, and a referer of this station.',
      scope: 'public',
      body: loginSchema,
      answer: loginResultSchema,
      async handle({ body, req, res }) {
        await new Promise<void>((resolve, reject) => {
          Promise.resolve(
            throttle(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error))),
          ).catch(reject);
        });
        const { sessionId, token, apikey } = await access.signIn(body.username, body.password);
        const cookie = { sameSite: 'lax', path: '/', maxAge: SESSION_MS, secure: req.secure } as const;
        res.cookie(SESSION_COOKIE, sessionId, { ...cookie, httpOnly: true });
        res.cookie(CSRF_COOKIE, token, { ...cookie, httpOnly: false });
        return { token, apikey };
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/user/logout/',
      tag: 'access',
      summary: 'End this session',
      scope: 'read',
      status: 204,
      answer: z.undefined(),
      async handle({ caller, res }) {
        await access.signOut(caller);
        streams.endSignedOut();
        res.clearCookie(SESSION_COOKIE, { path: '/' });
        res.clearCookie(CSRF_COOKIE, { path: '/' });
        return undefined;
      },
    }),
  ];
}
