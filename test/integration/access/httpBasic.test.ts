import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { Problem } from '#shared/api/problem.ts';
import { openSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PAULA = { username: 'Päula', password: 'mit: Doppelpunkt' };

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1 });
  await station.post('/api/users/', { ...PAULA, role: 'control' });
});

afterAll(() => station.stop());

const as = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});
const admin = as('admin', ADMIN_PASSWORD);
const paula = as(PAULA.username, PAULA.password);

function ask(headers: Record<string, string>, method = 'GET', path = '/api/device/', body?: unknown) {
  return station.request(method, path, body, { 'content-type': 'application/json', ...headers });
}

test('refuses Basic authentication while the setting is off, and names the setting', async () => {
  const answer = await ask(admin);
  expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  expect((answer.body as Problem).detail).toContain('basic_auth');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Pickstation"');
  // A reverse proxy can ask for other credentials and pass them on.
  const { cookies } = await openSession(station);
  expect(await ask({ ...cookies, ...as('proxy', 'its own') })).toMatchObject({ status: 200 });
  await station.patch('/api/settings/', { basic_auth: true });
});

test("with the setting on, each request has its user's rights and needs no token", async () => {
  expect(await ask(admin, 'GET', '/api/settings/')).toMatchObject({ status: 200 });
  expect(await ask(paula, 'GET', '/api/settings/')).toMatchObject({ status: 403 });
  const device = '51D000:000001';
  expect(await ask(paula, 'POST', `/api/device/${device}/`, { line1: 'x' })).toMatchObject({ status: 200 });
  expect((await station.device(device)).commands).toMatchObject([{ sender: PAULA.username }]);
  expect(
    await ask(paula, 'POST', '/api/user/password/', { old_password: 'x', new_password: 'long enough' }),
  ).toMatchObject({ status: 403 });
});

test('missing or wrong credentials get 401; programs also get a Basic challenge, but browsers do not', async () => {
  for (const headers of [
    as('admin', 'wrong'),
    as('nobody', ADMIN_PASSWORD),
    as('', ''),
    { authorization: `Basic ${Buffer.from('admin').toString('base64')}` },
    { authorization: 'Basic ====' },
    { authorization: `Basic ${Buffer.from(`admin:${'x'.repeat(5_000)}`).toString('base64')}` },
    {},
  ] as Record<string, string>[]) {
    const answer = await ask(headers);
    expect(answer, JSON.stringify(headers).slice(0, 100)).toMatchObject({ status: 401 });
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*, Basic realm="Pickstation", charset="UTF-8"$/);
  }
  const browser = await ask({ 'sec-fetch-site': 'same-origin' });
  expect(browser.headers.get('www-authenticate')).toBe('Bearer realm="Pickstation"');
});

test('refuses a request that a browser with saved credentials sends on behalf of another site', async () => {
  for (const site of ['cross-site', 'same-site']) {
    for (const [method, path] of [
      ['GET', '/api/51D000:000001/message/x/'],
      ['POST', '/api/device/51D000:000001/'],
    ] as const) {
      const body = method === 'POST' ? { line1: 'x' } : undefined;
      expect(await ask({ ...admin, 'sec-fetch-site': site }, method, path, body), site).toMatchObject({
        status: 403,
        body: { code: 'foreign_origin' },
      });
    }
  }
  const ahead = { ...admin, 'sec-purpose': 'prefetch' };
  expect(await ask(ahead, 'GET', '/api/51D000:000001/message/x/')).toMatchObject({ status: 403 });
});

test('changing the password, removing the user or turning the setting off takes effect immediately and ends streams', async () => {
  const opened = await fetch(new URL('/api/events/', station.url), { headers: paula });
  const ended = opened.text();
  expect((await ask(paula)).status).toBe(200);
  await station.patch(`/api/users/${encodeURIComponent(PAULA.username)}/`, { password: 'another one' });
  await ended;
  expect((await ask(paula)).status).toBe(401);
  const now = as(PAULA.username.toUpperCase().normalize('NFD'), 'another one');
  expect((await ask(now)).status).toBe(200);
  await station.request('DELETE', `/api/users/${encodeURIComponent(PAULA.username)}/`);
  expect((await ask(now)).status).toBe(401);
  await station.patch('/api/settings/', { basic_auth: false });
  expect((await ask(admin)).status).toBe(401);
  await station.patch('/api/settings/', { basic_auth: true });
});

test('records a correct password once per hour instead of for each request', async () => {
  const opened = async () =>
    (await station.get<AuditEntry[]>('/api/audit/')).filter(
      ({ action, detail }) => action === 'session.opened' && detail.method === 'basic',
    ).length;
  await station.clock.advance(3_600_000);
  const before = await opened();
  for (let count = 0; count < 50; count += 1) expect((await ask(admin)).status).toBe(200);
  expect(await opened()).toBe(before + 1);
  await station.clock.advance(3_600_000);
  await ask(admin);
  expect(await opened()).toBe(before + 2);
});

test('counts wrong passwords together with those from the sign-in form', async () => {
  const wrong = (tries: number) => as('somebody', `wrong ${tries}`);
  for (let tries = 0; tries < 10; tries += 1) expect((await ask(wrong(tries))).status).toBe(401);
  expect(await ask(wrong(10))).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  const login = { username: 'SOMEBODY', password: 'wrong' };
  expect((await ask({}, 'POST', '/api/user/login/', login)).status).toBe(429);
  expect((await ask(admin)).status).toBe(200);
});
