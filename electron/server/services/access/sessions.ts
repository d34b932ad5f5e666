import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Role } from '#shared/api/access.ts';
import type { TablesOf } from '../../core.ts';
import type { UserRow } from '../../db/repositories/accounts.ts';
import type { Transaction } from '../../db/writer.ts';
import type { Clock, Ids } from '../../ports.ts';
import type { Presence } from './presence.ts';
import { newSecret, sha256 } from './secrets.ts';

export type NewSession = { sessionId: string; token: string; apikey: string; endsAt: number };

/** An open session. `role` follows changes of the person's role. */
export type Session = {
  readonly idHash: string;
  readonly keyHash: string;
  readonly tokenHash: string;
  readonly username: string;
  readonly role: Role;
  readonly endsAt: number;
  /** The kiosk where the person signed in with a PIN, or null after a sign-in with a password. */
  readonly kioskId: number | null;
};

/**
 * The kind of client that signed in. Browsers also send their cookies with requests that other sites cause, but programs never do. The
 * session id contains the kind, so that it survives restarts and cannot be changed.
 */
export type Opener = 'browser' | 'program';

const PROGRAM = 'program-';

/** Returns the kind of client that opened the session with this id. */
export function openerOf(sessionId: string): Opener {
  return sessionId.startsWith(PROGRAM) ? 'program' : 'browser';
}

/** Session lifetime in milliseconds. Contract, section 3. */
export const SESSION_MS = 14 * 24 * 3_600_000;
/** Maximum number of sessions per person. A program that signs in for each call ends its oldest sessions. */
const MAX_OF_ONE = 10_000;

type Kept = { -readonly [K in keyof Session]: Session[K] };

type SessionNeeds = { repositories: TablesOf<'access'>; clock: Clock; ids: Ids; presence: Presence };

/** State shared by the functions that manage sessions. Keeps open sessions in memory, because each request looks up its session. */
type SessionContext = SessionNeeds & {
  /** Open sessions by `idHash`. */
  sessions: Map<string, Kept>;
  /** Open sessions by `keyHash`. */
  byKey: Map<string, Kept>;
  /** Open sessions by the person's name key, oldest first. */
  byUser: Map<string, Set<Kept>>;
};

/** Manages open sessions. The station stores only hashes of their secrets, and looks sessions up by hash. */
export function createSessions(needs: SessionNeeds) {
  const context: SessionContext = { ...needs, sessions: new Map(), byKey: new Map(), byUser: new Map() };
  for (const row of needs.repositories.accounts.listSessions(needs.clock.now())) {
    const { id_hash: idHash, key_hash: keyHash, token_hash: tokenHash, username, role, ends_at: endsAt } = row;
    keep(context, { idHash, keyHash, tokenHash, username, role, endsAt, kioskId: row.kiosk_id });
  }
  return {
    open: (tx: Transaction, user: UserRow, from: SessionOrigin) => open(context, tx, user, from),
    find: (idHash: string): Session | undefined => live(context, context.sessions.get(idHash)),
    findByKey: (keyHash: string): Session | undefined => live(context, context.byKey.get(keyHash)),
    end: (tx: Transaction, session: Session) => end(context, tx, session),
    endExpired: (tx: Transaction) => endExpired(context, tx),
    endOf: (tx: Transaction, username: string, but: string) => endOf(context, tx, username, but),
    endOfKiosk: (tx: Transaction, kioskId: number) => endOfKiosk(context, tx, kioskId),
    endWithPin: (tx: Transaction, username: string, but: string) => endWithPin(context, tx, username, but),
    countOfKiosk: (kioskId: number): number =>
      [...context.sessions.values()].filter((one) => one.kioskId === kioskId && live(context, one) !== undefined)
        .length,
    setRole: (tx: Transaction, username: string, role: Role) => setRole(context, tx, username, role),
    countOf: (username: string): number => ownOf(context, username).length,
  };
}

export type Sessions = ReturnType<typeof createSessions>;

/** Where a session began. `kioskId` is the kiosk where a person signed in with a PIN, or null after a sign-in with a password. */
type SessionOrigin = { opener: Opener; kioskId: number | null };

