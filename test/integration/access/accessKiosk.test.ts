import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { Kiosk } from '#shared/api/kiosk.ts';
import { RIGHTS } from '#shared/api/rights.ts';
import { cookieOf, makeKiosk } from '../../helpers/kiosk.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { openSession } from '../../helpers/session.ts';
import {
  ADMIN_PASSWORD,
  API_KEY,
  startTestStation,
  type Answer,
  type TestStation,
} from '../../helpers/startTestStation.ts';

// Contract, sections 15 and 16: an admin locks a browser to Pick, and pickers sign in there with a PIN.
let station: TestStation;
const PASSWORD = 'long enough';
const JSON_TYPE = { 'content-type': 'application/json' };

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  for (const username of ['Paula', 'Pia']) {
    await station.post('/api/users/', { username, password: PASSWORD, role: 'picker' });
  }
  await station.patch('/api/users/Paula/', { pin: '471100' });
});

afterEach(() => station.stop());

const kiosks = () => station.get<Kiosk[]>('/api/kiosks/');
const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string }).code];
const audit = () => station.get<AuditEntry[]>('/api/audit/?limit=1000');

test('the kiosk cookie is limited to this station, and the station stores only its hash', async () => {
  const { token, setCookie } = await makeKiosk(station);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(setCookie.split('; ').slice(1).toSorted()).toEqual([
    expect.stringMatching(/^Expires=/),
    'HttpOnly',
    'Max-Age=34560000',
    'Path=/api/',
    'SameSite=Strict',
  ]);
  const [row] = station.rows('SELECT * FROM kiosks');
  expect(row).toMatchObject({ name: 'Bench 1', token_hash: expect.stringMatching(/^[\w+/]{43}=$/) });
  expect(JSON.stringify(row)).not.toContain(token);
  expect(JSON.stringify(await kiosks())).not.toContain(token);
});

test('only the kiosk can list who can sign in there: the pickers with a PIN', async () => {
  await station.patch('/api/user/', { color: 'cyan', picker: 'Paula' });
  const kiosk = await makeKiosk(station);
  expect(await kiosk.screen()).toMatchObject({
    status: 200,
    body: { kiosk: { id: kiosk.id, name: 'Bench 1' }, people: [{ username: 'Paula', color: 'cyan' }] },
  });
  const name = kiosk.cookieName;
  for (const cookie of ['', `${name}=`, `${name}=${kiosk.token}x`, `${name}=${kiosk.id}`, `sessionid=${kiosk.token}`]) {
    const answer = await station.request('GET', '/api/kiosk/', undefined, { cookie });
    expect(answer.body, cookie).toEqual({ kiosk: null, people: [] });
  }
});

test('signing in with a PIN opens a normal picker session, with the same cookies as a password', async () => {
  const kiosk = await makeKiosk(station);
  const answer = await kiosk.signIn('paula', '471100');
  expect(answer).toMatchObject({ status: 200, body: { token: cookieOf(answer, 'csrftoken') } });
  const attributes = (of: Answer) =>
    of.headers
      .getSetCookie()
      .filter((line) => !line.startsWith('pickstation-kiosk-'))
      .map((line) => line.replace(/=[^;]*/, '').replace(/Expires=[^;]*/, ''));
  const byPassword = await station.request(
    'POST',
    '/api/user/login/',
    { username: 'Paula', password: PASSWORD },
    JSON_TYPE,
  );
  expect(attributes(answer)).toEqual(attributes(byPassword));
  const read = await station.request('GET', '/api/station/', undefined, {
    cookie: `sessionid=${cookieOf(answer, 'sessionid')}`,
  });
  expect(read).toMatchObject({ status: 200, body: { user: { name: 'Paula', scope: 'picker' } } });
  // Each use of the kiosk renews its cookie.
  expect(cookieOf(answer, 'kiosk')).toBe(kiosk.token);
});

test('without a kiosk cookie, a PIN is refused before it is checked', async () => {
  const { cookieName } = await makeKiosk(station);
  for (const cookie of ['', `${cookieName}=`, `${cookieName}=nonsense`]) {
    const answer = await station.request(
      'POST',
      '/api/user/pin/',
      { username: 'Paula', pin: '471100' },
      { ...JSON_TYPE, cookie },
    );
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringMatching(/not a kiosk/) },
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  expect((await audit()).filter(({ action }) => action === 'session.refused')).toEqual([]);
});

