import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { Station } from '#shared/api/station.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { openSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

test('the event stream reports every change to users and keys, without names or details', async () => {
  const { api_key } = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'Board', scope: 'read' });
  const session = await openSession(station);
  const stream = await openStream(station.url, { headers: { 'api-key': api_key } });
  const changes: (() => Promise<unknown>)[] = [
    () => station.post('/api/users/', { username: 'Paula', password: 'first password', role: 'picker' }),
    () => station.patch('/api/users/paula/', { role: 'admin' }),
    () => station.patch('/api/users/paula/', { password: 'second password', end_sessions: true }),
    () => station.request('DELETE', '/api/users/paula/'),
    () => station.post('/api/api-users/', { name: 'ERP' }),
    () => station.post('/api/api-users/3/rotate/', {}),
    () => station.request('DELETE', '/api/api-users/3/'),
    () =>
      station.request(
        'POST',
        '/api/user/password/',
        { old_password: ADMIN_PASSWORD, new_password: 'third password' },
        { ...session.write, 'content-type': 'application/json' },
      ),
  ];
  for (const change of changes) {
    const before = stream.commits().length;
    await change();
    await station.clock.advance(100);
    await stream.until(() => stream.commits().length > before);
    expect(stream.commits().at(-1)?.facts).toEqual([{ type: 'access.changed' }]);
  }
  expect(stream.commits()).toHaveLength(changes.length);
  expect(stream.text()).not.toMatch(/paula|erp|admin|psk_/i);
  stream.close();
});

test('a change without effect or a refused request publishes nothing', async () => {
  const before = (await station.get<Station>('/api/station/')).revision;
  await station.patch('/api/users/admin/', { role: 'admin' });
  await station.request('DELETE', '/api/users/admin/');
  await station.request('GET', '/api/device/', undefined, { 'api-key': 'unknown' });
  await openSession(station);
  await station.restart();
  expect((await station.get<Station>('/api/station/')).revision).toBe(before);
});
