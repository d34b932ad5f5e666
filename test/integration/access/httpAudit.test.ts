import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets, AuditEntry } from '#shared/api/access.ts';
import { openSession, signIn } from '../../helpers/session.ts';
import {
  ADMIN_PASSWORD,
  API_KEY,
  START_MS,
  startTestStation,
  type TestStation,
} from '../../helpers/startTestStation.ts';

const KEY = { by: 'API key', address: '127.0.0.1' };

let station: TestStation;
/** Id of the newest audit entry when the test starts. */
let before: string;

beforeEach(async () => {
  station = await startTestStation();
  before = (await list())[0]?.id ?? '0';
});

afterEach(() => station.stop());

const list = (query = '') => station.get<AuditEntry[]>(`/api/audit/${query}`);

/** Returns the entries recorded in this test, oldest first. */
async function recorded() {
  const entries = (await list()).filter(({ id }) => Number(id) > Number(before));
  return entries
    .toReversed()
    .map(({ action, by, subject, address, detail }) => ({ action, by, subject, address, detail }));
}

test('records the user and the key created at the first startup without an author, and records nothing at a restart', async () => {
  expect((await list()).toReversed()).toMatchObject([
    {
      action: 'apiUser.added',
      by: '',
      subject: 'API key',
      address: '',
      detail: { scope: 'admin', method: 'environment' },
    },
    { action: 'user.added', by: '', subject: 'admin', detail: { role: 'admin', method: 'environment' } },
  ]);
  await station.restart();
  expect(await recorded()).toEqual([]);
});

test('records sign-ins with user and address, and refused sign-ins with the name only if that user exists', async () => {
  const admin = { by: 'admin', subject: '', address: '127.0.0.1' };
  const nobody = { by: '', address: '127.0.0.1' };
  await station.clock.advance(5_000);
  const session = await openSession(station);
  await signIn(station, { username: 'ADMIN', password: 'wrong' });
  await signIn(station, { username: 'my secret password', password: '' });
  await station.request('POST', '/api/user/logout/', undefined, session.write);
  expect(await recorded()).toEqual([
    { action: 'session.opened', ...admin, detail: { method: 'password' } },
    { action: 'session.refused', ...nobody, subject: 'admin', detail: { method: 'password' } },
    { action: 'session.refused', ...nobody, subject: '', detail: { method: 'password' } },
    { action: 'session.ended', ...admin, detail: {} },
  ]);
  expect((await list('?limit=1'))[0]?.at).toBe(new Date(START_MS + 5_000).toISOString());
});

