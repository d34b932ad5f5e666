import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import { rawConnection } from '../../helpers/servers/rawHttp.ts';
import { openSession, type TestSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const DAY_MS = 24 * 3_600_000;

let station: TestStation;
/** A session shared by all tests. A test that ends a session opens a new one. */
let session: TestSession;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  session = await openSession(station);
});

afterEach(() => station.post(`/api/device/${DEVICE}/`, { command: 'kill' }));

afterAll(() => station.stop());

const read = (headers: Record<string, string>) => station.request('GET', '/api/device/', undefined, headers);
const write = (headers: Record<string, string>) =>
  station.request('POST', `/api/device/${DEVICE}/`, { line1: 'x' }, { 'content-type': 'application/json', ...headers });

test('reads need neither token nor Referer', async () => {
  expect(await read(session.cookies)).toMatchObject({ status: 200, body: [DEVICE] });
  expect(await read({ cookie: `sessionid=${session.sessionId}` })).toMatchObject({ status: 200 });
});

test('a write with the token and a Referer of this station succeeds, and records the user', async () => {
  const own = new URL(station.url);
  for (const referer of [
    station.url,
    `${station.url}api/`,
    `http://localhost:${own.port}/`,
    `${station.url}device/1?x=1`,
  ]) {
    expect(await write({ ...session.write, referer }), referer).toMatchObject({ status: 200 });
  }
  expect((await station.device(DEVICE)).commands).toMatchObject([{ sender: 'admin' }]);
});

test('a csrftoken cookie set by the client is accepted, because only the header counts', async () => {
  const cookie = `csrftoken=${session.token}; sessionid=${session.sessionId}`;
  expect(await write({ ...session.write, cookie })).toMatchObject({ status: 200 });
  expect(await write({ ...session.write, cookie: `sessionid=${session.sessionId}; csrftoken=other` })).toMatchObject({
    status: 200,
  });
});

test('a write without the token or without a Referer of this station gets 403 csrf and changes nothing', async () => {
  const { write: whole, cookies, token } = session;
  const own = new URL(station.url);
  for (const [why, headers] of Object.entries<Record<string, string>>({
    'no token, no referer': { ...cookies },
    'no referer': { ...cookies, 'x-csrf-token': token },
    'no token': { ...cookies, referer: station.url },
    'empty token': { ...whole, 'x-csrf-token': '' },
    'foreign referer': { ...whole, referer: 'https://evil.example/' },
    'foreign referer with our name in it': { ...whole, referer: `https://evil.example/${own.host}/` },
    'our name as its user': { ...whole, referer: `http://${own.host}@evil.example/` },
    'another port': { ...whole, referer: `http://127.0.0.1:${Number(own.port) + 1}/` },
    'a referer that is none': { ...whole, referer: 'nonsense' },
    'a path as referer': { ...whole, referer: '/api/' },
  })) {
    expect(await write(headers), why).toMatchObject({ status: 403, body: { code: 'csrf' } });
  }
  expect((await station.device(DEVICE)).commands).toEqual([]);
});

test('a token of another session or an invalid token gets 401, so that clients sign in again', async () => {
  const { token } = await openSession(station);
  for (const wrong of [token, `${session.token}x`, 'undefined', 'null'])
    expect(await write({ ...session.write, 'x-csrf-token': wrong }), wrong).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    });
  expect((await station.device(DEVICE)).commands).toEqual([]);
});

test('an expired or unknown session gets 401 for reads and writes, never 403', async () => {
  for (const sessionId of ['', 'unknown', `${session.sessionId}x`, session.token, session.apikey]) {
    const cookie = `sessionid=${sessionId}; csrftoken=x`;
    expect(await read({ cookie }), sessionId).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await write({ cookie }), sessionId).toMatchObject({ status: 401 });
    expect(await write({ ...session.write, cookie }), sessionId).toMatchObject({ status: 401 });
  }
});

