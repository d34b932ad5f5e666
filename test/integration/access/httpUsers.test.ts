import { join } from 'node:path';
import Database from 'better-sqlite3';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { User } from '#shared/api/access.ts';
import type { Problem } from '#shared/api/problem.ts';
import { openSession, signIn } from '../../helpers/session.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PAULA = { username: 'Paula', password: 'long enough' };

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

const list = () => station.get<User[]>('/api/users/');
const add = (user: object) => station.request('POST', '/api/users/', user);
const change = (username: string, body: object, headers?: Record<string, string>) =>
  station.request(
    'PATCH',
    `/api/users/${encodeURIComponent(username)}/`,
    body,
    headers && { 'content-type': 'application/json', ...headers },
  );
const remove = (username: string) => station.request('DELETE', `/api/users/${encodeURIComponent(username)}/`);

async function reads(headers: Record<string, string>, path = '/api/device/'): Promise<number> {
  return (await station.request('GET', path, undefined, headers)).status;
}

test('a new user can sign in and is listed', async () => {
  expect(await add({ ...PAULA, role: 'picker' })).toMatchObject({
    status: 201,
    body: {
      username: 'Paula',
      role: 'picker',
      created: new Date(START_MS).toISOString(),
      last_sign_in: null,
      sessions: 0,
    },
  });
  await station.clock.advance(5_000);
  await openSession(station, { ...PAULA, username: 'pAULA' });
  await openSession(station, PAULA);
  await station.restart();
  expect(await list()).toEqual([
    expect.objectContaining({ username: 'admin', role: 'admin', last_sign_in: null, sessions: 0 }),
    {
      username: 'Paula',
      role: 'picker',
      created: new Date(START_MS).toISOString(),
      last_sign_in: new Date(START_MS + 5_000).toISOString(),
      sessions: 2,
      has_pin: false,
    },
  ]);
  expect(JSON.stringify(await list())).not.toMatch(/hash|password/);
});

test('a name can belong to only one user or API user, regardless of case', async () => {
  await add({ ...PAULA, role: 'picker' });
  await station.post('/api/api-users/', { name: 'ERP' });
  for (const username of ['PAULA', 'erp', 'Api Key', 'ADMIN']) {
    expect(await add({ ...PAULA, username, role: 'picker' }), username).toMatchObject({
      status: 409,
      body: { errors: [{ path: '/username' }] },
    });
  }
});

test('people, keys, kiosks and screens never share a name, not even with what a start adds', async () => {
  const things = { '/api/api-users/': 'ERP', '/api/screens/': 'Hall', '/api/kiosks/': 'Cart', '/api/users/': 'Eva' };
  const names = ['admin', 'API key', ...Object.values(things)];
  const post = async (path: string, name: string) =>
    (await station.request('POST', path, { name, username: name, password: 'long enough', role: 'admin' })).status;
  for (const [path, name] of Object.entries(things)) expect(await post(path, name), path).toBe(201);
  for (const path of Object.keys(things))
    for (const name of names) expect(await post(path, ` ${name.toUpperCase()} `.trim()), `${path} ${name}`).toBe(409);
  // A start adds "admin" and "API key" again.
  await remove('admin');
  for (const path of ['/api/api-users/', '/api/screens/', '/api/kiosks/'])
    expect(await post(path, 'Admin'), path).toBe(409);
});

test('the key from the environment gets a name that no screen or kiosk has', async () => {
  const given: { apiKey: string | null } = { apiKey: null };
  await using own = await startTestStation(given);
  const { cookies, write } = await openSession(own);
  const headers = { 'content-type': 'application/json', ...write };
  await own.request('DELETE', '/api/api-users/1/', undefined, headers);
  for (const [path, name] of Object.entries({ '/api/screens/': 'API key', '/api/kiosks/': 'api KEY 2' }))
    expect(await own.request('POST', path, { name }, headers), path).toMatchObject({ status: 201 });
  given.apiKey = 'another-key-of-the-environment';
  await own.restart();
  const listed = await own.request('GET', '/api/api-users/', undefined, cookies);
  expect(listed.body).toMatchObject([{ name: 'API key 3' }]);
});

