import type { ApiUser, ApiUserSecrets, NewApiUser } from '#shared/api/access.ts';
import type { ApiUserRow } from '../../db/repositories/accounts.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { createAlarm } from '../../alarm.ts';
import type { Clock, Ids, Log } from '../../ports.ts';
import { refuseTakenName } from './names.ts';
import { isSecretOf, newSecret, sha256 } from './secrets.ts';
import type { Tokens } from './tokens.ts';
import { type Audit, type By, STATION } from '../base/index.ts';

const SAVE_EVERY_MS = 60_000;
/** The sender in history for a key without a name. */
const ENVIRONMENT_NAME = 'API key';

/** Programs: each has a key, and a client secret for OAuth2. Both are shown once, and stored as hashes. */
export function createApiUsers(parts: {
  repositories: Pick<Repositories, 'accounts'>;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  ids: Ids;
  log: Log;
  tokens: Tokens;
  audit: Audit;
}) {
  const { repositories, writer, clock, ids, log, tokens, audit } = parts;
  const users = new Map<number, ApiUserRow>();
  const byKey = new Map<string, { id: number; isOld: boolean }>();
  const byClientId = new Map<string, number>();
  const usedAt = new Map<number, number>();
  const unsaved = new Set<number>();
  /** The API user whose key comes from the environment. */
  let environmentId: number | undefined;
  const saving = createAlarm(clock, () => void save());

  for (const row of repositories.accounts.listApiUsers()) keep(row);

  function keep(row: ApiUserRow): void {
    drop(row.id);
    users.set(row.id, row);
    byKey.set(row.key_hash, { id: row.id, isOld: false });
    if (row.old_key_hash !== null && !byKey.has(row.old_key_hash))
      byKey.set(row.old_key_hash, { id: row.id, isOld: true });
    if (row.client_id !== null) byClientId.set(row.client_id, row.id);
  }

  function drop(id: number): void {
    const known = users.get(id);
    if (known === undefined) return;
    users.delete(id);
    for (const hash of [known.key_hash, known.old_key_hash]) if (hash !== null) byKey.delete(hash);
    if (known.client_id !== null) byClientId.delete(known.client_id);
  }

  function isOldValid({ old_until }: ApiUserRow): boolean {
    return old_until !== null && old_until > clock.now();
  }

  /** The current row, if it may be changed. Runs inside a use-case. */
  function changeable(id: string): ApiUserRow {
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

  function newSecrets(clientId: string | null) {
    return {
      api_key: newSecret(ids, 'psk_'),
      client_id: clientId ?? newSecret(ids, 'psc_').slice(0, 26),
      client_secret: newSecret(ids, 'pss_'),
    };
  }

  function kept(tx: Transaction, id: number): void {
    const row = repositories.accounts.findApiUser(id);
    tx.afterCommit(() => {
      if (row !== undefined) keep(row);
    });
  }

  function freeName(): string {
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? ENVIRONMENT_NAME : `${ENVIRONMENT_NAME} ${count}`;
      if (
        repositories.accounts.findApiUserByName(name) === undefined &&
        repositories.accounts.findUser(name) === undefined
      )
        return name;
    }
  }

  function addOfEnvironment(tx: Transaction, key_hash: string): number {
    const name = freeName();
    const id = repositories.accounts.insertApiUser(
      { name, scope: 'admin', of_environment: 1, key_hash, client_id: null, secret_hash: null, turbo: null },
      tx.now,
    );
    const detail = { scope: 'admin', method: 'environment' } as const;
    audit.record(tx, { action: 'apiUser.added', by: STATION, subject: name, detail });
    return id;
  }

  /** The key that the environment held before is no longer accepted, nor any other secret of that API user. */
  function replaceOfEnvironment(tx: Transaction, { id, name }: ApiUserRow, key_hash: string): number {
    const none = { client_id: null, secret_hash: null, old_key_hash: null, old_secret_hash: null, old_until: null };
    repositories.accounts.setSecrets({ id, key_hash, ...none });
    tokens.shorten(tx, id, tx.now);
    audit.record(tx, { action: 'apiUser.rotated', by: STATION, subject: name, detail: { method: 'environment' } });
    return id;
  }

  async function save(): Promise<void> {
    const saved = [...unsaved].map((id) => [id, usedAt.get(id) ?? 0] as const);
    unsaved.clear();
    if (saved.length === 0) return;
    try {
      await writer.write(() => {
        for (const [id, at] of saved) repositories.accounts.setApiUserUsed(id, at);
      });
    } catch (error) {
      log.warn({ err: error }, 'the last use of keys could not be saved');
    }
  }

  return {
    list: (): ApiUser[] =>
      [...users.values()]
        .toSorted((a, b) => a.id - b.id)
        .map((row) => ({
          id: String(row.id),
          name: row.name,
          scope: row.scope,
          client_id: row.client_id,
          created: iso(row.created_at),
          last_used: isoOrNull(usedAt.get(row.id) ?? row.used_at),
          from_environment: row.id === environmentId,
          old_key_until: isoOrNull(isOldValid(row) ? row.old_until : null),
        })),
    /** `turbo`: serial number of the only turbo that the key is for. Throws `conflict` where the name is taken. */
    add: ({ name, scope }: NewApiUser, by: By, turbo: string | null = null): Promise<ApiUserSecrets> =>
      writer.write((tx) => {
        refuseTakenName(repositories, 'name', name);
        const secrets = newSecrets(null);
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
        kept(tx, id);
        return { id: String(id), name, scope, ...secrets };
      }),
    /** New secrets; the old ones are accepted for so long. Throws `not_found`, and `conflict` for the key of the environment. */
    rotate: (id: string, graceSeconds: number, by: By): Promise<ApiUserSecrets> =>
      writer.write((tx) => {
        const row = changeable(id);
        const secrets = newSecrets(row.client_id);
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
        kept(tx, row.id);
        return { id, name: row.name, scope: row.scope, ...secrets };
      }),
    /** At once, with its tokens. Throws like `rotate`. */
    remove: (id: string, by: By): Promise<void> =>
      writer.write((tx) => {
        const row = changeable(id);
        tokens.shorten(tx, row.id, tx.now);
        repositories.accounts.removeApiUser(row.id);
        audit.record(tx, { action: 'apiUser.removed', by, subject: row.name, detail: {} });
        tx.afterCommit(() => {
          drop(row.id);
          usedAt.delete(row.id);
          unsaved.delete(row.id);
        });
      }),
    /** The key of the environment: of an API user with all rights, unless an API user has it already. */
    setEnvironmentKey: (key: string): Promise<void> =>
      writer.write((tx) => {
        const key_hash = sha256(key);
        const all = repositories.accounts.listApiUsers();
        const same = all.find((row) => row.key_hash === key_hash);
        const before = all.find((row) => row.of_environment === 1);
        const id =
          same?.id ??
          (before === undefined ? addOfEnvironment(tx, key_hash) : replaceOfEnvironment(tx, before, key_hash));
        kept(tx, id);
        tx.afterCommit(() => {
          environmentId = id;
        });
      }),
    find: (id: number): ApiUserRow | undefined => users.get(id),
    findByKey(keyHash: string): ApiUserRow | undefined {
      const found = byKey.get(keyHash);
      const row = found && users.get(found.id);
      return row !== undefined && found?.isOld === true && !isOldValid(row) ? undefined : row;
    },
    /** Hashes of the keys of the API user with this name, if its scope is `turbo`; with the former one in its grace period. */
    listTurboHashes(name: string): string[] {
      const user = [...users.values()].find((row) => nameKey(row.name) === nameKey(name));
      if (user?.scope !== 'turbo') return [];
      const { key_hash, old_key_hash } = user;
      return old_key_hash !== null && isOldValid(user) ? [key_hash, old_key_hash] : [key_hash];
    },
    /** Ids of those whose keys are for this turbo only. */
    listBoundTo: (serialNumber: string): string[] =>
      [...users.values()].filter(({ turbo }) => turbo === serialNumber).map(({ id }) => String(id)),
    findByClientId(clientId: string): ApiUserRow | undefined {
      const id = byClientId.get(clientId);
      return id === undefined ? undefined : users.get(id);
    },
    /** The hash by which this secret was accepted, current or in its grace period; undefined: it is wrong. */
    findSecretOf(user: ApiUserRow, secret: string): string | undefined {
      const { secret_hash, old_secret_hash } = user;
      const isNew = isSecretOf(secret, secret_hash);
      const isOld = isSecretOf(secret, old_secret_hash) && isOldValid(user);
      return (isNew ? secret_hash : isOld ? old_secret_hash : null) ?? undefined;
    },
    /** It did something just now. Kept in memory, and saved once a minute. */
    used(id: number): void {
      usedAt.set(id, clock.now());
      unsaved.add(id);
      saving.within(SAVE_EVERY_MS);
    },
    /** Saves once more. */
    async stop(): Promise<void> {
      saving.stop();
      await save();
    },
  };
}

export type ApiUsers = ReturnType<typeof createApiUsers>;

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
