import type { ApiUser, ApiUserSecrets, AuditEntry, NewApiUser, NewUser, User, UserChange } from '#shared/api/access.ts';

/** What only admins may ask: people, the keys of programs, and who did what. */
export type AccessApi = {
  loadUsers(): Promise<readonly User[]>;
  addUser(user: NewUser): Promise<User>;
  /** `conflict` where no admin would be left. */
  changeUser(username: string, change: UserChange): Promise<User>;
  /** `conflict` where no admin would be left. */
  removeUser(username: string): Promise<void>;
  loadApiUsers(): Promise<readonly ApiUser[]>;
  /** The secrets are answered this once. */
  addApiUser(user: NewApiUser): Promise<ApiUserSecrets>;
  /** New secrets; the old ones count for so long. */
  rotateApiUser(id: string, graceSeconds: number): Promise<ApiUserSecrets>;
  removeApiUser(id: string): Promise<void>;
  /** Newest first; `after` is the last id of the page before. */
  loadAudit(query: { limit: number; after?: string }): Promise<readonly AuditEntry[]>;
};

type Ports = {
  call(request: { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: object }): Promise<Response>;
  bodyOf<T>(response: Response): Promise<T>;
};

export function accessApi({ call, bodyOf }: Ports): AccessApi {
  return {
    async loadUsers() {
      return bodyOf<User[]>(await call({ method: 'GET', path: '/api/users/' }));
    },
    async addUser(user) {
      return bodyOf<User>(await call({ method: 'POST', path: '/api/users/', body: user }));
    },
    async changeUser(username, change) {
      return bodyOf<User>(await call({ method: 'PATCH', path: userPath(username), body: change }));
    },
    async removeUser(username) {
      await call({ method: 'DELETE', path: userPath(username) });
    },
    async loadApiUsers() {
      return bodyOf<ApiUser[]>(await call({ method: 'GET', path: '/api/api-users/' }));
    },
    async addApiUser(user) {
      return bodyOf<ApiUserSecrets>(await call({ method: 'POST', path: '/api/api-users/', body: user }));
    },
    async rotateApiUser(id, graceSeconds) {
      const path = `${apiUserPath(id)}rotate/`;
      return bodyOf<ApiUserSecrets>(await call({ method: 'POST', path, body: { grace_seconds: graceSeconds } }));
    },
    async removeApiUser(id) {
      await call({ method: 'DELETE', path: apiUserPath(id) });
    },
    async loadAudit({ limit, after }) {
      const query = new URLSearchParams({ limit: String(limit), ...(after === undefined ? {} : { after }) });
      return bodyOf<AuditEntry[]>(await call({ method: 'GET', path: `/api/audit/?${query}` }));
    },
  };
}

function userPath(username: string): string {
  return `/api/users/${encodeURIComponent(username)}/`;
}

function apiUserPath(id: string): string {
  return `/api/api-users/${encodeURIComponent(id)}/`;
}