test('a session survives a restart; a session that was signed out stays invalid, as does its temporary key', async () => {
  const ended = await openSession(station);
  expect(await write({ 'api-key': ended.apikey })).toMatchObject({ status: 200 });
  expect((await station.device(DEVICE)).commands).toMatchObject([{ sender: 'admin' }]);
  const signedOut = await station.request('POST', '/api/user/logout/', undefined, ended.write);
  expect(signedOut.status).toBe(204);
  const cleared = signedOut.headers.getSetCookie();
  for (const name of ['sessionid', 'csrftoken']) {
    expect(cleared.find((cookie) => cookie.startsWith(`${name}=;`))).toMatch(/Expires=Thu, 01 Jan 1970|Max-Age=0/);
  }
  expect(await write({ 'api-key': ended.apikey })).toMatchObject({ status: 401 });
  expect(await read(ended.cookies)).toMatchObject({ status: 401 });
  expect(await write(ended.write)).toMatchObject({ status: 401 });
  // The person's other sessions stay valid, even after a restart.
  for (const restart of [false, true]) {
    if (restart) await station.restart();
    expect(await read(ended.cookies)).toMatchObject({ status: 401 });
    expect(await read(session.cookies)).toMatchObject({ status: 200 });
    expect(await write({ ...session.write, referer: station.url })).toMatchObject({ status: 200 });
    expect(await read({ 'api-key': session.apikey })).toMatchObject({ status: 200 });
  }
});

test('signing out gets 204 if the cookie or temporary key ends a session, and 401 otherwise', async () => {
  const out = async (headers?: Record<string, string>) =>
    (await station.request('POST', '/api/user/logout/', undefined, headers)).status;
  const ended = async () =>
    (await station.get<AuditEntry[]>('/api/audit/')).filter(({ action }) => action === 'session.ended').length;
  const before = await ended();
  const byKey = await openSession(station);
  expect(await out({ 'api-key': byKey.apikey })).toBe(204);
  expect(await read(byKey.cookies)).toMatchObject({ status: 401 });
  expect(await out({ 'api-key': byKey.apikey })).toBe(401);
  // The key of an API user is not a session key and stays valid.
  expect(await out()).toBe(401);
  expect((await station.request('GET', '/api/device/')).status).toBe(200);
  // Pipeline two sign-outs, so that the second does not wait for the first.
  const { cookie, 'x-csrf-token': token, referer } = (await openSession(station)).write;
  const lines = [
    `host: ${new URL(station.url).host}`,
    `cookie: ${cookie}`,
    `x-csrf-token: ${token}`,
    `referer: ${referer}`,
  ];
  const one = (last: string[]) => `POST /api/user/logout/ HTTP/1.1\r\n${[...lines, ...last].join('\r\n')}\r\n\r\n`;
  const connection = await rawConnection(station.url);
  connection.write(one([]) + one(['connection: close']));
  expect((await connection.closed()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 204', 'HTTP/1.1 401']);
  expect((await ended()) - before).toBe(2);
});

test('signing out without the token is refused, and the session stays valid', async () => {
  expect(await station.request('POST', '/api/user/logout/', undefined, session.cookies)).toMatchObject({
    status: 403,
    body: { code: 'csrf' },
  });
  expect(await read(session.cookies)).toMatchObject({ status: 200 });
});

test('stores session secrets only as hashes', async () => {
  const kept = JSON.stringify(station.rows('SELECT * FROM sessions'));
  for (const secret of [session.sessionId, session.token, session.apikey, ADMIN_PASSWORD]) {
    expect(kept).not.toContain(secret);
  }
});

test('a session and its key end 14 days after signing in, even after a restart', async () => {
  station.clock.jump(14 * DAY_MS - 1_000);
  expect(await read(session.cookies)).toMatchObject({ status: 200 });
  station.clock.jump(1_000);
  expect(await read(session.cookies)).toMatchObject({ status: 401 });
  expect(await write({ ...session.write, referer: station.url })).toMatchObject({ status: 401 });
  expect(await read({ 'api-key': session.apikey })).toMatchObject({ status: 401 });
  await station.restart();
  expect(await read(session.cookies)).toMatchObject({ status: 401 });
});
