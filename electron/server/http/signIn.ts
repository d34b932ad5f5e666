import type { IncomingHttpHeaders } from 'node:http';
import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';
import type { LoginResult } from '#shared/api/access.ts';
import type { Right } from '#shared/api/rights.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { StationError } from '../errors.ts';
import {
  type Access,
  type Asker,
  type Caller,
  type NewSession,
  type Opener,
  type Rights,
  openerOf,
  SESSION_MS,
} from '../services/access/index.ts';
import type { By } from '../services/base/index.ts';
import { apiKeyOf, basicCredentials, csrfTokenOf, hasOwnReferer } from './compat/credentials.ts';
import { addressOf } from './port/forwarded.ts';
import type { Addresses } from './port/guard.ts';
import { recordOf } from './recording.ts';

/** Names of the two cookies of a session. */
type SessionCookies = { session: string; csrf: string };
/** Cookies for programs, and for browsers that sign in without `?page=1`. */
const COMMON: SessionCookies = { session: 'sessionid', csrf: 'csrftoken' };
/** Lifetime of a kiosk's cookie, the longest that browsers allow. */
const KIOSK_MS = 400 * 24 * 3_600_000;

/** Headers that browsers use to mark prefetching. */
const AHEAD_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Identifies the caller and requires one of these rights. Returns a promise only if a password must be hashed. Throws `unauthenticated`,
 * `csrf`, `foreign_origin`, `forbidden` or `too_many_requests`. An expired sign-in leads to 401, never 403, because clients sign in again
 * only after 401. Contract, section 3.
 */
export function authorize(
  req: Request,
  anyOf: readonly Right[],
  parts: { access: Access; rights: Rights; addresses: Addresses },
): Caller | Promise<Caller> {
  const { access, rights, addresses } = parts;
  const asker = identify(req, access);
  if (asker instanceof Promise) {
    return asker.then((found) => {
      noteAsker(req, found);
      return demandRight(req, found, anyOf, rights);
    });
  }
  noteAsker(req, asker);
  const { credential } = asker;
  if (credential.kind === 'session' && !SAFE_METHODS.has(req.method)) {
    const token = csrfTokenOf(req.headers) ?? '';
    if (!access.tokenMatches(credential.session, token)) throw wrongToken(req, token);
    checkReferer(req, addresses);
  }
  return demandRight(req, asker, anyOf, rights);
}

/**
 * Returns the error for a write with a wrong or missing CSRF token. A wrong token in a session of a program leads to `unauthenticated`,
 * because programs sign in again only after 401. Otherwise the error is `csrf`, which the page explains, for example if another tab has
 * signed in. Contract, section 3.
 */
function wrongToken(req: Request, token: string): StationError {
  if (token !== '' && cookie(req, COMMON.session) === sessionIdOf(req))
    return new StationError(
      'unauthenticated',
      'The token in the header x-csrf-token does not belong to this session. Sign in again.',
    );
  return new StationError(
    'csrf',
    'A write in a session must send the token of its sign-in in the header x-csrf-token.',
  );
}

/** Records the caller before any refusal, so that callers can find their refused requests in the log. */
function noteAsker(req: Request, { name, credential }: Asker): void {
  if (req.res !== undefined) recordOf(req.res)?.askedBy(name, credential.kind);
}

/** Throws `MissingRight` unless the caller has one of these rights. */
export function demandRight(req: Request, asker: Asker, anyOf: readonly Right[], rights: Rights): Caller {
  return rights.demand(asker, anyOf, { by: () => byOf(req, asker), request: `${req.method} ${req.path}` });
}

/**
 * Throws `foreign_origin` or `forbidden` if a browser may have sent a cookie or a stored password without the user's intention: for a page
 * of another site, whose image must not light a shelf, or when prefetching. Browsers never send keys automatically. Contract, section 3.
 */
