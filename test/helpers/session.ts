import { ADMIN_PASSWORD, type Answer, type TestStation } from './startTestStation.ts';

export type TestSession = {
  token: string;
  apikey: string;
  sessionId: string;
  /** The `set-cookie` lines, by cookie name. */
  setCookies: Map<string, string>;
  /** Headers for a read in this session, as a browser sends them. */
  cookies: { cookie: string };
  /** Headers for a write in this session. */
  write: { cookie: string; 'x-csrf-token': string; referer: string };
};

export function signIn(
  station: TestStation,
  credentials: { username: string; password: string } = { username: 'admin', password: ADMIN_PASSWORD },
  headers: Record<string, string> = {},
): Promise<Answer> {
  return station.request('POST', '/api/user/login/', credentials, { 'content-type': 'application/json', ...headers });
}

/** Signs in and returns the cookies and headers that a browser would keep and send. */
export async function openSession(
  station: TestStation,
  credentials?: { username: string; password: string },
  headers: Record<string, string> = {},
): Promise<TestSession> {
  const answer = await signIn(station, credentials, headers);
  if (answer.status !== 200) throw new Error(`Signing in was answered ${answer.status}.`);
  const { token, apikey } = answer.body as { token: string; apikey: string };
  const setCookies = new Map(answer.headers.getSetCookie().map((line) => [line.slice(0, line.indexOf('=')), line]));
  const sessionId = /^sessionid=([^;]+)/.exec(setCookies.get('sessionid') ?? '')?.[1] ?? '';
  const cookie = `theme=dark; sessionid=${sessionId}; csrftoken=${token}`;
  return {
    token,
    apikey,
    sessionId,
    setCookies,
    cookies: { cookie },
    write: { cookie, 'x-csrf-token': token, referer: station.url },
  };
}
