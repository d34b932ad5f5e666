import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { Alarm } from '../../scheduling/alarm.ts';
import type { ApiUserRow } from '../../db/repositories/accounts.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Clock, Ids, Log } from '../../ports.ts';
import type { Audit } from '../base/index.ts';
import { isSecretOf } from './secrets.ts';
import type { Tokens } from './tokens.ts';

export type ApiUserNeeds = {
  repositories: TablesOf<'access'>;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  ids: Ids;
  log: Log;
  tokens: Tokens;
  audit: Audit;
};

/** State shared by the functions that manage API users. Keeps all committed rows in memory, because each request looks up its key. */
export type ApiUserContext = ApiUserNeeds & {
  users: Map<number, ApiUserRow>;
  /** API users by the hash of their current key, or of their old key (`isOld`). */
  byKey: Map<string, { id: number; isOld: boolean }>;
  byClientId: Map<string, number>;
  /** When each API user last sent a request, in epoch milliseconds. For users without an entry, `used_at` in their row is current. */
  usedAt: Map<number, number>;
  /** Users whose last use has not been saved yet. */
  unsaved: Set<number>;
  /** Saves the times in `usedAt` of the users in `unsaved`. */
  saving: Alarm;
  /** Id of the API user whose key comes from the environment, if any. */
  environmentId: number | undefined;
};

/** Returns the API user with this key, or undefined if the key is unknown or was replaced and its grace period has ended. */
export function findByKey(context: ApiUserContext, keyHash: string): ApiUserRow | undefined {
  const found = context.byKey.get(keyHash);
  const row = found && context.users.get(found.id);
  return row !== undefined && found?.isOld === true && !isOldValid(context, row) ? undefined : row;
}

export function findByClientId(context: ApiUserContext, clientId: string): ApiUserRow | undefined {
  const id = context.byClientId.get(clientId);
  return id === undefined ? undefined : context.users.get(id);
}

/**
 * Returns the stored hash that the secret matches: the current hash or, during the grace period, the old one. Returns undefined for a wrong
 * secret.
 */
export function findSecretOf(context: ApiUserContext, user: ApiUserRow, secret: string): string | undefined {
  const { secret_hash, old_secret_hash } = user;
  const isNew = isSecretOf(secret, secret_hash);
  const isOld = isSecretOf(secret, old_secret_hash) && isOldValid(context, user);
  return (isNew ? secret_hash : isOld ? old_secret_hash : null) ?? undefined;
}

/**
 * Returns the hashes of the keys with which the API user of this name can sign in. Returns an empty list unless the user's scope is
 * `turbo`.
 */
export function listTurboHashes(context: ApiUserContext, name: string): string[] {
  const user = [...context.users.values()].find((row) => nameKey(row.name) === nameKey(name));
  if (user?.scope !== 'turbo') return [];
  const { key_hash, old_key_hash } = user;
  return old_key_hash !== null && isOldValid(context, user) ? [key_hash, old_key_hash] : [key_hash];
}

/** Copies the row into memory once this transaction is committed. */
export function keepOnceCommitted(context: ApiUserContext, tx: Transaction, id: number): void {
  const row = context.repositories.accounts.findApiUser(id);
  tx.afterCommit(() => {
    if (row !== undefined) keep(context, row);
  });
}

/** Replaces this API user's entries in memory. */
export function keep(context: ApiUserContext, row: ApiUserRow): void {
  const { users, byKey, byClientId } = context;
  drop(context, row.id);
  users.set(row.id, row);
  byKey.set(row.key_hash, { id: row.id, isOld: false });
  if (row.old_key_hash !== null && !byKey.has(row.old_key_hash))
    byKey.set(row.old_key_hash, { id: row.id, isOld: true });
  if (row.client_id !== null) byClientId.set(row.client_id, row.id);
}

export function drop({ users, byKey, byClientId }: ApiUserContext, id: number): void {
  const known = users.get(id);
  if (known === undefined) return;
  users.delete(id);
  for (const hash of [known.key_hash, known.old_key_hash]) if (hash !== null) byKey.delete(hash);
  if (known.client_id !== null) byClientId.delete(known.client_id);
}

/** Whether the old secrets are still in their grace period. */
export function isOldValid({ clock }: ApiUserContext, { old_until }: ApiUserRow): boolean {
  return old_until !== null && old_until > clock.now();
}
