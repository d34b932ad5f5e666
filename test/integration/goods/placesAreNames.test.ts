import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { DeviceResult } from '#shared/api/device.ts';
import { addArticle, movedOf, onHand } from '../../helpers/articles.ts';
import {
  addOrder,
  anItem,
  FOURTH,
  getOrder,
  itemsOf,
  launch,
  ONE,
  orderPath,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS as TWO,
} from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 4 });
});
afterEach(() => station.stop());

function label(deviceId: string, locationoverride: string): Promise<DeviceResult> {
  return station.post<DeviceResult>(`/api/device/${deviceId}/`, { locationoverride });
}

function alias(name: string, deviceid = ONE): Promise<LocationAlias> {
  return station.post<LocationAlias>('/api/location-aliases/', { name, deviceid, deviceIs: 'Below' });
}

const linesAt = async (deviceId: string): Promise<string[]> =>
  (await station.device(deviceId)).commands.map(({ line1, location }) => `${location}: ${line1}`);

const darkPlaces = async (): Promise<(string | null)[]> =>
  (await station.get<Alert[]>('/api/alerts/')).flatMap(({ kind, problem }) => (kind === 'place_dark' ? [problem] : []));

test('a label, an alias and a device can change at a place with stock, and the stock stays there', async () => {
  await label(ONE, 'A-1');
  const { id } = await alias('A-2');
  await addArticle(station, 'X', [
    { location: 'a-1', on_hand: 4 },
    { location: 'A-2', on_hand: 5 },
    { location: 'B-9', on_hand: 6 },
  ]);
  const stock = { 'a-1': 4, 'A-2': 5, 'B-9': 6 };
  for (const [method, path, body] of [
    ['POST', `/api/device/${ONE}/`, { locationoverride: 'C-1' }],
    ['PUT', `/api/location-aliases/${id}/`, { name: 'C-2', deviceid: ONE, deviceIs: 'Above' }],
    ['PUT', `/api/location-aliases/${id}/`, { name: 'A-2', deviceid: TWO, deviceIs: 'Above' }],
    ['POST', `/api/device/${ONE}/`, { locationoverride: 'B-9' }],
    ['POST', `/api/device/${ONE}/`, { locationoverride: '' }],
    ['DELETE', `/api/location-aliases/${id}/`, undefined],
    ['POST', `/api/device/${ONE}/`, { locationoverride: 'A-1' }],
    ['DELETE', `/api/device/${ONE}/`, undefined],
  ] as const) {
    const { status } = await station.request(method, path, body);
    expect([200, 204], path).toContain(status);
    expect(await onHand(station, 'X')).toEqual(stock);
  }
  expect(await movedOf(station, '?kind=adjust')).toEqual([]);
});

test('lines and direct commands for a name go to the device that has it now', async () => {
  await label(ONE, 'A-1');
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 9 }]);
  await addOrder(station, 'SO-1', [anItem({ SKU: 'X', deviceid: undefined })]);
  await addOrder(station, 'SO-2', [anItem({ name: 'By place', deviceid: undefined, warehouse_location: 'a-1' })]);
  await addOrder(station, 'SO-3', [anItem({ name: 'By device', deviceid: ONE })]);
  for (const order of ['SO-1', 'SO-2', 'SO-3']) await launch(station, order);
  await station.post('/api/devices/', { location: 'A-1', line1: 'to the place', seconds: 0 });
  await station.post(`/api/device/${ONE}/`, { line1: 'to the device', seconds: 0 });
  await label(TWO, 'A-1');
  expect(await linesAt(TWO)).toEqual([]);
  await label(ONE, 'B-1');
  await station.clock.advance(5_000);
  expect(await linesAt(TWO)).toEqual(['A-1: Cable tie', 'A-1: By place', 'A-1: to the place']);
  expect(await linesAt(ONE)).toEqual(['B-1: By device', 'B-1: to the device']);
  await press(station, TWO);
  expect(await movedOf(station, '?kind=pick')).toEqual([['pick', 'A-1', -2, 7]]);
  expect(await statesOf(station, 'SO-1')).toContain('fulfilled');
});

test('a line that moved with its name and was closed without a press is opened again at its new device', async () => {
  await label(ONE, 'A-1');
  await addOrder(station, 'SO-1', [anItem({ deviceid: undefined, warehouse_location: 'A-1' })]);
  await launch(station, 'SO-1');
  await label(TWO, 'A-1');
  await label(ONE, 'B-1');
  const [{ id } = { id: 0 }] = await itemsOf(station, 'SO-1');
  await station.post(orderPath('SO-1', `items/${id}/short/`), { quantity_fulfilled: 1, reason: 'other' });
  expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'short', deviceid: TWO }]);
  await station.post(orderPath('SO-1', `items/${id}/reopen/`), {});
  expect(await linesAt(TWO)).toEqual(['A-1: Cable tie']);
  expect(await linesAt(ONE)).toEqual([]);
});

