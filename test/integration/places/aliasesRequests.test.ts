import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Problem } from '#shared/api/problem.ts';
import { applyFacts } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { DEVICE_IS } from '#shared/lib/devices/deviceIs.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const PATH = '/api/location-aliases/';

let station: TestStation;

beforeEach(async () => {
  // Do not use the option `simulate`, which would add removed devices again.
  station = await startTestStation();
  await station.post('/api/simulator/devices/', { count: 2 });
});

afterEach(() => station.stop());

function add(name: unknown, deviceid: unknown = ONE, deviceIs: unknown = 'Below') {
  return station.request('POST', PATH, { name, deviceid, deviceIs });
}

async function added(name: string, deviceid = ONE, deviceIs = 'Below'): Promise<LocationAlias> {
  return station.post<LocationAlias>(PATH, { name, deviceid, deviceIs });
}

test('an alias can be created, read, listed, changed and removed', async () => {
  const answer = await add('A-1');
  expect(answer.status).toBe(201);
  const alias = answer.body as LocationAlias;
  expect(alias).toEqual({ id: alias.id, name: 'A-1', deviceid: ONE, deviceIs: 'Below' });
  const path = `${PATH}${alias.id}/`;
  expect(await station.get(path)).toEqual(alias);
  expect(await station.get(PATH)).toEqual([alias]);

  const wanted = { name: 'A-2', deviceid: TWO, deviceIs: 'Above' };
  const changed = await station.request('PUT', path, wanted);
  expect(changed).toMatchObject({ status: 200, body: { id: alias.id, ...wanted } });
  expect(await station.get(path)).toEqual(changed.body);

  const removed = await station.request('DELETE', path);
  expect(removed.status).toBe(204);
  expect(removed.body).toHaveLength(0);
  for (const method of ['GET', 'DELETE']) expect((await station.request(method, path)).status, method).toBe(404);
  expect((await station.request('PUT', path, wanted)).status).toBe(404);
  expect(await station.get(PATH)).toEqual([]);
});

test('an invalid or unknown id gets 404', async () => {
  await added('A-1');
  for (const id of ['0', '-1', '1.0', 'x', '%20', '1e0', '9'.repeat(30)]) {
    expect((await station.request('GET', `${PATH}${id}/`)).status, id).toBe(404);
  }
});

test('the id of a removed alias is never reused, even after a restart', async () => {
  const { id } = await added('A-1');
  await station.request('DELETE', `${PATH}${id}/`);
  await station.restart();
  expect((await added('A-1')).id).toBeGreaterThan(id);
});

test('the list is sorted by id and can be paged', async () => {
  const made: LocationAlias[] = [];
  for (const name of ['c', 'a', 'b', 'e', 'd']) made.push(await added(name));
  expect(await station.get(PATH)).toEqual(made);
  expect(await station.get(`${PATH}?limit=2`)).toEqual(made.slice(0, 2));
  expect(await station.get(`${PATH}?limit=2&after=${made[1]?.id}`)).toEqual(made.slice(2, 4));
  expect(await station.get(`${PATH}?after=${made[4]?.id}`)).toEqual([]);
  for (const query of ['limit=0', 'limit=x', 'after=x', 'after=-1']) {
    expect((await station.request('GET', `${PATH}?${query}`)).status, query).toBe(400);
  }
});

test('phrases are accepted regardless of case and spaces, and returned in canonical form', async () => {
  for (const [index, phrase] of DEVICE_IS.entries()) {
    const sent = `  ${phrase.toUpperCase().replaceAll(' ', '   ')} `;
    expect((await add(`P-${index}`, ONE, sent)).body, sent).toMatchObject({ deviceIs: phrase });
  }
});

test.each([
  ['an unknown phrase', { deviceIs: 'left' }, '/deviceIs'],
  ['no phrase', { deviceIs: undefined }, '/deviceIs'],
  ['an empty phrase', { deviceIs: '' }, '/deviceIs'],
  ['a phrase that is a list', { deviceIs: ['Above'] }, '/deviceIs'],
  ['no name', { name: undefined }, '/name'],
  ['an empty name', { name: '' }, '/name'],
  ['a name that contains only spaces', { name: ' \t ' }, '/name'],
  ['a name that is too long', { name: 'x'.repeat(1_001) }, '/name'],
  ['a name that is an object', { name: {} }, '/name'],
  ['no device', { deviceid: undefined }, '/deviceid'],
  ['an invalid DeviceID', { deviceid: '51D000' }, '/deviceid'],
  ['an unknown device', { deviceid: 'FFFFFF:FFFFFF' }, '/deviceid'],
])('%s is refused, and nothing is created or changed', async (_, change, path) => {
  const kept = await added('kept', TWO, 'Above');
  const body = { name: 'A-1', deviceid: ONE, deviceIs: 'Below', ...change };
  for (const answer of [
    await station.request('POST', PATH, body),
    await station.request('PUT', `${PATH}${kept.id}/`, body),
  ]) {
    expect(answer.status).toBe(400);
    const problem = answer.body as Problem;
    expect(problem.errors?.map((error) => error.path)).toEqual([path]);
    if (path === '/deviceIs') for (const phrase of DEVICE_IS) expect(problem.detail).toContain(phrase);
  }
  expect(await station.get(PATH)).toEqual([kept]);
});

