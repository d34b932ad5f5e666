import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Rack, StationMap } from '#shared/api/map.ts';
import type { Problem } from '#shared/api/problem.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const A = '51D000:000001';
const B = '51D000:000002';
const C = '51D000:000003';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3 });
});

afterEach(() => station.stop());

async function addRack(name: string, shelves: string[], columns = 2): Promise<Rack> {
  return station.post<Rack>('/api/map/racks/', { name, columns, shelves });
}

async function place(deviceid: string, shelf: string | undefined, column: number): Promise<void> {
  const answer = await station.request('PUT', `/api/map/places/${deviceid}/`, { shelf, column });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

function map(): Promise<StationMap> {
  return station.get<StationMap>('/api/map/');
}

function placed({ places }: StationMap): string[] {
  return places.map(({ deviceid }) => deviceid);
}

test('a rack has four columns and one shelf by default', async () => {
  const answer = await station.request('POST', '/api/map/racks/', { name: ' Rack A ' });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.any(String),
    name: 'Rack A',
    note: '',
    columns: 4,
    shelves: [{ id: expect.any(String), name: '1' }],
  });
  expect(await map()).toEqual({ racks: [answer.body], places: [], zones: [] });
});

test.each([
  ['no name', {}, '/name'],
  ['an empty name', { name: ' ' }, '/name'],
  ['no columns', { name: 'A', columns: 0 }, '/columns'],
  ['too many columns', { name: 'A', columns: 201 }, '/columns'],
  ['a shelf without a name', { name: 'A', shelves: [''] }, '/shelves/0'],
])('a rack with %s is refused', async (_, body, path) => {
  const answer = await station.request('POST', '/api/map/racks/', body);
  expect(answer.status).toBe(400);
  expect((answer.body as Problem).errors?.map((error) => error.path)).toEqual([path]);
  expect((await map()).racks).toEqual([]);
});

test('renames, resizes and reorders racks', async () => {
  const first = await addRack('A', ['top']);
  const second = await addRack('B', ['top']);
  const changed = await station.patch<Rack>(`/api/map/racks/${second.id}/`, {
    index: 0,
    name: 'Bees',
    note: 'by the door',
    columns: 6,
  });
  expect(changed).toEqual({ ...second, name: 'Bees', note: 'by the door', columns: 6 });
  expect((await map()).racks).toEqual([changed, first]);
  await station.patch(`/api/map/racks/${second.id}/`, { index: 99 });
  expect((await map()).racks).toEqual([first, changed]);
  await station.restart();
  expect((await map()).racks).toEqual([first, changed]);
});

test('renames, adds, moves and removes shelves; the devices of a removed shelf move to the tray', async () => {
  const rack = await addRack('A', ['top', 'middle', 'bottom']);
  const [top, middle, bottom] = rack.shelves;
  await place(A, top?.id, 0);
  await place(B, middle?.id, 0);
  await place(C, bottom?.id, 0);
  const changed = await station.patch<Rack>(`/api/map/racks/${rack.id}/`, {
    shelves: [{ name: 'new' }, { id: bottom?.id, name: 'floor' }, { id: top?.id, name: 'top' }],
  });
  expect(changed.shelves.map(({ name }) => name)).toEqual(['new', 'floor', 'top']);
  expect(changed.shelves.slice(1).map(({ id }) => id)).toEqual([bottom?.id, top?.id]);
  const after = await map();
  expect(after.racks).toEqual([changed]);
  expect(placed(after)).toEqual([A, C]);
});

test('a device in a removed column moves to the tray', async () => {
  const rack = await addRack('A', ['top']);
  await place(A, rack.shelves[0]?.id, 0);
  await place(B, rack.shelves[0]?.id, 1);
  await station.patch(`/api/map/racks/${rack.id}/`, { columns: 1 });
  expect(placed(await map())).toEqual([A]);
});

test('the devices of a removed rack move to the tray and can be placed again', async () => {
  const rack = await addRack('A', ['top']);
  const other = await addRack('B', ['top']);
  await place(A, rack.shelves[0]?.id, 0);
  expect((await station.request('DELETE', `/api/map/racks/${rack.id}/`)).status).toBe(204);
  expect(await map()).toEqual({ racks: [other], places: [], zones: [] });
  await place(A, other.shelves[0]?.id, 0);
  expect(placed(await map())).toEqual([A]);
});

