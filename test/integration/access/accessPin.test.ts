import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEntry, User } from '#shared/api/access.ts';
import { makeKiosk } from '../../helpers/kiosk.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 15: a picker can have a PIN with 4 to 8 digits.
let station: TestStation;
const PASSWORD = 'long enough';

beforeEach(async () => {
  station = await startTestStation();
  await station.post('/api/users/', { username: 'Paula', password: PASSWORD, role: 'picker' });
});

afterEach(() => station.stop());

const paula = async () => (await station.get<User[]>('/api/users/')).find(({ username }) => username === 'Paula');

async function ownChange(body: object, credentials = { username: 'Paula', password: PASSWORD }) {
  const { write } = await openSession(station, credentials);
  return station.request('PATCH', '/api/user/', body, { ...write, 'content-type': 'application/json' });
}

test("an admin can set and remove a picker's PIN; answers show only whether a PIN is set", async () => {
  expect(await paula()).toMatchObject({ has_pin: false });
  const answer = await station.patch('/api/users/paula/', { pin: '04711' });
  expect(answer).toMatchObject({ username: 'Paula', has_pin: true });
  expect(await paula()).toMatchObject({ has_pin: true });
  expect(JSON.stringify([answer, await paula()])).not.toContain('04711');
  const [{ pin_hash: hash } = { pin_hash: '' }] = station.rows<{ pin_hash: string }>(
    "SELECT pin_hash FROM users WHERE username = 'Paula'",
  );
  expect(hash).toMatch(/^[\w+/]+=*:[\w+/]+=*$/);
  await station.patch('/api/users/Paula/', { pin: null });
  expect(await paula()).toMatchObject({ has_pin: false });
});

test('a PIN must have 4 to 8 digits', async () => {
  for (const pin of ['', '123', '123456789', '12a4', '١٢٣٤', ' 1234', '1234\n', 123, true, {}]) {
    const answer = await station.request('PATCH', '/api/users/Paula/', { pin });
    expect(answer, JSON.stringify(pin)).toMatchObject({ status: 400, body: { errors: [{ path: '/pin' }] } });
  }
  for (const pin of ['0000', '12345678']) await station.patch('/api/users/Paula/', { pin });
});

test("only a picker can have a PIN: changing the role removes it and ends the person's sessions", async () => {
  expect(await station.request('PATCH', '/api/users/admin/', { pin: '1234' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/only a picker signs in with a PIN\. Change the role to picker first/) },
  });
  await station.patch('/api/users/Paula/', { pin: '1234' });
  const kiosk = await makeKiosk(station);
  const { cookie } = await kiosk.open('Paula', '1234');
  const byPassword = await openSession(station, { username: 'Paula', password: PASSWORD });
  expect(await station.patch('/api/users/Paula/', { role: 'admin' })).toMatchObject({ role: 'admin', has_pin: false });
  const read = (of: string) => station.request('GET', '/api/users/', undefined, { cookie: of });
  expect((await read(cookie)).status).toBe(401);
  expect((await read(byPassword.cookies.cookie)).status).toBe(200);
  await station.patch('/api/users/Paula/', { role: 'picker' });
  expect((await kiosk.signIn('Paula', '1234')).status).toBe(401);
  expect(await station.patch('/api/users/Paula/', { role: 'picker', pin: '1234' })).toMatchObject({ has_pin: true });
  expect((await station.request('PATCH', '/api/users/Paula/', { role: 'control', pin: '1234' })).status).toBe(400);
  expect(await paula()).toMatchObject({ role: 'picker', has_pin: true });
});

test('a stored PIN is not accepted if the person has a different role', async () => {
  await station.patch('/api/users/Paula/', { pin: '1234' });
  await station.halt();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.exec("UPDATE users SET role = 'admin' WHERE username = 'Paula'");
  db.close();
  station = await startTestStation({ dataFolder: station.dataFolder });
  const kiosk = await makeKiosk(station);
  expect(await kiosk.screen()).toMatchObject({ body: { people: [] } });
  expect((await kiosk.signIn('Paula', '1234')).status).toBe(401);
});

