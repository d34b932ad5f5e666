import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Rack, StationMap, Zone } from '#shared/api/map.ts';
import type { Problem } from '#shared/api/problem.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;
let a: Rack;
let b: Rack;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1 });
  a = await station.post<Rack>('/api/map/racks/', { name: 'A' });
  b = await station.post<Rack>('/api/map/racks/', { name: 'B' });
});

afterEach(() => station.stop());

async function zones(): Promise<Zone[]> {
  return (await station.get<StationMap>('/api/map/')).zones;
}

function addZone(name: string, ...racks: Rack[]): Promise<Zone> {
  return station.post<Zone>('/api/map/zones/', { name, racks: racks.map(({ id }) => id) });
}

async function refused(method: string, path: string, body: unknown): Promise<[number, string, string[] | undefined]> {
  const before = await station.get<StationMap>('/api/map/');
  const answer = await station.request(method, path, body);
  const { code, errors } = answer.body as Problem;
  expect(await station.get<StationMap>('/api/map/')).toEqual(before);
  return [answer.status, code, errors?.map((error) => error.path)];
}

test('zones can be added, partially changed and removed, can share racks, and survive a restart', async () => {
  expect(await zones()).toEqual([]);
  const answer = await station.request('POST', '/api/map/zones/', { name: ' Cold room ', racks: [b.id, a.id, b.id] });
  expect(answer.status).toBe(201);
  const cold = answer.body as Zone;
  expect(cold).toEqual({ id: expect.any(String), name: 'Cold room', racks: [b.id, a.id] });
  const aisle = await addZone('Aisle A', a);
  expect(await station.post<Zone>('/api/map/zones/', { name: 'Later' })).toMatchObject({ racks: [] });
  const path = `/api/map/zones/${cold.id}/`;
  expect(await station.patch<Zone>(path, { name: 'COLD ROOM' })).toEqual({ ...cold, name: 'COLD ROOM' });
  const changed = await station.patch<Zone>(path, { racks: [b.id] });
  expect(changed).toEqual({ ...cold, name: 'COLD ROOM', racks: [b.id] });
  await station.restart();
  expect((await zones()).slice(0, 2)).toEqual([changed, aisle]);
  expect((await station.request('DELETE', path)).status).toBe(204);
  const map = await station.get<StationMap>('/api/map/');
  expect(map.zones.map(({ name }) => name)).toEqual(['Aisle A', 'Later']);
  expect(map.racks).toEqual([a, b]);
});

test('refuses invalid changes to zones, and changes nothing', async () => {
  const cold = await addZone('Cold room', a);
  const aisle = await addZone('Aisle A', a);
  const path = `/api/map/zones/${aisle.id}/`;
  expect(await refused('POST', '/api/map/zones/', { name: 'cold ROOM' })).toEqual([409, 'conflict', ['/name']]);
  expect(await refused('PATCH', path, { name: 'COLD room' })).toEqual([409, 'conflict', ['/name']]);
  const unknown = { name: 'New', racks: [a.id, 'none'] };
  expect(await refused('POST', '/api/map/zones/', unknown)).toEqual([400, 'invalid', ['/racks/1']]);
  expect(await refused('PATCH', path, { racks: ['none'] })).toEqual([400, 'invalid', ['/racks/0']]);
  expect(await refused('POST', '/api/map/zones/', { name: ' ' })).toEqual([400, 'invalid', ['/name']]);
  expect((await refused('PATCH', path, { rack: [] }))[0]).toBe(400);
  expect((await refused('PATCH', '/api/map/zones/none/', { name: 'x' }))[0]).toBe(404);
  expect((await refused('DELETE', '/api/map/zones/none/', undefined))[0]).toBe(404);
  const whole = { racks: [a, b], places: [] };
  const twice = { ...whole, zones: [cold, { ...aisle, name: 'COLD ROOM' }] };
  expect(await refused('PUT', '/api/map/', twice)).toEqual([400, 'invalid', ['/zones/1/name']]);
  const same = { ...whole, zones: [cold, { ...aisle, id: cold.id }] };
  expect(await refused('PUT', '/api/map/', same)).toEqual([400, 'invalid', ['/zones/1/id']]);
  const gone = { racks: [b], places: [], zones: [{ ...cold, racks: [b.id, b.id, a.id] }] };
  expect(await refused('PUT', '/api/map/', gone)).toEqual([400, 'invalid', ['/zones/0/racks/2']]);
});

test('a removed rack is also removed from its zones, and a PUT of the earlier map adds it to them again', async () => {
  const both = await addZone('Both', a, b);
  const one = await addZone('One', a);
  const before = await station.get<StationMap>('/api/map/');
  await station.request('DELETE', `/api/map/racks/${a.id}/`);
  expect(await zones()).toEqual([
    { ...both, racks: [b.id] },
    { ...one, racks: [] },
  ]);
  expect((await station.request('PUT', '/api/map/', before)).body).toEqual(before);
  expect(await zones()).toEqual([both, one]);
});

test('a PUT of a map without zones keeps the zones, except for removed racks', async () => {
  const both = await addZone('Both', a, b);
  expect((await station.request('PUT', '/api/map/', { racks: [b], places: [] })).status).toBe(200);
  expect(await zones()).toEqual([{ ...both, racks: [b.id] }]);
  expect((await station.request('PUT', '/api/map/', { racks: [b], places: [], zones: [] })).status).toBe(200);
  expect(await zones()).toEqual([]);
});

test('placing and arranging devices does not change zones', async () => {
  const zone = await addZone('Zone', a);
  const cell = { shelf: a.shelves[0]?.id, column: 0 };
  expect((await station.request('PUT', '/api/map/places/51D000:000001/', cell)).status).toBe(200);
  await station.post('/api/map/arrange/', {});
  expect(await zones()).toEqual([zone]);
});

test('allows at most a hundred zones', async () => {
  const full = Array.from({ length: 100 }, (_, index) => ({ name: `Zone ${index}`, racks: [] }));
  const answer = await station.request('PUT', '/api/map/', { racks: [a], places: [], zones: full });
  expect(answer.status).toBe(200);
  expect((await refused('POST', '/api/map/zones/', { name: 'One more' }))[0]).toBe(400);
});
