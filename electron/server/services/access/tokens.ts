import type { Scope } from '#shared/api/access.ts';
import type { TablesOf } from '../../core.ts';
import type { TokenRow } from '../../db/repositories/accounts.ts';
import type { Transaction } from '../../db/writer.ts';
import type { Clock, Ids } from '../../ports.ts';
import { newSecret, sha256 } from './secrets.ts';

/** Token lifetime in seconds. Contract, section 3. */
export const TOKEN_SECONDS = 3_600;
/** Maximum number of tokens per API user. A program that requests a token for each call ends its oldest tokens. */
const MAX_OF_ONE = 200;

/** Manages OAuth2 access tokens. Tokens survive restarts, so that programs do not have to request new ones. */
export function createTokens(parts: { repositories: TablesOf<'access'>; clock: Clock; ids: Ids }) {
  const { repositories, clock, ids } = parts;
  const tokens = new Map<string, TokenRow>();
  /** Token hashes by API user, oldest first. */
  const byUser = new Map<number, Set<string>>();

  for (const row of repositories.accounts.listTokens(clock.now())) keep(row);

  function keep(row: TokenRow): void {
    tokens.set(row.hash, row);
    const own = byUser.get(row.api_user_id);
    if (own === undefined) byUser.set(row.api_user_id, new Set([row.hash]));
    else own.add(row.hash);
  }

  function drop({ hash, api_user_id }: TokenRow): void {
    tokens.delete(hash);
    const own = byUser.get(api_user_id);
    own?.delete(hash);
    if (own?.size === 0) byUser.delete(api_user_id);
  }

  function find(hash: string): TokenRow | undefined {
    const row = tokens.get(hash);
    if (row === undefined || row.ends_at > clock.now()) return row;
    drop(row);
    return undefined;
  }

  function ownOf(apiUserId: number): TokenRow[] {
    return [...(byUser.get(apiUserId) ?? [])].map(find).filter((row) => row !== undefined);
  }

  return {
    /** Issues a token that expires at `endsAt` (epoch milliseconds). It is valid once this transaction is on disk. */
    issue(tx: Transaction, apiUserId: number, scope: Scope, endsAt: number): string {
      const token = newSecret(ids, 'pst_');
      const row = { hash: sha256(token), api_user_id: apiUserId, scope, ends_at: endsAt };
      repositories.accounts.removeEndedTokens(apiUserId, tx.now);
      repositories.accounts.insertToken(row);
      const own = ownOf(apiUserId);
      const [oldest] = own;
      if (oldest !== undefined && own.length >= MAX_OF_ONE) {
        repositories.accounts.removeToken(oldest.hash);
        tx.afterCommit(() => drop(oldest));
      }
      tx.afterCommit(() => keep(row));
      return token;
    },
    find,
    /** Makes all tokens of this API user expire at `until` or earlier. */
    shorten(tx: Transaction, apiUserId: number, until: number): void {
      repositories.accounts.shortenTokens(apiUserId, until);
      tx.afterCommit(() => {
        for (const row of ownOf(apiUserId)) tokens.set(row.hash, { ...row, ends_at: Math.min(row.ends_at, until) });
      });
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