test('changing or removing an unknown rack gets 404', async () => {
  expect((await station.request('PATCH', '/api/map/racks/none/', { name: 'x' })).status).toBe(404);
  expect((await station.request('DELETE', '/api/map/racks/none/')).status).toBe(404);
});

test('a change that names a shelf of another rack, or a shelf twice, changes nothing', async () => {
  const rack = await addRack('A', ['top']);
  const other = await addRack('B', ['top']);
  const own = { id: rack.shelves[0]?.id, name: 'own' };
  for (const shelves of [[{ id: other.shelves[0]?.id, name: 'stolen' }], [own, own]]) {
    const answer = await station.request('PATCH', `/api/map/racks/${rack.id}/`, { name: 'changed', shelves });
    expect(answer.status).toBe(400);
  }
  expect((await station.request('PATCH', `/api/map/racks/${rack.id}/`, { colums: 3 })).status).toBe(400);
  expect((await map()).racks).toEqual([rack, other]);
});

test('two simultaneous changes to one rack both take effect', async () => {
  const rack = await addRack('A', ['top']);
  const path = `/api/map/racks/${rack.id}/`;
  const answers = await Promise.all([
    station.request('PATCH', path, { name: 'renamed' }),
    station.request('PATCH', path, { columns: 7 }),
    station.request('POST', '/api/map/racks/', { name: 'B' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 201]);
  const { racks } = await map();
  expect(racks[0]).toEqual({ ...rack, name: 'renamed', columns: 7 });
  expect(racks).toHaveLength(2);
});

test('restoring an earlier map with PUT also restores the ids', async () => {
  const rack = await addRack('A', ['top', 'bottom']);
  await place(A, rack.shelves[0]?.id, 0);
  await place(B, rack.shelves[1]?.id, 1);
  const before = await map();
  await station.request('DELETE', `/api/map/racks/${rack.id}/`);
  await addRack('B', ['top']);
  const answer = await station.request('PUT', '/api/map/', before);
  expect(answer).toMatchObject({ status: 200, body: before });
  expect(await map()).toEqual(before);
});

test('a PUT assigns ids to racks and shelves without one', async () => {
  const answer = await station.request('PUT', '/api/map/', {
    racks: [{ name: 'A', columns: 1, shelves: [{ id: 'mine', name: 'top' }, { name: 'bottom' }] }],
    places: [{ deviceid: A.toLowerCase(), shelf: 'mine', column: 0 }],
  });
  expect(answer.status).toBe(200);
  const { racks, places } = answer.body as StationMap;
  expect(places).toEqual([{ deviceid: A, shelf: 'mine', column: 0 }]);
  const ids = racks.flatMap(({ id, shelves }) => [id, ...shelves.map((shelf) => shelf.id)]);
  expect(new Set(ids).size).toBe(3);
  expect(await map()).toEqual(answer.body);
});

const shelf = { id: 's', name: 'top' };
const racks = [{ id: 'r', name: 'A', columns: 2, shelves: [shelf] }];
test.each([
  [
    'an unknown device',
    { racks, places: [{ deviceid: 'FFFFFF:FFFFFF', shelf: 's', column: 0 }] },
    '/places/0/deviceid',
  ],
  ['an unknown shelf', { racks, places: [{ deviceid: A, shelf: 'x', column: 0 }] }, '/places/0/shelf'],
  [
    'a column beyond the end of the rack',
    { racks, places: [{ deviceid: A, shelf: 's', column: 2 }] },
    '/places/0/column',
  ],
  [
    'two devices in one cell',
    {
      racks,
      places: [
        { deviceid: A, shelf: 's', column: 0 },
        { deviceid: B, shelf: 's', column: 0 },
      ],
    },
    '/places/1/column',
  ],
  [
    'one device in two cells',
    {
      racks,
      places: [
        { deviceid: A, shelf: 's', column: 0 },
        { deviceid: A, shelf: 's', column: 1 },
      ],
    },
    '/places/1/deviceid',
  ],
  ['a duplicate shelf', { racks: [{ ...racks[0], shelves: [shelf, shelf] }], places: [] }, '/racks/0/shelves/1/id'],
  ['a duplicate rack', { racks: [...racks, { ...racks[0], shelves: [] }], places: [] }, '/racks/1/id'],
  ['no places', { racks }, '/places'],
])('a map with %s is refused and changes nothing', async (_, body, path) => {
  const rack = await addRack('kept', ['top']);
  await place(C, rack.shelves[0]?.id, 0);
  const before = await map();
  const answer = await station.request('PUT', '/api/map/', body);
  expect(answer.status).toBe(400);
  expect((answer.body as Problem).errors?.map((error) => error.path)).toEqual([path]);
  expect(await map()).toEqual(before);
});

test('refuses more than 10,000 shelves, both with PUT and in a new rack', async () => {
  const shelves = Array.from({ length: 100 }, (_, place) => `s${place}`);
  const full = Array.from({ length: 100 }, (_, place) => ({
    name: `r${place}`,
    columns: 1,
    shelves: shelves.map((name) => ({ name })),
  }));
  const one = { name: 'one more', columns: 1, shelves: [{ name: 'top' }] };
  expect((await station.request('PUT', '/api/map/', { racks: [...full, one], places: [] })).status).toBe(400);
  expect((await map()).racks).toEqual([]);
  expect((await station.request('PUT', '/api/map/', { racks: full, places: [] })).status).toBe(200);
  const answer = await station.request('POST', '/api/map/racks/', { name: 'one more', shelves: ['top'] });
  expect(answer.status).toBe(400);
  expect((answer.body as Problem).detail).toContain('10001 shelves; a map has at most 10000');
  expect((await map()).racks).toHaveLength(100);
});

test('refuses unpaired surrogates in names, and the map does not change', async () => {
  const before = await map();
  const answer = await station.request('POST', '/api/map/racks/', { name: 'A', shelves: ['\udc00'] });
  expect(answer).toMatchObject({ status: 400, body: { code: 'encoding' } });
  expect(await map()).toEqual(before);
});

test('a rack and its places are renamed in one commit, or nothing is changed', async () => {
  const rack = await addRack('Rack A', ['A-1']);
  await station.post(`/api/device/${A}/`, { locationoverride: 'A-1-1' });
  await station.post(`/api/device/${B}/`, { locationoverride: 'A-1-2' });
  await place(A, rack.shelves[0]?.id, 0);
  await place(B, rack.shelves[0]?.id, 1);
  await station.post('/api/articles/', { sku: 'X', places: [{ location: 'A-1-1' }, { location: 'K-1-2' }] });
  await station.post('/api/articles/', { sku: 'Y', places: [{ location: 'A-1-2' }] });
  const wanted = {
    name: 'Rack K',
    shelves: [{ id: rack.shelves[0]?.id, name: 'K-1' }],
    rename_places: [
      { from: 'A-1-1', to: 'K-1-1' },
      { from: 'A-1-2', to: 'K-1-2' },
    ],
  };
  const patch = (body: object) => station.request('PATCH', `/api/map/racks/${rack.id}/`, body);
  const labels = async () => [(await station.device(A)).locationoverride, (await station.device(B)).locationoverride];
  const before = await map();
  const refused = await patch(wanted);
  expect(refused).toMatchObject({ status: 409, body: { errors: [{ path: '/rename_places/1/to' }] } });
  expect([await map(), await labels()]).toEqual([before, ['A-1-1', 'A-1-2']]);

  await station.request('PATCH', '/api/articles/X/', { places: [{ location: 'A-1-1' }] });
  expect(await patch(wanted)).toMatchObject({ status: 200, body: { name: 'Rack K', shelves: [{ name: 'K-1' }] } });
  expect((await map()).places).toEqual(before.places);
  expect(await labels()).toEqual(['K-1-1', 'K-1-2']);
  expect(await station.get('/api/articles/X/')).toMatchObject({ places: [{ location: 'K-1-1' }] });
  const missing = await patch({ rename_places: [{ from: 'A-1-1', to: 'B-1-1' }] });
  expect(missing).toMatchObject({ status: 404, body: { errors: [{ path: '/rename_places/0/from' }] } });
});
