import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { SettingsChange } from '#shared/api/settings.ts';
import { rawRequest, type RawAnswer } from '../../helpers/servers/rawHttp.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const BASIC = { authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` };
const JSON_TYPE = { 'content-type': 'application/json' };
const PUBLIC = 'https://lights.shop.example/';
const BROWSER = '203.0.113.7';
const BEHIND = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'lights.shop.example' };

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

const set = (settings: SettingsChange) => station.patch('/api/settings/', settings);

function ask(headers: Record<string, string>, path = '/api/device/'): Promise<RawAnswer> {
  return rawRequest(station.url, { path, headers });
}

function signIn(headers: Record<string, string>, password = ADMIN_PASSWORD): Promise<RawAnswer> {
  return rawRequest(station.url, {
    method: 'POST',
    path: '/api/user/login/',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ username: 'admin', password }),
  });
}

/** Returns the recorded address of the latest sign-in. */
async function signedInFrom(): Promise<string | undefined> {
  const entries = await station.get<AuditEntry[]>('/api/audit/');
  return entries.find(({ action }) => action === 'session.opened')?.address;
}

test('ignores forwarding headers from an untrusted address', async () => {
  await set({ public_urls: [PUBLIC], trusted_proxies: ['192.0.2.1'] });
  const answer = await signIn({ ...BEHIND, 'x-forwarded-for': BROWSER });
  expect(answer.status).toBe(200);
  expect(await signedInFrom()).toBe('127.0.0.1');
  for (const cookie of answer.headers['set-cookie'] ?? []) expect(cookie).not.toContain('Secure');
  expect((await ask({ 'api-key': API_KEY, 'x-forwarded-host': 'evil.example' })).status).toBe(200);
  const evil = { 'api-key': API_KEY, host: 'evil.example', 'x-forwarded-host': 'lights.shop.example' };
  expect((await ask(evil)).status).toBe(421);
});

test("takes the address, protocol and host from a trusted proxy's headers", async () => {
  await set({ public_urls: [PUBLIC], trusted_proxies: ['127.0.0.0/8'] });
  const answer = await signIn({
    ...BEHIND,
    'x-forwarded-for': BROWSER,
    host: 'upstream:4680',
    origin: PUBLIC.slice(0, -1),
  });
  expect(answer.status).toBe(200);
  expect(await signedInFrom()).toBe(BROWSER);
  const cookies = answer.headers['set-cookie'] ?? [];
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toContain('Secure');
  const { token } = JSON.parse(answer.text) as { token: string };
  const write = await rawRequest(station.url, {
    method: 'PATCH',
    path: '/api/settings/',
    headers: {
      ...JSON_TYPE,
      ...BEHIND,
      cookie: cookies.map((line) => line.split(';')[0]).join('; '),
      'x-csrf-token': token,
      referer: `${PUBLIC}settings`,
    },
    body: '{"default_seconds":9}',
  });
  expect(write.status).toBe(200);
});

test('the client is the rightmost address that is not a trusted proxy', async () => {
  await set({ trusted_proxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'] });
  for (const [forwarded, client] of [
    ['203.0.113.7', '203.0.113.7'],
    ['127.0.0.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['203.0.113.7, 2001:db8::5, ::ffff:10.0.0.1', '203.0.113.7'],
    ['2001:db9::5, 10.0.0.1', '2001:db9::5'],
    ['10.0.0.9, 10.0.0.1', '10.0.0.9'],
    ['unknown', '127.0.0.1'],
  ] as const) {
    expect((await signIn({ 'x-forwarded-for': forwarded })).status).toBe(200);
    expect(await signedInFrom(), forwarded).toBe(client);
  }
});

test('accepts a forwarded host only if public_urls lists it', async () => {
  await set({ public_urls: ['HTTPS://Lights.Shop.Example:443/pick/'], trusted_proxies: ['127.0.0.1'] });
  const status = async (host: string) => (await ask({ 'api-key': API_KEY, 'x-forwarded-host': host })).status;
  expect(await status('lights.shop.example')).toBe(200);
  expect(await status('LIGHTS.shop.example:443')).toBe(200);
  expect(await status('lights.shop.example, lights.shop.example')).toBe(200);
  expect(await status('evil.example')).toBe(421);
  expect(await status('evil.example, lights.shop.example')).toBe(421);
  expect(await status('lights.shop.example, evil.example')).toBe(421);
  expect(await status('127.0.0.1')).toBe(421);
});

test('counts wrong passwords for the client, not for the proxy', async () => {
  await set({ trusted_proxies: ['127.0.0.1'] });
  const from = (address: string, password: string) => signIn({ 'x-forwarded-for': address }, password);
  for (let tries = 0; tries < 10; tries += 1) {
    expect((await from(BROWSER, `wrong ${tries}`)).status).toBe(401);
  }
  expect((await from(BROWSER, ADMIN_PASSWORD)).status).toBe(429);
  expect((await from(`198.51.100.1, ${BROWSER}`, ADMIN_PASSWORD)).status).toBe(429);
  expect((await from('203.0.113.8', ADMIN_PASSWORD)).status).toBe(200);
});

test('accepts Basic authentication through a proxy only if the proxy is trusted and reports HTTPS', async () => {
  await set({ basic_auth: true });
  const far = { ...BASIC, 'x-forwarded-for': BROWSER };
  expect((await ask(BASIC)).status).toBe(200);
  // An untrusted proxy on this machine could forward requests from anywhere.
  expect((await ask({ ...far, 'x-forwarded-proto': 'https' })).status).toBe(403);
  expect((await ask({ ...BASIC, forwarded: `for=${BROWSER};proto=https` })).status).toBe(403);
  await set({ trusted_proxies: ['127.0.0.1'] });
  expect((await ask({ ...far, 'x-forwarded-proto': 'https' })).status).toBe(200);
  expect((await ask({ ...far, 'x-forwarded-proto': 'http' })).status).toBe(403);
  expect((await ask(far)).status).toBe(403);
});

test('refuses invalid proxies and public addresses, and names their positions', async () => {
  const refused = async (change: object): Promise<unknown> => {
    const answer = await station.request('PATCH', '/api/settings/', change);
    expect(answer.status, JSON.stringify(change)).toBe(400);
    return answer.body;
  };
  for (const proxy of ['', 'proxy.local', '10.0.0.0/33', '10.0.0', '0.0.0.0/0', '::/0', '10.0.0.1:80', '1.2.3.4 ']) {
    expect(await refused({ trusted_proxies: ['10.0.0.1', proxy] })).toMatchObject({
      errors: [{ path: '/trusted_proxies/1' }],
    });
  }
  for (const url of [
    '',
    'lights.shop.example',
    'ftp://lights.shop.example',
    'https://',
    'https://*.shop.example',
    'http://0.0.0.0:4680/',
    'http://[::]:4680/',
    'https://ann:secret@lights.shop.example/',
    'https://lights.shop.example/?a=b',
    'https://lights.shop.example/#top',
    'https://{host}/',
    'https://lights shop.example/',
    'https://lights.shop.example:99999/',
  ]) {
    expect(await refused({ public_urls: ['http://shop-pc:4680', url] }), url).toMatchObject({
      errors: [{ path: '/public_urls/1' }],
    });
  }
});
