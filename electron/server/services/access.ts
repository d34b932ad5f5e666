import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Scope } from '#shared/api/access.ts';
import type { Role, UserRow } from '../db/repositories/accounts.ts';
import type { Rows } from '../db/rows.ts';
import type { Unit, Writer } from '../db/writer.ts';
import { StationError } from '../errors.ts';
import type { Clock, Ids } from '../ports.ts';

/** Who asks: an API user by key, or a person by session. */
export type Caller = { name: string; scope: Scope; session: { idHash: string; tokenHash: string } | undefined };

export type SignedIn = { sessionId: string; token: string; apikey: string; endsAt: number };

export type Access = {
  /** Users there are; none on a fresh data folder. */
  countUsers(): number;
  /** Creates the person, or gives him this password; `also` is done in the same use-case, and may throw to prevent it. `sessions`: what becomes of those that were begun with another password. */
  putUser(
    user: { username: string; password: string; role: Role; sessions: 'end' | 'keep' },
    also: (unit: Unit) => void,
  ): Promise<void>;
  /** Creates an API user with this key, unless somebody has it. */
  putApiUser(name: string, scope: Scope, key: string): Promise<void>;
  callerByKey(key: string): Caller | undefined;
  callerBySession(sessionId: string): Caller | undefined;
  /** False once the caller's session has ended. */
  isLive(caller: Caller): boolean;
  /** Whether `token` is the session's. */
  tokenMatches(caller: Caller, token: string): boolean;
  /** Throws `unauthenticated`, after the same time for a wrong password and an unknown user. */
  signIn(username: string, password: string): Promise<SignedIn>;
  /** A session of the first admin, without his password: for the shell that runs the station, never for a request. */
  signInOwner(): Promise<SignedIn>;
  /** Ends every other session of the caller. Throws `invalid` where the old password is wrong, `forbidden` without a session. */
  changePassword(caller: Caller, oldPassword: string, newPassword: string): Promise<void>;
  signOut(caller: Caller): Promise<void>;
};

/** Contract, section 3. */
export const SESSION_MS = 14 * 24 * 3_600_000;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const SCOPE_OF_ROLE = { admin: 'admin', picker: 'control' } as const satisfies Record<Role, Scope>;

const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

type Session = { idHash: string; keyHash: string; tokenHash: string; username: string; role: Role; endsAt: number };

