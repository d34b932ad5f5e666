import { BOARD, type CallerStanding, type Standing } from '#shared/api/rights.ts';
import type { ApiUsers } from './apiUsers.ts';
import type { Basic, ProvedPassword } from './basicAuth.ts';
import type { KeyTries } from './keyTries.ts';
import type { Screens } from './screens.ts';
import { sha256 } from './secrets.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** A caller's credential. The kind is `none` for callers of public endpoints. */
type Credential =
  | { kind: 'session'; session: Session }
  | { kind: 'key'; hash: string }
  | { kind: 'token'; hash: string }
  | { kind: 'password'; proved: ProvedPassword }
  | { kind: 'none' };

/** An identified caller and the caller's rights. */
export type Asker = { name: string; scope: Standing; credential: Credential };
/** A caller with the required right. */
export type Caller = Asker & { scope: CallerStanding | typeof BOARD };

/** The services that can identify a caller. */
export type CallerContext = {
  apiUsers: ApiUsers;
  sessions: Sessions;
  screens: Screens;
  tokens: Tokens;
  basic: Basic;
  keyTries: KeyTries;
};

/**
 * Finds a caller by the key of an API user, a session or a screen. Throws `too_many_requests` after too many different wrong secrets from
 * the caller's network.
 */
export function byKey(context: CallerContext, key: string, address: string): Asker | undefined {
  const hash = sha256(key);
  return context.keyTries.check({ hash, address, isNoted: true }, () => byKnownKey(context, hash));
}

/** Finds a caller by an access token or a key. Throws the same errors as `byKey`. */
export function byBearer(context: CallerContext, secret: string, address: string): Asker | undefined {
  const { apiUsers, tokens, keyTries } = context;
  const hash = sha256(secret);
  return keyTries.check({ hash, address, isNoted: true }, () => {
    const row = tokens.find(hash);
    if (row === undefined) return byKnownKey(context, hash);
    apiUsers.used(row.api_user_id);
    return ofToken(context, hash);
  });
}

/**
 * Finds a caller by a key or, if there is none, by user name and password, because turbos send either a key or a password with a name.
 * Throws the same errors as `byKey`.
 */
export async function byKeyOrPassword(
  context: CallerContext,
  username: string,
  secret: string,
  address: string,
): Promise<Asker | undefined> {
  const { keyTries } = context;
  const hash = sha256(secret);
  const tried = { hash, address, isNoted: false };
  const ofKnownKey = keyTries.refuses(tried) ? undefined : byKnownKey(context, hash);
  const asker =
    ofKnownKey ??
    (await byPassword(context, username, secret, address).catch((error: unknown) => {
      // Count it as a wrong key, too, even if the password limit refused it. Otherwise, one name would allow unlimited guesses at keys.
      keyTries.check(tried, () => undefined);
      throw error;
    }));
  if (asker !== undefined && asker !== ofKnownKey) return asker;
  // A correct password does not count as a key. A wrong one counts as a wrong key, because it may have been a guess at a key.
  return keyTries.check(tried, () => ofKnownKey);
}

/** Finds a caller by the session id in the cookie. */
export function bySession({ sessions }: CallerContext, sessionId: string): Asker | undefined {
  const session = sessions.find(sha256(sessionId));
  return session && ofSession(session, { kind: 'session', session });
}

/** Finds a caller by user name and password. Throws `too_many_requests` after too many wrong passwords. */
export async function byPassword(
  { basic }: CallerContext,
  username: string,
  password: string,
  address: string,
): Promise<Asker | undefined> {
  const proved = await basic.prove(username, password, address);
  if (proved === undefined) return undefined;
  const { username: name, role } = proved;
  return { name, scope: role, credential: { kind: 'password', proved } };
}

/** Whether the credential is still accepted. */
export function isValid(context: CallerContext, credential: Credential): boolean {
  switch (credential.kind) {
    case 'session':
      return context.sessions.find(credential.session.idHash) !== undefined;
    case 'key':
      return ofKey(context, credential.hash) !== undefined;
    case 'token':
      return ofToken(context, credential.hash) !== undefined;
    case 'password':
      return context.basic.isValid(credential.proved);
    case 'none':
      return true;
  }
}

/** Returns the session of a caller that sent the session's cookie or its temporary key. */
export function findSession({ sessions }: CallerContext, { credential }: Asker): Session | undefined {
  if (credential.kind === 'session') return sessions.find(credential.session.idHash);
  return credential.kind === 'key' ? sessions.findByKey(credential.hash) : undefined;
}

/** Returns the serial number of the only turbo that may use the caller's key, or undefined if the key is not bound to a turbo. */
export function findBoundTurbo({ apiUsers }: CallerContext, { credential }: Asker): string | undefined {
  return credential.kind === 'key' ? (apiUsers.findByKey(credential.hash)?.turbo ?? undefined) : undefined;
}

function byKnownKey(context: CallerContext, hash: string): Asker | undefined {
  const user = context.apiUsers.findByKey(hash);
  if (user !== undefined) context.apiUsers.used(user.id);
  return ofKey(context, hash);
}

function ofKey({ apiUsers, sessions, screens }: CallerContext, hash: string): Asker | undefined {
  const credential = { kind: 'key', hash } as const;
  const user = apiUsers.findByKey(hash);
  if (user !== undefined) return { name: user.name, scope: user.scope, credential };
  const session = sessions.findByKey(hash);
  if (session !== undefined) return ofSession(session, credential);
  const screen = screens.findByKey(hash);
  return screen && { name: screen.name, scope: BOARD, credential };
}

function ofToken({ apiUsers, tokens }: CallerContext, hash: string): Asker | undefined {
  const token = tokens.find(hash);
  const user = token && apiUsers.find(token.api_user_id);
  return token && user && { name: user.name, scope: token.scope, credential: { kind: 'token', hash } };
}

function ofSession({ username: name, role }: Session, credential: Credential): Asker {
  return { name, scope: role, credential };
}