/** Opens a session, which is valid once this transaction is committed. */
function open(
  context: SessionContext,
  tx: Transaction,
  { name_key, username, role }: UserRow,
  { opener, kioskId }: SessionOrigin,
): NewSession {
  const { repositories, ids, presence } = context;
  const [sessionId, token, apikey] = [
    newSecret(ids, opener === 'program' ? PROGRAM : ''),
    newSecret(ids, ''),
    newSecret(ids, ''),
  ];
  const hashes = { idHash: sha256(sessionId), keyHash: sha256(apikey), tokenHash: sha256(token) };
  const endsAt = tx.now + SESSION_MS;
  endExpired(context, tx);
  repositories.accounts.insertSession({
    id_hash: hashes.idHash,
    name_key,
    token_hash: hashes.tokenHash,
    key_hash: hashes.keyHash,
    created_at: tx.now,
    ends_at: endsAt,
    kiosk_id: kioskId,
  });
  const own = ownOf(context, username);
  const [oldest] = own;
  if (oldest !== undefined && own.length >= MAX_OF_ONE) end(context, tx, oldest);
  tx.afterCommit(() => keep(context, { ...hashes, username, role, endsAt, kioskId }));
  presence.notify(tx, 'cameBack', username);
  return { sessionId, token, apikey, endsAt };
}

/** Ends a session. Returns false if it has already ended. */
function end(context: SessionContext, tx: Transaction, session: Session): boolean {
  tx.afterCommit(() => drop(context, session));
  const wasOpen = context.repositories.accounts.removeSession(session.idHash);
  if (wasOpen) notifyIfAway(context, tx, session.username);
  return wasOpen;
}

function endExpired(context: SessionContext, tx: Transaction): void {
  for (const username of context.repositories.accounts.removeEnded(tx.now)) notifyIfAway(context, tx, username);
}

/** Ends all sessions of a person, except the session with the hash `but`. */
function endOf(context: SessionContext, tx: Transaction, username: string, but: string): void {
  const hadSessions = context.repositories.accounts.removeOtherSessions(username, but);
  if (hadSessions) notifyIfAway(context, tx, username);
  tx.afterCommit(() => {
    for (const session of ownOf(context, username)) if (session.idHash !== but) drop(context, session);
  });
}

function endOfKiosk(context: SessionContext, tx: Transaction, kioskId: number): void {
  for (const username of context.repositories.accounts.removeSessionsOfKiosk(kioskId))
    notifyIfAway(context, tx, username);
  tx.afterCommit(() => {
    for (const session of context.sessions.values()) if (session.kioskId === kioskId) drop(context, session);
  });
}

/** Ends a person's sessions that began with a PIN, except the session with the hash `but`. */
function endWithPin(context: SessionContext, tx: Transaction, username: string, but: string): void {
  if (!context.repositories.accounts.removeSessionsWithPin(username, but)) return;
  notifyIfAway(context, tx, username);
  tx.afterCommit(() => {
    for (const session of ownOf(context, username)) {
      if (session.kioskId !== null && session.idHash !== but) drop(context, session);
    }
  });
}

/** Changes the role in the person's open sessions once this transaction is committed. */
function setRole(context: SessionContext, tx: Transaction, username: string, role: Role): void {
  tx.afterCommit(() => {
    for (const session of ownOf(context, username)) session.role = role;
  });
}

function notifyIfAway({ repositories, presence }: SessionContext, tx: Transaction, username: string): void {
  if (!repositories.accounts.isSignedIn(username, tx.now)) presence.notify(tx, 'wentAway', username);
}

function ownOf(context: SessionContext, username: string): Kept[] {
  const own = context.byUser.get(nameKey(username)) ?? [];
  return [...own].filter((session) => live(context, session) !== undefined);
}

/** Returns the session, or removes it from memory and returns undefined if it has expired. */
function live(context: SessionContext, session: Kept | undefined): Session | undefined {
  if (session === undefined || session.endsAt > context.clock.now()) return session;
  drop(context, session);
  return undefined;
}

function keep({ sessions, byKey, byUser }: SessionContext, session: Kept): void {
  sessions.set(session.idHash, session);
  byKey.set(session.keyHash, session);
  const key = nameKey(session.username);
  const own = byUser.get(key);
  if (own === undefined) byUser.set(key, new Set([session]));
  else own.add(session);
}

function drop({ sessions, byKey, byUser }: SessionContext, session: Session): void {
  const kept = sessions.get(session.idHash);
  if (kept === undefined) return;
  sessions.delete(kept.idHash);
  byKey.delete(kept.keyHash);
  const key = nameKey(kept.username);
  const own = byUser.get(key);
  own?.delete(kept);
  if (own?.size === 0) byUser.delete(key);
}
