import type { CallerStanding, Standing } from '#shared/api/rights.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, DerivePassword, Ids, Log } from '../../ports.ts';
import { type ApiUsers, createApiUsers } from './apiUsers.ts';
import { type ProvedPassword, createBasic } from './basicAuth.ts';
import { type Clients, createClients } from './clients.ts';
import { createKeyTries } from './keyTries.ts';
import { type OwnAddress, createNetworks } from './networks.ts';
import { type Kiosks, createKiosks } from './kiosks.ts';
import { createPasswords } from './passwords.ts';
import { type People, createPeople } from './people.ts';
import { type Pins, createPins } from './pins.ts';
import { type Presence, createPresence } from './presence.ts';
import { type Screens, createScreens } from './screens.ts';
import { isSecretOf, sha256 } from './secrets.ts';
import { createSessionEnds } from './sessionEnds.ts';
import { type Session, createSessions } from './sessions.ts';
import { createTokens } from './tokens.ts';
import { type Audit, createAuditTally } from '../base/index.ts';

/** The credentials of a caller. `none` at a public endpoint. */
type Credential =
  | { kind: 'session'; session: Session }
  | { kind: 'key'; hash: string }
  | { kind: 'token'; hash: string }
  | { kind: 'password'; proved: ProvedPassword }
  | { kind: 'none' };

/** A caller and the rights of that caller. */
export type Asker = { name: string; scope: Standing; credential: Credential };
/** A caller with the required right. */
export type Caller = Asker & { scope: CallerStanding };

export type Access = {
  people: People;
  kiosks: Kiosks;
  screens: Screens;
  pins: Pick<Pins, 'changeOwn'>;
  presence: Pick<Presence, 'follow'>;
  apiUsers: ApiUsers;
  clients: Clients;
  /** Throws `too_many_requests` after too many different wrong keys or tokens from there. */
  byKey(key: string, address: string): Asker | undefined;
  /** By an access token or a key. Throws like `byKey`. */
  byBearer(secret: string, address: string): Asker | undefined;
  /** By a key, or else by the password of this person: what turbos send with a name may be either. Throws like `byKey`. */
  byKeyOrPassword(username: string, secret: string, address: string): Promise<Asker | undefined>;
  /** Hashes of the keys with which a turbo signs in by this name. */
  listTurboHashes(name: string): string[];
  /** Serial number of the only turbo that the caller's key is for. */
  findBoundTurbo(caller: Asker): string | undefined;
  bySession(sessionId: string): Asker | undefined;
  /** Whether passwords are taken with each request; a setting. */
  takesPasswords(): boolean;
  /** Throws `too_many_requests`. */
  byPassword(username: string, password: string, address: string): Promise<Asker | undefined>;
  /** False once what the caller showed is no longer accepted. */
  isLive(caller: Asker): boolean;
  /** The same for a turbo: its password is its own matter, not one of `takesPasswords`. */
  isTurboLive(caller: Asker): boolean;
  /** The session that this caller signed in by: its cookie, or its temporary key. */
  findSession(caller: Asker): Session | undefined;
  /** Whether `token` is the session's. */
  tokenMatches(session: Session, token: string): boolean;
  start(): void;
  stop(): Promise<void>;
};

