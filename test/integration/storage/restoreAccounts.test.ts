import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AuditEntry, User } from '#shared/api/access.ts';
import type { Backup, BackupContents } from '#shared/api/backup.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PASSWORD = 'harbour 7';

type NewKey = { id: string; api_key: string };

let station: TestStation & AsyncDisposable;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(() => station.stop());

const addPerson = (username: string) => station.post('/api/users/', { username, password: PASSWORD, role: 'picker' });
const addKey = (name: string) => station.post<NewKey>('/api/api-users/', { name });
const remove = (path: string) => station.request('DELETE', path);
const backUp = async () => (await station.post<Backup>('/api/backups/')).name;
const people = async () => (await station.get<User[]>('/api/users/')).map(({ username }) => username);
const keys = async () => (await station.get<{ name: string }[]>('/api/api-users/')).map(({ name }) => name);
const works = async (key: string) =>
  (await station.request('GET', '/api/station/', undefined, { 'api-key': key })).status;
const signsIn = async (username: string) =>
  (
    await station.request(
      'POST',
      '/api/user/login/',
      { username, password: PASSWORD },
      { 'content-type': 'application/json' },
    )
  ).status;

/** Restores a backup, and returns once the station is running again. */
async function restore(name: string, body?: object) {
  const answer = await station.request('POST', `/api/backups/${name}/restore/`, body);
  await station.clock.advance(0);
  return answer;
}

test('people and keys are as before the restore, and the removed ones are named but do not return', async () => {
  await addPerson('Ann');
  const erp = await addKey('ERP');
  await station.post('/api/screens/', { name: 'Hall' });
  const name = await backUp();
  await remove('/api/users/Ann/');
  await remove(`/api/api-users/${erp.id}/`);
  await remove('/api/screens/1/');
  await addPerson('Ben');
  const label = await addKey('Labels');
  const returning = [
    { kind: 'person', name: 'Ann' },
    { kind: 'key', name: 'ERP' },
    { kind: 'screen', name: 'Hall' },
  ];
  const contents = await station.get<BackupContents>(`/api/backups/${name}/contents/`);
  expect(contents.returning).toEqual(returning);
  expect(await restore(name)).toMatchObject({ status: 202, body: { returning } });
  expect(await people()).toEqual(['admin', 'Ben']);
  expect(await keys()).toEqual(['API key', 'Labels']);
  expect(await station.get('/api/screens/')).toEqual([]);
  expect([await works(erp.api_key), await works(label.api_key)]).toEqual([401, 200]);
  expect([await signsIn('Ann'), await signsIn('Ben')]).toEqual([401, 200]);
});

test('the chosen ones return with their passwords and keys, and others not', async () => {
  await addPerson('Ann');
  await addPerson('Cleo');
  const erp = await addKey('ERP');
  const name = await backUp();
  for (const path of ['/api/users/Ann/', '/api/users/Cleo/', `/api/api-users/${erp.id}/`]) await remove(path);
  const later = await addKey('Later');
  const wanted = [
    { kind: 'person', name: 'ann' },
    { kind: 'key', name: 'ERP' },
  ];
  expect(await restore(name, { bring_back: wanted })).toMatchObject({ status: 202 });
  expect(await people()).toEqual(['admin', 'Ann']);
  expect([await works(erp.api_key), await works(later.api_key)]).toEqual([200, 200]);
  expect(await signsIn('Ann')).toBe(200);
  const next = await addKey('Next');
  expect(Number(next.id)).toBeGreaterThan(Number(later.id));
});

test('a name that cannot return is refused, and nothing is restored', async () => {
  const name = await backUp();
  const answer = await restore(name, { bring_back: [{ kind: 'person', name: 'Nobody' }] });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid', errors: [{ path: '/bring_back/0' }] } });
  expect(await station.get<AuditEntry[]>('/api/audit/')).not.toMatchObject([{ action: 'backup.restored' }]);
});

