import type { ApiUserScope, Role, Scope } from '#shared/api/access.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Db } from '../db.ts';
import { kioskRows } from './kiosks.ts';
import { screenRows } from './screens.ts';
import { statements } from './statements.ts';

export type UserRow = {
  name_key: string;
  username: string;
  password_hash: string;
  role: Role;
  created_at: number;
  signed_in_at: number | null;
  /** Color of this person's picks; null if not chosen yet. */
  color: string | null;
  /** Hash of the PIN; null if the person cannot sign in at kiosks. */
  pin_hash: string | null;
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
  /** Serial number of the only turbo that can use the key; null if the key is not bound. */
  turbo: string | null;
};

export type SessionRow = {
  id_hash: string;
  name_key: string;
  token_hash: string;
  key_hash: string;
  created_at: number;
  ends_at: number;
  /** The kiosk where the session began with a PIN; null if it began with a password. */
  kiosk_id: number | null;
};

export type TokenRow = { hash: string; api_user_id: number; scope: Scope; ends_at: number };

/** Reads and writes people, API users, sessions and tokens. Secrets are stored only as hashes. */
export function accountRows(db: Db) {
  return {
    ...userRows(db),
    ...apiUserRows(db),
    ...sessionRows(db),
    ...tokenRows(db),
    ...kioskRows(db),
    ...screenRows(db),
  };
}

