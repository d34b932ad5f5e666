import { createHmac, randomBytes } from 'node:crypto';
import type { Role } from '#shared/api/access.ts';
import type { TablesOf } from '../../core.ts';
import type { Clock } from '../../ports.ts';
import type { People } from './people.ts';

/** A user whose password was correct. `passwordHash` is the hash that matched, so that a later password change can be detected. */
export type ProvedPassword = { username: string; role: Role; passwordHash: string };

const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 1_000;

/** Checks passwords that are sent with every request. Hashes each password only once per hour, because hashing is slow. */
export function createBasic(parts: { repositories: TablesOf<'access'>; clock: Clock; people: People }) {
  const { repositories, clock, people } = parts;
  // A new secret at each start of the station, so that a remembered hash reveals no password.
  const secret = randomBytes(32);
  /** Recently checked users by a keyed hash of name and password, oldest first. */
  const remembered = new Map<string, { username: string; passwordHash: string; until: number }>();

  function find(username: string, passwordHash: string): ProvedPassword | undefined {
    const user = repositories.accounts.findUser(username);
    if (user === undefined || user.password_hash !== passwordHash) return undefined;
    return { username: user.username, role: user.role, passwordHash };
  }

  return {
    async prove(username: string, password: string, address: string): Promise<ProvedPassword | undefined> {
      const key = createHmac('sha256', secret)
        .update(JSON.stringify([username, password]))
        .digest('base64');
      const known = remembered.get(key);
      const still = known && known.until > clock.monotonic() ? find(known.username, known.passwordHash) : undefined;
      if (still !== undefined) return still;
      remembered.delete(key);
      const user = await people.prove(username, password, address);
      if (user === undefined) return undefined;
      const [oldest] = remembered.keys();
      if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest);
      remembered.set(key, {
        username: user.username,
        passwordHash: user.password_hash,
        until: clock.monotonic() + REMEMBERED_MS,
      });
      return { username: user.username, role: user.role, passwordHash: user.password_hash };
    },
    isValid: ({ username, passwordHash }: ProvedPassword): boolean => find(username, passwordHash) !== undefined,
  };
}

export type Basic = ReturnType<typeof createBasic>;
