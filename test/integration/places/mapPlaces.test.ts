import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ArrangedMap, Placed, PlacedResult, Rack, StationMap } from '#shared/api/map.ts';
import type { Problem } from '#shared/api/problem.ts';
import type { Station } from '#shared/api/station.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const A = '51D000:000001';
const B = '51D000:000002';
const C = '51D000:000003';

let station: TestStation;
let rack: Rack;
let top: string;
let bottom: string;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3 });
  rack = await station.post<Rack>('/api/map/racks/', { name: 'Rack A', columns: 2, shelves: ['A-2', 'A-1'] });
  [top = '', bottom = ''] = rack.shelves.map(({ id }) => id);
});

afterEach(() => station.stop());

async function place(deviceid: string, shelf: string, column: number): Promise<Placed[]> {
  const answer = await station.request('PUT', `/api/map/places/${deviceid}/`, { shelf, column });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as PlacedResult).places;
}

async function map(): Promise<StationMap> {
  return station.get<StationMap>('/api/map/');
}

test('a placed device keeps its place, even after a restart', async () => {
  expect(await place(B, bottom, 1)).toEqual([{ deviceid: B, place: { shelf: bottom, column: 1 } }]);
  await place(A, top, 0);
  const before = await map();
  expect(before).toEqual({
    racks: [rack],
    places: [
      { deviceid: A, shelf: top, column: 0 },
      { deviceid: B, shelf: bottom, column: 1 },
    ],
    zones: [],
  });
  await station.restart();
  expect(await map()).toEqual(before);
  expect((await station.get<Station>('/api/station/')).map).toEqual(before);
});

test('placing a device in its current cell changes nothing', async () => {
  await place(A, top, 0);
  const { revision } = await station.get<Station>('/api/station/');
  expect(await place(A, top, 0)).toEqual([]);
  expect((await station.get<Station>('/api/station/')).revision).toBe(revision);
});

test('a device that serves a slot cannot be placed on the map, even by replacing the whole map', async () => {
  await place(A, top, 0);
  await station.post('/api/carts/', { name: 'Cart', rows: 1, columns: 1, slots: [{ slot: 'A1', back_deviceid: B }] });
  const before = await map();
  const places = [{ deviceid: B, shelf: top, column: 1 }];
  const message = `${B} serves a slot of a cart or a wall, so it has no place on the map. Take it out of the slot first.`;
  const whole = await station.request('PUT', '/api/map/', { ...before, places: [...before.places, ...places] });
  expect([whole.status, (whole.body as Problem).errors]).toEqual([409, [{ path: '/places/1/deviceid', message }]]);
  const one = await station.request('PUT', `/api/map/places/${B}/`, { shelf: top, column: 1 });
  expect([one.status, (one.body as Problem).errors]).toEqual([409, [{ path: '/deviceid', message }]]);
  await station.request('POST', `/api/device/${B}/`, { locationoverride: 'A-2-2' });
  const { not_arranged: left, ...arranged } = await station.post<ArrangedMap>('/api/map/arrange/', {});
  expect(left.map(({ deviceid }) => deviceid)).toEqual([C]);
  expect(arranged).toEqual(before);
  expect(await map()).toEqual(before);
});

test('placing a device in an occupied cell swaps two placed devices', async () => {
  await place(A, top, 0);
  await place(B, bottom, 1);
  expect(await place(A, bottom, 1)).toEqual([
    { deviceid: A, place: { shelf: bottom, column: 1 } },
    { deviceid: B, place: { shelf: top, column: 0 } },
  ]);
  expect((await map()).places).toEqual([
    { deviceid: A, shelf: bottom, column: 1 },
    { deviceid: B, shelf: top, column: 0 },
  ]);
});

test('placing an unplaced device in an occupied cell moves the other device to the tray', async () => {
  await place(A, top, 0);
  expect(await place(C, top, 0)).toEqual([
    { deviceid: A, place: null },
    { deviceid: C, place: { shelf: top, column: 0 } },
  ]);
  expect((await map()).places).toEqual([{ deviceid: C, shelf: top, column: 0 }]);
});

test('simultaneous requests for one cell are all answered, and the cell holds one device', async () => {
  const answers = await Promise.all(
    [A, B, C].map((deviceid) => station.request('PUT', `/api/map/places/${deviceid}/`, { shelf: top, column: 0 })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await map()).places).toHaveLength(1);
});

test('a device can be removed from the map, and repeating the request has no effect', async () => {
  await place(A, top, 0);
  for (let count = 0; count < 2; count += 1) {
    expect((await station.request('DELETE', `/api/map/places/${A.toLowerCase()}/`)).status).toBe(204);
  }
  expect((await map()).places).toEqual([]);
});

