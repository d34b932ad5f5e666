import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { openSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1 });
});

afterAll(() => station.stop());

/** Sends one request over a separate connection, as clients without keep-alive do. */
function call(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  return rawRequest(station.url, {
    method,
    path,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Signs in as a client with a cookie jar, and returns its cookies and keys. */
async function signIn(headers: Record<string, string> = {}) {
  const answer = await call('POST', '/api/user/login/', headers, { username: 'admin', password: ADMIN_PASSWORD });
  expect(answer.status).toBe(200);
  const { token, apikey } = JSON.parse(answer.text) as { token: string; apikey: string };
  const jar = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '');
  const sessionId = jar.find((cookie) => cookie.startsWith('sessionid='))?.slice('sessionid='.length) ?? '';
  return { token, apikey, sessionId };
}

describe('a client that signs in for a session', () => {
  let client: { token: string; apikey: string; sessionId: string };

  beforeEach(async () => {
    client = await signIn();
  });

  test.each([
    ['{host}/', ''],
    ['{host}/api/', 'api/'],
  ])('can write with the Referer %s and a csrftoken cookie that it set itself', async (_, path) => {
    const { token, sessionId } = client;
    const headers = {
      cookie: `csrftoken=${token}; sessionid=${sessionId}`,
      'x-csrf-token': token,
      referer: station.url + path,
    };
    expect((await call('POST', `/api/device/${DEVICE}/`, headers, { line1: 'x' })).status).toBe(200);
    expect((await call('PUT', '/api/devices/', headers, { deviceid: DEVICE, command: 'kill' })).status).toBe(200);
  });

  test('can read with only its cookie', async () => {
    const { sessionId } = client;
    const answer = await call('GET', '/api/device/', { cookie: `sessionid=${sessionId}` });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, [DEVICE]]);
  });

  test('can authenticate with only the temporary key from signing in', async () => {
    expect((await call('POST', `/api/device/${DEVICE}/`, { 'API-KEY': client.apikey }, { statica: 'x' })).status).toBe(
      200,
    );
  });

  test('gets 401 after its session ends, with a right or wrong token, and can sign in again', async () => {
    const { token, sessionId } = client;
    const whole = { cookie: `sessionid=${sessionId}; csrftoken=${token}`, 'x-csrf-token': token, referer: station.url };
    expect((await call('POST', '/api/user/logout/', whole)).status).toBe(204);
    for (const headers of [
      whole,
      { ...whole, 'x-csrf-token': 'wrong' },
      { cookie: whole.cookie },
      { ...whole, cookie: 'sessionid=never; csrftoken=x' },
    ]) {
      for (const [method, path, body] of [
        ['GET', '/api/device/', undefined],
        ['POST', `/api/device/${DEVICE}/`, { line1: 'x' }],
        ['GET', '/api/settings/', undefined],
        ['POST', '/api/user/logout/', undefined],
      ] as const) {
        expect((await call(method, path, headers, body)).status, `${method} ${path}`).toBe(401);
      }
    }
    await signIn(whole);
  });
});

test('signing in does not reuse the session id of another client or an invented id', async () => {
  for (const given of ['made-up', (await openSession(station)).sessionId]) {
    const headers = { cookie: `sessionid=${given}; csrftoken=x` };
    const { sessionId, token } = await signIn(headers);
    expect(sessionId).not.toBe(given);
    expect(token).not.toBe('x');
    expect((await call('GET', '/api/device/', { cookie: `sessionid=${sessionId}` })).status).toBe(200);
  }
  expect((await call('GET', '/api/device/', { cookie: 'sessionid=made-up' })).status).toBe(401);
});

describe('a key', () => {
  test.each(['API-KEY', 'Api-Key', 'api-key', 'API_KEY', 'api_key', 'Api_Key'])(
    'is accepted in the header %s',
    async (name) => {
      expect((await call('GET', '/api/device/', { [name]: API_KEY })).status).toBe(200);
      expect((await call('GET', '/api/device/', { [name]: 'wrong' })).status).toBe(401);
    },
  );

  test('is refused in the query with the reason, and appears in no answer or log', async () => {
    for (const name of ['api_key', 'API-KEY', 'apikey', 'api-key', 'access_token']) {
      for (const path of ['/api/device/', '/api/nothing/', '/api/device', '/api/51D000:000001/message/x/']) {
        const answer = await call('GET', `${path}?${name}=${API_KEY}`, {});
        expect(answer.status, path).toBeGreaterThanOrEqual(401);
        expect(answer.text).not.toContain(API_KEY);
      }
      const answer = await call('GET', `/api/device/?${name}=${API_KEY}`, {});
      expect((JSON.parse(answer.text) as { detail: string }).detail).toContain('in the address');
    }
    expect(JSON.stringify(station.logged)).not.toContain(API_KEY);
  });

  test('is refused if sent twice', async () => {
    const answer = await call('GET', '/api/device/', { 'api-key': `${API_KEY}, ${API_KEY}` });
    expect(answer.status).toBe(401);
  });
});
