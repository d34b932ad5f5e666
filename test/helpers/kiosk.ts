import type { Kiosk } from '#shared/api/kiosk.ts';
import type { Answer, TestStation } from './startTestStation.ts';

/** Returns the value of a cookie that an answer sets, or an empty text. */
export function cookieOf(answer: Answer, name: string): string {
  return (
    lineOf(answer, name)
      ?.replace(/^[^=]*=/, '')
      .split(';')[0] ?? ''
  );
}

/** Finds the header that sets a cookie. The real name of the cookie `kiosk` also contains the station's id. */
function lineOf(answer: Answer, name: string): string | undefined {
  return answer.headers
    .getSetCookie()
    .find((each) => each.startsWith(name === 'kiosk' ? 'pickstation-kiosk-' : `${name}=`));
}

/** Creates a kiosk and returns functions that send its requests. */
export async function makeKiosk(station: TestStation, name = 'Bench 1') {
  const made = await station.request('POST', '/api/kiosks/', { name });
  if (made.status !== 201) throw new Error(`The kiosk was answered ${made.status}.`);
  const token = cookieOf(made, 'kiosk');
  const setCookie = lineOf(made, 'kiosk') ?? '';
  const [cookie = ''] = setCookie.split(';');
  const json = { 'content-type': 'application/json' };
  return {
    id: (made.body as Kiosk).id,
    token,
    cookie,
    cookieName: cookie.slice(0, cookie.indexOf('=')),
    setCookie,
    screen: () => station.request('GET', '/api/kiosk/', undefined, { cookie }),
    signIn: (username: string, pin: string, headers: Record<string, string> = {}) =>
      station.request('POST', '/api/user/pin/', { username, pin }, { ...json, cookie, ...headers }),
    /** Signs in at the kiosk and returns the headers for a write in that session. */
    async open(username: string, pin: string) {
      const answer = await this.signIn(username, pin);
      if (answer.status !== 200) throw new Error(`The PIN was answered ${answer.status}.`);
      const session = cookieOf(answer, 'sessionid');
      const csrf = cookieOf(answer, 'csrftoken');
      const all = `${cookie}; sessionid=${session}; csrftoken=${csrf}`;
      return { ...json, cookie: all, 'x-csrf-token': csrf, referer: station.url };
    },
  };
}