test('records changes to people, keys, settings and devices with their author, but never a secret', async () => {
  const secret = 'whsec_c2VjcmV0';
  await station.post('/api/users/', { username: 'Paula', password: 'first password', role: 'picker' });
  await station.patch('/api/users/paula/', { role: 'admin', password: 'second password' });
  await station.patch('/api/users/paula/', { role: 'admin' });
  await station.request('DELETE', '/api/users/paula/');
  const erp = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'ERP', scope: 'read' });
  const rotated = await station.post<ApiUserSecrets>(`/api/api-users/${erp.id}/rotate/`, { grace_seconds: 60 });
  const body = `grant_type=client_credentials&client_id=${erp.client_id}&client_secret=wrong`;
  await station.request('POST', '/api/oauth/token/', body, { 'content-type': 'application/x-www-form-urlencoded' });
  await station.request('DELETE', `/api/api-users/${erp.id}/`);
  await station.patch('/api/settings/', { default_seconds: 30, callback_signing_secret: secret });
  await station.post('/api/device/', { deviceid: '51D0AB:00000F' });
  await station.request('DELETE', '/api/device/51D0AB:00000F/');
  const session = await openSession(station);
  const change = { old_password: ADMIN_PASSWORD, new_password: 'third password' };
  await station.request('POST', '/api/user/password/', change, {
    ...session.write,
    'content-type': 'application/json',
  });
  expect(await recorded()).toEqual([
    { action: 'user.added', ...KEY, subject: 'Paula', detail: { role: 'picker' } },
    { action: 'user.changed', ...KEY, subject: 'Paula', detail: { changed: ['role', 'password'], role: 'admin' } },
    { action: 'user.removed', ...KEY, subject: 'Paula', detail: {} },
    { action: 'apiUser.added', ...KEY, subject: 'ERP', detail: { scope: 'read' } },
    { action: 'apiUser.rotated', ...KEY, subject: 'ERP', detail: { grace_seconds: 60 } },
    { action: 'session.refused', ...KEY, by: '', subject: 'ERP', detail: { method: 'client_secret' } },
    { action: 'apiUser.removed', ...KEY, subject: 'ERP', detail: {} },
    {
      action: 'settings.changed',
      ...KEY,
      subject: '',
      detail: { settings: ['callback_signing_secret', 'default_seconds'] },
    },
    { action: 'device.added', ...KEY, subject: '51D0AB:00000F', detail: {} },
    { action: 'device.removed', ...KEY, subject: '51D0AB:00000F', detail: {} },
    { action: 'session.opened', ...KEY, by: 'admin', subject: '', detail: { method: 'password' } },
    { action: 'password.changed', ...KEY, by: 'admin', subject: '', detail: {} },
  ]);
  const kept = JSON.stringify(station.rows('SELECT * FROM audit'));
  for (const word of ['password"', ' password', secret, erp.api_key, rotated.api_key, rotated.client_secret, API_KEY]) {
    expect(kept.replaceAll('\\"password\\"', ''), word).not.toContain(word);
  }
});

test("records the window's automatic sign-in and the first password chosen in the window", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-audit-'));
  const fresh = await startTestStation({ dataFolder: folder, firstRun: 'window' });
  try {
    const { sessionId, token } = await fresh.started.signIn();
    const headers = {
      cookie: `sessionid=${sessionId}`,
      'x-csrf-token': token,
      referer: fresh.url,
      'content-type': 'application/json',
    };
    expect(await fresh.request('POST', '/api/setup/', { password: 'long enough' }, headers)).toMatchObject({
      status: 204,
    });
    const by = { by: 'admin', address: '127.0.0.1' };
    expect((await fresh.get<AuditEntry[]>('/api/audit/')).toReversed()).toMatchObject([
      { action: 'apiUser.added', by: '', address: '' },
      { action: 'user.added', by: '', address: '', detail: { method: 'environment' } },
      { action: 'session.opened', by: 'admin', address: '', detail: { method: 'window' } },
      { action: 'setup.done', ...by },
      { action: 'user.changed', ...by, subject: 'admin', detail: { changed: ['password'], method: 'window' } },
    ]);
  } finally {
    await fresh.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('does not record refused changes', async () => {
  await station.request('DELETE', '/api/users/admin/');
  await station.request('POST', '/api/users/', { username: 'admin', password: 'long enough', role: 'admin' });
  await station.request('DELETE', '/api/api-users/1/');
  await station.request('PATCH', '/api/settings/', { nothing: 1 });
  await station.request('DELETE', '/api/device/51D0AB:00000F/');
  expect(await recorded()).toEqual([]);
});

test('only admins can read the activity log, in pages, newest first', async () => {
  const { api_key } = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'ERP', scope: 'control' });
  expect(await station.request('GET', '/api/audit/', undefined, { 'api-key': api_key })).toMatchObject({ status: 403 });
  for (let count = 0; count < 5; count += 1) await station.patch('/api/settings/', { default_seconds: count });
  const all = await list();
  const ids = all.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  const pages = [await list('?limit=3')];
  while ((pages.at(-1)?.length ?? 0) > 0) pages.push(await list(`?limit=3&after=${pages.at(-1)?.at(-1)?.id}`));
  expect(pages.flat()).toEqual(all);
  for (const query of ['?limit=0', '?limit=1001', '?after=x', '?after=-1', '?limit=many']) {
    expect(await station.request('GET', `/api/audit/${query}`), query).toMatchObject({ status: 400 });
  }
});
