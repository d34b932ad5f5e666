import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LightedPlace, LocatedPlace } from '#shared/api/locate.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const THREE = '51D000:000003';

let station: TestStation & AsyncDisposable;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await change(ONE, { locationoverride: 'A-3-1', statica: 'Cable tie 200' });
  await change(TWO, { locationoverride: 'A-3-2', statica: '\\bcCT-300' });
});

afterEach(() => station.stop());

const change = (deviceId: string, body: object) => station.post(`/api/device/${deviceId}/`, body);
const locate = (q: string) => station.get<LocatedPlace[]>(`/api/locate/?q=${encodeURIComponent(q)}`);
const light = (q: string, how: object = {}) => station.post<LightedPlace[]>('/api/locate/', { q, ...how });
const queueOf = async (deviceId: string) =>
  (await station.get<{ commands: Record<string, unknown>[] }>(`/api/device/${deviceId}/`)).commands;

async function launch(number: string, items: readonly object[]): Promise<void> {
  await station.post('/api/orders/', { order_number: number, items });
  await station.post(`/api/orders/${number}/launch/`, {});
}

test('locating a place returns its device and article without lighting anything', async () => {
  const idle = { order_number: null, is_lit: false };
  expect(await locate('a-3-1')).toEqual([
    { deviceid: ONE, location: 'A-3-1', article: 'Cable tie 200', matched: 'label', ...idle },
  ]);
  expect(await locate(THREE)).toEqual([
    { deviceid: THREE, location: THREE, article: '', matched: 'deviceid', ...idle },
  ]);
  expect((await locate('A-3')).map(({ location }) => location)).toEqual(['A-3-1', 'A-3-2']);
  expect(await locate('CT-300')).toMatchObject([{ deviceid: TWO, article: 'CT-300', matched: 'static' }]);
  expect(await locate('nowhere')).toEqual([]);
  for (const deviceId of [ONE, TWO, THREE]) expect(await queueOf(deviceId)).toEqual([]);
});

test('lighting an article shows its place and name for ten seconds, without a callback', async () => {
  const lit = await light('ct-300');
  expect(lit).toMatchObject([{ deviceid: TWO, location: 'A-3-2', command_id: expect.any(String) as string }]);
  expect(await queueOf(TWO)).toMatchObject([
    { command: 'flash', line1: 'A-3-2', line2: 'CT-300', seconds: 10, color: 'magenta', nonce: '' },
  ]);
  await station.clock.advance(9_000);
  expect(await queueOf(TWO)).toHaveLength(1);
  await station.clock.advance(4_000);
  expect(await queueOf(TWO)).toEqual([]);
  expect(await station.get('/api/callbacks/')).toEqual([]);
});

test('a request can set seconds and color, and a place at an alias has an arrow', async () => {
  await station.post('/api/location-aliases/', { name: 'A-3-3', deviceid: TWO, deviceIs: 'to the Left of' });
  await light('A-3-3', { seconds: 30, color: 'blue' });
  expect(await queueOf(TWO)).toMatchObject([{ line1: 'A-3-3', seconds: 30, color: 'blue', arrow: 'right' }]);
});

test('lighting a place again restarts the time instead of adding another light', async () => {
  await light('A-3-1');
  await station.clock.advance(8_000);
  await light('A-3-1');
  await station.clock.advance(8_000);
  expect(await queueOf(ONE)).toHaveLength(1);
});

test('lights all places of an exactly matching article, but refuses a partial name that matches several places', async () => {
  await change(THREE, { statica: 'Cable tie 200' });
  expect((await light('cable tie 200')).map(({ deviceid }) => deviceid).toSorted()).toEqual([ONE, THREE]);
  expect(await light('3-2')).toMatchObject([{ deviceid: TWO }]);
  const refused = await station.request('POST', '/api/locate/', { q: 'A-3' });
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: '"A-3" is a part of 2 places: A-3-1, A-3-2. Nothing was lit. Give the whole name of one.' },
  });
});

test('prefers an exact name to a longer one, and lights both devices that share a label', async () => {
  await change(THREE, { statica: 'Cable tie 200 XL' });
  expect(await light('cable tie 200')).toMatchObject([{ deviceid: ONE }]);
  await change(THREE, { locationoverride: 'A-3-2' });
  expect((await light('a-3-2')).map(({ deviceid }) => deviceid)).toEqual([TWO, THREE]);
});

test('returns a place once, even if several orders contain the article', async () => {
  const items = [{ SKU: 'M8-20', ordered_quantity: 2, warehouse_location: 'A-3-1' }];
  for (const number of ['7001', '7002']) await station.post('/api/orders/', { order_number: number, items });
  expect(await locate('M8-20')).toMatchObject([{ deviceid: ONE, location: 'A-3-1' }]);
  expect(await locate('M8')).toHaveLength(1);
});

test('finds an article in an order at the place of its item', async () => {
  await station.post('/api/orders/', {
    order_number: '7001',
    items: [{ SKU: 'M8-20', name: 'Bolt', ordered_quantity: 2, warehouse_location: 'A-3-1' }],
  });
  expect(await locate('M8-20')).toMatchObject([{ deviceid: ONE, location: 'A-3-1', article: 'M8-20 · Bolt' }]);
  expect(await light('M8-20')).toMatchObject([{ deviceid: ONE }]);
  expect(await queueOf(ONE)).toMatchObject([{ line1: 'A-3-1', line2: 'M8-20 · Bolt' }]);
});

test('lighting a place that is already lit for an order changes nothing, and a press there counts', async () => {
  await launch('7001', [{ name: 'Bolt', ordered_quantity: 2, warehouse_location: 'A-3-1' }]);
  await station.clock.advance(3_000);
  const before = await queueOf(ONE);
  expect(await locate('A-3-1')).toMatchObject([{ is_lit: true, order_number: '7001' }]);
  expect(await light('A-3-1')).toMatchObject([{ is_lit: true, order_number: '7001', command_id: null }]);
  expect((await queueOf(ONE)).map(({ command_id: id }) => id)).toEqual(before.map(({ command_id: id }) => id));
  await station.press(ONE);
  expect(await station.get('/api/orders/7001/')).toMatchObject({ state: 'fulfilled' });
});

test('an order launched while a place is located is lit afterwards', async () => {
  await light('A-3-1');
  await launch('7002', [{ name: 'Bolt', ordered_quantity: 2, warehouse_location: 'A-3-1' }]);
  await station.clock.advance(13_000);
  expect(await queueOf(ONE)).toMatchObject([{ order_number: '7002', state: 'shown' }]);
});

test('answers 404 with a reason for an unknown place, and 400 for a wrong color or time', async () => {
  const unknown = await station.request('POST', '/api/locate/', { q: 'CT-999' });
  expect(unknown).toMatchObject({ status: 404 });
  expect(JSON.stringify(unknown.body)).toContain('No alias, label, DeviceID, article of an order or line on a display');
  for (const wrong of [{ color: 'no color' }, { seconds: 0 }, { seconds: 301 }, { q: ' ' }]) {
    expect(await station.request('POST', '/api/locate/', { q: 'A-3-1', ...wrong })).toMatchObject({ status: 400 });
  }
  expect(await queueOf(ONE)).toEqual([]);
});