test('a command that is sent again follows the name if the last request named the place, and stays if it named the device', async () => {
  await label(ONE, 'A-1');
  const byName = (nonce: string) => station.post('/api/devices/', { location: 'A-1', line1: nonce, nonce, seconds: 0 });
  const byDevice = (nonce: string) => station.post(`/api/device/${ONE}/`, { line1: nonce, nonce, seconds: 0 });
  await byName('first the place');
  await byDevice('first the place');
  await byDevice('first the device');
  await byName('first the device');
  await label(TWO, 'A-1');
  await label(ONE, 'B-1');
  expect(await linesAt(ONE)).toEqual(['B-1: first the place']);
  expect(await linesAt(TWO)).toEqual(['A-1: first the device']);
});

test('if no device has a name, its lines lose their light, and its commands stay; all are lit when a device has it again', async () => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  await station.post('/api/users/', { username: 'anna', password: 'correct horse', role: 'picker' });
  await addOrder(station, 'SO-1', [anItem({ deviceid: undefined, warehouse_location: 'A-1' })]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'anna' });
  await addOrder(station, 'SO-2', [
    anItem({ name: 'Nut', deviceid: undefined, warehouse_location: 'A-1' }),
    anItem({ name: 'Bolt', deviceid: undefined, warehouse_location: 'A-2' }),
  ]);
  await launch(station, 'SO-2');
  await station.post('/api/devices/', { location: 'A-1', line1: 'direct', nonce: 'n', seconds: 0 });
  const said = await label(ONE, 'B-1');
  expect(said.warnings).toEqual([
    expect.stringContaining('2 lines there have no light'),
    expect.stringContaining(`1 command for it stays at ${ONE}`),
  ]);
  await station.clock.advance(5_000);
  expect(await linesAt(ONE)).toEqual(['A-1: direct']);
  expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'active' }]);
  expect(await station.get('/api/work/?picker=anna')).toMatchObject([
    { location: 'A-1', light: false, deviceid: null },
  ]);
  expect(await getOrder(station, 'SO-2')).toMatchObject({ state: 'in_progress', unassigned: [expect.anything()] });
  await label(THIRD, 'a-1');
  await station.clock.advance(5_000);
  expect((await linesAt(THIRD)).toSorted()).toEqual(['a-1: Cable tie', 'a-1: Nut', 'a-1: direct']);
  expect(await linesAt(ONE)).toEqual([]);
  expect(await getOrder(station, 'SO-2')).toMatchObject({ unassigned: [] });
  // The same place, served by an alias.
  await label(THIRD, '');
  await alias('A-1', FOURTH);
  await station.clock.advance(5_000);
  expect((await linesAt(FOURTH)).toSorted()).toEqual(['A-1: Cable tie', 'A-1: Nut', 'A-1: direct']);
});

test('an order is not complete because its last line has lost its light', async () => {
  await label(ONE, 'A-1');
  await label(TWO, 'A-2');
  await addOrder(station, 'SO-1', [
    anItem({ deviceid: undefined, warehouse_location: 'A-1' }),
    anItem({ deviceid: undefined, warehouse_location: 'A-2' }),
  ]);
  await launch(station, 'SO-1');
  await station.clock.advance(5_000);
  await press(station, ONE);
  await label(TWO, 'B-2');
  await station.clock.advance(5_000);
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'in_progress', unassigned: [expect.anything()] });
  await label(THIRD, 'A-2');
  await station.clock.advance(5_000);
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'in_progress', unassigned: [] });
  await press(station, THIRD);
  expect(await getOrder(station, 'SO-1')).toMatchObject({ state: 'fulfilled' });
});

test('lines and commands of a renamed, moved or deleted alias follow its name; launched sequences stay', async () => {
  const { id } = await alias('A-1');
  await addOrder(station, 'SO-1', [anItem({ deviceid: undefined, warehouse_location: 'A-1' })]);
  await launch(station, 'SO-1');
  await station.post('/api/devices/', { location: 'A-1', line1: 'direct', seconds: 0 });
  await station.post('/api/sequence/', {
    sequenceid: 'S',
    steps: [
      { order: 0, location: 'A-1', line1: 'first', seconds: 0 },
      { order: 1, location: 'A-1', line1: 'second', seconds: 0 },
    ],
  });
  await station.get('/api/launchsequence/S/');
  const put = (body: object) => station.request('PUT', `/api/location-aliases/${id}/`, { deviceIs: 'Above', ...body });
  await put({ name: 'A-1', deviceid: TWO });
  await station.clock.advance(5_000);
  expect(await linesAt(TWO)).toEqual(['A-1: Cable tie', 'A-1: direct']);
  expect(await linesAt(ONE)).toEqual(['A-1: first']);
  expect((await station.device(TWO)).commands).toMatchObject([{ arrow: 'bottom' }, { arrow: 'bottom' }]);
  await press(station, ONE);
  expect(await linesAt(ONE)).toEqual(['A-1: second']);
  await put({ name: 'C-1', deviceid: TWO });
  expect(await linesAt(TWO)).toEqual(['A-1: direct']);
  expect((await station.device(TWO)).commands).toMatchObject([{ alias_id: null }]);
  await label(THIRD, 'A-1');
  await station.clock.advance(5_000);
  expect((await linesAt(THIRD)).toSorted()).toEqual(['A-1: Cable tie', 'A-1: direct']);
  expect((await station.device(THIRD)).commands).toMatchObject([{ arrow: null }, { arrow: null }]);
});

