import { openSession } from '../../helpers/session.ts';
import { API_KEY, type TestStation } from '../../helpers/startTestStation.ts';

/** Maximum number of sessions. It is small, because each sign-in is slow. */
const MAX_SESSIONS = 3;

const SCOPES = ['read', 'control', 'admin'] as const;

type Scope = (typeof SCOPES)[number];

export type FuzzCaller = {
  name: string;
  headers: Readonly<Record<string, string>>;
  scope: Scope;
  /** Signs in again after a request has ended the session or changed the password. Undefined if no request can do so. */
  renew?: () => Promise<void>;
};

/** The credentials with which an OAuth2 client gets a token. */
export type Client = { client_id: string; client_secret: string };

/** Returns whether a scope includes the needed scope. If `needed` is undefined, no sign-in is needed. */
export function includes(scope: Scope, needed: string | undefined): boolean {
  return needed === undefined || SCOPES.indexOf(scope) >= SCOPES.findIndex((each) => each === needed);
}

/** Creates the callers: first one with the API key from the environment, then one for every other way to sign in. */
export async function makeCallers(station: TestStation): Promise<{ callers: FuzzCaller[]; clients: Client[] }> {
  const clients: Client[] = [];
  let made = 0;
  let sessions = 0;
  const apiUser = (scope: Scope) => {
    made += 1;
    return station.post<Client & { api_key: string }>('/api/api-users/', { name: `Caller ${made}`, scope });
  };
  const makeKey = async (scope: Scope) => ({ 'api-key': (await apiUser(scope)).api_key });
  const callers = [
    { name: 'key', headers: { 'api-key': API_KEY }, scope: 'admin' as const },
    await renewable('read key', 'read', () => makeKey('read')),
    await renewable('control key', 'control', () => makeKey('control')),
    await renewable('token', 'control', async () => {
      const { client_id, client_secret } = await apiUser('control');
      clients.splice(0, Infinity, { client_id, client_secret });
      const form = `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`;
      const answer = await station.request('POST', '/api/oauth/token/', form, {
        'content-type': 'application/x-www-form-urlencoded',
      });
      return { authorization: `Bearer ${(answer.body as { access_token: string }).access_token}` };
    }),
    await renewable('session', 'admin', async (now) => {
      if (now === undefined) return (await openSession(station)).write;
      sessions += 1;
      if (sessions > MAX_SESSIONS) return now;
      // If the password has been changed, keep the current session.
      return openSession(station).then(
        ({ write }) => write,
        () => now,
      );
    }),
  ];
  return { callers, clients };
}

async function renewable(
  name: string,
  scope: Scope,
  make: (now: FuzzCaller['headers'] | undefined) => Promise<FuzzCaller['headers']>,
): Promise<FuzzCaller> {
  const caller = { name, scope, headers: await make(undefined) };
  return Object.assign(caller, {
    async renew() {
      caller.headers = await make(caller.headers);
    },
  });
}

/** Credentials that no station accepts. */
export const STRANGERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'api-key': 'no key' },
  { 'api-key': '' },
  { authorization: 'Bearer nothing' },
  { authorization: 'Basic YWRtaW46d3Jvbmc=' },
  { authorization: 'Digest username="admin"' },
  { cookie: 'sessionid=nothing; csrftoken=nothing' },
];
