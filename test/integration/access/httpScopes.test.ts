import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, signIn } from '../../helpers/session.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const PERSON = { username: 'Paula', password: 'Größe-É-É'.normalize('NFC') };

let station: TestStation;
/** API keys by scope. */
const keys = new Map<string, string>();

const key = (scope: string) => ({ 'api-key': keys.get(scope) ?? '' });

beforeAll(async () => {
  station = await startTestStation({ simulate: 1 });
  for (const scope of ['read', 'control', 'turbo']) {
    const { api_key } = await station.post<{ api_key: string }>('/api/api-users/', { name: scope, scope });
    keys.set(scope, api_key);
  }
  await station.post('/api/users/', { ...PERSON, role: 'control' });
});

afterAll(() => station.stop());

const GETS = [
  '/api/device/',
  `/api/device/${DEVICE}/`,
  `/api/device/${DEVICE}/screen/`,
  '/api/turbo/',
  '/api/turbo/SIM-1/',
  '/api/station/',
  '/api/map/',
  '/api/location-aliases/',
  '/api/history/',
  '/api/history/?kind=call&limit=1',
].map((path) => ['GET', path, undefined] as const);
const READS = [...GETS, ['POST', '/api/preview/', { line1: 'x' }] as const];

const CONTROLS = [
  ['POST', `/api/device/${DEVICE}/`, { command: 'kill' }],
  ['PUT', `/api/device/${DEVICE}/`, { statica: 'x' }],
  ['POST', '/api/devices/', [{ deviceid: DEVICE, command: 'kill' }]],
  ['GET', `/api/${DEVICE}/message/x/`, undefined],
  ['POST', `/api/device/${DEVICE}/identify/`, {}],
  ['POST', `/api/simulator/devices/${DEVICE}/press/`, {}],
  ['PATCH', `/api/simulator/devices/${DEVICE}/`, { reachable: true }],
  ['PATCH', '/api/simulator/turbos/SIM-1/', { connected: true }],
] as const;

const ALIAS = { name: 'A', deviceid: DEVICE, deviceIs: 'Above' };

/** Requests that need the scope control. The commands and aliases do not exist, so callers with the scope get an error about that. */
const LATE_CONTROLS = [
  ['POST', `/api/device/${DEVICE}/acknowledge/`, { command_id: '999999999' }],
  ['DELETE', `/api/device/${DEVICE}/commands/999999999/`, undefined],
  ['POST', `/api/device/${DEVICE}/adjust/`, { command_id: '999999999', quantity: 1 }],
  ['PUT', '/api/location-aliases/999999999/', ALIAS],
  ['DELETE', '/api/location-aliases/999999999/', undefined],
] as const;

/** Only people can change their own password. A key has no password. */
const PASSWORDS = [['POST', '/api/user/password/', { old_password: 'wrong', new_password: 'long enough' }]] as const;

/** Requests that only admins may send. The setup is complete, so admins get an error about that. Other callers are refused. */
const OVER_ADMINS = [
  ['POST', '/api/setup/', { password: 'long enough' }],
  ['POST', '/api/setup/demo/', {}],
] as const;

const ADMINS = [
  [
    'PUT',
    '/api/map/',
    {
      racks: [{ id: 'r', name: 'A', columns: 2, shelves: [{ id: 's', name: 'A-1' }] }],
      places: [],
      zones: [{ id: 'z', name: 'Z', racks: [] }],
    },
  ],
  ['POST', '/api/map/racks/', { name: 'B' }],
  ['PATCH', '/api/map/racks/r/', { note: 'here' }],
  ['PUT', `/api/map/places/${DEVICE}/`, { shelf: 's', column: 0 }],
  ['DELETE', `/api/map/places/${DEVICE}/`, undefined],
  ['POST', '/api/map/arrange/', {}],
  ['POST', '/api/map/zones/', { name: 'B' }],
  ['PATCH', '/api/map/zones/z/', { racks: ['r'] }],
  ['DELETE', '/api/map/zones/z/', undefined],
  ['DELETE', '/api/map/racks/r/', undefined],
  ['POST', '/api/device/', { deviceid: '51D0AB:00000F' }],
  ['POST', `/api/device/${DEVICE}/replace/`, { deviceid: '51D0AB:00000F' }],
  ['DELETE', '/api/device/51D0AB:00000F/', undefined],
  ['GET', '/api/settings/', undefined],
  ['PATCH', '/api/settings/', { default_seconds: 60 }],
  ['GET', '/api/callbacks/', undefined],
  ['POST', '/api/callbacks/replay/', { state: 'dead' }],
] as const;

