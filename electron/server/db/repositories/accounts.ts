import type { Scope } from '#shared/api/access.ts';
import type { Db } from '../database.ts';

export type Role = 'admin' | 'picker';
export type UserRow = { username: string; password_hash: string; role: Role };
export type ApiUserRow = { id: number; name: string; scope: Scope | 'turbo'; key_hash: string };
export type SessionRow = {
  id_hash: string;
  username: string;
  token_hash: string;
  key_hash: string;
  ends_at: number;
  role: Role;
};

export type AccountRows = ReturnType<typeof accountRows>;

/** People, API users and sessions. Secrets are hashes only. */
export function accountRows(db: Db) {
  const user = db.prepare<[string], UserRow>('SELECT username, password_hash, role FROM users WHERE username = ?');
  const owner = db.prepare<[], UserRow>(
    "SELECT username, password_hash, role FROM users WHERE role = 'admin' ORDER BY created_at, username LIMIT 1",
  );
  const userCount = db.prepare<[], number>('SELECT count(*) FROM users').pluck();
  const insertUser = db.prepare('INSERT INTO users (username, password_hash, role, created_at) VALUES (?, ?, ?, ?)');
  const setPassword = db.prepare('UPDATE users SET password_hash = ? WHERE username = ?');
  const pending = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'setup_pending'").pluck();
  const addPending = db.prepare("INSERT INTO meta (key, value) VALUES ('setup_pending', '1') ON CONFLICT DO NOTHING");
  const removePending = db.prepare("DELETE FROM meta WHERE key = 'setup_pending'");
  const apiUsers = db.prepare<[], ApiUserRow>('SELECT id, name, scope, key_hash FROM api_users ORDER BY id');
  const insertApiUser = db.prepare('INSERT INTO api_users (name, scope, key_hash, created_at) VALUES (?, ?, ?, ?)');
  const sessions = db.prepare<[number], SessionRow>(
    `SELECT id_hash, sessions.username, token_hash, key_hash, ends_at, role
     FROM sessions JOIN users USING (username) WHERE ends_at > ?`,
  );
  const insertSession = db.prepare(
    'INSERT INTO sessions (id_hash, username, token_hash, key_hash, created_at, ends_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const removeSession = db.prepare('DELETE FROM sessions WHERE id_hash = ?');
  const removeOthers = db.prepare('DELETE FROM sessions WHERE username = ? AND id_hash <> ?');
  const removeEnded = db.prepare('DELETE FROM sessions WHERE ends_at <= ?');

  return {
    findUser: (username: string): UserRow | undefined => user.get(username),
    /** The first of the admins. */
    findOwner: (): UserRow | undefined => owner.get(),
    countUsers: (): number => userCount.get() ?? 0,
    insertUser: (row: UserRow, now: number): void =>
      void insertUser.run(row.username, row.password_hash, row.role, now),
    setPassword: (username: string, hash: string): void => void setPassword.run(hash, username),
    /** Nobody has chosen the password of `admin` yet. */
    isSetupPending: (): boolean => pending.get() !== undefined,
    setSetupPending: (isPending: boolean): void => void (isPending ? addPending : removePending).run(),
    listApiUsers: (): ApiUserRow[] => apiUsers.all(),
    insertApiUser: (row: Omit<ApiUserRow, 'id'>, now: number): number =>
      Number(insertApiUser.run(row.name, row.scope, row.key_hash, now).lastInsertRowid),
    listSessions: (now: number): SessionRow[] => sessions.all(now),
    insertSession: (row: Omit<SessionRow, 'role'>, now: number): void =>
      void insertSession.run(row.id_hash, row.username, row.token_hash, row.key_hash, now, row.ends_at),
    removeSession: (idHash: string): void => void removeSession.run(idHash),
    removeOtherSessions: (username: string, idHash: string): void => void removeOthers.run(username, idHash),
    removeEnded: (now: number): void => void removeEnded.run(now),
  };
}