test('a password, a role and a PIN that changed since the backup stay, and all sessions end', async () => {
  await addPerson('Ann');
  const before = await openSession(station, { username: 'Ann', password: PASSWORD });
  const name = await backUp();
  await station.patch('/api/users/Ann/', { password: 'another harbour 8', role: 'control' });
  const since = await openSession(station, { username: 'Ann', password: 'another harbour 8' });
  expect(await restore(name)).toMatchObject({ status: 202 });
  expect(await signsIn('Ann')).toBe(401);
  await openSession(station, { username: 'Ann', password: 'another harbour 8' });
  expect((await station.get<User[]>('/api/users/')).find(({ username }) => username === 'Ann')?.role).toBe('control');
  expect([await works(before.apikey), await works(since.apikey)]).toEqual([401, 401]);
});

test('the activity since the backup stays, once each, and names the restore', async () => {
  await addPerson('Ann');
  const name = await backUp();
  await remove('/api/users/Ann/');
  await restore(name);
  const actions = (await station.get<AuditEntry[]>('/api/audit/?limit=1000')).map(
    ({ action, subject }) => `${action} ${subject}`,
  );
  expect(actions.slice(0, 4)).toEqual([
    `backup.restored ${name}`,
    `backup.restoreOrdered ${name}`,
    'user.removed Ann',
    `backup.made ${name}`,
  ]);
  expect(actions.filter((each) => each === 'user.added Ann')).toHaveLength(1);
});

test('with --restore, a new station takes the accounts of the backup; an existing one only those of --bring-back', async () => {
  await addPerson('Ann');
  await addPerson('Cleo');
  const name = await backUp();
  await remove('/api/users/Ann/');
  await remove('/api/users/Cleo/');
  const file = `${station.dataFolder}/backups/${name}`;
  await station.halt();
  const { dataFolder, clock } = station;
  const same = await startTestStation({ dataFolder, clock, restore: file, bringBack: ['Ann'] });
  expect((await same.get<User[]>('/api/users/')).map(({ username }) => username)).toEqual(['admin', 'Ann']);
  await same.halt();
  const fresh = await startTestStation({ dataFolder: `${dataFolder}-fresh`, clock, restore: file });
  expect((await fresh.get<User[]>('/api/users/')).map(({ username }) => username)).toEqual(['admin', 'Ann', 'Cleo']);
  await fresh.stop();
  rmSync(`${dataFolder}-fresh`, { recursive: true, force: true });
  await expect(startTestStation({ dataFolder, clock, restore: file, bringBack: ['Zoe'] })).rejects.toThrow(
    /no person.*Zoe/,
  );
  await station.restart();
});

test('--restore lists what a backup opens, without secrets, and restores it only with --yes', async () => {
  await station.patch('/api/settings/', {
    basic_auth: true,
    callback_url: 'https://erp.example/?token=hunter2-hunter2',
  });
  const name = await backUp();
  await station.patch('/api/settings/', { basic_auth: false });
  const restore = `${station.dataFolder}/backups/${name}`;
  await station.halt();
  const { dataFolder, clock } = station;
  const refusal = startTestStation({ dataFolder, clock, restore });
  await expect(refusal).rejects.toThrow(/Nothing was restored.*\n {2}basic_auth: true\n[^:]*--restore and --yes/);
  const fresh = startTestStation({ dataFolder: `${dataFolder}-fresh`, clock, restore });
  await expect(fresh).rejects.toThrow(/basic_auth: true\n {2}callback_url: https:\/\/erp.example\/\?token=\*\*\*\n/);
  rmSync(`${dataFolder}-fresh`, { recursive: true, force: true });
  await station.restart();
  expect(await station.get('/api/settings/')).toMatchObject({ basic_auth: false });
  await station.halt();
  const restored = await startTestStation({ dataFolder, clock, restore, yes: true });
  expect(await restored.get('/api/settings/')).toMatchObject({ basic_auth: true });
  await restored.halt();
  const again = await startTestStation({ dataFolder, clock, restore });
  await again.halt();
  await station.restart();
});