export function checkAskedFor(req: Request, caller: Caller, addresses: Addresses): void {
  const { kind } = caller.credential;
  if (kind !== 'session' && kind !== 'password') return;
  checkSite(req);
  if (kind === 'session' && req.headers['sec-fetch-site'] === undefined) checkOwnPage(req, addresses);
  const purposes = AHEAD_HEADERS.map((name) => req.headers[name]);
  if (purposes.some((purpose) => typeof purpose === 'string' && /prefetch|prerender|preview/i.test(purpose))) {
    throw new StationError('forbidden', 'This request changes something, so a browser cannot send it ahead of time.');
  }
}

function checkSite(req: Request): void {
  const site = req.headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new StationError(
    'foreign_origin',
    'This request changes something, and a page of another site sent it. Open the address yourself, or send an API key.',
  );
}

/** Checks the referer, because browsers do not send `Sec-Fetch-Site` over plain HTTP in a network. */
function checkOwnPage(req: Request, addresses: Addresses): void {
  if (openerOf(sessionIdOf(req) ?? '') === 'program') return;
  if (hasOwnReferer(req.headers, req.socket.localAddress, addresses)) return;
  throw new StationError(
    'foreign_origin',
    "This request changes something, and does not prove that this station's page sent it. Use the page, or send an API key.",
  );
}

/**
 * Returns whether a browser or a program is signing in. Browsers send the origin or site of the page, whereas Node's fetch sends only
 * `Sec-Fetch-Mode`.
 */
