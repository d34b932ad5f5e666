import { platform } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSecretOf, sha256 } from '../../../electron/server/services/access/secrets.ts';
import { rawConnection, rawRequest } from '../../helpers/servers/rawHttp.ts';
import { openSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterAll(() => station.stop());

const ask = (path: string, headers: Record<string, string> = {}) => rawRequest(station.url, { path, headers });

describe('a key', () => {
  test('is refused if it only resembles a valid key', async () => {
    const middle = Math.floor(API_KEY.length / 2);
    for (const key of [
      API_KEY.slice(0, -1),
      API_KEY.slice(1),
      `${API_KEY}x`,
      `x${API_KEY}`,
      `${API_KEY}${API_KEY}`,
      `${API_KEY.slice(0, middle)} ${API_KEY.slice(middle)}`,
      API_KEY.toUpperCase(),
      `"${API_KEY}"`,
      `'${API_KEY}'`,
      `${API_KEY},`,
      `${API_KEY};`,
      `Bearer ${API_KEY}`,
      encodeURIComponent(`${API_KEY} `),
      Buffer.from(API_KEY).toString('base64'),
      sha256(API_KEY),
      '*',
      '%',
      '_',
      "' OR '1'='1",
      'undefined',
      'null',
      'true',
      '0',
      '[object Object]',
    ]) {
      const answer = await ask('/api/device/', { 'api-key': key });
      expect(answer.status, key).toBe(401);
    }
    // Whitespace around a header value is not part of it: RFC 9110, section 5.5.
    expect((await ask('/api/device/', { 'api-key': ` \t${API_KEY}\t ` })).status).toBe(200);
  });

  test('matches only its own hash', () => {
    expect(isSecretOf(API_KEY, sha256(API_KEY))).toBe(true);
    for (const hash of [sha256(`${API_KEY}x`), sha256(API_KEY).toLowerCase().padEnd(44, 'x').slice(0, 44), null]) {
      expect(isSecretOf(API_KEY, hash)).toBe(false);
    }
    expect(isSecretOf('', null)).toBe(false);
  });

  test('is accepted only in its headers, and never appears in an answer, log or activity entry', async () => {
    const basic = Buffer.from(`${API_KEY}:`).toString('base64');
    const password = Buffer.from(`admin:${API_KEY}`).toString('base64');
    for (const [path, headers] of [
      [`/api/device/?api_key=${API_KEY}`, {}],
      [`/api/device/?API-KEY=${API_KEY}&apikey=${API_KEY}&key=${API_KEY}&token=${API_KEY}`, {}],
      [`/api/device/?access_token=${API_KEY}`, {}],
      [`/api/device/;api_key=${API_KEY}/`, {}],
      [`/api/device/#api_key=${API_KEY}`, {}],
      ['/api/device/', { cookie: `api-key=${API_KEY}; apikey=${API_KEY}` }],
      ['/api/device/', { cookie: `sessionid=${API_KEY}` }],
      ['/api/device/', { authorization: API_KEY }],
      ['/api/device/', { authorization: `Basic ${basic}` }],
      ['/api/device/', { authorization: `Basic ${password}` }],
      ['/api/device/', { 'x-api-key': API_KEY }],
      ['/api/device/', { referer: `${station.url}?api_key=${API_KEY}` }],
      ['/api/device/', { 'x-forwarded-user': 'admin', 'remote-user': 'admin', 'x-remote-user': 'admin' }],
      [`/api/${DEVICE}/message/lit/?api_key=${API_KEY}`, {}],
    ] as [string, Record<string, string>][]) {
      const answer = await ask(path, headers);
      expect([401, 404], `${path} ${JSON.stringify(headers)}`).toContain(answer.status);
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain(API_KEY);
    }
    const { host } = new URL(station.url);
    const connection = await rawConnection(station.url);
    connection.write(
      `GET http://admin:${API_KEY}@${host}/api/device/ HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
    );
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 421 /);
    expect((await station.device(DEVICE)).commands).toEqual([]);
    expect(JSON.stringify(station.logged)).not.toContain(API_KEY);
    expect(JSON.stringify(station.rows('SELECT * FROM audit'))).not.toContain(API_KEY);
  });
});

describe('a session', () => {
  const login = (headers: Record<string, string>) =>
    rawRequest(station.url, {
      method: 'POST',
      path: '/api/user/login/',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    });
  const idOf = (answer: { headers: { 'set-cookie'?: string[] } }) =>
    /sessionid=([^;]+)/.exec(answer.headers['set-cookie']?.join() ?? '')?.[1] ?? '';

  test('gets a new id, key and token at each sign-in, and ignores a session id chosen by the browser', async () => {
    const before = await openSession(station);
    const ids = new Set([before.sessionId]);
    for (const cookie of [
      'sessionid=chosen-by-somebody',
      `sessionid=${before.sessionId}`,
      `sessionid=${before.apikey}; sessionid=${'a'.repeat(43)}`,
      'SESSIONID=chosen; sessionid=',
    ]) {
      const answer = await login({ cookie, 'x-csrf-token': 'chosen', 'api-key': 'chosen' });
      const id = idOf(answer);
      expect(id, cookie).toMatch(/^program-[\w-]{43}$/);
      expect(ids.has(id)).toBe(false);
      ids.add(id);
      const { token, apikey } = JSON.parse(answer.text) as { token: string; apikey: string };
      expect([before.token, 'chosen']).not.toContain(token);
      expect(apikey).not.toBe(before.apikey);
      const mixed = { cookie: `sessionid=${id}`, 'x-csrf-token': before.token, referer: station.url };
      const write = await rawRequest(station.url, { method: 'POST', path: '/api/user/logout/', headers: mixed });
      expect(write.status).toBe(401);
    }
    for (const cookie of ['chosen-by-somebody', 'a'.repeat(43), `program-${'a'.repeat(43)}`].map(
      (id) => `sessionid=${id}`,
    )) {
      expect((await ask('/api/device/', { cookie })).status).toBe(401);
    }
  });

  test('is invalid after signing out, as are its id, key and token', async () => {
    const { sessionId, apikey, write, cookies } = await openSession(station);
    const out = await rawRequest(station.url, { method: 'POST', path: '/api/user/logout/', headers: write });
    expect(out.status).toBe(204);
    await login(cookies);
    for (const headers of [cookies, { cookie: `sessionid=${sessionId}` }, { 'api-key': apikey }] as Record<
      string,
      string
    >[]) {
      expect((await ask('/api/device/', headers)).status).toBe(401);
    }
    const again = await rawRequest(station.url, { method: 'POST', path: '/api/user/logout/', headers: write });
    expect(again.status).toBe(401);
  });
});

describe.runIf(platform() === 'linux')('from another address', () => {
  const ATTACKER = '127.0.0.2';
  const guess = (password: string, from: string) =>
    rawRequest(station.url, {
      method: 'POST',
      path: '/api/user/login/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
      from,
    });

  test('guessing passwords gets 429 within sixty attempts, and the admin can still sign in elsewhere', async () => {
    const statuses: number[] = [];
    while (statuses.length < 60 && statuses.at(-1) !== 429) {
      statuses.push((await guess(`wrong ${statuses.length}`, ATTACKER)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    // Even the correct password is refused, so that continued guessing reveals nothing.
    expect((await guess(ADMIN_PASSWORD, ATTACKER)).status).toBe(429);
    expect((await guess(ADMIN_PASSWORD, '127.0.0.1')).status).toBe(200);
    const forwarded = await rawRequest(station.url, {
      method: 'POST',
      path: '/api/user/login/',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1' },
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
      from: ATTACKER,
    });
    expect(forwarded.status).toBe(429);
  });

  test('guessing keys gets 429, but a key that was accepted at that address still works', async () => {
    const send = (key: string, from: string) =>
      rawRequest(station.url, { path: '/api/device/', headers: { 'api-key': key }, from });
    expect((await send(API_KEY, ATTACKER)).status).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < 60; count += 1) statuses.push((await send(`guess ${count}`, ATTACKER)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await send(API_KEY, ATTACKER)).status).toBe(200);
    expect((await send('elsewhere', '127.0.0.3')).status).toBe(401);
  });
});

test('none of these requests logged a warning or error', () => {
  expect(station.logged).toEqual([]);
});
