import type { ApiUser, ApiUserSecrets, NewApiUser } from '#shared/api/access.ts';
import type { TablesOf } from '../../core.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { ApiUserRow } from '../../db/repositories/accounts.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { type By, STATION } from '../base/index.ts';
import {
  type ApiUserContext,
  type ApiUserNeeds,
  drop,
  findByClientId,
  findByKey,
  findSecretOf,
  isOldValid,
  keep,
  keepOnceCommitted,
  listTurboHashes,
} from './apiUserMemory.ts';
import { findNamed, refuseTakenName } from './names.ts';
import { newSecret, sha256 } from './secrets.ts';

const SAVE_EVERY_MS = 60_000;
/** Name of the API user whose key comes from the environment. A number is appended if the name is taken. */
const ENVIRONMENT_NAME = 'API key';

/** Manages API users, which are programs. Each has a key, and a client secret for OAuth2. Both are shown once and only stored as hashes. */
export function createApiUsers(needs: ApiUserNeeds) {
  const context: ApiUserContext = {
    ...needs,
    users: new Map(),
    byKey: new Map(),
    byClientId: new Map(),
    usedAt: new Map(),
    unsaved: new Set(),
    saving: createAlarm(needs.clock, () => void save(context)),
    environmentId: undefined,
  };
  for (const row of needs.repositories.accounts.listApiUsers()) keep(context, row);
  return {
    list: () => list(context),
    add: (user: NewApiUser, by: By, turbo: string | null = null) => add(context, user, by, turbo),
    rotate: (id: string, graceSeconds: number, by: By) => rotate(context, id, graceSeconds, by),
    remove: (id: string, by: By) => remove(context, id, by),
    setEnvironmentKey: (key: string) => setEnvironmentKey(context, key),
    find: (id: number): ApiUserRow | undefined => context.users.get(id),
    findByKey: (keyHash: string) => findByKey(context, keyHash),
    findByClientId: (clientId: string) => findByClientId(context, clientId),
    findSecretOf: (user: ApiUserRow, secret: string) => findSecretOf(context, user, secret),
    listTurboHashes: (name: string) => listTurboHashes(context, name),
    /** Returns the ids of the API users whose keys are bound to this turbo. */
    listBoundTo: (serialNumber: string): string[] =>
      [...context.users.values()].filter(({ turbo }) => turbo === serialNumber).map(({ id }) => String(id)),
    used: (id: number) => used(context, id),
    /** Saves when API users were last used. */
    async stop(): Promise<void> {
      context.saving.stop();
      await save(context);
    },
  };
}

export type ApiUsers = ReturnType<typeof createApiUsers>;

function list(context: ApiUserContext): ApiUser[] {
  return [...context.users.values()]
    .toSorted((a, b) => a.id - b.id)
    .map((row) => ({
      id: String(row.id),
      name: row.name,
      scope: row.scope,
      client_id: row.client_id,
      created: iso(row.created_at),
      last_used: isoOrNull(context.usedAt.get(row.id) ?? row.used_at),
      from_environment: row.id === context.environmentId,
      old_key_until: isoOrNull(isOldValid(context, row) ? row.old_until : null),
    }));
}

/**
 * Adds an API user. `turbo` is the serial number of the only turbo that can use the key, or null if any program can use it. Throws
 * `conflict` if the name is taken.
 */
function add(
  context: ApiUserContext,
  { name, scope }: NewApiUser,
  by: By,
  turbo: string | null,
): Promise<ApiUserSecrets> {
  const { repositories, writer, audit } = context;
  return writer.write((tx) => {
    refuseTakenName(repositories, 'name', name);
    const secrets = newSecrets(context, null);
    const id = repositories.accounts.insertApiUser(
      {
        name,
        scope,
        of_environment: 0,
        key_hash: sha256(secrets.api_key),
        client_id: secrets.client_id,
        secret_hash: sha256(secrets.client_secret),
        turbo,
      },
      tx.now,
    );
    audit.record(tx, { action: 'apiUser.added', by, subject: name, detail: { scope } });
    keepOnceCommitted(context, tx, id);
    return { id: String(id), name, scope, ...secrets };
  });
}

/**
 * Replaces both secrets; the old ones keep working for `graceSeconds`. Throws `not_found`, or `conflict` for the API user from the
 * environment.
 */
function rotate(context: ApiUserContext, id: string, graceSeconds: number, by: By): Promise<ApiUserSecrets> {
  const { repositories, writer, tokens, audit } = context;
  return writer.write((tx) => {
    const row = getChangeable(context, id);
    const secrets = newSecrets(context, row.client_id);
    const hasGrace = graceSeconds > 0;
    const until = tx.now + graceSeconds * 1_000;
    repositories.accounts.setSecrets({
      id: row.id,
      key_hash: sha256(secrets.api_key),
      client_id: secrets.client_id,
      secret_hash: sha256(secrets.client_secret),
      old_key_hash: hasGrace ? row.key_hash : null,
      old_secret_hash: hasGrace ? row.secret_hash : null,
      old_until: hasGrace ? until : null,
    });
    tokens.shorten(tx, row.id, until);
    const detail = { grace_seconds: graceSeconds };
    audit.record(tx, { action: 'apiUser.rotated', by, subject: row.name, detail });
    keepOnceCommitted(context, tx, row.id);
    return { id, name: row.name, scope: row.scope, ...secrets };
  });
}