test('refuses an invalid name, password or role with 400 and names the field', async () => {
  for (const [part, path] of [
    [{ username: '' }, '/username'],
    [{ username: ' Paula' }, '/username'],
    [{ username: 'x'.repeat(101) }, '/username'],
    [{ username: '..' }, '/username'],
    [{ username: {} }, '/username'],
    [{ password: 'short' }, '/password'],
    [{ password: 'x'.repeat(1_001) }, '/password'],
    [{ role: 'owner' }, '/role'],
    [{ role: undefined }, '/role'],
  ] as const) {
    const answer = await add({ ...PAULA, role: 'picker', ...part });
    expect(answer, JSON.stringify(part)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  }
  expect(await list()).toHaveLength(1);
});

test('a name must have letters of one script, be unambiguous and contain no invisible characters', async () => {
  for (const username of [
    'Pаula', // Cyrillic а
    'Ηelen', // Greek Η
    'Paula\u200B',
    'Pau\u00ADla',
    '\u2800',
    'Paula\u3164',
    'Pau\u202Ela',
    'Anna  Bell',
    'Ann\uFE0F',
    '\u{10330}',
  ]) {
    const { status, body } = await add({ ...PAULA, username, role: 'picker' });
    const paths = (body as Problem).errors?.map(({ path }) => path);
    expect([status, ...new Set(paths)], JSON.stringify(username)).toEqual([400, '/username']);
  }
  const good = ['Ann 2', 'Zoë-7', 'Иван 3', 'Ελένη', '山田 はなこ', '김 민수', 'אבי', 'अनु', "O'Neil", 'x_1'];
  for (const username of good) {
    expect(await add({ ...PAULA, username, role: 'picker' }), username).toMatchObject({ status: 201 });
  }
  // A different Unicode form of the name counts as the same name, both in the list and when signing in.
  expect(await add({ ...PAULA, username: 'Ｂｏ', role: 'picker' })).toMatchObject({
    status: 201,
    body: { username: 'Bo' },
  });
  expect(await add({ ...PAULA, username: 'Bo', role: 'picker' })).toMatchObject({ status: 409 });
  expect(await signIn(station, { ...PAULA, username: 'ＢＯ' })).toMatchObject({ status: 200 });
});

test('a user with an older, now invalid name can still sign in, be changed and be removed', async () => {
  await add({ ...PAULA, role: 'picker' });
  const old = 'Pаulа\u200B';
  await station.halt();
  const file = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  file.prepare('UPDATE users SET username = ?, name_key = ? WHERE username = ?').run(old, nameKey(old), 'Paula');
  file.close();
  await station.restart();
  expect(await signIn(station, { ...PAULA, username: old })).toMatchObject({ status: 200 });
  expect((await change(old, { role: 'admin' })).status).toBe(200);
  expect((await remove(old)).status).toBe(204);
});

describe('a change', () => {
  beforeEach(() => add({ ...PAULA, role: 'picker' }));

  test('of the role takes effect in open sessions', async () => {
    const { cookies, apikey } = await openSession(station, PAULA);
    for (const headers of [cookies, { 'api-key': apikey }] as Record<string, string>[]) {
      expect(await reads(headers, '/api/settings/')).toBe(403);
      expect(await change('paula', { role: 'admin' })).toMatchObject({ status: 200, body: { role: 'admin' } });
      expect(await reads(headers, '/api/settings/')).toBe(200);
      await station.restart();
      expect(await reads(headers, '/api/settings/')).toBe(200);
      await change('paula', { role: 'picker' });
      expect(await reads(headers, '/api/settings/')).toBe(403);
      expect(await reads(headers)).toBe(200);
    }
  });

  test("of the password ends that user's sessions, keys and streams, and replaces the old password", async () => {
    const { cookies, apikey } = await openSession(station, PAULA);
    const ended = fetch(new URL('/api/events/', station.url), { headers: cookies }).then((stream) => stream.text());
    expect(await change('Paula', { password: 'another one' })).toMatchObject({ status: 200, body: { sessions: 0 } });
    await ended;
    expect([await reads(cookies), await reads({ 'api-key': apikey })]).toEqual([401, 401]);
    expect((await signIn(station, PAULA)).status).toBe(401);
    expect((await signIn(station, { ...PAULA, password: 'another one' })).status).toBe(200);
  });

  test("can end the user's sessions without changing anything else", async () => {
    const { cookies } = await openSession(station, PAULA);
    expect(await change('Paula', { end_sessions: false })).toMatchObject({ status: 200, body: { sessions: 1 } });
    expect(await change('Paula', { end_sessions: true })).toMatchObject({ status: 200, body: { sessions: 0 } });
    expect(await reads(cookies)).toBe(401);
    expect((await signIn(station, PAULA)).status).toBe(200);
  });

  test("that ends the caller's other sessions keeps the current one", async () => {
    const own = await openSession(station);
    const other = await openSession(station);
    expect(await change('admin', { end_sessions: true }, own.write)).toMatchObject({ status: 200 });
    expect([await reads(own.cookies), await reads(other.cookies)]).toEqual([200, 401]);
  });

  test('of an unknown user gets 404, and an invalid or empty change has no effect', async () => {
    expect(await change('nobody', { role: 'admin' })).toMatchObject({ status: 404 });
    expect(await change('paula', { role: 'owner' })).toMatchObject({ status: 400 });
    expect(await change('paula', { password: 'short' })).toMatchObject({ status: 400 });
    expect(await change('paula', {})).toMatchObject({ status: 400 });
    expect((await signIn(station, PAULA)).status).toBe(200);
  });
});

test('a removed user immediately loses sessions, keys and streams, and cannot sign in after a restart', async () => {
  await add({ ...PAULA, role: 'picker' });
  const { cookies, apikey } = await openSession(station, PAULA);
  const ended = fetch(new URL('/api/events/', station.url), { headers: cookies }).then((stream) => stream.text());
  expect((await remove('PAULA')).status).toBe(204);
  await ended;
  for (const restarted of [false, true]) {
    if (restarted) await station.restart();
    expect([await reads(cookies), await reads({ 'api-key': apikey })]).toEqual([401, 401]);
    expect((await signIn(station, PAULA)).status).toBe(401);
  }
  expect((await remove('Paula')).status).toBe(404);
  expect((await add({ ...PAULA, role: 'picker' })).status).toBe(201);
  expect(await reads(cookies)).toBe(401);
});

test('the last admin cannot be removed or become a picker, even by two simultaneous requests', async () => {
  for (const answer of [await remove('admin'), await change('Admin', { role: 'picker' })]) {
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  }
  await add({ ...PAULA, role: 'admin' });
  const answers = await Promise.all([remove('admin'), change('Paula', { role: 'picker' })]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([expect.any(Number), 409]);
  expect((await list()).filter(({ role }) => role === 'admin')).toHaveLength(1);
});

test('starting the station with the password variable makes the user "admin" an admin again', async () => {
  await add({ ...PAULA, role: 'admin' });
  await change('admin', { role: 'picker' });
  await station.halt();
  const again = await startTestStation({
    dataFolder: station.dataFolder,
    adminPassword: 'set from outside',
    seed: 2,
  });
  expect(await again.get('/api/users/')).toMatchObject([{ username: 'admin', role: 'admin' }, { role: 'admin' }]);
  await again.stop();
});

test('refuses the user name as a password, regardless of case and character width', async () => {
  const refused = {
    status: 400,
    body: {
      detail: 'This password is the user name, which attackers try first. Choose another one.',
      errors: [{ path: '/password' }],
    },
  };
  expect(await add({ username: 'paula.berg', password: 'Paula.Berg', role: 'picker' })).toMatchObject(refused);
  expect((await list()).map(({ username }) => username)).toEqual(['admin']);
  await add({ username: 'paula.berg', password: 'warm tea at nine', role: 'picker' });
  expect(await change('paula.berg', { password: 'ｐaula.berg ' })).toMatchObject(refused);
});

test('refuses the most common passwords for a new user and for a change', async () => {
  const refused = { status: 400, body: { code: 'invalid', errors: [{ path: '/password' }] } };
  expect(await add({ ...PAULA, password: 'Iloveyou1', role: 'picker' })).toMatchObject(refused);
  expect((await list()).map(({ username }) => username)).toEqual(['admin']);
  await add({ ...PAULA, role: 'picker' });
  expect(await change('Paula', { password: 'PASSWORD123' })).toMatchObject(refused);
  expect((await signIn(station, PAULA)).status).toBe(200);
});

test.each([
  ['zero-width non-joiner between Persian letters', 'می\u200cخواهم'],
  ['zero-width joiner between Sinhala letters', 'ක්\u200dෂ'],
])('refuses a name with a %s, because two names could look the same', async (_, username) => {
  expect(await add({ ...PAULA, username, role: 'picker' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/username' }] },
  });
  const visible = username.replace(/[\u200c\u200d]/, '');
  expect((await add({ ...PAULA, username: visible, role: 'picker' })).status).toBe(201);
});