test('people, keys, kiosks and screens never share a name', async () => {
  await addPerson('Ann');
  await station.post('/api/screens/', { name: 'Hall' });
  const admin = await openSession(station);
  const browser = { ...admin.write, 'content-type': 'application/json' };
  expect((await station.request('POST', '/api/kiosks/', { name: 'Bench' }, browser)).status).toBe(201);
  for (const name of ['ann', 'HALL', 'bench', 'API key']) {
    for (const [path, body] of [
      ['/api/users/', { username: name, password: PASSWORD, role: 'picker' }],
      ['/api/api-users/', { name }],
      ['/api/screens/', { name }],
      ['/api/kiosks/', { name }],
    ] as const)
      expect(await station.request('POST', path, body, browser), `${path} ${name}`).toMatchObject({ status: 409 });
  }
});

test('a session that a restore ends loses its stream', async () => {
  const { apikey } = await openSession(station);
  const stream = await openStream(station.url, { headers: { 'api-key': apikey } });
  await restore(await backUp());
  await stream.ended();
});

test('a password that admin has chosen since the start stays, even if the station was started with another one', async () => {
  await using given = await startTestStation({ adminPassword: 'from the environment' });
  const { name } = await given.post<Backup>('/api/backups/');
  await given.patch('/api/users/admin/', { password: PASSWORD });
  expect((await given.request('POST', `/api/backups/${name}/restore/`)).status).toBe(202);
  await given.clock.advance(0);
  const signIn = async (password: string) =>
    (
      await given.request(
        'POST',
        '/api/user/login/',
        { username: 'admin', password },
        { 'content-type': 'application/json' },
      )
    ).status;
  expect([await signIn('from the environment'), await signIn(PASSWORD)]).toEqual([401, 200]);
});

test('what a backup opens is listed before it takes effect, without secrets, if it differs from the station', async () => {
  const inbox = mkdtempSync(join(tmpdir(), 'pickstation-inbox-'));
  onTestFinished(() => rmSync(inbox, { recursive: true }));
  const opened = {
    basic_auth: true,
    turbo_plain_passwords: true,
    cors_origins: ['https://shop.example'],
    inbox_folder: inbox,
    callback_url: 'https://erp.example/hook?token=hunter2-hunter2',
    callback_verify: false,
    shop_name: 'Harbour',
  };
  await station.patch('/api/settings/', opened);
  const printer = { name: 'Printer', url: 'https://printer.example/' };
  const { id } = await station.post<{ id: string }>('/api/callback-receivers/', printer);
  await station.post('/api/turbo/links/', { kind: 'wled', url: 'http://192.0.2.7', name: 'Strip' });
  const name = await backUp();
  const contents = () => station.get<BackupContents>(`/api/backups/${name}/contents/`);
  expect((await contents()).opens).toEqual([]);
  const closed = { basic_auth: false, turbo_plain_passwords: false, cors_origins: [], inbox_folder: '' };
  await station.patch('/api/settings/', { ...closed, callback_url: 'https://other.example/', callback_verify: true });
  expect((await remove(`/api/callback-receivers/${id}/`)).status).toBe(204);
  const [link] = await station.get<{ id: string }[]>('/api/turbo/links/');
  await remove(`/api/turbo/links/${link?.id}/`);
  const opens = [
    { name: 'basic_auth', value: 'true' },
    { name: 'turbo_plain_passwords', value: 'true' },
    { name: 'cors_origins', value: 'https://shop.example' },
    { name: 'inbox_folder', value: inbox },
    { name: 'callback_url', value: 'https://erp.example/hook?token=***' },
    { name: 'callback_verify', value: 'false' },
    { name: 'callback_receivers', value: 'Printer: https://printer.example/' },
    { name: 'turbo_links', value: 'http://192.0.2.7/' },
  ];
  expect((await contents()).opens).toEqual(opens);
  expect(await restore(name)).toMatchObject({ status: 202, body: { opens } });
  expect(await station.get('/api/settings/')).toMatchObject({ basic_auth: true });
});
