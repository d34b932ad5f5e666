import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets, AuditEntry } from '#shared/api/access.ts';
import { createKeyTries } from '../../../electron/server/services/access/keyTries.ts';
import { createAuditTally } from '../../../electron/server/services/base/auditTally.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { openSession, signIn } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

const send = (headers: Record<string, string>, path = '/api/device/') => rawRequest(station.url, { path, headers });
const ask = (key: string) => send({ 'api-key': key });
const basic = (name: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
});

async function fetchToken({ client_id, client_secret }: Pick<ApiUserSecrets, 'client_id' | 'client_secret'>) {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return station.request('POST', '/api/oauth/token/', form, headers);
}

/** Sends this many different wrong keys and returns the statuses. */
async function guess(count: number, name = 'guess'): Promise<number[]> {
  const statuses: number[] = [];
  for (let tries = 0; tries < count; tries += 1) statuses.push((await ask(`${name} ${tries}`)).status);
  return statuses;
}

async function refused(): Promise<AuditEntry[]> {
  const entries = await station.get<AuditEntry[]>('/api/audit/');
  return entries.filter(({ action }) => action === 'session.refused');
}

test('after thirty different wrong keys, a key not used before gets 429 for half a minute, in any header and over /turbo/', async () => {
  const fresh = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'fresh', scope: 'admin' });
  expect(new Set(await guess(30))).toEqual(new Set([401]));
  const other = await ask('another');
  expect(JSON.parse(other.text)).toMatchObject({ status: 429, code: 'too_many_requests' });
  const wait = Number(other.headers['retry-after']);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(30);
  // A valid key that was not accepted here before is refused unchecked, so that guessing cannot continue.
  for (const headers of [
    { 'API-KEY': fresh.api_key },
    { 'Api-Key': fresh.api_key },
    { API_KEY: fresh.api_key },
    { authorization: `Bearer ${fresh.api_key}` },
  ] as Record<string, string>[]) {
    expect((await send(headers)).status, JSON.stringify(headers)).toBe(429);
  }
  for (const headers of [{ 'api-key': fresh.api_key }, { API_KEY: fresh.api_key }, basic('x', fresh.api_key)] as Record<
    string,
    string
  >[]) {
    const answer = await send({ ...UPGRADE, ...headers }, '/turbo/');
    expect(answer.status, JSON.stringify(headers)).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(30);
  }
  expect((await fetchToken(fresh)).status).toBe(429);
  expect(JSON.parse((await send({ 'api-key': fresh.api_key }, '/healthz')).text)).not.toHaveProperty('devices');

  // Sessions, passwords and keys that were accepted here before are not affected.
  expect((await ask(API_KEY)).status).toBe(200);
  expect((await signIn(station)).status).toBe(200);
  const { cookies } = await openSession(station);
  expect((await send(cookies)).status).toBe(200);

  // After the wait, a valid key is accepted. One more wrong key within ten minutes starts another wait.
  await station.clock.advance(wait * 1_000);
  expect((await ask(fresh.api_key)).status).toBe(200);
  expect((await ask('one more')).status).toBe(401);
  expect((await ask('and another')).status).toBe(429);
  expect((await ask(fresh.api_key)).status).toBe(200);
  await station.clock.advance(600_000);
  expect(new Set(await guess(30, 'later'))).toEqual(new Set([401]));
});

test('counts a repeated wrong key once, so that a program with an old key does not lock out a valid key', async () => {
  const fresh = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'fresh' });
  for (let tries = 0; tries < 60; tries += 1) expect((await ask(`old key ${tries % 29}`)).status).toBe(401);
  expect((await ask(fresh.api_key)).status).toBe(200);
});

test.each([
  ['bearer tokens', (word: string) => send({ authorization: `Bearer ${word}` })],
  ['API_KEY', (word: string) => send({ API_KEY: word })],
  ['client secrets', (word: string) => fetchToken({ client_id: 'somebody', client_secret: word })],
  ['keys of turbos', (word: string) => send({ ...UPGRADE, 'api-key': word }, '/turbo/')],
] as [string, (word: string) => Promise<{ status: number }>][])(
  'counts wrong %s like any other wrong keys',
  async (_name, tryOne) => {
    for (let tries = 0; tries < 15; tries += 1) expect((await tryOne(`guess-${tries}`)).status).toBe(401);
    await guess(15, 'other');
    expect((await tryOne('another')).status).toBe(429);
    expect((await ask('another')).status).toBe(429);
  },
);

test("counts a turbo's Basic secret as a key, and accepts a correct password even while keys are refused", async () => {
  const upgrade = (name: string, secret: string) => send({ ...UPGRADE, ...basic(name, secret) }, '/turbo/');
  // Each secret is also checked as a password, which takes time, so only five are sent.
  await guess(25);
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await upgrade(`turbo ${tries}`, `secret ${tries}`)).status).toBe(401);
  }
  expect((await upgrade('turbo', 'another')).status).toBe(429);
  expect((await ask('another')).status).toBe(429);
  // With a valid password, the handshake succeeds or is refused because of the scope, but not with 401 or 429.
  expect([101, 403]).toContain(await handshake(basic('admin', ADMIN_PASSWORD)));
});

