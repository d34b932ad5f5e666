import type { ApiUserScope, Role, Scope } from '#shared/api/access.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { Db } from '../db.ts';

export type UserRow = {
  name_key: string;
  username: string;
  password_hash: string;
  role: Role;
  created_at: number;
  signed_in_at: number | null;
};

export type ApiUserRow = {
  id: number;
  name: string;
  scope: ApiUserScope;
  of_environment: 0 | 1;
  key_hash: string;
  client_id: string | null;
  secret_hash: string | null;
  old_key_hash: string | null;
  old_secret_hash: string | null;
  old_until: number | null;
  created_at: number;
  used_at: number | null;
};

export type SessionRow = {
  id_hash: string;
  name_key: string;
  token_hash: string;
  key_hash: string;
  created_at: number;
  ends_at: number;
};

export type TokenRow = { hash: string; api_user_id: number; scope: Scope; ends_at: number };

export type AccountRows = ReturnType<typeof accountRows>;

/** People, API users, sessions and tokens. Secrets are hashes only. */
export function accountRows(db: Db) {
  return { ...userRows(db), ...apiUserRows(db), ...sessionRows(db), ...tokenRows(db) };
}

function userRows(db: Db) {
  const columns = 'name_key, username, password_hash, role, created_at, signed_in_at';
  const user = db.prepare<[string], UserRow>(`SELECT ${columns} FROM users WHERE name_key = ?`);
  const all = db.prepare<[], UserRow>(`SELECT ${columns} FROM users ORDER BY name_key`);
  const owner = db.prepare<[], UserRow>(
    `SELECT ${columns} FROM users WHERE role = 'admin' ORDER BY created_at, name_key LIMIT 1`,
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM users').pluck();
  const countAdmins = db.prepare<[], number>("SELECT count(*) FROM users WHERE role = 'admin'").pluck();
  const insert = db.prepare(
    'INSERT INTO users (name_key, username, password_hash, role, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const setPassword = db.prepare('UPDATE users SET password_hash = ? WHERE name_key = ?');
  const setRole = db.prepare('UPDATE users SET role = ? WHERE name_key = ?');
  const setSignedIn = db.prepare('UPDATE users SET signed_in_at = ? WHERE name_key = ?');
  const remove = db.prepare('DELETE FROM users WHERE name_key = ?');
  const pending = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'setup_pending'").pluck();
  const addPending = db.prepare("INSERT INTO meta (key, value) VALUES ('setup_pending', '1') ON CONFLICT DO NOTHING");
  const removePending = db.prepare("DELETE FROM meta WHERE key = 'setup_pending'");

  return {
    findUser: (username: string): UserRow | undefined => user.get(nameKey(username)),
    listUsers: (): UserRow[] => all.all(),
    /** The first admin. */
    findOwner: (): UserRow | undefined => owner.get(),
    countUsers: (): number => count.get() ?? 0,
    countAdmins: (): number => countAdmins.get() ?? 0,
    insertUser: (row: Pick<UserRow, 'username' | 'password_hash' | 'role'>, now: number): void =>
      void insert.run(nameKey(row.username), row.username, row.password_hash, row.role, now),
    setPassword: (username: string, hash: string): void => void setPassword.run(hash, nameKey(username)),
    setRole: (username: string, role: Role): void => void setRole.run(role, nameKey(username)),
    setSignedIn: (username: string, at: number): void => void setSignedIn.run(at, nameKey(username)),
    /** Also removes the user's sessions. */
    removeUser: (username: string): void => void remove.run(nameKey(username)),
    /** Whether the password of `admin` is still to be chosen. */
    isSetupPending: (): boolean => pending.get() !== undefined,
    setSetupPending: (isPending: boolean): void => void (isPending ? addPending : removePending).run(),
  };
}

function apiUserRows(db: Db) {
  const columns = `id, name, scope, of_environment, key_hash, client_id, secret_hash, old_key_hash, old_secret_hash, old_until,
    created_at, used_at`;
  const all = db.prepare<[], ApiUserRow>(`SELECT ${columns} FROM api_users ORDER BY id`);
  const one = db.prepare<[number], ApiUserRow>(`SELECT ${columns} FROM api_users WHERE id = ?`);
  const byName = db.prepare<[string], ApiUserRow>(`SELECT ${columns} FROM api_users WHERE name_key = ?`);
  const insert = db.prepare(
    `INSERT INTO api_users (name, name_key, scope, of_environment, key_hash, client_id, secret_hash, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setSecrets = db.prepare(
    `UPDATE api_users SET key_hash = :key_hash, client_id = :client_id, secret_hash = :secret_hash,
       old_key_hash = :old_key_hash, old_secret_hash = :old_secret_hash, old_until = :old_until WHERE id = :id`,
  );
  const setUsed = db.prepare('UPDATE api_users SET used_at = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM api_users WHERE id = ?');

  return {
    listApiUsers: (): ApiUserRow[] => all.all(),
    findApiUser: (id: number): ApiUserRow | undefined => one.get(id),
    findApiUserByName: (name: string): ApiUserRow | undefined => byName.get(nameKey(name)),
    /** Returns the id. */
    insertApiUser(
      row: Pick<ApiUserRow, 'name' | 'scope' | 'of_environment' | 'key_hash' | 'client_id' | 'secret_hash'>,
      now: number,
    ): number {
      const { name, scope, of_environment, key_hash, client_id, secret_hash } = row;
      const { lastInsertRowid } = insert.run(
        name,
        nameKey(name),
        scope,
        of_environment,
        key_hash,
        client_id,
        secret_hash,
        now,
      );
      return Number(lastInsertRowid);
    },
    setSecrets(
      row: Pick<
        ApiUserRow,
        'id' | 'key_hash' | 'client_id' | 'secret_hash' | 'old_key_hash' | 'old_secret_hash' | 'old_until'
      >,
    ): void {
      const { id, key_hash, client_id, secret_hash, old_key_hash, old_secret_hash, old_until } = row;
      setSecrets.run({ id, key_hash, client_id, secret_hash, old_key_hash, old_secret_hash, old_until });
    },
    setApiUserUsed: (id: number, at: number): void => void setUsed.run(at, id),
    /** Also removes its tokens. */
    removeApiUser: (id: number): void => void remove.run(id),
  };
}

function sessionRows(db: Db) {
  const all = db.prepare<[number], SessionRow & { username: string; role: Role }>(
    `SELECT id_hash, name_key, token_hash, key_hash, sessions.created_at, ends_at, username, role
     FROM sessions JOIN users USING (name_key) WHERE ends_at > ? ORDER BY sessions.created_at`,
  );
  const insert = db.prepare(
    'INSERT INTO sessions (id_hash, name_key, token_hash, key_hash, created_at, ends_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = db.prepare('DELETE FROM sessions WHERE id_hash = ?');
  const removeOthers = db.prepare('DELETE FROM sessions WHERE name_key = ? AND id_hash <> ?');
  const removeEnded = db.prepare('DELETE FROM sessions WHERE ends_at <= ?');

  return {
    /** Oldest first. */
    listSessions: (now: number) => all.all(now),
    insertSession: (row: SessionRow): void =>
      void insert.run(row.id_hash, row.name_key, row.token_hash, row.key_hash, row.created_at, row.ends_at),
    /** False if it has already ended. */
    removeSession: (idHash: string): boolean => remove.run(idHash).changes > 0,
    removeOtherSessions: (username: string, idHash: string): void => void removeOthers.run(nameKey(username), idHash),
    removeEnded: (now: number): void => void removeEnded.run(now),
  };
}

function tokenRows(db: Db) {
  const all = db.prepare<[number], TokenRow>(
    'SELECT hash, api_user_id, scope, ends_at FROM tokens WHERE ends_at > ? ORDER BY ends_at',
  );
  const insert = db.prepare('INSERT INTO tokens (hash, api_user_id, scope, ends_at) VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM tokens WHERE hash = ?');
  const removeEnded = db.prepare('DELETE FROM tokens WHERE api_user_id = ? AND ends_at <= ?');
  const shorten = db.prepare('UPDATE tokens SET ends_at = min(ends_at, ?) WHERE api_user_id = ?');

  return {
    /** Sorted by end. */
    listTokens: (now: number): TokenRow[] => all.all(now),
    insertToken: (row: TokenRow): void => void insert.run(row.hash, row.api_user_id, row.scope, row.ends_at),
    removeToken: (hash: string): void => void remove.run(hash),
    removeEndedTokens: (apiUserId: number, now: number): void => void removeEnded.run(apiUserId, now),
    /** Limits the lifetime of all its tokens. */
    shortenTokens: (apiUserId: number, until: number): void => void shorten.run(until, apiUserId),
  };
}
