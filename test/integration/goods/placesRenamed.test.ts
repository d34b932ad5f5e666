import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeviceResult } from '#shared/api/device.ts';
import type { GoodsPlace, RenamedPlaces } from '#shared/api/place.ts';
import type { Task } from '#shared/api/task.ts';
import { addArticle, movedOf, onHand, postStock } from '../../helpers/articles.ts';
import {
  addOrder,
  anItem,
  FOURTH,
  itemsOf,
  launch,
  ONE,
  orderPath,
  press,
  THIRD,
  THREE_BUTTONS as TWO,
} from '../../helpers/orders.ts';
import { type Answer, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4 });
});
afterEach(() => station.stop());

function label(deviceId: string, locationoverride: string): Promise<DeviceResult> {
  return station.post<DeviceResult>(`/api/device/${deviceId}/`, { locationoverride });
}

function alias(name: string, deviceid = ONE): Promise<{ id: number }> {
  return station.post('/api/location-aliases/', { name, deviceid, deviceIs: 'Below' });
}

function rename(body: object): Promise<Answer> {
  return station.request('POST', '/api/places/rename/', body);
}

async function renamed(body: object): Promise<RenamedPlaces> {
  const answer = await rename(body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  await station.clock.advance(5_000);
  return answer.body as RenamedPlaces;
}

const listed = (query = ''): Promise<GoodsPlace[]> => station.get<GoodsPlace[]>(`/api/places/${query}`);
const namesOf = async (query = ''): Promise<string[]> => (await listed(query)).map(({ name }) => name);
const linesAt = async (deviceId: string): Promise<string[]> =>
  (await station.device(deviceId)).commands.map(({ line1, location }) => `${location}: ${line1}`);

test('a renamed place keeps its goods, tasks, lines, light and cell, under the new name, in one commit', async () => {
  const { shelves } = await station.post<{ shelves: { id: string }[] }>('/api/map/racks/', {
    name: 'C',
    columns: 3,
    shelves: ['C-1'],
  });
  await label(ONE, 'A-1');
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 1, minimum: 2 }, { location: 'B-1' }]);
  await postStock(station, { sku: 'X', location: 'a-1', delta: -1 });
  await addOrder(station, 'SO-1', [anItem({ SKU: 'X', deviceid: undefined, warehouse_location: 'A-1' })]);
  await addOrder(station, 'SO-2', [anItem({ SKU: 'X', deviceid: undefined, warehouse_location: 'a-1' })]);
  await launch(station, 'SO-1');
  await station.post('/api/devices/', { location: 'A-1', line1: 'direct', seconds: 0 });
  const before = await station.get<{ revision: number }>('/api/station/');
  expect(await renamed({ from: 'a-1', to: 'C-1-2' })).toEqual({
    renamed: [{ from: 'a-1', to: 'C-1-2', articles: ['X'], tasks: 1, lines: 2, aliases: [], devices: [ONE] }],
  });
  expect((await station.get<{ revision: number }>('/api/station/')).revision).toBe(before.revision + 1);
  expect(await onHand(station, 'X')).toEqual({ 'C-1-2': 0, 'B-1': null });
  expect(await station.get<Task[]>('/api/tasks/')).toMatchObject([{ location: 'C-1-2', state: 'open' }]);
  expect(await linesAt(ONE)).toEqual(['C-1-2: Cable tie', 'C-1-2: direct']);
  for (const order of ['SO-1', 'SO-2'])
    expect(await itemsOf(station, order)).toMatchObject([{ warehouse_location: 'C-1-2' }]);
  expect((await station.get<{ places: object[] }>('/api/map/')).places).toEqual([
    { deviceid: ONE, shelf: shelves[0]?.id, column: 1 },
  ]);
  await press(station, ONE);
  expect(await movedOf(station, '?kind=pick')).toEqual([['pick', 'C-1-2', -2, -2]]);
  // An undo returns the pieces to the renamed place.
  await renamed({ from: 'C-1-2', to: 'D-1' });
  const [item] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${item?.id}/reopen/`), {});
  expect(await onHand(station, 'X')).toMatchObject({ 'D-1': 0 });
});

test('places exchange their names, and a shelf is renumbered, in one call', async () => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  const { id } = await alias('A-3', TWO);
  await addArticle(station, 'X', [
    { location: 'A-1', on_hand: 1, minimum: 5 },
    { location: 'A-2', on_hand: 2, minimum: 5 },
  ]);
  await addArticle(station, 'Y', [{ location: 'A-3', on_hand: 3 }]);
  await postStock(station, { sku: 'X', location: 'A-1', delta: 1 }, { sku: 'X', location: 'A-2', delta: 1 });
  await addOrder(station, 'SO-1', [
    anItem({ name: 'one', deviceid: undefined, warehouse_location: 'A-1' }),
    anItem({ name: 'two', deviceid: undefined, warehouse_location: 'A-2' }),
    anItem({ name: 'three', deviceid: undefined, warehouse_location: 'A-3' }),
  ]);
  await launch(station, 'SO-1');
  await renamed([
    { from: 'A-1', to: 'A-2' },
    { from: 'A-2', to: 'A-1' },
  ]);
  expect(await onHand(station, 'X')).toEqual({ 'A-2': 2, 'A-1': 3 });
  expect([(await station.device(ONE)).location, (await station.device(TWO)).location]).toEqual(['A-2', 'A-1']);
  expect(await linesAt(ONE)).toEqual(['A-2: one']);
  expect(await linesAt(TWO)).toEqual(['A-1: two', 'A-3: three']);
  const result = await renamed([
    { from: 'A-1', to: 'A-2' },
    { from: 'A-2', to: 'A-3' },
    { from: 'A-3', to: 'A-4' },
  ]);
  expect(result.renamed[2]).toMatchObject({ articles: ['Y'], aliases: [id], devices: [] });
  expect(await onHand(station, 'X')).toEqual({ 'A-3': 2, 'A-2': 3 });
  expect(await onHand(station, 'Y')).toEqual({ 'A-4': 3 });
  expect(await linesAt(ONE)).toEqual(['A-3: one']);
  expect(await linesAt(TWO)).toEqual(['A-2: two', 'A-4: three']);
  expect(await station.get('/api/location-aliases/')).toMatchObject([{ id, name: 'A-4' }]);
});

test('a new name that only has a light takes the goods, which repairs a rename by label', async () => {
  await label(ONE, 'A-1');
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 4 }]);
  await station.post('/api/users/', { username: 'anna', password: 'correct horse', role: 'picker' });
  await addOrder(station, 'SO-1', [anItem({ SKU: 'X', deviceid: undefined })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'anna' });
  await label(ONE, 'B-1');
  expect(await station.get('/api/alerts/')).toMatchObject([{ kind: 'place_dark', about: 'places' }]);
  expect(await linesAt(ONE)).toEqual([]);
  await renamed({ from: 'A-1', to: 'B-1' });
  expect(await onHand(station, 'X')).toEqual({ 'B-1': 4 });
  expect(await linesAt(ONE)).toEqual(['B-1: Cable tie']);
  expect(await station.get('/api/alerts/')).toEqual([]);
  await press(station, ONE);
  expect(await movedOf(station, '?kind=pick')).toEqual([['pick', 'B-1', -2, 2]]);
});

test('a rename is refused whole if both names have goods or a device, or if a name is unknown or named twice', async () => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 4 }]);
  await addArticle(station, 'Y', [{ location: 'Reserve', on_hand: 4 }]);
  await addArticle(station, 'Z', [{ location: 'Cellar' }]);
  for (const [body, status, path] of [
    [{ from: 'A-1', to: 'a-2' }, 409, '/to'],
    [{ from: 'Reserve', to: 'Cellar' }, 409, '/to'],
    [{ from: 'nowhere', to: 'B-1' }, 404, '/from'],
    [
      [
        { from: 'A-1', to: 'B-1' },
        { from: 'Reserve', to: 'Cellar' },
      ],
      409,
      '/1/to',
    ],
    [
      [
        { from: 'A-1', to: 'B-1' },
        { from: 'A-2', to: 'b-1' },
      ],
      400,
      '/1/to',
    ],
    [
      [
        { from: 'A-1', to: 'B-1' },
        { from: 'a-1', to: 'B-2' },
      ],
      400,
      '/1/from',
    ],
    [[], 400, undefined],
    [{ from: 'A-1' }, 400, undefined],
  ] as const) {
    const answer = await rename(body);
    expect(answer, JSON.stringify(body)).toMatchObject({ status });
    if (path !== undefined) expect(answer.body).toMatchObject({ errors: [{ path }] });
  }
  expect(await onHand(station, 'X')).toEqual({ 'A-1': 4 });
  // A place can get another spelling of its name.
  await renamed({ from: 'A-1', to: 'a-1' });
  expect(await onHand(station, 'X')).toEqual({ 'a-1': 4 });
  // A device can come to goods that have none.
  await renamed({ from: 'A-2', to: 'Reserve' });
  expect((await station.device(TWO)).location).toBe('Reserve');
});

test('places are listed with their goods and lights, and can be created and removed', async () => {
  await label(ONE, 'A-10');
  await label(TWO, 'A-2');
  await alias('A-2 left', TWO);
  await addArticle(
    station,
    'X',
    [
      { location: 'a-2', on_hand: 4 },
      { location: 'Cellar', on_hand: 0 },
    ],
    { name: 'Nut' },
  );
  const created = await station.request('POST', '/api/places/', { name: ' Reserve 4 ', note: 'Above the door' });
  expect(created).toMatchObject({ status: 201, body: { name: 'Reserve 4', deviceid: null, note: 'Above the door' } });
  for (const name of ['reserve 4', 'A-10', 'A-2 LEFT', 'cellar'])
    expect(await station.request('POST', '/api/places/', { name }), name).toMatchObject({ status: 409 });
  expect(await listed()).toEqual([
    {
      name: 'A-2',
      deviceid: TWO,
      aliases: ['A-2 left'],
      articles: [{ sku: 'X', name: 'Nut', on_hand: 4 }],
      cell: null,
      note: '',
    },
    { name: 'A-2 left', deviceid: TWO, aliases: [], articles: [], cell: null, note: '' },
    { name: 'A-10', deviceid: ONE, aliases: [], articles: [], cell: null, note: '' },
    {
      name: 'Cellar',
      deviceid: null,
      aliases: [],
      articles: [{ sku: 'X', name: 'Nut', on_hand: 0 }],
      cell: null,
      note: '',
    },
    { name: 'Reserve 4', deviceid: null, aliases: [], articles: [], cell: null, note: 'Above the door' },
  ]);
  expect(await namesOf('?q=a-2')).toEqual(['A-2', 'A-2 left']);
  expect(await namesOf('?light=0')).toEqual(['Cellar', 'Reserve 4']);
  expect(await namesOf('?empty=1&light=1')).toEqual(['A-2 left', 'A-10']);
  expect(await namesOf('?empty=0')).toEqual(['A-2', 'Cellar']);
  expect(await namesOf('?limit=2&after=A-2%20left')).toEqual(['A-10', 'Cellar']);
  const remove = (name: string) => station.request('DELETE', `/api/places/${encodeURIComponent(name)}/`);
  expect(await remove('a-2')).toMatchObject({ status: 409, body: { code: 'in_use' } });
  await postStock(station, { sku: 'X', location: 'Cellar', count: 3 });
  expect(await remove('cellar')).toMatchObject({ status: 409, body: { code: 'in_use' } });
  await postStock(station, { sku: 'X', location: 'Cellar', count: 0 });
  expect(await remove('cellar')).toMatchObject({ status: 204 });
  expect(await remove('reserve 4')).toMatchObject({ status: 204 });
  expect(await remove('reserve 4')).toMatchObject({ status: 404 });
  expect(await onHand(station, 'X')).toEqual({ 'a-2': 4 });
  expect(await namesOf('?light=0')).toEqual([]);
});

test('a place that waits takes the device that gets its label, and arranging draws its cell', async () => {
  await station.post('/api/places/', { name: 'A-1-3' });
  await station.post('/api/map/arrange/');
  const map = await station.get<{ racks: { name: string; columns: number }[]; places: object[] }>('/api/map/');
  expect(map).toMatchObject({ racks: [{ name: 'Rack A', columns: 3, shelves: [{ name: 'A-1' }] }], places: [] });
  expect(await listed()).toMatchObject([{ name: 'A-1-3', cell: { column: 2 } }]);
  await label(THIRD, 'a-1-3');
  expect(await listed()).toMatchObject([{ deviceid: THIRD }]);
  expect(await station.get('/api/map/')).toMatchObject({ places: [{ deviceid: THIRD, column: 2 }] });
});

test('renaming is for control and admin, creating and removing for admin, the activity names them', async () => {
  const { api_key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'erp' });
  await label(FOURTH, 'A-1');
  const as = (method: string, path: string, body?: object) =>
    station.request(method, path, body, { 'api-key': api_key, 'content-type': 'application/json' });
  expect(await as('POST', '/api/places/rename/', { from: 'A-1', to: 'B-1' })).toMatchObject({ status: 200 });
  expect(await as('POST', '/api/places/', { name: 'C-1' })).toMatchObject({ status: 403 });
  expect(await as('DELETE', '/api/places/B-1/')).toMatchObject({ status: 403 });
  expect(await as('GET', '/api/places/')).toMatchObject({ status: 200 });
  const latest = (await station.get<{ action: string }[]>('/api/audit/')).find(
    ({ action }) => action === 'place.renamed',
  );
  expect(latest).toMatchObject({ action: 'place.renamed', subject: 'B-1' });
});
