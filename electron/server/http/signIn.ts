import type { Request } from 'express';
import { SCOPES, type Scope } from '#shared/api/access.ts';
import { StationError } from '../errors.ts';
import type { Access, Caller } from '../services/access.ts';
import { isOwnOrigin, type Addresses } from './guard.ts';

export const SESSION_COOKIE = 'sessionid';
export const CSRF_COOKIE = 'csrftoken';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Who asks, by key or by session, and whether he may. Throws `unauthenticated`, `csrf` or `forbidden`.
 * A session that ended is answered 401, never 403: clients sign in again only on 401. Contract, section 3.
 */
export function authorise(req: Request, scope: Scope, access: Access, addresses: Addresses): Caller {
  const caller = identify(req, access);
  if (caller.session !== undefined && !SAFE_METHODS.has(req.method)) checkCsrf(req, caller, access, addresses);
  if (SCOPES.indexOf(caller.scope) < SCOPES.indexOf(scope)) {
    throw new StationError('forbidden', `This needs the scope ${scope}; ${caller.name} has ${caller.scope}.`);
  }
  return caller;
}

function identify(req: Request, access: Access): Caller {
  const key = req.headers['api-key'] ?? req.headers['api_key'];
  if (typeof key === 'string') {
    const caller = access.callerByKey(key);
    if (caller === undefined)
      throw new StationError(
        'unauthenticated',
        'This API key is not known here. Check it, or start the station with PICKSTATION_API_KEY set to it.',
      );
    return caller;
  }
  const sessionId = cookie(req, SESSION_COOKIE);
  if (sessionId !== undefined) {
    const caller = access.callerBySession(sessionId);
    if (caller === undefined) throw new StationError('unauthenticated', 'This session has ended. Sign in again.');
    return caller;
  }
  throw new StationError('unauthenticated', 'Send an API key in the header API-KEY, or sign in at /api/user/login/.');
}

function checkCsrf(req: Request, caller: Caller, access: Access, addresses: Addresses): void {
  const token = req.headers['x-csrf-token'];
  if (typeof token !== 'string' || !access.tokenMatches(caller, token)) {
    throw new StationError('csrf', 'A write in a session carries the token of its sign-in in the header x-csrf-token.');
  }
  const { referer } = req.headers;
  if (referer === undefined || !isOwnOrigin(referer, req.socket.localAddress, addresses)) {
    throw new StationError('csrf', 'A write in a session carries the address of this station in the header referer.');
  }
}

/** A cookie by its name, or undefined. */
function cookie(req: Request, name: string): string | undefined {
  for (const part of req.headers.cookie?.split(';') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}
