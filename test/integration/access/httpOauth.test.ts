import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenErrorSchema, tokenSchema, type ApiUserSecrets } from '#shared/api/access.ts';
import { fetchDocument, operations, responseOf } from '../../contract/documents.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const HOUR_MS = 3_600_000;

let station: TestStation;
let erp: ApiUserSecrets;
let admin: ApiUserSecrets;
let turbo: ApiUserSecrets;

beforeAll(async () => {
  station = await startTestStation();
  const add = (name: string, scope?: string) => station.post<ApiUserSecrets>('/api/api-users/', { name, scope });
  erp = await add('ERP');
  admin = await add('Admin program', 'admin');
  turbo = await add('Turbo', 'turbo');
});

afterAll(() => station.stop());

type Fields = Record<string, string>;

const own = (user = erp): Fields => ({ client_id: user.client_id, client_secret: user.client_secret });
const basic = (user = erp): Fields => ({
  authorization: `Basic ${Buffer.from(`${user.client_id}:${user.client_secret}`).toString('base64')}`,
});

function fetchToken(fields: Fields | string, headers: Fields = {}) {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  return station.request('POST', '/api/oauth/token/', body, { ...FORM, ...headers });
}

async function tokenOf(fields: Fields, headers: Fields = {}): Promise<string> {
  const { status, body } = await fetchToken({ grant_type: 'client_credentials', ...fields }, headers);
  expect(status).toBe(200);
  return tokenSchema.parse(body).access_token;
}

async function statuses(token: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answers = await Promise.all([
    station.request('GET', '/api/device/', undefined, headers),
    station.request('POST', '/api/devices/', [], headers),
    station.request('GET', '/api/settings/', undefined, headers),
  ]);
  return answers.map(({ status }) => status);
}

test('answers both granted and refused token requests in JSON, even if the client accepts only XML', async () => {
  for (const secret of [erp.client_secret, 'wrong']) {
    const fields = { grant_type: 'client_credentials', client_id: erp.client_id, client_secret: secret };
    const { headers } = await fetchToken(fields, { accept: 'application/xml' });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  }
});

describe('client credentials', () => {
  test('sent in the form or in a Basic header get a one-hour token that must not be cached', async () => {
    for (const [fields, headers] of [
      [own(), {}],
      [{}, basic()],
      [{ client_id: erp.client_id }, basic()],
      [{ ...own(), scope: '' }, {}],
    ] as const) {
      const answer = await fetchToken({ grant_type: 'client_credentials', ...fields }, headers);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        access_token: expect.stringMatching(/^pst_[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3_600,
        scope: 'control',
      });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('pragma')).toBe('no-cache');
    }
  });

  test('can narrow the scope of the token, but never widen it', async () => {
    expect(await statuses(await tokenOf(own()))).toEqual([200, 200, 403]);
    expect(await statuses(await tokenOf({ ...own(), scope: 'read' }))).toEqual([200, 403, 403]);
    expect(await statuses(await tokenOf({ ...own(), scope: 'read control' }))).toEqual([200, 200, 403]);
    expect(await statuses(await tokenOf(own(admin)))).toEqual([200, 200, 200]);
    expect(await statuses(await tokenOf({ ...own(admin), scope: 'control' }))).toEqual([200, 200, 403]);
    for (const scope of [
      'admin',
      'read admin',
      'turbo',
      'everything',
      'read all',
      'READ',
      'read,control',
      '"',
      'constructor',
    ]) {
      const answer = await fetchToken({ grant_type: 'client_credentials', ...own(), scope });
      expect(answer, scope).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    }
  });

  test('get 401 invalid_client and a Basic challenge if wrong or missing', async () => {
    for (const [fields, headers] of [
      [{ ...own(), client_secret: 'wrong' }, {}],
      [{ ...own(), client_secret: admin.client_secret }, {}],
      [{ ...own(), client_secret: erp.api_key }, {}],
      [{ ...own(), client_secret: '' }, {}],
      [{ ...own(), client_id: 'nobody' }, {}],
      [{ client_id: erp.client_id }, {}],
      [{}, {}],
      [{}, { authorization: 'Basic !!!' }],
      [{}, basic({ ...erp, client_secret: 'wrong' })],
    ] as [Fields, Fields][]) {
      const answer = await fetchToken({ grant_type: 'client_credentials', ...fields }, headers);
      expect(answer, JSON.stringify([fields, headers])).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      tokenErrorSchema.parse(answer.body);
    }
  });

  test('are refused as RFC 6749 defines if the grant type is unsupported or missing, or the form is invalid', async () => {
    for (const grant_type of ['password', 'authorization_code', 'refresh_token', 'constructor', 'urn:x:y']) {
      const answer = await fetchToken({ grant_type, ...own(), username: 'admin', password: 'x', code: 'x' });
      expect(answer, grant_type).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
    }
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...own() }).toString();
    for (const [body, headers] of [
      [new URLSearchParams(own()).toString(), {}],
      [`${form}&client_id=${erp.client_id}`, {}],
      [`${form}&grant_type=password`, {}],
      [form, { 'content-type': 'text/plain' }],
      [JSON.stringify({ grant_type: 'client_credentials', ...own() }), { 'content-type': 'application/json' }],
      ['', basic()],
    ] as [string, Fields][]) {
      const answer = await fetchToken(body, headers);
      expect(answer, JSON.stringify([body, headers])).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    }
  });

  test('get no token if the API user has the scope turbo', async () => {
    const answer = await fetchToken({ grant_type: 'client_credentials', ...own(turbo) });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
  });

  test('are refused if sent in the query', async () => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...own() }).toString();
    const answer = await station.request('POST', `/api/oauth/token/?${form}`, '', FORM);
    expect(answer.status).toBe(401);
  });
});