test.each([
  ['an unknown device', 'FFFFFF:FFFFFF', () => ({ shelf: top, column: 0 }), 404, ''],
  ['an unknown shelf', A, () => ({ shelf: 'nowhere', column: 0 }), 400, '/shelf'],
  ['a column beyond the end of the shelf', A, () => ({ shelf: top, column: 2 }), 400, '/column'],
  ['a column before the first', A, () => ({ shelf: top, column: -1 }), 400, '/column'],
  ['no column', A, () => ({ shelf: top }), 400, '/column'],
] as const)('%s is refused with an explanation', async (_, deviceid, body, status, path) => {
  const answer = await station.request('PUT', `/api/map/places/${deviceid}/`, body());
  expect(answer.status).toBe(status);
  const problem = answer.body as Problem;
  if (path !== '') expect(problem.errors?.map((error) => error.path)).toEqual([path]);
  expect(problem.detail).toMatch(/\w+\.$/);
  expect((await map()).places).toEqual([]);
});

test('a device unknown to the station cannot be removed from the map', async () => {
  expect((await station.request('DELETE', '/api/map/places/FFFFFF:FFFFFF/')).status).toBe(404);
});

test('arranges unplaced devices by their labels, creating missing racks, shelves and columns', async () => {
  await station.post('/api/simulator/devices/', { count: 4 });
  const labels = ['A-3-2', 'B-1-1', 'shelf by the door', 'a-2-1', 'A-3-2', 'A-10-1', ''];
  for (const [index, label] of labels.entries()) {
    await station.post(`/api/device/51D000:00000${index + 1}/`, { locationoverride: label });
  }
  const { not_arranged: left, ...arranged } = await station.post<ArrangedMap>('/api/map/arrange/');
  expect(arranged).toEqual(await map());
  expect(left.map(({ deviceid, label, message }) => [deviceid.at(-1), label, message])).toEqual([
    [
      '3',
      'shelf by the door',
      '"shelf by the door" names no place. Give it a label such as A-3-2: rack, shelf and place.',
    ],
    ['5', 'A-3-2', '51D000:000001 is already at "A-3-2". Give one of them another label.'],
    ['7', '', 'It has no label. Give it one such as A-3-2: rack, shelf and place.'],
  ]);
  expect(arranged.racks.map(({ name, columns, shelves }) => [name, columns, shelves.map((each) => each.name)])).toEqual(
    [
      ['Rack A', 2, ['A-10', 'A-3', 'A-2', 'A-1']],
      ['Rack B', 1, ['B-1']],
    ],
  );
  const names = new Map(arranged.racks.flatMap(({ shelves }) => shelves.map(({ id, name }) => [id, name] as const)));
  expect(arranged.places.map(({ deviceid, shelf, column }) => [deviceid.at(-1), names.get(shelf), column])).toEqual([
    ['1', 'A-3', 1],
    ['2', 'B-1', 0],
    ['4', 'A-2', 0],
    ['6', 'A-10', 0],
  ]);
  expect(await station.post('/api/map/arrange/')).toEqual({ ...arranged, not_arranged: left });
});

test('arranging draws the cells of places without a device, whether somebody created them or articles have them', async () => {
  await station.post('/api/places/', { name: 'D-2-3' });
  await station.post('/api/articles/', { sku: 'CT-1', places: [{ location: 'D-1-1' }, { location: 'By the door' }] });
  const { racks } = await station.post<ArrangedMap>('/api/map/arrange/');
  const drawn = racks.find(({ name }) => name === 'Rack D');
  expect([drawn?.columns, drawn?.shelves.map(({ name }) => name)]).toEqual([3, ['D-2', 'D-1']]);
});

test('arranging draws no cells for places with a light, which is where its device is placed', async () => {
  await station.request('POST', `/api/device/${A}/`, { locationoverride: 'N-1-1' });
  await place(A, top, 0);
  await station.post('/api/places/', { name: 'N-2-1' });
  await station.post('/api/location-aliases/', { name: 'N-2-1', deviceid: A, deviceIs: 'Below' });
  await station.post('/api/articles/', { sku: 'CT-1', places: [{ location: 'n-1-1' }, { location: 'N-2-1' }] });
  const { not_arranged: _, ...arranged } = await station.post<ArrangedMap>('/api/map/arrange/');
  expect(arranged).toEqual({
    racks: [rack],
    places: [{ deviceid: A, shelf: top, column: 0 }],
    zones: [],
  });
});

test('arranging does not move placed devices', async () => {
  await station.post(`/api/device/${A}/`, { locationoverride: 'B-1-1' });
  await place(A, bottom, 0);
  await station.post(`/api/device/${C}/`, { locationoverride: 'A-2-2' });
  await station.request('DELETE', `/api/map/places/${C}/`);
  await place(B, top, 1);
  const before = await map();
  expect(await station.post('/api/map/arrange/', {})).toEqual({
    ...before,
    not_arranged: [{ deviceid: C, label: 'A-2-2', message: expect.stringContaining(`${B} is already at`) as string }],
  });
});
