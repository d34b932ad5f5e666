import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { openSession, signIn } from '../../helpers/session.ts';
import {
  ADMIN_PASSWORD,
  API_KEY,
  startTestStation,
  type Answer,
  type TestStation,
} from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation();
});

afterAll(() => station.stop());

describe('an API key', () => {
  test('is accepted under each header name that clients use', async () => {
    for (const name of ['API-KEY', 'Api-Key', 'api-key', 'API_KEY', 'api_key']) {
      const answer = await rawRequest(station.url, { path: '/api/device/', headers: { [name]: API_KEY } });
      expect(answer.status, name).toBe(200);
    }
  });

  test('gets 401 if wrong, empty or missing, for reads, writes and the stream', async () => {
    for (const headers of [
      {},
      { 'api-key': '' },
      { 'api-key': 'wrong' },
      { 'api-key': `${API_KEY} x` },
      { 'api-key': API_KEY.toUpperCase() },
      { authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` },
      { cookie: `api-key=${API_KEY}` },
    ] as Record<string, string>[]) {
      for (const [method, path] of [
        ['GET', '/api/device/'],
        ['GET', '/api/station/'],
        ['GET', '/api/events/'],
        ['GET', '/api/settings/'],
        ['POST', '/api/devices/'],
        ['POST', '/api/user/logout/'],
        ['GET', '/api/device/51D000:000001/screen/'],
      ] as const) {
        const answer = await rawRequest(station.url, { method, path, headers });
        expect(answer.status, `${method} ${path} ${JSON.stringify(headers)}`).toBe(401);
        expect(JSON.parse(answer.text)).toMatchObject({ code: 'unauthenticated', status: 401 });
      }
    }
  });

  test('is not stored in plain text', () => {
    const kept = JSON.stringify([station.rows('SELECT * FROM api_users'), station.rows('SELECT * FROM users')]);
    expect(kept).not.toContain(API_KEY);
    expect(kept).not.toContain(ADMIN_PASSWORD);
  });

  test('is accepted even if a stale session is sent too', async () => {
    const { body } = await signIn(station);
    const { apikey } = body as { apikey: string };
    const answer = await rawRequest(station.url, {
      path: '/api/device/',
      headers: { 'api-key': apikey, cookie: 'sessionid=stale' },
    });
    expect(answer.status).toBe(200);
  });
});

describe('signing in', () => {
  test('needs neither token nor Referer, and returns a token and a temporary key', async () => {
    const answer = await signIn(station);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { token, apikey, ...rest } = answer.body as { token: string; apikey: string };
    // A session lasts 14 days.
    const expires_at = new Date(station.clock.now() + 14 * 24 * 3_600_000).toISOString();
    expect(rest).toEqual({ expires_at });
    expect(token).toMatch(/^[\w-]{32,}$/);
    expect(apikey).toMatch(/^[\w-]{32,}$/);
    expect(apikey).not.toBe(token);
  });

  test('sets the two cookies of the session, and hides only the session id from scripts', async () => {
    const answer = await signIn(station);
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    const [session = '', csrf = ''] = cookies.toSorted().toReversed();
    expect(session).toMatch(/^sessionid=[\w-]{32,};/);
    expect(csrf.startsWith(`csrftoken=${(answer.body as { token: string }).token};`)).toBe(true);
    for (const cookie of cookies) {
      const flags = cookie.split('; ').slice(1);
      expect(flags).toEqual(expect.arrayContaining(['SameSite=Lax', 'Path=/', 'Max-Age=1209600']));
      expect(flags).not.toContain('Secure');
    }
    expect(session).toContain('HttpOnly');
    expect(csrf).not.toContain('HttpOnly');
  });

  test('ignores the case of a user name, but not of a password', async () => {
    expect(await signIn(station, { username: 'ADMIN', password: ADMIN_PASSWORD })).toMatchObject({ status: 200 });
    expect(await signIn(station, { username: 'admin', password: ADMIN_PASSWORD.toUpperCase() })).toMatchObject({
      status: 401,
    });
  });

  test('gives the same answer for an unknown user and a wrong password, and sets no cookie', async () => {
    const wrong = await signIn(station, { username: 'admin', password: 'wrong' });
    const unknown = await signIn(station, { username: 'nobody', password: 'wrong' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(unknown.body).toEqual(wrong.body);
    expect([...wrong.headers.getSetCookie(), ...unknown.headers.getSetCookie()]).toEqual([]);
  });

  test('refuses an invalid body with 400', async () => {
    for (const body of [{}, { username: 'admin' }, { username: [], password: 'x' }, { username: {}, password: [] }]) {
      const answer = await station.request('POST', '/api/user/login/', body, { 'content-type': 'application/json' });
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'invalid' } });
    }
    const long = { username: 'admin', password: 'x'.repeat(1_001) };
    expect(
      await station.request('POST', '/api/user/login/', long, { 'content-type': 'application/json' }),
    ).toMatchObject({
      status: 400,
    });
  });
});

test('too many wrong passwords get 429 for that user name in any case, but not for other users', async () => {
  const own = await startTestStation();
  try {
    const statuses: number[] = [];
    let last: Answer | undefined;
    // Names are case-insensitive, so each attempt spells the name differently.
    for (let tries = 1; tries < 60 && last?.status !== 429; tries += 1) {
      if (last !== undefined) statuses.push(last.status);
      const username = 'victim'.replaceAll(/./g, (letter, bit: number) =>
        (tries >> bit) & 1 ? letter.toUpperCase() : letter,
      );
      last = await signIn(own, { username, password: `wrong ${tries}` });
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(statuses.length).toBeGreaterThanOrEqual(5);
    expect(last).toMatchObject({ status: 429, body: { code: 'too_many_requests', status: 429 } });
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await signIn(own)).toMatchObject({ status: 200 });
    expect(await own.request('GET', '/api/device/')).toMatchObject({ status: 200 });
  } finally {
    await own.stop();
  }
});

test('repeating an old password does not lock out its user, and changing the password resets the count', async () => {
  const own = await startTestStation();
  try {
    const old = { username: 'admin', password: 'an old password' };
    for (let tries = 0; tries < 12; tries += 1) expect((await signIn(own, old)).status).toBe(401);
    const { write } = await openSession(own);
    // The repetitions counted as one attempt, so these nine are attempts two to ten.
    for (let tries = 0; tries < 9; tries += 1) {
      expect((await signIn(own, { username: 'admin', password: `wrong ${tries}` })).status).toBe(401);
    }
    expect((await signIn(own)).status).toBe(429);
    const change = { old_password: ADMIN_PASSWORD, new_password: 'an old password' };
    const headers = { ...write, 'content-type': 'application/json' };
    expect((await own.request('POST', '/api/user/password/', change, headers)).status).toBe(204);
    expect((await signIn(own, old)).status).toBe(200);
    expect((await signIn(own)).status).toBe(401);
  } finally {
    await own.stop();
  }
});

test('correct passwords are not limited', async () => {
  for (let count = 0; count < 11; count += 1) expect((await signIn(station)).status).toBe(200);
});