test('a removed device leaves the lines of its names to the devices that have them, or without a light', async () => {
  await label(ONE, 'A-1');
  await alias('A-2');
  await label(TWO, 'A-1');
  await addOrder(station, 'SO-1', [
    anItem({ name: 'Nut', deviceid: undefined, warehouse_location: 'A-1' }),
    anItem({ name: 'Bolt', deviceid: undefined, warehouse_location: 'A-2' }),
    anItem({ name: 'Pin', deviceid: ONE }),
  ]);
  await launch(station, 'SO-1');
  expect(await station.request('DELETE', `/api/device/${ONE}/`)).toMatchObject({ status: 204 });
  await station.clock.advance(5_000);
  expect(await linesAt(TWO)).toEqual(['A-1: Nut']);
  expect(await itemsOf(station, 'SO-1')).toMatchObject([
    { state: 'active', deviceid: TWO },
    { state: 'open' },
    { state: 'open' },
  ]);
  expect((await getOrder(station, 'SO-1')).unassigned).toHaveLength(1);
});

test('the device that had a label first keeps it, even with a higher DeviceID and after it was replaced', async () => {
  await label(TWO, 'A-1');
  const second = await label(ONE, 'a-1');
  expect(second.warnings).toEqual([expect.stringContaining(TWO)]);
  const found = async () => (await station.post('/api/devices/', { location: 'A-1', line1: 'x' }))['deviceid'];
  expect(await found()).toBe(TWO);
  await station.restart();
  expect(await found()).toBe(TWO);
  await station.post(`/api/device/${TWO}/`, { command: 'kill' });
  await station.post(`/api/device/${TWO}/replace/`, { deviceid: FOURTH });
  expect(await found()).toBe(FOURTH);
});

test('a place with goods that loses its last light is named by the answer, refused by strict callers, and in one alert', async () => {
  await label(ONE, 'A-1');
  const { id } = await alias('A-2');
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 4 }, { location: 'A-2' }, { location: 'Reserve' }]);
  const lost = expect.stringContaining('A-1 has goods (X) and no light any more');
  for (const [method, path, body] of [
    ['POST', `/api/device/${ONE}/?strict=1`, { locationoverride: 'B-1' }],
    ['PUT', `/api/location-aliases/${id}/?strict=1`, { name: 'B-2', deviceid: ONE, deviceIs: 'Below' }],
    ['DELETE', `/api/location-aliases/${id}/?strict=1`, undefined],
    ['DELETE', `/api/device/${ONE}/?strict=1`, undefined],
  ] as const)
    expect(await station.request(method, path, body), path).toMatchObject({ status: 400 });
  expect(await darkPlaces()).toEqual([]);
  expect((await label(ONE, 'B-1')).warnings).toEqual([expect.stringContaining('keeps its aliases: A-2'), lost]);
  const removed = await station.request('DELETE', `/api/location-aliases/${id}/`);
  expect(removed.headers.get('x-pickstation-warnings')).toContain('A-2 has goods');
  expect(await darkPlaces()).toEqual([expect.stringMatching(/^A-1, A-2 have goods, but no light any more/)]);
  await alias('A-2', TWO);
  expect(await darkPlaces()).toEqual([expect.stringMatching(/^A-1 has goods/)]);
  await label(THIRD, 'A-1');
  expect(await darkPlaces()).toEqual([]);
});

test('a device moves on the map to the cell of its new label, and takes no cell from a device with that label', async () => {
  const { shelves } = await station.post<{ shelves: { id: string }[] }>('/api/map/racks/', {
    name: 'A',
    columns: 3,
    shelves: ['A-1'],
  });
  const cells = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await station.get<{ places: { deviceid: string; column: number }[] }>('/api/map/')).places.map(
        ({ deviceid, column }) => [deviceid, column],
      ),
    );
  await station.request('PUT', `/api/map/places/${ONE}/`, { shelf: shelves[0]?.id, column: 0 });
  await label(ONE, 'A-1-2');
  expect(await cells()).toEqual({ [ONE]: 1 });
  await label(ONE, 'Bench');
  expect(await cells()).toEqual({ [ONE]: 1 });
  await label(ONE, 'A-1-2');
  await label(TWO, 'A-1-3');
  await label(TWO, 'A-1-2');
  expect(await cells()).toMatchObject({ [ONE]: 1 });
});
