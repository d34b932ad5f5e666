import { nameKey } from '#shared/lib/nameKey.ts';
import type { Role } from '#shared/api/access.ts';
import type { UserRow } from '../../db/repositories/accounts.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import type { Clock, Ids } from '../../ports.ts';
import type { Presence } from './presence.ts';
import { newSecret, sha256 } from './secrets.ts';

export type NewSession = { sessionId: string; token: string; apikey: string; endsAt: number };

/** With the current role and name. */
export type Session = {
  readonly idHash: string;
  readonly keyHash: string;
  readonly tokenHash: string;
  readonly username: string;
  readonly role: Role;
  readonly endsAt: number;
  /** The kiosk at which it began with a PIN; null: it began with a password. */
  readonly kioskId: number | null;
};

/**
 * What signed in. A browser sends the cookie of its session for pages of others too; a program only where it means to.
 * The id says so, and its hash vouches for it: so it is known after a restart.
 */
export type Opener = 'browser' | 'program';

const PROGRAM = 'program-';

/** What opened the session with this id. */
export function openerOf(sessionId: string): Opener {
  return sessionId.startsWith(PROGRAM) ? 'program' : 'browser';
}

/** Contract, section 3. */
export const SESSION_MS = 14 * 24 * 3_600_000;
/** A program that signs in for each call ends its own oldest ones. */
const MAX_OF_ONE = 10_000;

type Kept = { -readonly [K in keyof Session]: Session[K] };

/** Open sessions. Secrets are looked up by their hash: nothing of theirs is compared byte by byte, and nothing is stored. */
export function createSessions(parts: {
  repositories: Pick<Repositories, 'accounts'>;
  clock: Clock;
  ids: Ids;
  presence: Presence;
}) {
  const { repositories, clock, ids, presence } = parts;
  const sessions = new Map<string, Kept>();
  const byKey = new Map<string, Kept>();
  /** The oldest first. */
  const byUser = new Map<string, Set<Kept>>();

  for (const row of repositories.accounts.listSessions(clock.now())) {
    const { id_hash: idHash, key_hash: keyHash, token_hash: tokenHash, username, role, ends_at: endsAt } = row;
    keep({ idHash, keyHash, tokenHash, username, role, endsAt, kioskId: row.kiosk_id });
  }

  function keep(session: Kept): void {
    sessions.set(session.idHash, session);
    byKey.set(session.keyHash, session);
    const key = nameKey(session.username);
    const own = byUser.get(key);
    if (own === undefined) byUser.set(key, new Set([session]));
    else own.add(session);
  }

  function drop(session: Session): void {
    const kept = sessions.get(session.idHash);
    if (kept === undefined) return;
    sessions.delete(kept.idHash);
    byKey.delete(kept.keyHash);
    const key = nameKey(kept.username);
    const own = byUser.get(key);
    own?.delete(kept);
    if (own?.size === 0) byUser.delete(key);
  }

  function live(session: Kept | undefined): Session | undefined {
    if (session === undefined || session.endsAt > clock.now()) return session;
    drop(session);
    return undefined;
  }

  function ownOf(username: string): Kept[] {
    return [...(byUser.get(nameKey(username)) ?? [])].filter((session) => live(session) !== undefined);
  }

  /** False where it has ended already. */
  function end(tx: Transaction, session: Session): boolean {
    tx.afterCommit(() => drop(session));
    const wasOpen = repositories.accounts.removeSession(session.idHash);
    if (wasOpen) tellIfAway(tx, session.username);
    return wasOpen;
  }

  function tellIfAway(tx: Transaction, username: string): void {
    if (!repositories.accounts.isSignedIn(username, tx.now)) presence.tell(tx, 'wentAway', username);
  }

  /** Those whose time is over. */
  function endExpired(tx: Transaction): void {
    for (const username of repositories.accounts.removeEnded(tx.now)) tellIfAway(tx, username);
  }

  return {
    /** Answers what the browser gets; it counts once this use-case is on disk. */
    open(
      tx: Transaction,
      { name_key, username, role }: UserRow,
      { opener, kioskId }: { opener: Opener; kioskId: number | null },
    ): NewSession {
      const [sessionId, token, apikey] = [
        newSecret(ids, opener === 'program' ? PROGRAM : ''),
        newSecret(ids, ''),
        newSecret(ids, ''),
      ];
      const hashes = { idHash: sha256(sessionId), keyHash: sha256(apikey), tokenHash: sha256(token) };
      const endsAt = tx.now + SESSION_MS;
      endExpired(tx);
      repositories.accounts.insertSession({
        id_hash: hashes.idHash,
        name_key,
        token_hash: hashes.tokenHash,
        key_hash: hashes.keyHash,
        created_at: tx.now,
        ends_at: endsAt,
        kiosk_id: kioskId,
      });
      const own = ownOf(username);
      const [oldest] = own;
      if (oldest !== undefined && own.length >= MAX_OF_ONE) end(tx, oldest);
      tx.afterCommit(() => keep({ ...hashes, username, role, endsAt, kioskId }));
      presence.tell(tx, 'cameBack', username);
      return { sessionId, token, apikey, endsAt };
    },
    find: (idHash: string): Session | undefined => live(sessions.get(idHash)),
    findByKey: (keyHash: string): Session | undefined => live(byKey.get(keyHash)),
    end,
    endExpired,
    /** Those of one person; all but the one with this hash. */
    endOf(tx: Transaction, username: string, but: string): void {
      const hadSessions = repositories.accounts.removeOtherSessions(username, but);
      if (hadSessions) tellIfAway(tx, username);
      tx.afterCommit(() => {
        for (const session of ownOf(username)) if (session.idHash !== but) drop(session);
      });
    },
    /** Those that began at this kiosk. */
    endOfKiosk(tx: Transaction, kioskId: number): void {
      for (const username of repositories.accounts.removeSessionsOfKiosk(kioskId)) tellIfAway(tx, username);
      tx.afterCommit(() => {
        for (const session of sessions.values()) if (session.kioskId === kioskId) drop(session);
      });
    },
    /** Those of one person that began with a PIN; all but the one with this hash. */
    endWithPin(tx: Transaction, username: string, but: string): void {
      if (!repositories.accounts.removeSessionsWithPin(username, but)) return;
      tellIfAway(tx, username);
      tx.afterCommit(() => {
        for (const session of ownOf(username)) {
          if (session.kioskId !== null && session.idHash !== but) drop(session);
        }
      });
    },
    countOfKiosk: (kioskId: number): number =>
      [...sessions.values()].filter((session) => session.kioskId === kioskId && live(session) !== undefined).length,
    setRole(tx: Transaction, username: string, role: Role): void {
      tx.afterCommit(() => {
        for (const session of ownOf(username)) session.role = role;
      });
    },
    countOf: (username: string): number => ownOf(username).length,
  };
}

export type Sessions = ReturnType<typeof createSessions>;