export function openerBy({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): Opener {
  return origin === undefined && site === undefined ? 'program' : 'browser';
}

/** Returns the caller's name and address for history and audit records. */
export function byOf(req: Request, caller: Asker): By {
  return { name: caller.name, address: addressOf(req) };
}

/**
 * Returns the `WWW-Authenticate` header of a 401. Offers Basic only to programs, because browsers would open their password dialog.
 * Browsers are recognized by `Sec-Fetch-Site`, which they send on every connection over which passwords are accepted.
 */
export function challengeOf(req: Way, access: Pick<Access, 'takesPasswords'>): string {
  const isRefusedToken = /^bearer /i.test(req.headers.authorization ?? '');
  const bearer = `Bearer realm="Pickstation"${isRefusedToken ? ', error="invalid_token"' : ''}`;
  const isBrowser = req.headers['sec-fetch-site'] !== undefined;
  const asksForPassword = access.takesPasswords() && !isBrowser && isSafeWay(req);
  return asksForPassword ? `${bearer}, Basic realm="Pickstation", charset="UTF-8"` : bearer;
}

function identify(req: Request, access: Access): Asker | Promise<Asker> {
  const key = apiKeyOf(req.headers);
  if (key !== undefined) {
    const asker = access.byKey(key, addressOf(req));
    if (asker !== undefined) return atItsKiosk(req, asker, access);
    throw new StationError('unauthenticated', /^bearer |["']/i.test(key) ? ONLY_THE_KEY : UNKNOWN_KEY);
  }
  const [, kind = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(req.headers.authorization ?? '') ?? [];
  if (kind.toLowerCase() === 'bearer') {
    const asker = access.byBearer(value, addressOf(req));
    if (asker !== undefined) return atItsKiosk(req, asker, access);
    throw new StationError('unauthenticated', UNKNOWN_BEARER);
  }
  // With basic_auth off, the header is meant for a proxy in front of the station: ignore it.
  if (kind !== '' && access.takesPasswords()) return byPassword(req, value, access);
  const sessionIds = sessionCookiesOf(req).flatMap(({ session }) => cookie(req, session) ?? []);
  if (sessionIds.length > 0) {
    const asker = sessionAsker(req, sessionIds, access);
    if (asker !== undefined) return asker;
    throw new StationError('unauthenticated', 'This session has ended. Sign in again.');
  }
  throw new StationError('unauthenticated', nothingSent(req, kind !== ''));
}

/** Throws `unauthenticated` for the key of a sign-in with a PIN that is used away from its kiosk. */
function atItsKiosk(req: Request, asker: Asker, access: Access): Asker {
  if (access.isAtKiosk(asker, kioskTokenOf(req))) return asker;
  throw new StationError('unauthenticated', 'This key is of a sign-in with a PIN, and works only at that kiosk.');
}

/** Returns the session to which the CSRF token of the request belongs, or, if there is none, the first session that has not ended. */
function sessionAsker(req: Request, sessionIds: readonly string[], access: Access): Asker | undefined {
  const askers = sessionIds.flatMap((id) => access.bySession(id) ?? []);
  const token = csrfTokenOf(req.headers);
  const hasToken = ({ credential }: Asker): boolean =>
    token !== undefined && credential.kind === 'session' && access.tokenMatches(credential.session, token);
  return (askers.length > 1 ? askers.find(hasToken) : undefined) ?? askers[0];
}

function nothingSent(req: Request, hasPassword: boolean): string {
  if (hasPassword) return 'A password with each request is refused, because the setting basic_auth is off.';
  if (Object.keys(req.query).some((name) => /^(api[_-]?key|access_token)$/i.test(name))) {
    return 'A key in the address is refused, because servers on the way log addresses. Send it in the header API-KEY.';
  }
  if (req.headers['x-api-key'] !== undefined)
    return 'The header X-API-KEY is not read. Send the key in the header API-KEY.';
  if (req.headers.authorization !== undefined) return NO_SCHEME;
  return 'Send an API key in the header API-KEY, or sign in at /api/user/login/.';
}

const UNKNOWN_KEY = 'This API key is unknown. Check it, or start the station with PICKSTATION_API_KEY set to it.';
const ONLY_THE_KEY =
  'This API key is unknown. Send only the key in the header API-KEY, without "Bearer" and without quotes.';
const UNKNOWN_BEARER =
  'This access token or API key is unknown, or the token has expired. Fetch a token at /api/oauth/token/, or check the key.';
const NO_SCHEME =
  'The header authorization cannot be read. Send "Bearer", a space and the key or token in it, or the key in the header API-KEY.';

async function byPassword(req: Request, encoded: string, access: Access): Promise<Asker> {
  if (!isSafeWay(req)) {
    throw new StationError(
      'forbidden',
      'A password with each request is refused over plain HTTP from another machine. Use HTTPS, or an API key.',
    );
  }
  checkSite(req);
  const given = basicCredentials(encoded);
  const asker = given && (await access.byPassword(given.username, given.secret, addressOf(req)));
  if (asker === undefined) throw new StationError('unauthenticated', 'The user name or the password is wrong.');
  return asker;
}

/** The parts of a request that describe its connection. */
type Way = Pick<Request, 'headers' | 'secure' | 'ip'> & Partial<Pick<Request, 'ips'>>;

/**
 * Whether passwords are safe on this connection. A request forwarded by an untrusted proxy may come from anywhere, even if the proxy runs
 * on this machine.
 */
function isSafeWay({ headers, secure, ip, ips = [] }: Way): boolean {
  const isPassedOn = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
  return isSafeForPasswords(secure, isPassedOn && ips.length === 0 ? undefined : ip);
}

/** Whether nobody can intercept the connection, because it is encrypted or comes from this machine. */
export function isSafeForPasswords(isEncrypted: boolean, address: string | undefined): boolean {
  return isEncrypted || /^(?:::ffff:)?127\.|^::1$/.test(address ?? '');
}

function checkReferer(req: Request, addresses: Addresses): void {
  if (hasOwnReferer(req.headers, req.socket.localAddress, addresses)) return;
  throw new StationError('csrf', 'A write in a session must send the address of this station in the header referer.');
}

/**
 * Returns the cookie names of this station's page. They contain the station's id, because browsers send cookies to every port of a host.
 * Contract, section 3.
 */
function pageCookies(req: Request): SessionCookies {
  const id = stationIdOf(req);
  return { session: `pickstation-${id}`, csrf: `pickstation-csrf-${id}` };
}

const kioskCookie = (req: Request): string => `pickstation-kiosk-${stationIdOf(req)}`;

/** Returns the station's id. Safe cast: only `createApp` sets it. */
const stationIdOf = (req: Request): string => req.app.locals['stationId'] as string;

/** Returns the possible cookies of a session. The page's cookies come first, because programs in the same browser may use the others. */
const sessionCookiesOf = (req: Request): SessionCookies[] => [pageCookies(req), COMMON];

/** Query of a sign-in. `?page=1` means that the page itself signs in. */
export const pageQuery = z.object({
  page: z
    .enum(['0', '1'])
    .optional()
    .describe(
      '1: sets the cookies `pickstation-{id}` and `pickstation-csrf-{id}` instead of `sessionid` and `csrftoken`. `GET /api/station/` returns the id. This prevents two stations with the same host name from signing each other out.',
    ),
});

/** Sets the cookies of a session. */
export function giveSession(
  req: Request,
  res: Response,
  { sessionId, token, apikey, endsAt }: NewSession,
  isPage: boolean,
): LoginResult {
  const { session, csrf } = isPage ? pageCookies(req) : COMMON;
  const cookie = { sameSite: 'lax', path: '/', maxAge: SESSION_MS, secure: req.secure } as const;
  res.cookie(session, sessionId, { ...cookie, httpOnly: true });
  res.cookie(csrf, token, { ...cookie, httpOnly: false });
  return { token, apikey, expires_at: new Date(endsAt).toISOString() };
}

/** Clears the cookies of ended sessions. Keeps those of other stations at this host. */
export function endCookies(req: Request, res: Response, isEnded: (sessionId: string) => boolean): void {
  for (const { session, csrf } of sessionCookiesOf(req)) {
    const id = cookie(req, session);
    if (id === undefined || !isEnded(id)) continue;
    res.clearCookie(session, { path: '/' });
    res.clearCookie(csrf, { path: '/' });
  }
}

/** Returns the session id of this browser, even if the session has ended. */
export const sessionIdOf = (req: Request): string | undefined =>
  sessionCookiesOf(req)
    .map(({ session }) => cookie(req, session))
    .find((id) => id !== undefined);

/**
 * Returns the session of the caller. Throws `forbidden` unless the caller signed in with a cookie. `thing` is what the caller wants to
 * change, for the message.
 */
export function sessionOf({ credential }: Caller, thing: string) {
  if (credential.kind === 'session') return credential.session;
  throw new StationError('forbidden', `Changing ${thing} needs a session. Sign in at /api/user/login/ first.`);
}

/**
 * Returns the person who acts: the caller, or the person for whom a program acts. Throws `forbidden` if a picker names somebody else,
 * because history records who worked.
 */
export function actorOf({ name, scope }: Caller, picker: string | undefined): string {
  if (canActFor({ name, scope }, picker)) return picker ?? name;
  throw new StationError(
    'forbidden',
    `${name} is a picker and cannot do this as ${picker}. ${picker} has to sign in, or ask somebody with the role control.`,
  );
}

/** Whether a caller may act in the name of this person. */
export function canActFor({ name, scope }: Pick<Caller, 'name' | 'scope'>, picker: string | undefined): boolean {
  return picker === undefined || scope !== 'picker' || nameKey(picker) === nameKey(name);
}

/** Returns the kiosk token of this browser, if any. */
export const kioskTokenOf = (req: Request): string | undefined => cookie(req, kioskCookie(req));

/** Makes this browser a kiosk, or extends the lifetime of its cookie. Browsers do not send this cookie with requests from other sites. */
export function giveKiosk(req: Request, res: Response, token: string): void {
  res.cookie(kioskCookie(req), token, { ...KIOSK_OPTIONS, maxAge: KIOSK_MS, secure: req.secure });
}

export function endKiosk(req: Request, res: Response): void {
  res.clearCookie(kioskCookie(req), KIOSK_OPTIONS);
}

const KIOSK_OPTIONS: CookieOptions = { sameSite: 'strict', path: '/api/', httpOnly: true };

/** Returns the value of a cookie, if the request has it. */
function cookie(req: Request, name: string): string | undefined {
  for (const part of req.headers.cookie?.split(';') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}