/** Removes an API user and immediately revokes its key and tokens. Throws the same errors as `rotate`. */
function remove(context: ApiUserContext, id: string, by: By): Promise<void> {
  const { repositories, writer, tokens, audit } = context;
  return writer.write((tx) => {
    const row = getChangeable(context, id);
    tokens.shorten(tx, row.id, tx.now);
    repositories.accounts.removeApiUser(row.id);
    audit.record(tx, { action: 'apiUser.removed', by, subject: row.name, detail: {} });
    tx.afterCommit(() => {
      drop(context, row.id);
      context.usedAt.delete(row.id);
      context.unsaved.delete(row.id);
    });
  });
}

/** Accepts this key with all rights, unless an API user already has it. Replaces the previous key from the environment. */
function setEnvironmentKey(context: ApiUserContext, key: string): Promise<void> {
  return context.writer.write((tx) => {
    const key_hash = sha256(key);
    const all = context.repositories.accounts.listApiUsers();
    const same = all.find((row) => row.key_hash === key_hash);
    const before = all.find((row) => row.of_environment === 1);
    const id =
      same?.id ??
      (before === undefined
        ? addOfEnvironment(context, tx, key_hash)
        : replaceOfEnvironment(context, tx, before, key_hash));
    keepOnceCommitted(context, tx, id);
    tx.afterCommit(() => {
      context.environmentId = id;
    });
  });
}

/** Records that the API user just sent a request. The time is kept in memory and saved once a minute. */
function used(context: ApiUserContext, id: number): void {
  context.usedAt.set(id, context.clock.now());
  context.unsaved.add(id);
  context.saving.within(SAVE_EVERY_MS);
}

async function save({ repositories, writer, log, usedAt, unsaved }: ApiUserContext): Promise<void> {
  const saved = [...unsaved].map((id) => [id, usedAt.get(id) ?? 0] as const);
  unsaved.clear();
  if (saved.length === 0) return;
  try {
    await writer.write(() => {
      for (const [id, at] of saved) repositories.accounts.setApiUserUsed(id, at);
    });
  } catch (error) {
    log.warn({ err: error }, 'could not save when keys were last used');
  }
}

/** Returns an API user's row. Throws `not_found`, or `conflict` for the API user from the environment. Call inside a transaction. */
function getChangeable({ repositories, environmentId }: ApiUserContext, id: string): ApiUserRow {
  const row = /^\d{1,15}$/.test(id) ? repositories.accounts.findApiUser(Number(id)) : undefined;
  if (row === undefined) throw new StationError('not_found', `There is no API user ${id}.`);
  if (row.id === environmentId) {
    throw new StationError(
      'conflict',
      `The key of ${row.name} comes from PICKSTATION_API_KEY. Take it out of the environment and start the station again; then it can be changed here.`,
    );
  }
  return row;
}

function newSecrets({ ids }: ApiUserContext, clientId: string | null) {
  return {
    api_key: newSecret(ids, 'psk_'),
    client_id: clientId ?? newSecret(ids, 'psc_').slice(0, 26),
    client_secret: newSecret(ids, 'pss_'),
  };
}

function addOfEnvironment({ repositories, audit }: ApiUserContext, tx: Transaction, key_hash: string): number {
  const name = freeName(repositories);
  const id = repositories.accounts.insertApiUser(
    { name, scope: 'admin', of_environment: 1, key_hash, client_id: null, secret_hash: null, turbo: null },
    tx.now,
  );
  const detail = { scope: 'admin', method: 'environment' } as const;
  audit.record(tx, { action: 'apiUser.added', by: STATION, subject: name, detail });
  return id;
}

/** Gives the environment's API user this key, and revokes the user's other secrets and tokens. */
function replaceOfEnvironment(
  { repositories, tokens, audit }: ApiUserContext,
  tx: Transaction,
  { id, name }: ApiUserRow,
  key_hash: string,
): number {
  const none = { client_id: null, secret_hash: null, old_key_hash: null, old_secret_hash: null, old_until: null };
  repositories.accounts.setSecrets({ id, key_hash, ...none });
  tokens.shorten(tx, id, tx.now);
  audit.record(tx, { action: 'apiUser.rotated', by: STATION, subject: name, detail: { method: 'environment' } });
  return id;
}

function freeName(tables: TablesOf<'access'>): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? ENVIRONMENT_NAME : `${ENVIRONMENT_NAME} ${count}`;
    if (findNamed(tables, name) === undefined) return name;
  }
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
