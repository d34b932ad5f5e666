import type { ApiUserScope, Role, Scope } from '#shared/api/access.ts';
import type { Rows } from '../db/rows.ts';
import type { Writer } from '../db/writer.ts';
import type { Clock, Ids, Log } from '../ports.ts';
import { createApiUsers, type ApiUsers } from './accessApiUsers.ts';
import { createBasic, type ProvedPassword } from './accessBasic.ts';
import { createClients, type Clients } from './accessClients.ts';
import { createPasswords, type Derive } from './accessPasswords.ts';
import { createPeople, type People } from './accessPeople.ts';
import { isSecretOf, sha256 } from './accessSecrets.ts';
import { createSessions, type Session } from './accessSessions.ts';
import { createTokens } from './accessTokens.ts';
import { createUnknownKeys } from './accessUnknownKeys.ts';
import type { Audit } from './audit.ts';

/** What somebody showed to say who he is. `none` at an endpoint that is open to everybody. */
type Credential =
  | { kind: 'session'; session: Session }
  | { kind: 'key'; hash: string }
  | { kind: 'token'; hash: string }
  | { kind: 'password'; proved: ProvedPassword }
  | { kind: 'none' };

/** Who asks, and what he may. */
export type Asker = { name: string; scope: ApiUserScope; credential: Credential };
/** Somebody who may do what he asks for. */
export type Caller = Asker & { scope: Scope };

export type Access = {
  people: People;
  apiUsers: ApiUsers;
  clients: Clients;
  /** Throws `too_many_requests` for too many unknown keys from there, and never for one that is known. */
  byKey(key: string, address: () => string): Asker | undefined;
  /** The same without a trace: for what may be a password just as well. */
  byKnownKey(key: string): Asker | undefined;
  byToken(token: string): Asker | undefined;
  bySession(sessionId: string): Asker | undefined;
  /** Whether passwords are taken with each request; a setting. */
  takesPasswords(): boolean;
  /** Throws `too_many_requests`. */
  byPassword(username: string, password: string, address: string): Promise<Asker | undefined>;
  /** False once what the caller showed is no longer accepted. */
  isLive(caller: Asker): boolean;
  /** The same for a turbo: its password is its own matter, not one of `takesPasswords`. */
  isTurboLive(caller: Asker): boolean;
  /** Whether `token` is the session's. */
  tokenMatches(session: Session, token: string): boolean;
  stop(): Promise<void>;
};

const SCOPE_OF_ROLE = { admin: 'admin', picker: 'control' } as const satisfies Record<Role, Scope>;

/** Who may do what: people with sessions, programs with keys and tokens. */
export function createAccess(parts: {
  rows: Rows;
  reads: Rows;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  ids: Ids;
  log: Log;
  audit: Audit;
  derive: Derive;
  takesPasswords: () => boolean;
}): Access {
  const { rows, reads, writer, clock, ids, log, audit, derive, takesPasswords } = parts;
  const passwords = createPasswords({ clock, ids, derive });
  const sessions = createSessions({ rows, clock, ids });
  const tokens = createTokens({ rows, clock, ids });
  const people = createPeople({ rows, reads, writer, passwords, sessions, audit });
  const apiUsers = createApiUsers({ rows, writer, clock, ids, log, tokens, audit });
  const clients = createClients({ rows, writer, clock, apiUsers, tokens, audit });
  const basic = createBasic({ rows, clock, people });
  const unknownKeys = createUnknownKeys({ writer, clock, log, audit });

  function ofSession({ username: name, role }: Session, credential: Credential): Asker {
    return { name, scope: SCOPE_OF_ROLE[role], credential };
  }

  function ofKey(hash: string): Asker | undefined {
    const credential = { kind: 'key', hash } as const;
    const user = apiUsers.findByKey(hash);
    if (user !== undefined) return { name: user.name, scope: user.scope, credential };
    const session = sessions.findByKey(hash);
    return session && ofSession(session, credential);
  }

  function byKnown(hash: string): Asker | undefined {
    const user = apiUsers.findByKey(hash);
    if (user !== undefined) apiUsers.used(user.id);
    return ofKey(hash);
  }

  function ofToken(hash: string): Asker | undefined {
    const token = tokens.find(hash);
    const user = token && apiUsers.find(token.api_user_id);
    return token && user && { name: user.name, scope: token.scope, credential: { kind: 'token', hash } };
  }

  function isLive(credential: Credential): boolean {
    switch (credential.kind) {
      case 'session':
        return sessions.find(credential.session.idHash) !== undefined;
      case 'key':
        return ofKey(credential.hash) !== undefined;
      case 'token':
        return ofToken(credential.hash) !== undefined;
      case 'password':
        return basic.isValid(credential.proved);
      case 'none':
        return true;
    }
  }

  return {
    people,
    apiUsers,
    clients,
    byKey(key, address) {
      const hash = sha256(key);
      const asker = byKnown(hash);
      if (asker === undefined) unknownKeys.tried(hash, address());
      return asker;
    },
    byKnownKey: (key) => byKnown(sha256(key)),
    byToken(token) {
      const hash = sha256(token);
      const row = tokens.find(hash);
      if (row !== undefined) apiUsers.used(row.api_user_id);
      return ofToken(hash);
    },
    bySession(sessionId) {
      const session = sessions.find(sha256(sessionId));
      return session && ofSession(session, { kind: 'session', session });
    },
    takesPasswords,
    async byPassword(username, password, address) {
      const proved = await basic.prove(username, password, address);
      if (proved === undefined) return undefined;
      const { username: name, role } = proved;
      return { name, scope: SCOPE_OF_ROLE[role], credential: { kind: 'password', proved } };
    },
    isLive: ({ credential }) => isLive(credential) && (credential.kind !== 'password' || takesPasswords()),
    isTurboLive: ({ credential }) => isLive(credential),
    tokenMatches: (session, token) => isSecretOf(token, session.tokenHash),
    async stop() {
      await Promise.all([apiUsers.stop(), unknownKeys.stop()]);
    },
  };
}
