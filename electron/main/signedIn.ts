import type { CookiesSetDetails } from 'electron';
import type { Started } from '../server/station.ts';
import type { StationFetch } from './stationFetch.ts';

const SESSION = 'sessionid';
/** Names of session cookies for sign-ins on the page. */
const PAGE_SESSION = /^pickstation-(?!csrf-|kiosk-)/;
const TOKEN = 'csrftoken';
const RENEW_BEFORE_MS = 7 * 24 * 3_600_000;
const LOOK_EVERY_MS = 3_600_000;

export type SignedIn = {
  /** Returns the window's session cookies as a request header. */
  cookie(): Promise<string | undefined>;
  /** Ends the window's session, if there is enough time. */
  signOut(signal: AbortSignal): Promise<void>;
};

/** Whether this is the name of a session cookie. */
export const isSessionCookie = (name: string): boolean => name === SESSION || PAGE_SESSION.test(name);

/** Returns a request header with the session cookies among `cookies`, or undefined if there are none. */
export function sessionHeader(cookies: readonly { name: string; value: string }[]): string | undefined {
  const found = cookies.filter(({ name }) => isSessionCookie(name));
  return found.length === 0 ? undefined : found.map(({ name, value }) => `${name}=${value}`).join('; ');
}

/** The part of Chromium's cookie store that the shell uses. */
export type CookieJar = {
  get(filter: { url: string }): Promise<{ name: string; value: string }[]>;
  set(cookie: CookiesSetDetails): Promise<void>;
};

/**
 * Signs the window in while the shell runs, with the same cookies as a password sign-in. Session cookies are not written to disk. After a
 * sign-out, the window stays signed out.
 */
export async function signWindowIn(
  jar: CookieJar,
  url: string,
  ask: StationFetch,
  signIn: Started['signIn'],
  complain: (error: unknown) => void,
): Promise<SignedIn> {
  let ours = await signIn();
  await put();

  async function put(): Promise<void> {
    const usual = { url, path: '/', secure: url.startsWith('https:'), sameSite: 'lax' } as const;
    await jar.set({ ...usual, name: SESSION, value: ours.sessionId, httpOnly: true });
    await jar.set({ ...usual, name: TOKEN, value: ours.token, httpOnly: false });
  }

  async function sessions(): Promise<{ name: string; value: string }[]> {
    return (await jar.get({ url })).filter(({ name }) => isSessionCookie(name));
  }

  async function renew(): Promise<void> {
    if (ours.endsAt - Date.now() > RENEW_BEFORE_MS || !(await sessions()).some(({ value }) => value === ours.sessionId))
      return;
    ours = await signIn();
    await put();
  }

  const looking = setInterval(() => void renew().catch(complain), LOOK_EVERY_MS);
  looking.unref();

  return {
    async cookie() {
      return sessionHeader(await sessions());
    },
    async signOut(signal) {
      clearInterval(looking);
      const headers = {
        cookie: `${SESSION}=${ours.sessionId}; ${TOKEN}=${ours.token}`,
        'x-csrf-token': ours.token,
        referer: url,
      };
      const answer = await ask(new URL('/api/user/logout/', url), { method: 'POST', headers, signal });
      await answer.arrayBuffer();
    },
  };
}