test('counts different secrets for one turbo name as keys, even while passwords for that name are refused', async () => {
  const fresh = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'fresh', scope: 'turbo' });
  const upgrade = (secret: string) => send({ ...UPGRADE, ...basic('turbo', secret) }, '/turbo/');
  await guess(20);
  for (let tries = 0; tries < 10; tries += 1) expect((await upgrade(`secret ${tries}`)).status).toBe(401);
  await station.clock.advance(31_000);
  // Passwords for this name are now throttled, but new secrets still count as keys.
  expect((await upgrade('one more')).status).toBe(429);
  expect((await send({ ...UPGRADE, ...basic('turbo', fresh.api_key) }, '/turbo/')).status).toBe(429);
});

/** Returns the status of a WebSocket handshake: 101 if it succeeds, otherwise the status of the refusal. */
async function handshake(headers: Record<string, string>): Promise<number> {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`${station.url.replace('http', 'ws')}turbo/`, { headers });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('error', reject);
  });
}

test('a key accepted within the last day does not count as a guess: once invalid, it gets 401 rather than 429', async () => {
  const { apikey, write } = await openSession(station);
  expect((await ask(apikey)).status).toBe(200);
  await station.request('POST', '/api/user/logout/', undefined, write);
  await guess(30);
  expect((await ask(apikey)).status).toBe(401);
  expect((await ask('another')).status).toBe(429);
});

test("records an hour's wrong keys as one entry with their count, even across a restart, but never the keys themselves", async () => {
  await ask('psk_secret');
  await station.clock.advance(0);
  expect(await refused()).toMatchObject([
    { by: '', subject: '', address: '127.0.0.1', detail: { method: 'key', tries: 1 } },
  ]);
  for (let tries = 0; tries < 40; tries += 1) await ask(`psk_secret${tries % 35}`);
  await station.clock.advance(60_000);
  expect(await refused()).toMatchObject([{ detail: { method: 'key', tries: 41 } }]);
  await ask('psk_secret');
  await station.restart();
  expect(await refused()).toMatchObject([{ detail: { method: 'key', tries: 42 } }]);
  await ask('psk_secret');
  await station.clock.advance(3_600_000);
  await ask('psk_secret');
  await station.clock.advance(0);
  expect((await refused()).map(({ detail }) => detail.tries)).toEqual([1, 1, 42]);
  expect(JSON.stringify([station.rows('SELECT * FROM audit'), station.logged])).not.toContain('psk_');
});

test('neither limits nor records correct keys', async () => {
  for (let count = 0; count < 100; count += 1) expect((await ask(API_KEY)).status).toBe(200);
  expect(await refused()).toEqual([]);
});

test('counts each network separately, remembers an accepted key for a day, and refuses no valid key if the disk is full', async () => {
  const warned: string[] = [];
  const say = (_fields: object, message: string) => void warned.push(message);
  const clock = createFakeClock(0);
  const tally = createAuditTally({
    writer: { write: () => Promise.reject(new Error('full')) },
    clock,
    log: { debug: say, info: say, warn: say, error: say },
    audit: { record: () => 1, amend: () => undefined, list: () => [] },
  });
  const keys = createKeyTries({
    clock,
    tally,
    networkOf: (address) => address.replace(/\.\d+$/, ''),
  });
  const outcome = (hash: string, address: string, isRight = false) => {
    try {
      return keys.check({ hash, address, isNoted: true }, () => (isRight ? 'right' : undefined)) ?? 'wrong';
    } catch {
      return 'refused';
    }
  };
  expect(outcome('right', '10.0.0.1', true)).toBe('right');
  for (let tries = 0; tries < 30; tries += 1) {
    expect(outcome(`${tries}`, `10.0.0.${tries}`)).toBe('wrong');
    if (tries > 0) expect(outcome(`${tries}`, '10.0.1.1')).toBe('wrong');
  }
  expect(outcome('new', '10.0.0.1')).toBe('refused');
  expect(outcome('new', '10.0.1.1')).toBe('wrong');
  expect(outcome('right', '10.0.0.1', true)).toBe('right');
  expect(outcome('right', '10.0.2.1', true)).toBe('right');
  await clock.advance(24 * 3_600_000);
  for (let tries = 0; tries < 30; tries += 1) outcome(`${tries}`, '10.0.0.1');
  expect(outcome('right', '10.0.0.1', true)).toBe('refused');
  await tally.stop();
  expect(new Set(warned)).toEqual(new Set(['could not record refused requests in the activity log']));
});