test('a name can belong to only one alias, regardless of case and Unicode form', async () => {
  const first = await added('Größe É-1');
  for (const name of ['Größe É-1', 'GRÖSSE é-1', 'größe é-1'.normalize('NFD'), ' größe é-1 ']) {
    const answer = await add(name, TWO);
    expect(answer, name).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((answer.body as Problem).detail).toContain(ONE);
  }
  const second = await added('other');
  const wanted = { name: 'GRÖSSE É-1', deviceid: ONE, deviceIs: 'Above' };
  expect((await station.request('PUT', `${PATH}${second.id}/`, wanted)).status).toBe(409);
  // The alias can keep its own name in a different case.
  expect((await station.request('PUT', `${PATH}${first.id}/`, wanted)).status).toBe(200);
  expect(await station.get(PATH)).toEqual([{ id: first.id, ...wanted }, second]);
});

test('only one of two simultaneous requests for the same name succeeds', async () => {
  const answers = await Promise.all([add('A-1', ONE), add('a-1', TWO)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
});

test('a name is trimmed, and can look like a number or a label, but not like another DeviceID', async () => {
  await station.post(`/api/device/${TWO}/`, { locationoverride: 'B-2' });
  expect((await add('  A-1 ')).body).toMatchObject({ name: 'A-1' });
  expect((await add(4711)).body).toMatchObject({ name: '4711' });
  expect((await add(TWO)).status).toBe(409);
  expect((await add('b-2', ONE.toLowerCase())).body).toMatchObject({ name: 'b-2', deviceid: ONE });
  // `location` follows the precedence of names; `deviceid` is always a DeviceID.
  const to = (request: object) => station.post('/api/devices/', { line1: 'x', ...request });
  expect(await to({ location: 4711 })).toMatchObject({ deviceid: ONE });
  expect(await to({ location: TWO })).toMatchObject({ deviceid: TWO });
  expect(await to({ location: 'B-2' })).toMatchObject({ deviceid: ONE });
  expect(await to({ deviceid: TWO })).toMatchObject({ deviceid: TWO });
});

test('unknown fields are ignored with a warning', async () => {
  const body = { name: 'A-1', deviceid: ONE, deviceIs: 'Below', api: '2.0', id: 99 };
  const { body: alias } = await station.request('POST', PATH, body);
  expect(Object.keys(alias as object)).toEqual(['id', 'name', 'deviceid', 'deviceIs', 'warnings']);
  const { warnings = [] } = alias as { warnings?: string[] };
  expect(warnings.map((warning) => warning.split(' There')[0])).toEqual(['/api:', '/id:']);
  expect((alias as LocationAlias).id).not.toBe(99);
});

test('aliases survive a restart', async () => {
  const alias = await added('A-1', TWO, 'to the Left of');
  await station.restart();
  expect(await station.get(PATH)).toEqual([alias]);
  expect(await station.post('/api/devices/', { location: 'a-1', line1: 'x' })).toMatchObject({ deviceid: TWO });
});

test('removing a device removes its aliases, but no others', async () => {
  const kept = await added('kept', TWO);
  await added('gone');
  await added('gone too');
  expect((await station.request('DELETE', `/api/device/${ONE}/`)).status).toBe(204);
  expect(await station.get(PATH)).toEqual([kept]);
  expect((await station.request('POST', '/api/devices/', { location: 'gone', line1: 'x' })).status).toBe(404);
});

test('the event stream reports created, changed and removed aliases', async () => {
  const first = await added('first');
  const stream = await openStream(station.url);
  const before = await station.get<Station>('/api/station/');
  expect(before.aliases).toEqual([first]);

  const second = await added('second', TWO);
  await added('third');
  await station.request('PUT', `${PATH}${first.id}/`, { name: 'renamed', deviceid: TWO, deviceIs: 'Above' });
  await station.request('DELETE', `${PATH}${second.id}/`);
  await station.request('DELETE', `/api/device/${ONE}/`);
  await station.clock.advance(1_000);
  const after = await station.get<Station>('/api/station/');
  await stream.until(() => stream.commits().at(-1)?.id === after.revision);
  let followed = before;
  for (const { id, facts } of stream.commits()) followed = applyFacts(followed, facts, id);
  expect(followed.aliases).toEqual(after.aliases);
  expect(after.aliases).toEqual([{ id: first.id, name: 'renamed', deviceid: TWO, deviceIs: 'Above' }]);
  stream.close();
});

test('aliases have a separate OpenAPI document', async () => {
  for (const path of ['/location-aliases/openapi.json', '/api/location-aliases/openapi.json']) {
    const answer = await station.request('GET', path, undefined, {});
    expect(answer.status, path).toBe(200);
    const { paths } = answer.body as { paths: Record<string, object> };
    expect(Object.entries(paths).map(([name, methods]) => [name, Object.keys(methods)])).toEqual([
      [`${PATH}import/`, ['post', 'get']],
      [`${PATH}import/undo/`, ['post']],
      [`${PATH}export/`, ['get']],
      [PATH, ['get', 'post']],
      [`${PATH}{id}/`, ['get', 'put', 'delete']],
    ]);
  }
});
