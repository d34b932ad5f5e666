import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets, User } from '#shared/api/access.ts';
import type { Backup } from '#shared/api/backup.ts';
import type { Kiosk } from '#shared/api/kiosk.ts';
import { makeKiosk } from '../../helpers/kiosk.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 3: no way to sign in that was removed or changed since a backup comes back with it.
let station: TestStation & AsyncDisposable;
const PASSWORD = 'harbour 7';

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.post('/api/users/', { username: 'Ann', password: PASSWORD, role: 'picker' });
  await station.patch('/api/users/Ann/', { pin: '471100' });
});

afterEach(() => station.stop());

const backUp = async () => (await station.post<Backup>('/api/backups/')).name;
const statusOf = async (headers: Record<string, string>) =>
  (await station.request('GET', '/api/station/', undefined, headers)).status;

async function restore(name: string): Promise<void> {
  const answer = await station.request('POST', `/api/backups/${name}/restore/`);
  if (answer.status !== 202) throw new Error(`The restore was answered ${answer.status}.`);
  await station.clock.advance(0);
}

test('a PIN that was changed since the backup stays changed, and the old one opens nothing', async () => {
  const kiosk = await makeKiosk(station);
  const name = await backUp();
  await station.patch('/api/users/Ann/', { pin: '880022' });
  await restore(name);
  expect((await kiosk.signIn('Ann', '471100')).status).toBe(401);
  expect((await kiosk.signIn('Ann', '880022')).status).toBe(200);
});

test('a PIN that was removed since the backup stays removed', async () => {
  const kiosk = await makeKiosk(station);
  const name = await backUp();
  await station.patch('/api/users/Ann/', { pin: null });
  await restore(name);
  expect((await kiosk.signIn('Ann', '471100')).status).toBe(401);
  expect((await kiosk.screen()).body).toMatchObject({ people: [] });
  expect(await station.get<User[]>('/api/users/')).toMatchObject([{}, { username: 'Ann', has_pin: false }]);
});

test('a sign-in at a kiosk ends with a restore, with its key; the kiosk stays one', async () => {
  const kiosk = await makeKiosk(station);
  const name = await backUp();
  const signedIn = await kiosk.signIn('Ann', '471100');
  const { apikey } = signedIn.body as { apikey: string };
  const atKiosk = { 'api-key': apikey, cookie: kiosk.cookie };
  expect(await statusOf(atKiosk)).toBe(200);
  await restore(name);
  expect(await statusOf(atKiosk)).toBe(401);
  expect((await kiosk.screen()).body).toMatchObject({ kiosk: { name: 'Bench 1' } });
  expect((await kiosk.signIn('Ann', '471100')).status).toBe(200);
});

test('a kiosk that was removed since the backup does not come back, and one that was added since stays', async () => {
  const removed = await makeKiosk(station, 'Bench 1');
  const name = await backUp();
  await station.request('DELETE', `/api/kiosks/${removed.id}/`);
  const added = await makeKiosk(station, 'Bench 2');
  await restore(name);
  expect((await removed.signIn('Ann', '471100')).status).toBe(403);
  expect((await removed.screen()).body).toEqual({ kiosk: null, people: [] });
  expect((await added.signIn('Ann', '471100')).status).toBe(200);
  expect(await station.get<Kiosk[]>('/api/kiosks/')).toMatchObject([{ name: 'Bench 2' }]);
});

test('a session that was open at the backup and ended since does not come back', async () => {
  const session = await openSession(station, { username: 'Ann', password: PASSWORD });
  const name = await backUp();
  await station.request('POST', '/api/user/logout/', undefined, session.write);
  expect(await statusOf(session.cookies)).toBe(401);
  await restore(name);
  expect([await statusOf(session.cookies), await statusOf({ 'api-key': session.apikey })]).toEqual([401, 401]);
});

test('the key and token of a turbo or program that were removed since the backup stay removed', async () => {
  const turbo = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'Turbo 1', scope: 'turbo' });
  const erp = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'ERP' });
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: erp.client_id,
    client_secret: erp.client_secret,
  }).toString();
  const tokenOf = () =>
    station.request('POST', '/api/oauth/token/', form, { 'content-type': 'application/x-www-form-urlencoded' });
  const bearer = { authorization: `Bearer ${((await tokenOf()).body as { access_token: string }).access_token}` };
  expect(await statusOf(bearer)).toBe(200);
  const connects = (key: string) => {
    const socket = new WebSocket(new URL('/turbo/', station.url.replace('http', 'ws')), {
      headers: { 'api-key': key },
    });
    return new Promise<boolean>((resolve) => {
      socket.addEventListener('open', () => {
        socket.close();
        resolve(true);
      });
      socket.addEventListener('error', () => resolve(false));
    });
  };
  expect(await connects(turbo.api_key)).toBe(true);
  const name = await backUp();
  for (const { id } of [turbo, erp]) await station.request('DELETE', `/api/api-users/${id}/`);
  await restore(name);
  expect(await connects(turbo.api_key)).toBe(false);
  expect([await statusOf(bearer), await statusOf({ 'api-key': erp.api_key })]).toEqual([401, 401]);
  expect((await tokenOf()).status).toBe(401);
});

test('a key that was replaced since the backup stays replaced', async () => {
  const erp = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'ERP' });
  const name = await backUp();
  await station.request('DELETE', `/api/api-users/${erp.id}/`);
  const next = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'ERP' });
  await restore(name);
  expect([await statusOf({ 'api-key': erp.api_key }), await statusOf({ 'api-key': next.api_key })]).toEqual([401, 200]);
});
