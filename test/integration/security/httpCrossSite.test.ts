import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawConnection, rawRequest } from '../../helpers/servers/rawHttp.ts';
import { openSession, type TestSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/`;
const JSON_TYPE = { 'content-type': 'application/json' };
const BODY = '{"line1":"from afar"}';

let station: TestStation;
let session: TestSession;
let host: string;
let port: string;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  session = await openSession(station);
  ({ host, port } = new URL(station.url));
});

afterAll(() => station.stop());

const send = (headers: Record<string, string>, body = BODY, path = PATH, method = 'POST') =>
  rawRequest(station.url, { method, path, headers, body });

const commands = async () => (await station.device(DEVICE)).commands;

test('a form or simple request from another site changes nothing, even with the cookies', async () => {
  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; application/json',
    'application/json',
    '',
  ]) {
    for (const own of [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { referer: 'https://evil.example/' },
    ] as Record<string, string>[]) {
      const answer = await send({ ...session.cookies, 'content-type': type, ...own });
      expect(answer.status, `${type} ${JSON.stringify(own)}`).toBe(403);
    }
  }
  expect(await commands()).toEqual([]);
});

test('a page of another site cannot light a place, and looking up a place does not light it', async () => {
  const path = '/api/locate/';
  const body = JSON.stringify({ q: DEVICE });
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://${host}.evil.example`, referer: `http://${host}.evil.example/` },
    { 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' },
    {},
  ] as Record<string, string>[];
  for (const own of foreign) {
    const answer = await send({ ...session.cookies, ...JSON_TYPE, ...own }, body, path);
    expect(answer.status, JSON.stringify(own)).toBe(403);
    // A foreign page, or an image in it, can request the address but not read the answer.
    await send({ ...session.cookies, ...own }, '', `${path}?q=${DEVICE}`, 'GET');
  }
  expect(await commands()).toEqual([]);
});

test('accepts the token only in its header, and only with its session', async () => {
  const { token, cookies } = session;
  const referer = station.url;
  const json = { ...cookies, ...JSON_TYPE, referer };
  const missing: (readonly [string, Promise<{ status: number }>])[] = [
    ['in the address', send(json, BODY, `${PATH}?x-csrf-token=${token}&csrftoken=${token}`)],
    ['in the body', send(json, `{"line1":"x","x-csrf-token":"${token}","csrfmiddlewaretoken":"${token}"}`)],
    ['in a cookie', send({ ...json, cookie: `${cookies.cookie}; x-csrf-token=${token}` })],
    ['in another header', send({ ...json, 'x-csrftoken': token, 'x-xsrf-token': token })],
  ];
  const wrong: typeof missing = [
    ['twice', send({ ...json, 'x-csrf-token': `${token}, ${token}` })],
    ['cut', send({ ...json, 'x-csrf-token': token.slice(0, -1) })],
    ['in another case', send({ ...json, 'x-csrf-token': token.toUpperCase() })],
    [
      'of the cookie that the client made',
      send({ ...json, cookie: `${cookies.cookie}; csrftoken=mine`, 'x-csrf-token': 'mine' }),
    ],
    ['the id of the session', send({ ...json, 'x-csrf-token': session.sessionId })],
    ['the key of the session', send({ ...json, 'x-csrf-token': session.apikey })],
  ];
  for (const [where, answer] of missing) expect((await answer).status, where).toBe(403);
  for (const [where, answer] of wrong) expect((await answer).status, where).toBe(401);
  expect((await send({ ...JSON_TYPE, 'x-csrf-token': token, referer })).status).toBe(401);
  expect(await commands()).toEqual([]);
});

test("refuses a Referer that only resembles the station's address", async () => {
  for (const referer of [
    `http://${host}.evil.example/`,
    `http://${host}@evil.example/`,
    `http://evil.example/?http://${host}/`,
    `http://evil.example/#http://${host}/`,
    `http://evil.example\\@${host}/`,
    `http://evil.example\\.${host}/`,
    `http:/\\evil.example/${host}`,
    `http://127.0.0.1:${port}0/`,
    'http://127.0.0.1/',
    `ftp://${host}/`,
    `javascript://${host}/%0aalert(1)`,
    `data:text/html,http://${host}/`,
    `file://${host}/`,
    `blob:http://${host}/1`,
    `about:blank`,
    `view-source:http://${host}/`,
    `//${host}/`,
    `${host}/`,
    `null`,
    `http://${host}, http://evil.example/`,
    'http://',
    `http://[::1/`,
  ]) {
    const answer = await send({ ...session.write, ...JSON_TYPE, referer });
    expect(answer.status, referer).toBe(403);
  }
  expect(await commands()).toEqual([]);
});

test('headers, fields and query parameters cannot override the method', async () => {
  const override = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' };
  expect((await send({ ...session.cookies, ...override }, '', PATH, 'GET')).status).toBe(200);
  expect((await send({ ...session.cookies, ...override }, '', `${PATH}?_method=DELETE`, 'GET')).status).toBe(400);
  expect((await send({ ...session.cookies, ...JSON_TYPE }, '{"_method":"DELETE"}')).status).toBe(403);
  expect(await station.get('/api/device/')).toEqual([DEVICE]);
});

test('a page of another site cannot sign in, even with a correct password', async () => {
  const login = `{"username":"admin","password":"${ADMIN_PASSWORD}"}`;
  for (const headers of [
    { ...JSON_TYPE, origin: 'https://evil.example' },
    { ...JSON_TYPE, origin: 'null' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ]) {
    const answer = await send(headers, login, '/api/user/login/');
    expect([403, 415], JSON.stringify(headers)).toContain(answer.status);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

test('refuses a repeated Origin header', async () => {
  for (const origins of [
    [`http://${host}`, 'https://evil.example'],
    ['https://evil.example', `http://${host}`],
    ['null', `http://${host}`],
    [`http://${host}`, `http://${host}`],
  ]) {
    const connection = await rawConnection(station.url);
    const lines = origins.map((origin) => `origin: ${origin}\r\n`).join('');
    connection.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n${lines}connection: close\r\n\r\n`);
    expect(await connection.closed(), origins.join()).toMatch(/^HTTP\/1\.1 403 [\s\S]*"foreign_origin"/);
  }
});

test('treats a page at another port of the same machine as another site, even though it has the same cookies', async () => {
  const origin = `http://127.0.0.1:${Number(port) + 1}`;
  expect((await send({ ...session.write, ...JSON_TYPE, origin })).status).toBe(403);
  expect((await send({ ...session.write, ...JSON_TYPE, referer: `${origin}/` })).status).toBe(403);
  const lit = `/api/${DEVICE}/message/lit/`;
  expect((await send({ ...session.cookies, 'sec-fetch-site': 'same-site' }, '', lit, 'GET')).status).toBe(403);
  expect(await commands()).toEqual([]);
});

test('none of these requests logged a warning or error', () => {
  expect(station.logged).toEqual([]);
});
