import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiUser, ApiUserSecrets } from '#shared/api/access.ts';
import type { Problem } from '#shared/api/problem.ts';
import { API_KEY, START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

const add = (name: string, scope?: string) => station.post<ApiUserSecrets>('/api/api-users/', { name, scope });
const list = () => station.get<ApiUser[]>('/api/api-users/');
const rotate = (id: string, body?: object) => station.post<ApiUserSecrets>(`/api/api-users/${id}/rotate/`, body);
const remove = (id: string) => station.request('DELETE', `/api/api-users/${id}/`);

async function asks(key: string, method = 'GET', path = '/api/device/'): Promise<number> {
  return (await station.request(method, path, undefined, { 'api-key': key })).status;
}

type Granted = { access_token: string; expires_in: number };

async function grant({ client_id, client_secret }: ApiUserSecrets): Promise<Granted> {
  const answer = await station.request(
    'POST',
    '/api/oauth/token/',
    `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`,
    { 'content-type': 'application/x-www-form-urlencoded' },
  );
  return answer.body as Granted;
}

const fetchToken = async (user: ApiUserSecrets): Promise<string> => (await grant(user)).access_token;

async function asksWithToken(token: string): Promise<number> {
  return (await station.request('GET', '/api/device/', undefined, { authorization: `Bearer ${token}` })).status;
}

describe('a new API user', () => {
  test('gets a key and a client secret, which are shown once and never stored in plain text', async () => {
    const answer = await station.request('POST', '/api/api-users/', { name: 'ERP', scope: 'read' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const made = answer.body as ApiUserSecrets;
    expect(made).toEqual({
      id: expect.any(String),
      name: 'ERP',
      scope: 'read',
      api_key: expect.stringMatching(/^psk_[\w-]{43}$/),
      client_id: expect.stringMatching(/^psc_[\w-]{22}$/),
      client_secret: expect.stringMatching(/^pss_[\w-]{43}$/),
    });
    const kept = JSON.stringify([station.rows('SELECT * FROM api_users'), await list()]);
    for (const secret of [made.api_key, made.client_secret]) expect(kept).not.toContain(secret);
    expect(await asks(made.api_key)).toBe(200);
    expect(await asks(made.client_secret)).toBe(401);
    await station.restart();
    expect(await asks(made.api_key)).toBe(200);
  });

  test('has the scope "control" by default, and an unknown scope is refused', async () => {
    expect(await add('ERP')).toMatchObject({ scope: 'control' });
    const answer = await station.request('POST', '/api/api-users/', { name: 'Other', scope: 'everything' });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/scope' }] } });
  });

  test('must have a name that no user or other API user has, regardless of case and Unicode form', async () => {
    await add('Größe');
    for (const name of ['Größe', 'GRÖSSE', 'Größe'.normalize('NFD'), 'Admin', 'api KEY']) {
      const answer = await station.request('POST', '/api/api-users/', { name });
      expect(answer, name).toMatchObject({ status: 409, body: { code: 'conflict', errors: [{ path: '/name' }] } });
    }
    const answers = await Promise.all([1, 2].map(() => station.request('POST', '/api/api-users/', { name: 'twice' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });

  test('is named as the sender of its commands', async () => {
    const { api_key } = await add('Warehouse ERP');
    await station.post('/api/simulator/devices/');
    const headers = { 'api-key': api_key, 'content-type': 'application/json' };
    await station.request('POST', '/api/device/51D000:000001/', { line1: 'x' }, headers);
    expect((await station.device('51D000:000001')).commands).toMatchObject([{ sender: 'Warehouse ERP' }]);
  });
});

test('lists each API user with its scope and last use, but without secrets', async () => {
  const { id, client_id, api_key } = await add('ERP');
  await station.clock.advance(5_000);
  await asks(api_key);
  const [own, erp, ...others] = await list();
  expect(others).toEqual([]);
  expect(own).toEqual({
    id: '1',
    name: 'API key',
    scope: 'admin',
    client_id: null,
    created: expect.any(String),
    last_used: new Date(START_MS + 5_000).toISOString(),
    from_environment: true,
    old_key_until: null,
  });
  expect(erp).toEqual({
    id,
    name: 'ERP',
    scope: 'control',
    client_id,
    created: new Date(START_MS).toISOString(),
    last_used: new Date(START_MS + 5_000).toISOString(),
    from_environment: false,
    old_key_until: null,
  });
});

test('saves the time of last use once a minute and when the station stops, rather than at each request', async () => {
  const { id, api_key } = await add('ERP');
  await station.clock.advance(60_000);
  const usedAt = () => station.rows<{ used_at: number | null }>(`SELECT used_at FROM api_users WHERE id = ${id}`)[0];
  const commits = station.started.commits();
  for (let count = 0; count < 20; count += 1) await asks(api_key);
  await station.clock.advance(59_000);
  expect(station.started.commits()).toBe(commits);
  expect(usedAt()).toEqual({ used_at: null });
  await station.clock.advance(1_000);
  expect(usedAt()).toEqual({ used_at: START_MS + 60_000 });
  await station.clock.advance(5_000);
  await asks(api_key);
  await station.restart();
  expect((await list())[1]).toMatchObject({ last_used: new Date(START_MS + 125_000).toISOString() });
});

describe('a removed API user', () => {
  test('is refused immediately, together with its tokens, and its open streams end', async () => {
    const made = await add('ERP');
    const token = await fetchToken(made);
    const both: Record<string, string>[] = [{ 'api-key': made.api_key }, { authorization: `Bearer ${token}` }];
    const streams = await Promise.all(both.map((headers) => fetch(new URL('/api/events/', station.url), { headers })));
    const ended = Promise.all(streams.map((stream) => stream.text()));
    expect([await asks(made.api_key), await asksWithToken(token)]).toEqual([200, 200]);
    expect(await remove(made.id)).toMatchObject({ status: 204 });
    expect([await asks(made.api_key), await asksWithToken(token)]).toEqual([401, 401]);
    await ended;
    expect(await remove(made.id)).toMatchObject({ status: 404 });
    await station.restart();
    expect([await asks(made.api_key), await asksWithToken(token)]).toEqual([401, 401]);
    expect(await list()).toHaveLength(1);
  });

  test('does not reuse the id for the next API user', async () => {
    const { id } = await add('ERP');
    await remove(id);
    expect((await add('ERP')).id).not.toBe(id);
  });
});

test('answers 404 for an unknown API user, even for a malformed id', async () => {
  for (const id of ['99', '0', '-1', '1.5', 'x', '1e0', '%20', '99999999999999999999', "1'%20OR%20'1"]) {
    expect(await remove(id), id).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await station.request('POST', `/api/api-users/${id}/rotate/`), id).toMatchObject({ status: 404 });
  }
});

describe('a rotation', () => {
  test('replaces the key and client secret immediately, and ends the tokens and streams of the old ones', async () => {
    const old = await add('ERP');
    const token = await fetchToken(old);
    const stream = await fetch(new URL('/api/events/', station.url), { headers: { 'api-key': old.api_key } });
    const ended = stream.text();
    const now = await rotate(old.id);
    expect(now).toMatchObject({ id: old.id, name: 'ERP', scope: 'control', client_id: old.client_id });
    expect([await asks(old.api_key), await asksWithToken(token), await asks(now.api_key)]).toEqual([401, 401, 200]);
    expect([await fetchToken(old), await fetchToken(now)]).toEqual([undefined, expect.any(String)]);
    await ended;
  });

  test('keeps the old secrets valid only for the grace period, even after a restart', async () => {
    const old = await add('ERP');
    const token = await fetchToken(old);
    const now = await rotate(old.id, { grace_seconds: 600 });
    expect((await list())[1]).toMatchObject({ old_key_until: new Date(START_MS + 600_000).toISOString() });
    const stream = await fetch(new URL('/api/events/', station.url), { headers: { 'api-key': old.api_key } });
    const ended = stream.text();
    await station.clock.advance(599_000);
    const all = async () => [await asks(old.api_key), await asksWithToken(token), await asks(now.api_key)];
    expect(await all()).toEqual([200, 200, 200]);
    expect(await fetchToken(old)).toEqual(expect.any(String));
    await station.clock.advance(1_000);
    expect(await all()).toEqual([401, 401, 200]);
    expect(await fetchToken(old)).toBeUndefined();
    expect((await list())[1]).toMatchObject({ old_key_until: null });
    await station.clock.advance(15_000);
    await ended;
    await station.restart();
    expect(await all()).toEqual([401, 401, 200]);
  });

  test('does not extend tokens: they last one hour, even after a restart or with a grace period of a week', async () => {
    const old = await add('ERP');
    const tokens = [await fetchToken(old)];
    await station.clock.advance(1_800_000);
    await rotate(old.id, { grace_seconds: 604_800 });
    tokens.push(await fetchToken(old));
    const all = () => Promise.all(tokens.map((token) => asksWithToken(token)));
    await station.clock.advance(1_799_000);
    expect(await all()).toEqual([200, 200]);
    await station.clock.advance(1_000);
    expect(await all()).toEqual([401, 200]);
    await station.restart();
    expect(await all()).toEqual([401, 200]);
    await station.clock.advance(1_800_000);
    expect(await all()).toEqual([401, 401]);
  });

  test('ends a token fetched with the old client secret when the grace period ends', async () => {
    const old = await add('ERP');
    const now = await rotate(old.id, { grace_seconds: 600 });
    await station.clock.advance(540_000);
    const [late, whole] = [await grant(old), await grant(now)];
    expect([late.expires_in, whole.expires_in]).toEqual([60, 3_600]);
    await station.clock.advance(59_000);
    expect([await asksWithToken(late.access_token), await asksWithToken(whole.access_token)]).toEqual([200, 200]);
    await station.clock.advance(1_000);
    expect([await asksWithToken(late.access_token), await asksWithToken(whole.access_token)]).toEqual([401, 200]);
  });

  test('leaves no valid token to a client that simultaneously requests one with the old secret', async () => {
    for (let round = 0; round < 5; round += 1) {
      const old = await add(`ERP ${round}`);
      const asking = [1, 2, 3].map(() => fetchToken(old));
      const [, ...tokens] = await Promise.all([rotate(old.id), ...asking]);
      for (const token of tokens) expect(await asksWithToken(token)).toBe(401);
    }
  });

  test('accepts a grace period in whole seconds, up to a week', async () => {
    const { id } = await add('ERP');
    for (const grace_seconds of [-1, 604_801, 1.5, 'long']) {
      const answer = await station.request('POST', `/api/api-users/${id}/rotate/`, { grace_seconds });
      expect(answer, String(grace_seconds)).toMatchObject({
        status: 400,
        body: { errors: [{ path: '/grace_seconds' }] },
      });
    }
    expect((await rotate(id, { grace_seconds: 604_800 })).id).toBe(id);
  });

  test('when repeated within the grace period, keeps only the last two keys valid', async () => {
    const first = await add('ERP');
    const second = await rotate(first.id, { grace_seconds: 600 });
    const third = await rotate(first.id, { grace_seconds: 600 });
    expect(await Promise.all([first, second, third].map(({ api_key }) => asks(api_key)))).toEqual([401, 200, 200]);
  });
});

describe('the key from the environment', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pickstation-environment-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('cannot be changed through the API, and the answer names PICKSTATION_API_KEY', async () => {
    for (const answer of [await remove('1'), await station.request('POST', '/api/api-users/1/rotate/')]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect((answer.body as Problem).detail).toContain('PICKSTATION_API_KEY');
    }
    expect(await asks(API_KEY)).toBe(200);
  });

  test('is replaced when the variable changes, and the old key is refused', async () => {
    const options = { dataFolder: folder, adminPassword: 'long enough' };
    const first = await startTestStation({ ...options, apiKey: 'first' });
    await first.stop();
    const second = await startTestStation({ ...options, apiKey: 'second', seed: 2 });
    const status = async (key: string) =>
      (await second.request('GET', '/api/device/', undefined, { 'api-key': key })).status;
    expect([await status('first'), await status('second')]).toEqual([401, 200]);
    expect(second.rows('SELECT name FROM api_users')).toEqual([{ name: 'API key' }]);
    await second.stop();
  });

  test('becomes an ordinary key when the variable is no longer set', async () => {
    const options = { dataFolder: folder, adminPassword: 'long enough' };
    const first = await startTestStation({ ...options, apiKey: 'first' });
    await first.stop();
    const second = await startTestStation({ ...options, apiKey: null, seed: 2 });
    const call = (method: string, path: string, key = 'first') =>
      second.request(method, path, undefined, { 'api-key': key });
    expect((await call('GET', '/api/api-users/')).body).toMatchObject([{ id: '1', from_environment: false }]);
    const { api_key } = (await call('POST', '/api/api-users/1/rotate/')).body as ApiUserSecrets;
    expect((await call('GET', '/api/device/')).status).toBe(401);
    expect((await call('DELETE', '/api/api-users/1/', api_key)).status).toBe(204);
    await second.stop();
    const third = await startTestStation({ ...options, apiKey: 'first', seed: 3 });
    expect((await third.request('GET', '/api/device/', undefined, { 'api-key': 'first' })).status).toBe(200);
    await third.stop();
  });

  test('keeps its owner and scope if it is already the key of an API user', async () => {
    const { api_key } = await add('ERP');
    await station.halt();
    const again = await startTestStation({ dataFolder: station.dataFolder, apiKey: api_key, seed: 2 });
    const headers = { 'api-key': api_key };
    expect((await again.request('GET', '/api/device/', undefined, headers)).status).toBe(200);
    expect((await again.request('GET', '/api/settings/', undefined, headers)).status).toBe(403);
    expect(again.rows('SELECT count(*) AS users FROM api_users')).toEqual([{ users: 2 }]);
    await again.stop();
  });
});