function userRows(db: Db) {
  const { find, list, meta, number, run } = statements(db);
  const users = 'SELECT name_key, username, password_hash, role, created_at, signed_in_at, color, pin_hash FROM users';
  const user = find<[key: string], UserRow>(`${users} WHERE name_key = ?`);
  const insert = run<[key: string, name: string, hash: string, role: Role, now: number]>(
    'INSERT INTO users (name_key, username, password_hash, role, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const setPassword = run<[hash: string, key: string]>('UPDATE users SET password_hash = ? WHERE name_key = ?');
  const setRole = run<[role: Role, key: string]>('UPDATE users SET role = ? WHERE name_key = ?');
  const setColor = run<[color: string, key: string]>('UPDATE users SET color = ? WHERE name_key = ?');
  const setPin = run<[hash: string | null, key: string]>('UPDATE users SET pin_hash = ? WHERE name_key = ?');
  const setSignedIn = run<[at: number, key: string]>('UPDATE users SET signed_in_at = ? WHERE name_key = ?');
  const remove = run<[key: string]>('DELETE FROM users WHERE name_key = ?');
  const pending = meta('setup_pending');
  const firstDay = meta('first_day');

  return {
    findUser: (username: string) => user(nameKey(username)),
    listUsers: list<[], UserRow>(`${users} ORDER BY name_key`),
    /** Finds the first admin. */
    findOwner: find<[], UserRow>(`${users} WHERE role = 'admin' ORDER BY created_at, name_key LIMIT 1`),
    countUsers: number<[]>('SELECT count(*) FROM users'),
    countAdmins: number<[]>("SELECT count(*) FROM users WHERE role = 'admin'"),
    insertUser: (row: Pick<UserRow, 'username' | 'password_hash' | 'role'>, now: number) =>
      insert(nameKey(row.username), row.username, row.password_hash, row.role, now),
    setPassword: (username: string, hash: string) => setPassword(hash, nameKey(username)),
    setRole: (username: string, role: Role) => setRole(role, nameKey(username)),
    setColor: (username: string, color: string) => setColor(color, nameKey(username)),
    setPin: (username: string, hash: string | null) => setPin(hash, nameKey(username)),
    /** Lists pickers who sign in with a PIN. */
    listWithPin: list<[], UserRow>(`${users} WHERE role = 'picker' AND pin_hash IS NOT NULL ORDER BY name_key`),
    setSignedIn: (username: string, at: number) => setSignedIn(at, nameKey(username)),
    /** Removes a user and the user's sessions. */
    removeUser: (username: string) => remove(nameKey(username)),
    /** Whether the password of `admin` has not been chosen yet. */
    isSetupPending: () => pending.get() !== undefined,
    /** Whether an admin closed the list of first steps. */
    isFirstDayOver: () => firstDay.get() !== undefined,
    setFirstDayOver: (isOver: boolean) => (isOver ? firstDay.set('over') : firstDay.remove()),
    setSetupPending: (isPending: boolean) => (isPending ? pending.set('1') : pending.remove()),
  };
}

function apiUserRows(db: Db) {
  const { find, insertInto, list, run } = statements(db);
  const users = `SELECT id, name, scope, of_environment, key_hash, client_id, secret_hash, old_key_hash, old_secret_hash,
    old_until, created_at, used_at, turbo FROM api_users`;
  type New = Pick<ApiUserRow, 'name' | 'scope' | 'of_environment' | 'key_hash' | 'client_id' | 'secret_hash' | 'turbo'>;
  type Secrets = 'key_hash' | 'client_id' | 'secret_hash' | 'old_key_hash' | 'old_secret_hash' | 'old_until';
  const byName = find<[key: string], ApiUserRow>(`${users} WHERE name_key = ?`);
  const insert = insertInto<New & { name_key: string; created_at: number }>(
    'api_users',
    'name, name_key, scope, of_environment, key_hash, client_id, secret_hash, turbo, created_at',
  );
  const setUsed = run<[at: number, id: number]>('UPDATE api_users SET used_at = ? WHERE id = ?');

  return {
    listApiUsers: list<[], ApiUserRow>(`${users} ORDER BY id`),
    findApiUser: find<[id: number], ApiUserRow>(`${users} WHERE id = ?`),
    findApiUserByName: (name: string) => byName(nameKey(name)),
    /** Returns the id. */
    insertApiUser: (row: New, now: number) => insert({ ...row, name_key: nameKey(row.name), created_at: now }),
    setSecrets: run<[row: Pick<ApiUserRow, 'id' | Secrets>]>(
      `UPDATE api_users SET key_hash = :key_hash, client_id = :client_id, secret_hash = :secret_hash,
         old_key_hash = :old_key_hash, old_secret_hash = :old_secret_hash, old_until = :old_until WHERE id = :id`,
    ),
    setApiUserUsed: (id: number, at: number) => setUsed(at, id),
    /** Removes an API user and its tokens. */
    removeApiUser: run<[id: number]>('DELETE FROM api_users WHERE id = ?'),
  };
}

function sessionRows(db: Db) {
  const { change, insertInto, list, number, run, value, values } = statements(db);
  const remove = change<[idHash: string]>('DELETE FROM sessions WHERE id_hash = ?');
  const listEnded = values<[now: number], string>(
    'SELECT DISTINCT username FROM sessions JOIN users USING (name_key) WHERE ends_at <= ?',
  );
  const removeEnded = run<[now: number]>('DELETE FROM sessions WHERE ends_at <= ?');
  const listOfKiosk = values<[kioskId: number], string>(
    'SELECT DISTINCT username FROM sessions JOIN users USING (name_key) WHERE kiosk_id = ?',
  );
  const removeOfKiosk = run<[kioskId: number]>('DELETE FROM sessions WHERE kiosk_id = ?');
  const removeWithPin = change<[key: string, but: string]>(
    'DELETE FROM sessions WHERE name_key = ? AND kiosk_id IS NOT NULL AND id_hash <> ?',
  );
  const countOpen = number<[key: string, now: number]>(
    'SELECT EXISTS (SELECT 1 FROM sessions WHERE name_key = ? AND ends_at > ?)',
  );
  const removeOthers = change<[key: string, idHash: string]>(
    'DELETE FROM sessions WHERE name_key = ? AND id_hash <> ?',
  );

  return {
    /** Lists sessions that have not expired, oldest first. */
    listSessions: list<[now: number], SessionRow & { username: string; role: Role }>(
      `SELECT id_hash, name_key, token_hash, key_hash, sessions.created_at, ends_at, kiosk_id, username, role
       FROM sessions JOIN users USING (name_key) WHERE ends_at > ? ORDER BY sessions.created_at`,
    ),
    insertSession: insertInto<SessionRow>(
      'sessions',
      'id_hash, name_key, token_hash, key_hash, created_at, ends_at, kiosk_id',
    ),
    /** Returns false if the session has already ended. */
    removeSession: (idHash: string) => remove(idHash) > 0,
    /** Removes all other sessions of this user. Returns false if there were none. */
    removeOtherSessions: (username: string, idHash: string) => removeOthers(nameKey(username), idHash) > 0,
    /** Removes expired sessions. Returns the names of their users. */
    removeEnded(now: number): string[] {
      const names = listEnded(now);
      if (names.length > 0) removeEnded(now);
      return names;
    },
    /** Removes the sessions that began at a kiosk. Returns the names of their users. */
    removeSessionsOfKiosk(kioskId: number): string[] {
      const names = listOfKiosk(kioskId);
      if (names.length > 0) removeOfKiosk(kioskId);
      return names;
    },
    /** Removes a user's sessions that began with a PIN, except `but`. Returns false if there were none. */
    removeSessionsWithPin: (username: string, but: string) => removeWithPin(nameKey(username), but) > 0,
    /** Returns when the first session expires, or undefined if there are no sessions. */
    findFirstEnd: value<[], number>('SELECT min(ends_at) FROM sessions'),
    isSignedIn: (username: string, now: number) => countOpen(nameKey(username), now) > 0,
  };
}

function tokenRows(db: Db) {
  const { insertInto, list, run } = statements(db);
  const shorten = run<[until: number, id: number]>('UPDATE tokens SET ends_at = min(ends_at, ?) WHERE api_user_id = ?');

  return {
    /** Lists tokens that have not expired, sorted by expiry. */
    listTokens: list<[now: number], TokenRow>(
      'SELECT hash, api_user_id, scope, ends_at FROM tokens WHERE ends_at > ? ORDER BY ends_at',
    ),
    insertToken: insertInto<TokenRow>('tokens', 'hash, api_user_id, scope, ends_at'),
    removeToken: run<[hash: string]>('DELETE FROM tokens WHERE hash = ?'),
    removeEndedTokens: run<[apiUserId: number, now: number]>(
      'DELETE FROM tokens WHERE api_user_id = ? AND ends_at <= ?',
    ),
    /** Limits the lifetime of all tokens of this API user. */
    shortenTokens: (apiUserId: number, until: number) => shorten(until, apiUserId),
  };
}
