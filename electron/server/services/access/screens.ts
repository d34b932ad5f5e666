import type { NewWallScreen, WallScreen, WallSession } from '#shared/api/wallBoard.ts';
import type { TablesOf } from '../../core.ts';
import type { ScreenRow } from '../../db/repositories/screens.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Ids } from '../../ports.ts';
import type { Audit, By } from '../base/index.ts';
import type { KeyTries } from './keyTries.ts';
import { refuseTakenName } from './names.ts';
import { newSecret, sha256 } from './secrets.ts';
import { SESSION_MS } from './sessions.ts';

/** Maximum number of sessions per screen. Each reload of the page opens a session and, at the limit, ends the oldest one. */
const MAX_OF_ONE = 20;

type ScreenSession = { screenId: number; endsAt: number };

/**
 * Manages screens that show the wall board. A screen's secret opens sessions with the scope `board`. Sessions exist only in memory, so after
 * a restart, a wall board signs in again with its screen's secret.
 */
export function createScreens(parts: {
  repositories: TablesOf<'access'>;
  reads: TablesOf<'access'>;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  ids: Ids;
  keyTries: Pick<KeyTries, 'check'>;
  audit: Audit;
}) {
  const { repositories, reads, writer, clock, ids, keyTries, audit } = parts;
  /** Sessions by key hash, oldest first. */
  const sessions = new Map<string, ScreenSession>();

  function isOpen(hash: string, { endsAt }: ScreenSession): boolean {
    if (endsAt > clock.now()) return true;
    sessions.delete(hash);
    return false;
  }

  const sessionsOf = (id: number): string[] =>
    [...sessions].flatMap(([hash, session]) => (session.screenId === id && isOpen(hash, session) ? [hash] : []));

  const screenOf = ({ id, name, created_at: at }: ScreenRow): WallScreen => ({
    id: String(id),
    name,
    created: new Date(at).toISOString(),
    sessions: sessionsOf(id).length,
  });

  return {
    list: (): WallScreen[] => reads.accounts.listScreens().map(screenOf),
    /**
     * Adds a screen. The secret is null if an earlier attempt of the same request has already stored the screen. Throws `conflict` if the
     * name is taken.
     */
    add({ name }: NewWallScreen, by: By): Promise<{ screen: WallScreen; secret: string | null }> {
      const secret = newSecret(ids, 'psb_');
      return writer.write((tx) => {
        refuseTakenName(repositories, 'name', name);
        const row = { name, secret_hash: sha256(secret), created_at: tx.now };
        const id = repositories.accounts.insertScreen(row);
        audit.record(tx, { action: 'screen.added', by, subject: name, detail: {} });
        return { screen: screenOf({ ...row, id }), secret };
      });
    },
    /** Removes a screen and ends its sessions. Throws `not_found`. */
    remove: (id: string, by: By): Promise<void> =>
      writer.write((tx) => {
        const screen = /^\d{1,15}$/.test(id) ? repositories.accounts.findScreen(Number(id)) : undefined;
        if (screen === undefined)
          throw new StationError('not_found', `There is no screen ${id}. GET /api/screens/ lists them.`);
        repositories.accounts.removeScreen(screen.id);
        audit.record(tx, { action: 'screen.removed', by, subject: screen.name, detail: {} });
        tx.afterCommit(() => {
          for (const hash of sessionsOf(screen.id)) sessions.delete(hash);
        });
      }),
    /**
     * Opens a session. Throws `unauthenticated` for an unknown secret, which counts as a wrong key, and `too_many_requests` after too many
     * wrong keys.
     */
    open(secret: string, address: string): WallSession {
      const hash = sha256(secret);
      const screen = keyTries.check({ hash, address, isNoted: true }, () =>
        repositories.accounts.findScreenBySecret(hash),
      );
      if (screen === undefined) {
        throw new StationError(
          'unauthenticated',
          'This link opens no screen: it is incomplete, or the screen was removed. Ask an admin for a new link.',
        );
      }
      const own = sessionsOf(screen.id);
      const [oldest] = own;
      if (oldest !== undefined && own.length >= MAX_OF_ONE) sessions.delete(oldest);
      const apikey = newSecret(ids, '');
      const endsAt = clock.now() + SESSION_MS;
      sessions.set(sha256(apikey), { screenId: screen.id, endsAt });
      return { apikey, expires_at: new Date(endsAt).toISOString() };
    },
    /** Returns the screen whose open session has this key. */
    findByKey(hash: string): { name: string } | undefined {
      const session = sessions.get(hash);
      if (session === undefined || !isOpen(hash, session)) return undefined;
      return repositories.accounts.findScreen(session.screenId);
    },
  };
}

export type Screens = ReturnType<typeof createScreens>;
