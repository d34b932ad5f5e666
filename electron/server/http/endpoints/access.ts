import type { Request, RequestHandler, Response } from 'express';
import { rateLimit, ipKeyGenerator } from 'express-rate-limit';
import { z } from 'zod';
import { loginResultSchema, loginSchema } from '#shared/api/access.ts';
import { passwordChangeSchema } from '#shared/api/setup.ts';
import { StationError } from '../../errors.ts';
import { SESSION_MS, type Access, type Caller } from '../../services/access.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../events.ts';
import { CSRF_COOKIE, SESSION_COOKIE } from '../signIn.ts';

/** Wrong passwords of one user name from one address, in a minute: nobody else is locked out by them. */
const MAX_WRONG = 10;
const WINDOW_MS = 60_000;

export function accessEndpoints(parts: { access: Access; streams: EventStreams }): Endpoint[] {
  const { access, streams } = parts;
  const throttleSignIn = throttle((req) => String((req.body as { username?: unknown })?.username).toLowerCase());
  const throttleChange = throttle((_req, res) => (res.locals['caller'] as Caller).name.toLowerCase());

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
        await passed(throttleSignIn, req, res);
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
    endpoint({
      method: 'POST',
      path: '/api/user/password/',
      tag: 'access',
      summary: 'Change your own password',
      description: 'In a session only. Every other session of yours ends.',
      scope: 'read',
      body: passwordChangeSchema,
      status: 204,
      answer: z.undefined(),
      async handle({ body, caller, req, res }) {
        await passed(throttleChange, req, res);
        await access.changePassword(caller, body.old_password, body.new_password);
        streams.endSignedOut();
        return undefined;
      },
    }),
  ];
}

/** Wrong passwords of one person from one address. */
function throttle(nameOf: (req: Request, res: Response) => string): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: MAX_WRONG,
    standardHeaders: false,
    legacyHeaders: false,
    skipSuccessfulRequests: true,
    keyGenerator: (req, res) => `${ipKeyGenerator(req.ip ?? '')} ${nameOf(req, res)}`,
    handler: (_req, res) => {
      res.setHeader('retry-after', String(WINDOW_MS / 1_000));
      throw new StationError('too_many_requests', 'Too many wrong passwords. Wait a minute and try again.');
    },
  });
}

function passed(handler: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    Promise.resolve(handler(req, res, done)).catch(reject);
  });
}