test('a picker can set a PIN by giving the password, and errors name the wrong field', async () => {
  const refused = [
    [{ pin: '1234' }, '/password'],
    [{ pin: '1234', password: 'wrong' }, '/password'],
    [{ pin: null, password: 'wrong' }, '/password'],
    [{ pin: '1234', password: PASSWORD, picker: 'Paula' }, '/picker'],
    [{ pin: '12', password: PASSWORD }, '/pin'],
    [{ password: PASSWORD }, '/color'],
    [{}, ''],
  ] as const;
  for (const [body, path] of refused) {
    expect(await ownChange(body), path).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  }
  expect(await paula()).toMatchObject({ has_pin: false });
  expect(await ownChange({ pin: '1234', password: PASSWORD, color: 'cyan' })).toMatchObject({
    status: 200,
    body: { name: 'Paula', color: 'cyan', has_pin: true },
  });
  expect(await ownChange({ pin: null, password: PASSWORD })).toMatchObject({ body: { has_pin: false } });
  const key = await station.request('PATCH', '/api/user/', { pin: '1234', password: PASSWORD });
  expect(key).toMatchObject({ status: 403 });
  const carl = { username: 'Carl', password: PASSWORD };
  await station.post('/api/users/', { ...carl, role: 'control' });
  expect(await ownChange({ pin: '1234', password: PASSWORD }, carl)).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/pin' }] },
  });
});

test('guessing the password while setting a PIN is throttled', async () => {
  const { write } = await openSession(station, { username: 'Paula', password: PASSWORD });
  const headers = { ...write, 'content-type': 'application/json' };
  const change = (password: string) => station.request('PATCH', '/api/user/', { pin: '1234', password }, headers);
  for (let index = 0; index < 10; index += 1) expect((await change(`wrong ${index}`)).status).toBe(400);
  expect((await change(PASSWORD)).status).toBe(429);
});

test('a new PIN ends other sessions opened with the previous PIN', async () => {
  await station.patch('/api/users/Paula/', { pin: '1234' });
  const kiosk = await makeKiosk(station);
  const one = await kiosk.open('Paula', '1234');
  const two = await kiosk.open('Paula', '1234');
  const own = await station.request('PATCH', '/api/user/', { pin: '5678', password: PASSWORD }, one);
  expect(own.status).toBe(200);
  const read = ({ cookie }: { cookie: string }) => station.request('GET', '/api/device/', undefined, { cookie });
  expect([(await read(one)).status, (await read(two)).status]).toEqual([200, 401]);
  await station.patch('/api/users/Paula/', { pin: '9876' });
  expect((await read(one)).status).toBe(401);
  expect((await kiosk.signIn('Paula', '5678')).status).toBe(401);
});

test('a PIN never appears in the log, activity log, diagnostics, backup list or database file', async () => {
  const pin = '83716402';
  await station.patch('/api/settings/', { request_log: true });
  await station.patch('/api/users/Paula/', { pin });
  await ownChange({ pin, password: PASSWORD });
  const kiosk = await makeKiosk(station);
  await kiosk.open('Paula', pin);
  await kiosk.signIn('Paula', `${pin.slice(0, 7)}9`);
  await station.request('POST', '/api/user/pin/', `{"username":"Paula","pin":"${pin}"`, {
    'content-type': 'application/json',
    cookie: kiosk.cookie,
  });
  await station.request('PATCH', '/api/users/admin/', { pin });
  await station.post('/api/backups/');
  const requests = await station.get<{ id: string }[]>('/api/requests/?limit=200');
  const whole = [];
  for (const { id } of requests) whole.push(await station.get(`/api/requests/${id}/`));
  expect(JSON.stringify(whole)).toContain('/api/user/pin/');
  const said = [whole, station.logged, await station.get<AuditEntry[]>('/api/audit/')];
  for (const path of ['/api/diagnostics/', '/api/backups/', '/api/users/', '/api/pickers/', '/api/station/']) {
    said.push(await station.get(path));
  }
  const text = JSON.stringify(said);
  for (const secret of [pin, pin.slice(0, 7), kiosk.token]) expect(text).not.toContain(secret);
  const file = readFileSync(join(station.dataFolder, 'pickstation.sqlite')).toString('latin1');
  expect(file).not.toContain(pin);
  expect(file).not.toContain(kiosk.token);
});