test('a wrong PIN, an unknown name, a person without a PIN and a person with a different role get the same answer', async () => {
  const kiosk = await makeKiosk(station);
  await station.post('/api/users/', { username: 'Carl', password: PASSWORD, role: 'control' });
  const answers = [
    await kiosk.signIn('Paula', '471101'),
    await kiosk.signIn('Nobody', '471100'),
    await kiosk.signIn('Pia', '471100'),
    await kiosk.signIn('Carl', '471100'),
    await kiosk.signIn('admin', '471100'),
    await kiosk.signIn('Paula', PASSWORD),
    await kiosk.signIn('Paula', ''),
  ];
  for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 401, body: answers[0]?.body });
  expect(answers[0]?.body).toMatchObject({ detail: expect.stringMatching(/others sign in with their password/) });
  const refused = (await audit()).filter(({ action }) => action === 'session.refused');
  expect(refused.map(({ subject, detail }) => [subject, detail])).toEqual(
    ['Paula', 'Paula', '', '', '', '', 'Paula'].map((subject) => [subject, { method: 'pin', kiosk: 'Bench 1' }]),
  );
});

test('ten different wrong PINs for a name, even at different kiosks, block that name for a minute', async () => {
  const kiosk = await makeKiosk(station);
  const other = await makeKiosk(station, 'Bench 2');
  for (let pin = 0; pin < 10; pin += 1) {
    const at = pin % 2 === 0 ? kiosk : other;
    expect((await at.signIn('paula', `000${pin}`)).status).toBe(401);
  }
  const refused = await other.signIn('PAULA', '471100');
  expect(codeOf(refused)).toEqual([429, 'too_many_requests']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Signing in with a password still works.
  await openSession(station, { username: 'Paula', password: PASSWORD });
  await station.clock.advance(61_000);
  expect((await kiosk.signIn('Paula', '471100')).status).toBe(200);
});

test('thirty different wrong PINs at a kiosk block all names there for an hour, but not at other kiosks', async () => {
  const kiosk = await makeKiosk(station);
  for (let pin = 0; pin < 30; pin += 1)
    expect((await kiosk.signIn(`name ${pin % 7}`, `${1000 + pin}`)).status).toBe(401);
  expect((await kiosk.signIn('Paula', '471100')).status).toBe(429);
  await station.clock.advance(58 * 60_000);
  expect((await kiosk.signIn('Paula', '471100')).status).toBe(429);
  const other = await makeKiosk(station, 'Bench 2');
  expect((await other.signIn('Paula', '471100')).status).toBe(200);
  await station.clock.advance(3 * 60_000);
  expect((await kiosk.signIn('Paula', '471100')).status).toBe(200);
});

test('thirty different wrong PINs for a name block the name for an hour, or until its PIN is changed', async () => {
  const at = [await makeKiosk(station), await makeKiosk(station, 'Bench 2')] as const;
  for (let pin = 0; pin < 30; pin += 1) {
    if (pin % 10 === 0) await station.clock.advance(61_000);
    expect((await at[pin % 2 === 0 ? 0 : 1].signIn('Paula', `${1000 + pin}`)).status).toBe(401);
  }
  await station.clock.advance(61_000);
  expect((await at[0].signIn('Paula', '471100')).status).toBe(429);
  await station.patch('/api/users/Paula/', { pin: '8899' });
  expect((await at[0].signIn('Paula', '8899')).status).toBe(200);
});

test('repeating the same wrong PIN counts once', async () => {
  const kiosk = await makeKiosk(station);
  for (let time = 0; time < 40; time += 1) expect((await kiosk.signIn('Paula', '0000')).status).toBe(401);
  expect((await kiosk.signIn('Paula', '471100')).status).toBe(200);
});

test('removing a kiosk immediately unlocks it and ends its sessions, but not other sessions', async () => {
  const kiosk = await makeKiosk(station);
  const other = await makeKiosk(station, 'Bench 2');
  const away = await kiosk.open('Paula', '471100');
  const stays = await other.open('Paula', '471100');
  const byPassword = await openSession(station, { username: 'Paula', password: PASSWORD });
  expect((await kiosks()).map(({ name, sessions }) => [name, sessions])).toEqual([
    ['Bench 1', 1],
    ['Bench 2', 1],
  ]);
  expect((await station.request('DELETE', `/api/kiosks/${kiosk.id}/`)).status).toBe(204);
  const read = (cookie: string) => station.request('GET', '/api/device/', undefined, { cookie });
  expect((await read(away.cookie)).status).toBe(401);
  expect((await read(stays.cookie)).status).toBe(200);
  expect((await read(byPassword.cookies.cookie)).status).toBe(200);
  expect((await kiosk.signIn('Paula', '471100')).status).toBe(403);
  expect((await kiosk.screen()).body).toEqual({ kiosk: null, people: [] });
  expect(await station.request('DELETE', `/api/kiosks/${kiosk.id}/`)).toMatchObject({ status: 404 });
  expect(station.rows('SELECT count(*) AS n FROM sessions WHERE kiosk_id IS NOT NULL')).toEqual([{ n: 1 }]);
  await station.restart();
  expect((await read(away.cookie)).status).toBe(401);
});

test('a browser that unlocks itself loses its cookie; a browser that unlocks another kiosk keeps its cookie', async () => {
  const kiosk = await makeKiosk(station);
  const other = await makeKiosk(station, 'Bench 2');
  const remove = (id: string, cookie: string) =>
    station.request('DELETE', `/api/kiosks/${id}/`, undefined, { cookie, 'api-key': API_KEY });
  expect((await remove(other.id, kiosk.cookie)).headers.getSetCookie()).toEqual([]);
  expect((await remove(kiosk.id, kiosk.cookie)).headers.getSetCookie()).toEqual([
    expect.stringMatching(/^pickstation-kiosk-[\w-]+=; Path=\/api\/; Expires=Thu, 01 Jan 1970/),
  ]);
});

test('kiosks and PIN sessions survive a restart', async () => {
  const kiosk = await makeKiosk(station);
  const { cookie } = await kiosk.open('Paula', '471100');
  await station.restart();
  expect((await station.request('GET', '/api/device/', undefined, { cookie })).status).toBe(200);
  expect((await kiosk.signIn('Paula', '471100')).status).toBe(200);
  expect(await kiosks()).toMatchObject([{ name: 'Bench 1', sessions: 2 }]);
  await station.request('DELETE', `/api/kiosks/${kiosk.id}/`);
  expect((await station.request('GET', '/api/device/', undefined, { cookie })).status).toBe(401);
});

test('only an admin can create, list and remove kiosks', async () => {
  const kiosk = await makeKiosk(station);
  const callers: Record<string, string>[] = [
    { 'api-key': '' },
    { cookie: kiosk.cookie },
    await kiosk.open('Paula', '471100'),
  ];
  for (const scope of ['read', 'control', 'turbo']) {
    const { api_key } = await station.post<{ api_key: string }>('/api/api-users/', { name: scope, scope });
    callers.push({ 'api-key': api_key });
  }
  const carl = { username: 'Carl', password: PASSWORD };
  await station.post('/api/users/', { ...carl, role: 'control' });
  callers.push((await openSession(station, carl)).write);
  for (const caller of callers) {
    for (const [method, path] of [
      ['GET', '/api/kiosks/'],
      ['POST', '/api/kiosks/'],
      ['DELETE', `/api/kiosks/${kiosk.id}/`],
    ] as const) {
      const body = method === 'POST' ? { name: 'Mine' } : undefined;
      const answer = await station.request(method, path, body, { ...JSON_TYPE, ...caller });
      expect([401, 403], `${method} ${JSON.stringify(caller)}`).toContain(answer.status);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  }
  expect(await kiosks()).toMatchObject([{ name: 'Bench 1' }]);
});

test('a browser can become a kiosk only once, and kiosk names are unique', async () => {
  const kiosk = await makeKiosk(station);
  expect(codeOf(await station.request('POST', '/api/kiosks/', { name: 'BENCH 1' }))).toEqual([409, 'conflict']);
  const { write } = await openSession(station);
  const again = await station.request(
    'POST',
    '/api/kiosks/',
    { name: 'Bench 2' },
    { ...JSON_TYPE, ...write, cookie: `${write.cookie}; ${kiosk.cookie}` },
  );
  expect(codeOf(again)).toEqual([409, 'conflict']);
  for (const name of ['', '  ', 'x'.repeat(101), 'a\nb']) {
    expect((await station.request('POST', '/api/kiosks/', { name })).status, name).toBe(400);
  }
});

test('a kiosk session has the same rights as a picker', async () => {
  const kiosk = await makeKiosk(station);
  const headers = await kiosk.open('Paula', '471100');
  const { user } = (await station.request('GET', '/api/station/', undefined, headers)).body as {
    user: { rights: string[] };
  };
  const isPickers = (holders: readonly string[]) => holders.includes('picker');
  const wanted = Object.entries(RIGHTS).filter(([, row]) => isPickers(row.holders) || 'onTrial' in row);
  expect(user.rights).toEqual(wanted.map(([right]) => right));
  for (const path of ['/api/users/', '/api/settings/', '/api/backups/', '/api/audit/', '/api/requests/']) {
    expect((await station.request('GET', path, undefined, headers)).status, path).toBe(403);
  }
  const lit = await station.request('POST', '/api/device/51D000:000001/', { line1: 'x' }, headers);
  expect(lit.status).toBe(403);
});

test("signing in ends the browser's previous session, and a session id chosen by the client is ignored", async () => {
  await station.patch('/api/users/Pia/', { pin: '2222' });
  const kiosk = await makeKiosk(station);
  const first = await kiosk.open('Paula', '471100');
  const next = await kiosk.signIn('Pia', '2222', { cookie: first.cookie });
  expect(next.status).toBe(200);
  expect((await station.request('GET', '/api/device/', undefined, first)).status).toBe(401);
  const fixed = await kiosk.signIn('Pia', '2222', { cookie: `${kiosk.cookie}; sessionid=chosen; csrftoken=chosen` });
  expect(cookieOf(fixed, 'sessionid')).toMatch(/^(program-)?[\w-]{43}$/);
});

test('a page on another site cannot sign in, and writes need the CSRF token as in other sessions', async () => {
  const kiosk = await makeKiosk(station);
  expect(codeOf(await kiosk.signIn('Paula', '471100', { origin: 'https://evil.example' }))).toEqual([
    403,
    'foreign_origin',
  ]);
  const rebound = await rawRequest(station.url, {
    method: 'POST',
    path: '/api/user/pin/',
    headers: { ...JSON_TYPE, host: 'evil.example', cookie: kiosk.cookie },
    body: JSON.stringify({ username: 'Paula', pin: '471100' }),
  });
  expect(rebound.status).toBe(421);
  expect((await kiosk.signIn('Paula', '471100', { 'content-type': 'text/plain' })).status).toBe(415);
  const { 'x-csrf-token': _, ...without } = await kiosk.open('Paula', '471100');
  expect(codeOf(await station.request('POST', '/api/user/logout/', {}, without))).toEqual([403, 'csrf']);
});

test('the activity log lists the creation and removal of a kiosk, and each sign-in', async () => {
  const kiosk = await makeKiosk(station);
  await kiosk.open('Paula', '471100');
  await station.request('DELETE', `/api/kiosks/${kiosk.id}/`);
  const entries = (await audit())
    .slice(0, 3)
    .map(({ action, by, subject, detail }) => ({ action, by, subject, detail }));
  expect(entries.toReversed()).toEqual([
    { action: 'kiosk.added', by: 'API key', subject: 'Bench 1', detail: {} },
    { action: 'session.opened', by: 'Paula', subject: '', detail: { method: 'pin', kiosk: 'Bench 1' } },
    { action: 'kiosk.removed', by: 'API key', subject: 'Bench 1', detail: {} },
  ]);
});

test('an admin can sign in with a password at a kiosk', async () => {
  const kiosk = await makeKiosk(station);
  const admin = { username: 'admin', password: ADMIN_PASSWORD };
  const answer = await station.request('POST', '/api/user/login/', admin, { ...JSON_TYPE, cookie: kiosk.cookie });
  expect(answer.status).toBe(200);
  expect((await kiosk.screen()).body).toMatchObject({ kiosk: { name: 'Bench 1' } });
});

test('the key of a sign-in with a PIN works only with the cookie of its kiosk', async () => {
  const kiosk = await makeKiosk(station);
  const { body } = await kiosk.signIn('Paula', '471100');
  const { apikey } = body as { apikey: string };
  const ask = async (headers: Record<string, string>) =>
    (await station.request('GET', '/api/work/', undefined, headers)).status;
  const other = await makeKiosk(station, 'Bench 2');
  expect(await ask({ 'api-key': apikey, cookie: kiosk.cookie })).toBe(200);
  expect(await ask({ 'api-key': apikey })).toBe(401);
  expect(await ask({ authorization: `Bearer ${apikey}` })).toBe(401);
  expect(await ask({ 'api-key': apikey, cookie: other.cookie })).toBe(401);
});