describe('a token', () => {
  test('is accepted for requests and the event stream; the scheme is case-insensitive', async () => {
    const token = await tokenOf(own());
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const answer = await station.request('GET', '/api/station/', undefined, { authorization: `${scheme} ${token}` });
      expect(answer).toMatchObject({ status: 200, body: { user: { name: 'ERP', scope: 'control' } } });
    }
    const stream = await fetch(new URL('/api/events/', station.url), {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
  });

  test('gets 401 with an invalid_token challenge if unknown', async () => {
    for (const word of ['x', erp.client_secret, '=', 'null']) {
      const answer = await station.request('GET', '/api/device/', undefined, { authorization: `Bearer ${word}` });
      expect(answer, word).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
    // An API key is also accepted as a bearer token, but a token is not accepted as an API key.
    const bearer = { authorization: `Bearer ${erp.api_key}` };
    expect(await station.request('GET', '/api/device/', undefined, bearer)).toMatchObject({ status: 200 });
    const key = { 'api-key': await tokenOf(own()) };
    expect(await station.request('GET', '/api/device/', undefined, key)).toMatchObject({ status: 401 });
  });

  test('opens a stream that ends when the token expires', async () => {
    const stream = await openStream(station.url, { headers: { authorization: `Bearer ${await tokenOf(own())}` } });
    await station.clock.advance(HOUR_MS - 20_000);
    await station.patch('/api/settings/', { default_seconds: 9 });
    await station.clock.advance(16);
    await stream.until(() => stream.commits().length > 0);
    await station.clock.advance(40_000);
    await stream.ended();
    expect(stream.isWhole()).toBe(true);
  });

  test('is stored as a hash, survives a restart and expires after an hour', async () => {
    const token = await tokenOf(own());
    expect(JSON.stringify(station.rows('SELECT * FROM tokens'))).not.toContain(token);
    await station.clock.advance(HOUR_MS - 1_000);
    expect(await statuses(token)).toEqual([200, 200, 403]);
    await station.restart();
    expect(await statuses(token)).toEqual([200, 200, 403]);
    await station.clock.advance(1_000);
    expect(await statuses(token)).toEqual([401, 401, 401]);
    await station.restart();
    expect(await statuses(token)).toEqual([401, 401, 401]);
  });

  test('that exceeds the limit of two hundred ends only the oldest token of the same API user', async () => {
    const others = await tokenOf(own(admin));
    const first = await tokenOf(own());
    for (let count = 0; count < 199; count += 1) await tokenOf(own());
    expect(await statuses(first)).toEqual([200, 200, 403]);
    const last = await tokenOf(own());
    expect(await statuses(first)).toEqual([401, 401, 401]);
    expect(await statuses(last)).toEqual([200, 200, 403]);
    expect(await statuses(others)).toEqual([200, 200, 200]);
    await station.restart();
    expect(await statuses(first)).toEqual([401, 401, 401]);
    expect(await statuses(last)).toEqual([200, 200, 403]);
  });
});

test('a repeated wrong secret counts once, thirty different ones get 429, and a known client is still accepted', async () => {
  const wrong = (client_secret: string, client_id = erp.client_id) =>
    fetchToken({ grant_type: 'client_credentials', client_id, client_secret });
  await station.clock.advance(600_000);
  expect((await fetchToken({ grant_type: 'client_credentials', ...own(admin) })).status).toBe(200);
  for (let tries = 0; tries < 40; tries += 1) expect((await wrong('wrong')).status).toBe(401);
  for (let tries = 0; tries < 29; tries += 1)
    expect((await wrong(`wrong ${tries}`, `nobody ${tries % 3}`)).status).toBe(401);
  const refused = await wrong('another');
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetchToken({ grant_type: 'client_credentials', ...own(admin) })).status).toBe(200);
  await station.clock.advance(30_000);
  expect((await wrong('wrong')).status).toBe(401);
});

test('a form that cannot be decompressed is refused with the documented problem', async () => {
  const answer = await fetchToken('grant_type=client_credentials', { 'content-encoding': 'gzip' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'malformed' } });
  const document = await fetchDocument(station, '/api/openapi.json');
  const described = operations(document).find(({ operation }) => operation.operationId === 'issueToken');
  const content = described && responseOf(described.operation, 400, document)?.content;
  expect(Object.keys(content ?? {})).toEqual([
    'application/json',
    'application/problem+json',
    'application/problem+xml',
  ]);
});