const DONE = [200, 202, 201, 204];

async function statuses(
  calls: readonly (readonly [method: string, path: string, body: unknown])[],
  headers: Record<string, string>,
): Promise<number[]> {
  const answers = [];
  for (const [method, path, body] of calls) {
    const answer = await station.request(method, path, body, { 'content-type': 'application/json', ...headers });
    if (answer.status === 403) expect(answer.body, path).toMatchObject({ code: 'forbidden' });
    answers.push(answer.status);
  }
  return [...new Set(answers)];
}

test('a key with the scope "read" can only read', async () => {
  const headers = key('read');
  expect(await statuses(READS, headers)).toEqual([200]);
  expect(await statuses([...CONTROLS, ...LATE_CONTROLS], headers)).toEqual([403]);
  expect(await statuses([...ADMINS, ...OVER_ADMINS], headers)).toEqual([403]);
});

test('a key with the scope "control" can read and control, but not administer', async () => {
  const headers = key('control');
  expect(await statuses(READS, headers)).toEqual([200]);
  expect(await statuses(CONTROLS, headers)).toEqual([200, 202]);
  expect(await statuses(LATE_CONTROLS, headers)).toEqual([404]);
  expect(await statuses([...ADMINS, ...OVER_ADMINS], headers)).toEqual([403]);
});

test('the key from the environment can do everything except change a password', async () => {
  const headers = { 'api-key': API_KEY };
  expect(await statuses([...READS, ...CONTROLS, ...ADMINS], headers)).toEqual(DONE);
  expect(await statuses(OVER_ADMINS, headers)).toEqual([409]);
  expect(await statuses(PASSWORDS, headers)).toEqual([403]);
});

test('a key with the scope "turbo" is refused by all these routes', async () => {
  expect(
    await statuses([...READS, ...CONTROLS, ...LATE_CONTROLS, ...ADMINS, ...OVER_ADMINS, ...PASSWORDS], key('turbo')),
  ).toEqual([403]);
});

test('a user with the role "control" can read and control, but not administer, with a session or a key', async () => {
  const session = await openSession(station, PERSON);
  for (const headers of [session.write, { 'api-key': session.apikey }] as Record<string, string>[]) {
    expect(await statuses(READS, headers)).toEqual([200]);
    expect(await statuses(CONTROLS, headers)).toEqual([200, 202]);
    expect(await statuses([...ADMINS, ...OVER_ADMINS], headers)).toEqual([403]);
  }
});

test('a user who becomes an admin gets all rights in the open session', async () => {
  const { write } = await openSession(station, PERSON);
  expect(await statuses(ADMINS, write)).toEqual([403]);
  await station.patch(`/api/users/${PERSON.username}/`, { role: 'admin' });
  expect(await statuses([...READS, ...CONTROLS, ...ADMINS], write)).toEqual(DONE);
  expect(await statuses(OVER_ADMINS, write)).toEqual([409]);
  expect(await statuses(PASSWORDS, write)).toEqual([400]);
});

test('the snapshot names the caller and its scope', async () => {
  const snapshot = async (key: string) =>
    (await station.request('GET', '/api/station/', undefined, { 'api-key': key })).body;
  expect(await snapshot(keys.get('read') ?? '')).toMatchObject({ user: { name: 'read', scope: 'read' } });
  expect(await snapshot(API_KEY)).toMatchObject({ user: { name: 'API key', scope: 'admin' } });
  const { apikey } = await openSession(station, PERSON);
  expect(await snapshot(apikey)).toMatchObject({ user: { name: PERSON.username, scope: 'admin' } });
});

test('accepts a password in any Unicode form', async () => {
  expect(await signIn(station, { ...PERSON, password: PERSON.password.normalize('NFD') })).toMatchObject({
    status: 200,
  });
});