/** Identifies callers: people by sessions, programs by keys and tokens. */
export function createAccess(parts: {
  repositories: Pick<Repositories, 'accounts'>;
  reads: Pick<Repositories, 'accounts'>;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  ids: Ids;
  log: Log;
  audit: Audit;
  derive: DerivePassword;
  takesPasswords: () => boolean;
  /** The IPv6 addresses of this machine now. */
  ownAddresses: () => readonly OwnAddress[];
}): Access {
  const { repositories, reads, writer, clock, ids, log, audit, derive, takesPasswords, ownAddresses } = parts;
  const networkOf = createNetworks({ clock, ownAddresses });
  const triedKeys = createAuditTally({ writer, clock, log, audit });
  const keyTries = createKeyTries({ clock, tally: triedKeys, networkOf });
  const passwords = createPasswords({ clock, ids, derive, networkOf });
  const presence = createPresence();
  const sessions = createSessions({ repositories, clock, ids, presence });
  const sessionEnds = createSessionEnds({ reads, writer, clock, log, sessions });
  const tokens = createTokens({ repositories, clock, ids });
  const pins = createPins({ repositories, writer, passwords, sessions, audit });
  const people = createPeople({ repositories, reads, writer, passwords, sessions, pins, presence, audit });
  const kiosks = createKiosks({ repositories, reads, writer, ids, passwords, sessions, audit });
  const screens = createScreens({ repositories, reads, writer, clock, ids, keyTries, audit });
  const apiUsers = createApiUsers({ repositories, writer, clock, ids, log, tokens, audit });
  const clients = createClients({ repositories, writer, apiUsers, tokens, keyTries, audit });
  const basic = createBasic({ repositories, clock, people });

  function ofSession({ username: name, role }: Session, credential: Credential): Asker {
    return { name, scope: role, credential };
  }

  function ofKey(hash: string): Asker | undefined {
    const credential = { kind: 'key', hash } as const;
    const user = apiUsers.findByKey(hash);
    if (user !== undefined) return { name: user.name, scope: user.scope, credential };
    const session = sessions.findByKey(hash);
    if (session !== undefined) return ofSession(session, credential);
    const screen = screens.findByKey(hash);
    return screen && { name: screen.name, scope: 'read', credential };
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

  async function byPassword(username: string, password: string, address: string): Promise<Asker | undefined> {
    const proved = await basic.prove(username, password, address);
    if (proved === undefined) return undefined;
    const { username: name, role } = proved;
    return { name, scope: role, credential: { kind: 'password', proved } };
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
    kiosks,
    screens,
    pins,
    presence,
    apiUsers,
    clients,
    byKey(key, address) {
      const hash = sha256(key);
      return keyTries.judge({ hash, address, isNoted: true }, () => byKnown(hash));
    },
    byBearer(secret, address) {
      const hash = sha256(secret);
      return keyTries.judge({ hash, address, isNoted: true }, () => {
        const row = tokens.find(hash);
        if (row === undefined) return byKnown(hash);
        apiUsers.used(row.api_user_id);
        return ofToken(hash);
      });
    },
    async byKeyOrPassword(username, secret, address) {
      const hash = sha256(secret);
      const tried = { hash, address, isNoted: false };
      const byKey = keyTries.refuses(tried) ? undefined : byKnown(hash);
      const asker =
        byKey ??
        (await byPassword(username, secret, address).catch((error: unknown) => {
          // Count it before another limit refuses it, or keys could be tried under one name without end.
          keyTries.judge(tried, () => undefined);
          throw error;
        }));
      if (asker !== undefined && asker !== byKey) return asker;
      // A right password is no key, and does not count as one. A wrong one may have been a guess at a key.
      return keyTries.judge(tried, () => byKey);
    },
    listTurboHashes: apiUsers.listTurboHashes,
    findBoundTurbo: ({ credential }) =>
      credential.kind === 'key' ? (apiUsers.findByKey(credential.hash)?.turbo ?? undefined) : undefined,
    bySession(sessionId) {
      const session = sessions.find(sha256(sessionId));
      return session && ofSession(session, { kind: 'session', session });
    },
    takesPasswords,
    byPassword,
    isLive: ({ credential }) => isLive(credential) && (credential.kind !== 'password' || takesPasswords()),
    isTurboLive: ({ credential }) => isLive(credential),
    findSession({ credential }) {
      if (credential.kind === 'session') return sessions.find(credential.session.idHash);
      return credential.kind === 'key' ? sessions.findByKey(credential.hash) : undefined;
    },
    tokenMatches: (session, token) => isSecretOf(token, session.tokenHash),
    start: sessionEnds.start,
    async stop() {
      sessionEnds.stop();
      await Promise.all([apiUsers.stop(), triedKeys.stop()]);
    },
  };
}
