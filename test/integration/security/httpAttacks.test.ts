import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiUser, AuditEntry, User } from '#shared/api/access.ts';
import { deriveByScrypt } from '../../../electron/server/systemPorts.ts';
import { rawConnection, rawRequest } from '../../helpers/servers/rawHttp.ts';
import { openSession, signIn } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation();
});

afterAll(() => station.stop());

const PASSWORD = 'long enough';

describe('a name', () => {
  test.each([
    ['a line break', 'x\r\nSet-Cookie: sessionid=1'],
    ['a Unicode line separator', 'x\u2028y'],
    ['a null character', 'x\0y'],
    ['a terminal escape sequence', 'x\u001b[2Jy'],
    ['a right-to-left override', 'admin\u202egnp'],
    ['a bidirectional isolate', 'x\u2066y'],
    ['an invisible joiner', '👩\u200d🏭 Schicht 2'],
    ['more than a hundred characters', 'x'.repeat(101)],
    ['no characters', ''],
    ['only a space', ' '],
    ['only an em space', '\u2003'],
  ])('with %s is refused for users and API users', async (_, name) => {
    const lists = async () => [await station.get('/api/api-users/'), await station.get('/api/users/')];
    const before = await lists();
    for (const answer of [
      await station.request('POST', '/api/api-users/', { name }),
      await station.request('POST', '/api/users/', { username: name, password: PASSWORD, role: 'picker' }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } });
    }
    expect(await lists()).toEqual(before);
  });

  test('with an unpaired surrogate is refused for users and API users', async () => {
    const lists = async () => [await station.get('/api/users/'), await station.get('/api/api-users/')];
    const before = await lists();
    const user = { username: 'x\ud800z', password: PASSWORD, role: 'picker' };
    const refusal = { status: 400, body: { code: 'encoding' } };
    expect(await station.request('POST', '/api/users/', user)).toMatchObject(refusal);
    expect(await station.request('POST', '/api/api-users/', { name: 'x\ud800y' })).toMatchObject(refusal);
    expect(await lists()).toEqual(before);
  });

  test.each([
    'Größe 7½',
    'Ζωή',
    'Ольга',
    '倉庫',
    'مريم',
    '👷 Schicht 2',
    "O'Brien; DROP TABLE users --",
    '<img src=x onerror=alert(1)>',
    '../../etc/passwd',
    'a/b?c#d%2e',
    '__proto__',
    'constructor',
    'toString',
    '%s %d ${x}',
  ])('such as %s can be added, signed in with, listed, changed and removed', async (username) => {
    // Names are stored in NFKC form, where ½ becomes three characters. Requests can use either form.
    const name = username.normalize('NFKC');
    const address = `/api/users/${encodeURIComponent(username)}/`;
    expect(
      await station.request('POST', '/api/users/', { username, password: PASSWORD, role: 'picker' }),
    ).toMatchObject({ status: 201, body: { username: name } });
    const { cookies } = await openSession(station, { username, password: PASSWORD });
    const { body } = await station.request('GET', '/api/station/', undefined, cookies);
    expect(body).toMatchObject({ user: { name, scope: 'picker' } });
    expect((await station.get<User[]>('/api/users/')).map((user) => user.username)).toContain(name);
    expect(await station.request('PATCH', address, { end_sessions: true })).toMatchObject({ body: { sessions: 0 } });
    expect((await station.request('DELETE', address)).status).toBe(204);
    expect((await station.get<AuditEntry[]>('/api/audit/?limit=1'))[0]).toMatchObject({ subject: name });
  });
});

test('__proto__ and constructor in a body do not set fields or pollute prototypes', async () => {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const send = (path: string, body: string) => rawRequest(station.url, { method: 'POST', path, headers, body });
  const polluted =
    '"__proto__":{"scope":"admin","role":"admin","polluted":true},"constructor":{"prototype":{"polluted":true}}';
  const made = await send('/api/api-users/', `{"name":"polluted",${polluted}}`);
  expect(JSON.parse(made.text)).toMatchObject({ scope: 'control' });
  expect((await send('/api/users/', `{"username":"polluter","password":"${PASSWORD}",${polluted}}`)).status).toBe(400);
  expect(await station.request('PATCH', '/api/settings/', `{"__proto__":{"basic_auth":true}}`)).toMatchObject({
    status: 400,
  });
  expect(Object.prototype).not.toHaveProperty('polluted');
  expect((await station.get<{ basic_auth: boolean }>('/api/settings/')).basic_auth).toBe(false);
  for (const user of await station.get<ApiUser[]>('/api/api-users/')) expect(user).not.toHaveProperty('polluted');
});

test('text sent as a user name or key never appears in a response header or in the log', async () => {
  const evil = 'x\r\nset-cookie: sessionid=evil\r\n\r\n{"level":60}';
  await signIn(station, { username: evil, password: evil });
  await signIn(station, { username: 'x'.repeat(200), password: 'y'.repeat(1_000) });
  const answer = await rawRequest(station.url, {
    path: `/api/users/${encodeURIComponent(evil)}/`,
    method: 'DELETE',
    headers: { 'api-key': API_KEY },
  });
  expect(answer.status).toBe(404);
  expect(answer.headers['set-cookie']).toBeUndefined();
  const connection = await rawConnection(station.url);
  const host = new URL(station.url).host;
  connection.write(`GET /api/device/ HTTP/1.1\r\nhost: ${host}\r\napi-key: a\tb\u0001c\r\nconnection: close\r\n\r\n`);
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 40[01] /);
  expect(JSON.stringify(station.logged)).not.toContain('evil');
});

test('refuses oversized headers and malformed credentials without storing them', async () => {
  const audit = await station.get('/api/audit/');
  for (const headers of [
    { 'api-key': 'x'.repeat(30_000) },
    { authorization: `Bearer ${'x'.repeat(30_000)}` },
    { cookie: `sessionid=${'x'.repeat(30_000)}` },
  ] as Record<string, string>[]) {
    const answer = await rawRequest(station.url, { path: '/api/device/', headers });
    expect(answer.status).toBe(413);
  }
  for (const headers of [
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: 'Digest username="admin"' },
    { authorization: 'Basic' },
    { cookie: ';;;=;sessionid' },
    { cookie: `sessionid=${'%00'.repeat(100)}` },
  ] as Record<string, string>[]) {
    const answer = await rawRequest(station.url, { path: '/api/device/', headers });
    expect(answer.status, JSON.stringify(headers)).toBe(401);
  }
  expect(await station.get('/api/audit/')).toEqual(audit);
  expect(JSON.stringify([await station.get('/api/requests/?limit=1000'), station.logged])).not.toContain('xxxxxxxx');
});

test('twenty callers can sign in at the same time, and other requests are answered in the meantime', async () => {
  // Use the real, slow password hashing.
  await using station = await startTestStation({ derivePassword: deriveByScrypt, adminPassword: ADMIN_PASSWORD });
  const done: number[] = [];
  const signingIn = Array.from({ length: 20 }, async () => {
    const { status } = await signIn(station, { username: 'admin', password: ADMIN_PASSWORD });
    done.push(status);
  });
  let answered = 0;
  while (done.length < 10) {
    expect((await station.request('GET', '/api/device/')).status).toBe(200);
    answered += 1;
  }
  // More than two requests were answered for each finished sign-in.
  expect(answered).toBeGreaterThan(20);
  await Promise.all(signingIn);
  expect(new Set(done)).toEqual(new Set([200]));
});