/** Secrets are looked up by their hash: nothing of theirs is compared byte by byte, and nothing of theirs is stored. */
export function createAccess(parts: { rows: Rows; writer: Pick<Writer, 'write'>; clock: Clock; ids: Ids }): Access {
  const { rows, writer, clock, ids } = parts;
  const apiUsers = new Map<string, { name: string; scope: Scope }>();
  const sessions = new Map<string, Session>();
  const sessionKeys = new Map<string, Session>();
  // Somebody who does not exist costs as much time as somebody who does.
  const nobody = `${randomBytes(16).toString('base64')}:${randomBytes(32).toString('base64')}`;

  for (const user of rows.accounts.listApiUsers()) {
    if (user.scope !== 'turbo') apiUsers.set(user.key_hash, { name: user.name, scope: user.scope });
  }
  for (const row of rows.accounts.listSessions(clock.now())) {
    const { id_hash: idHash, key_hash: keyHash, token_hash: tokenHash, username, role, ends_at: endsAt } = row;
    keep({ idHash, keyHash, tokenHash, username, role, endsAt });
  }

  function keep(session: Session): void {
    sessions.set(session.idHash, session);
    sessionKeys.set(session.keyHash, session);
  }

  function drop(session: Session): void {
    sessions.delete(session.idHash);
    sessionKeys.delete(session.keyHash);
  }

  /** Of one person; all but the one with this hash. */
  function endSessions(unit: Unit, username: string, but: string): void {
    rows.accounts.removeOtherSessions(username, but);
    unit.afterCommit(() => {
      for (const session of sessions.values()) {
        if (session.username === username && session.idHash !== but) drop(session);
      }
    });
  }

  function live(session: Session | undefined): Session | undefined {
    if (session === undefined || session.endsAt > clock.now()) return session;
    drop(session);
    return undefined;
  }

  function secret(): string {
    return Buffer.from(ids.bytes(32)).toString('base64url');
  }

  function newHash(password: string): Promise<string> {
    return hashPassword(password, Buffer.from(ids.bytes(16)));
  }

  /** Hashing takes its time: what was proved by then may be of a password that is no longer valid. */
  function refuseIfChanged(user: UserRow): void {
    if (rows.accounts.findUser(user.username)?.password_hash === user.password_hash) return;
    throw new StationError('unauthenticated', 'The password was changed meanwhile. Sign in with the new one.');
  }

  async function openSession(user: UserRow): Promise<SignedIn> {
    const sessionId = secret();
    const token = secret();
    const apikey = secret();
    const endsAt = clock.now() + SESSION_MS;
    const { username, role } = user;
    const hashes = { idHash: sha256(sessionId), keyHash: sha256(apikey), tokenHash: sha256(token) };
    const session: Session = { ...hashes, username, role, endsAt };
    await writer.write((unit) => {
      refuseIfChanged(user);
      rows.accounts.removeEnded(unit.now);
      rows.accounts.insertSession(
        {
          id_hash: session.idHash,
          username,
          token_hash: session.tokenHash,
          key_hash: session.keyHash,
          ends_at: endsAt,
        },
        unit.now,
      );
      unit.afterCommit(() => keep(session));
    });
    return { sessionId, token, apikey, endsAt };
  }

  return {
    countUsers: () => rows.accounts.countUsers(),
    async putUser({ username, password, role, sessions: theirs }, also) {
      const known = rows.accounts.findUser(username);
      const isSame = known !== undefined && (await passwordMatches(password, known.password_hash));
      const password_hash = isSame ? known.password_hash : await newHash(password);
      await writer.write((unit) => {
        also(unit);
        if (isSame) return;
        if (known === undefined) return rows.accounts.insertUser({ username, password_hash, role }, unit.now);
        rows.accounts.setPassword(username, password_hash);
        if (theirs === 'end') endSessions(unit, known.username, '');
      });
    },
    async putApiUser(name, scope, key) {
      const key_hash = sha256(key);
      await writer.write((unit) => {
        if (rows.accounts.listApiUsers().every((user) => user.key_hash !== key_hash)) {
          rows.accounts.insertApiUser({ name, scope, key_hash }, unit.now);
        }
        unit.afterCommit(() => apiUsers.set(key_hash, { name, scope }));
      });
    },
    callerByKey(key) {
      const keyHash = sha256(key);
      const user = apiUsers.get(keyHash);
      if (user !== undefined) return { ...user, session: undefined };
      const session = live(sessionKeys.get(keyHash));
      return session && { name: session.username, scope: SCOPE_OF_ROLE[session.role], session: undefined };
    },
    callerBySession(sessionId) {
      const session = live(sessions.get(sha256(sessionId)));
      if (session === undefined) return undefined;
      const { username: name, role, idHash, tokenHash } = session;
      return { name, scope: SCOPE_OF_ROLE[role], session: { idHash, tokenHash } };
    },
    isLive: ({ session }) => session === undefined || live(sessions.get(session.idHash)) !== undefined,
    tokenMatches: (caller, token) =>
      caller.session !== undefined &&
      timingSafeEqual(Buffer.from(sha256(token)), Buffer.from(caller.session.tokenHash)),
    async signIn(username, password) {
      const user = rows.accounts.findUser(username);
      const matches = await passwordMatches(password, user?.password_hash ?? nobody);
      if (user === undefined || !matches)
        throw new StationError('unauthenticated', 'The user name or the password is wrong.');
      return openSession(user);
    },
    async signInOwner() {
      const owner = rows.accounts.findOwner();
      if (owner === undefined) throw new StationError('not_found', 'There is no admin who could be signed in.');
      return openSession(owner);
    },
    async changePassword(caller, oldPassword, newPassword) {
      const own = caller.session;
      if (own === undefined) {
        throw new StationError('forbidden', 'A password is changed in a session. Sign in at /api/user/login/ first.');
      }
      const user = rows.accounts.findUser(caller.name);
      const matches = await passwordMatches(oldPassword, user?.password_hash ?? nobody);
      if (user === undefined || !matches) {
        throw new StationError('invalid', 'The old password is wrong. Nothing was changed.', [
          { path: '/old_password', message: 'This is not your password.' },
        ]);
      }
      const password_hash = await newHash(newPassword);
      await writer.write((unit) => {
        refuseIfChanged(user);
        rows.accounts.setPassword(user.username, password_hash);
        endSessions(unit, user.username, own.idHash);
      });
    },
    async signOut(caller) {
      const session = caller.session && sessions.get(caller.session.idHash);
      if (session === undefined) return;
      await writer.write((unit) => {
        rows.accounts.removeSession(session.idHash);
        unit.afterCommit(() => drop(session));
      });
    },
  };
}

/** Keys are long and random: a fast hash is enough, and is looked up at every request. */
function sha256(text: string): string {
  return hash('sha256', text, 'base64');
}

async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const derived = await derive(password.normalize('NFKC'), salt, 32, SCRYPT);
  return `${salt.toString('base64')}:${derived.toString('base64')}`;
}

async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [salt = '', expected = ''] = stored.split(':');
  const derived = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, SCRYPT);
  return timingSafeEqual(derived, Buffer.from(expected, 'base64'));
}
