import type { Scope } from '#shared/api/access.ts';
import type { ApiUserRow } from '../db/repositories/accounts.ts';
import type { Rows } from '../db/rows.ts';
import type { Writer } from '../db/writer.ts';
import { StationError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import type { ApiUsers } from './accessApiUsers.ts';
import { createThrottle, networkOf } from './accessThrottle.ts';
import type { Tokens } from './accessTokens.ts';
import type { Audit } from './audit.ts';

/** API users as clients of OAuth2. */
export type Clients = {
  /** Whose id and secret these are, or undefined. Throws `too_many_requests`. */
  prove(clientId: string, secret: string, address: string): Promise<ApiUserRow | undefined>;
  /** An access token. Throws `unauthenticated` where the client is gone meanwhile. */
  issue(apiUserId: number, scope: Scope): Promise<string>;
};

export function createClients(parts: {
  rows: Rows;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  apiUsers: ApiUsers;
  tokens: Tokens;
  audit: Audit;
}): Clients {
  const { rows, writer, clock, apiUsers, tokens, audit } = parts;
  const throttle = createThrottle({ clock, message: 'Too many wrong client secrets. Wait a minute and try again.' });

  return {
    async prove(clientId, secret, address) {
      const user = apiUsers.findByClientId(clientId);
      // Ids that there are not count as one: they cost no hashing, so nothing else bounds how many are tried.
      const key = JSON.stringify([networkOf(address), user?.id ?? null]);
      throttle.check(key);
      if (user !== undefined && apiUsers.isClientSecretOf(user, secret)) return user;
      throttle.wrong(key);
      const entry = {
        action: 'session.refused',
        subject: user?.name ?? '',
        detail: { method: 'client_secret' },
      } as const;
      await writer.write((unit) => audit.record(unit, { ...entry, by: { name: '', address } }));
      return undefined;
    },
    issue: (apiUserId, scope) =>
      writer.write((unit) => {
        if (rows.accounts.findApiUser(apiUserId) === undefined) {
          throw new StationError('unauthenticated', 'This API user was removed meanwhile.');
        }
        apiUsers.used(apiUserId);
        return tokens.issue(unit, apiUserId, scope);
      }),
  };
}
