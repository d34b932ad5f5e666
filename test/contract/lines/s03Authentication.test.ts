import { beforeAll, describe, expect, test } from 'vitest';
import { openSession, type TestSession } from '../../helpers/session.ts';
import { fetchDocument, operations } from '../documents.ts';
import { ONE, useStation } from './rig.ts';

// Contract, section 3, and "Authentication" in the specification.
const shop = useStation();
const NO_KEY = { 'api-key': undefined };

let session: TestSession;

beforeAll(async () => {
  session = await openSession(shop.station);
});

test('every endpoint needs authentication except those documented as open', async () => {
  const document = await fetchDocument(shop.station, '/api/openapi.json');
  for (const { path, method, operation } of operations(document)) {
    const isOpen = operation.security.length === 0;
    const target = path.replaceAll('{DeviceID}', ONE).replaceAll(/\{\w+\}/g, '1');
    const { status } = await shop.ask(method, target, { headers: NO_KEY });
    expect({ method, target, refused: status === 401 }).toEqual({ method, target, refused: !isOpen });
  }
});

describe('a write with a session needs x-csrf-token and a referer of this station, otherwise 403 csrf', () => {
  test.each<[method: string, path: string, body: object | undefined]>([
    ['POST', `/api/device/${ONE}/`, { statica: '' }],
    ['PUT', `/api/device/${ONE}/`, { statica: '' }],
    ['PATCH', '/api/settings/', { default_seconds: 60 }],
    ['DELETE', `/api/map/places/${ONE}/`, undefined],
    ['POST', '/api/preview/', { line1: 'x' }],
  ])('%s %s', async (method, path, body) => {
    const more = body === undefined ? {} : { body };
    const { cookie, referer, 'x-csrf-token': token } = session.write;
    const whole = { ...NO_KEY, cookie, referer, 'x-csrf-token': token };
    expect((await shop.ask(method, path, { ...more, headers: whole })).status).toBeLessThan(300);
    for (const lacking of [
      { 'x-csrf-token': undefined },
      { referer: undefined },
      { referer: 'http://evil.example/' },
    ]) {
      await shop.refused([method, path, { ...more, headers: { ...whole, ...lacking } }], [403, 'csrf']);
    }
    // Clients sign in again only after a 401, so a stale session must get one.
    for (const stale of [{ cookie: 'sessionid=stale' }, { 'x-csrf-token': 'x' }]) {
      await shop.refused([method, path, { ...more, headers: { ...whole, ...stale } }], [401, 'unauthenticated']);
    }
  });
});

test('a GET with a session needs neither token nor referer', async () => {
  for (const path of ['/api/device/', `/api/device/${ONE}/`, '/api/settings/', '/api/history/', '/api/station/']) {
    expect((await shop.ask('GET', path, { headers: { ...NO_KEY, ...session.cookies } })).status, path).toBe(200);
  }
});

test('a new API user gets a key, client id and secret, shown only once, and the key is refused after removal', async () => {
  const made = await shop.ask('POST', '/api/api-users/', { body: { name: 'ERP' } });
  expect(made.status).toBe(201);
  const user = made.json as Record<string, string>;
  expect(Object.keys(user).toSorted()).toEqual(['api_key', 'client_id', 'client_secret', 'id', 'name', 'scope']);
  expect(user['scope']).toBe('control');
  const { text } = await shop.ask('GET', '/api/api-users/');
  for (const secret of ['api_key', 'client_secret']) expect(text).not.toContain(user[secret]);
  const headers = { 'api-key': user['api_key'] };
  expect((await shop.ask('GET', '/api/device/', { headers })).status).toBe(200);
  expect((await shop.ask('DELETE', `/api/api-users/${user['id']}/`)).status).toBe(204);
  await shop.refused(['GET', '/api/device/', { headers }], [401, 'unauthenticated']);
});

test('client credentials sent as a form get a bearer token for an hour, and refusals follow RFC 6749', async () => {
  const form = (fields: Record<string, string>) =>
    shop.ask('POST', '/api/oauth/token/', {
      body: new URLSearchParams(fields).toString(),
      headers: { ...NO_KEY, 'content-type': 'application/x-www-form-urlencoded' },
    });
  const { client_id, client_secret } = await shop.station.post<Record<'client_id' | 'client_secret', string>>(
    '/api/api-users/',
    { name: 'WMS', scope: 'read' },
  );
  const issued = await form({ grant_type: 'client_credentials', client_id, client_secret });
  expect(issued).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 3_600 } });
  const authorization = `Bearer ${(issued.json as { access_token: string }).access_token}`;
  expect((await shop.ask('GET', '/api/device/', { headers: { ...NO_KEY, authorization } })).status).toBe(200);
  await shop.refused(
    ['POST', `/api/device/${ONE}/`, { body: { line1: 'x' }, headers: { ...NO_KEY, authorization } }],
    [403, 'forbidden'],
  );
  expect(await form({ grant_type: 'client_credentials', client_id, client_secret: 'x' })).toMatchObject({
    status: 401,
    json: { error: 'invalid_client' },
  });
  expect(await form({ grant_type: 'password', client_id, client_secret })).toMatchObject({
    status: 400,
    json: { error: 'unsupported_grant_type' },
  });
});
