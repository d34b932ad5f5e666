import type { ApiUserScope, Scope } from '#shared/api/access.ts';
import type { TablesOf } from '../../core.ts';
import type { ApiUserRow } from '../../db/repositories/accounts.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { ApiUsers } from './apiUsers.ts';
import type { KeyTries } from './keyTries.ts';
import { sha256 } from './secrets.ts';
import { TOKEN_SECONDS, type Tokens } from './tokens.ts';
import type { Audit } from '../base/index.ts';

/** A client that proved its secret. `secretHash` allows detecting that the secret was replaced before a token is issued. */
export type ProvedClient = { id: number; scope: ApiUserScope; secretHash: string };

/** Manages API users as OAuth2 clients. */
export function createClients(parts: {
  repositories: TablesOf<'access'>;
  writer: Pick<Writer, 'write'>;
  apiUsers: ApiUsers;
  tokens: Tokens;
  keyTries: KeyTries;
  audit: Audit;
}) {
  const { repositories, writer, apiUsers, tokens, keyTries, audit } = parts;

  return {
    /** Returns the client with this id and secret, or undefined. Throws `too_many_requests` after too many wrong secrets. */
    async prove(clientId: string, secret: string, address: string): Promise<ProvedClient | undefined> {
      const user = apiUsers.findByClientId(clientId);
      const hash = sha256(JSON.stringify([clientId, secret]));
      const proved = keyTries.check({ hash, address, isNoted: false }, () => {
        const secretHash = user && apiUsers.findSecretOf(user, secret);
        if (user === undefined || secretHash === undefined) return undefined;
        return { id: user.id, scope: user.scope, secretHash };
      });
      if (proved !== undefined) return proved;
      const entry = {
        action: 'session.refused',
        subject: user?.name ?? '',
        detail: { method: 'client_secret' },
      } as const;
      await writer.write((tx) => audit.record(tx, { ...entry, by: { name: '', address } }));
      return undefined;
    },
    /**
     * Issues an access token, and returns it with its lifetime in seconds: one hour, or less if the secret expires earlier. Throws
     * `unauthenticated` if the client was removed or its secret was replaced in the meantime.
     */
    issue: (
      { id, secretHash }: Pick<ProvedClient, 'id' | 'secretHash'>,
      scope: Scope,
    ): Promise<{ token: string; seconds: number }> =>
      writer.write((tx) => {
        const row = repositories.accounts.findApiUser(id);
        const secretEndsAt = row && endOf(row, secretHash);
        if (secretEndsAt === undefined || secretEndsAt <= tx.now) {
          throw new StationError('unauthenticated', 'This client secret was replaced meanwhile. Use the new one.');
        }
        const endsAt = Math.min(tx.now + TOKEN_SECONDS * 1_000, secretEndsAt);
        apiUsers.used(id);
        return { token: tokens.issue(tx, id, scope, endsAt), seconds: Math.floor((endsAt - tx.now) / 1_000) };
      }),
  };
}

/** Returns when the client secret with this hash expires, in epoch milliseconds, or undefined if the client has no such secret. */
function endOf(row: ApiUserRow, secretHash: string): number | undefined {
  if (row.secret_hash === secretHash) return Number.POSITIVE_INFINITY;
  return row.old_secret_hash === secretHash ? (row.old_until ?? undefined) : undefined;
}
