import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Carrier, CarrierResult } from '#shared/api/carrier.ts';
import type { FoundThing } from '#shared/api/find.ts';
import { addBatch, addCart, addTies, SLOT_A1, SLOT_A2 } from '../../helpers/batches.ts';
import { addOrder, itemsOf } from '../../helpers/orders.ts';
import { API_KEY, type TestStation, startTestStation } from '../../helpers/startTestStation.ts';

let station: TestStation & AsyncDisposable;
beforeEach(async () => void (station = await startTestStation({ simulate: 6, refreshMs: 0 })));
afterEach(() => station.stop());

const post = (path: string, body: object) => station.request('POST', path, body);
const detailOf = ({ body }: { body: unknown }): string => (body as { detail: string }).detail;

test('the station creates the slots of a cart; the request gives their codes and devices', async () => {
  const { id, slots, warnings } = await addCart(station);
  expect(warnings).toEqual([]);
  expect(slots).toEqual([
    { slot: 'A1', code: 'C1-A1', deviceid: SLOT_A1, back_deviceid: null },
    { slot: 'A2', code: null, deviceid: SLOT_A2, back_deviceid: null },
    { slot: 'B1', code: null, deviceid: null, back_deviceid: null },
    { slot: 'B2', code: null, deviceid: null, back_deviceid: null },
  ]);
  expect(await station.get<Carrier[]>('/api/carts/')).toHaveLength(1);
  expect(await station.get<Carrier[]>('/api/walls/')).toEqual([]);
  expect((await station.request('GET', `/api/walls/${id}/`)).status).toBe(404);
});

test('a cart has at most 26 rows and 9 columns', async () => {
  const { slots } = await station.post<CarrierResult>('/api/walls/', { name: 'Wall', rows: 26, columns: 9 });
  expect([slots[0]?.slot, slots.at(-1)?.slot, slots.length]).toEqual(['A1', 'Z9', 234]);
  expect((await post('/api/carts/', { name: 'Big', rows: 27, columns: 9 })).status).toBe(400);
  expect((await post('/api/carts/', { name: 'Big', rows: 1, columns: 1, slots: [{ slot: 'A2' }] })).status).toBe(400);
});

test('names and codes are unique across carts and walls, in any case', async () => {
  await addCart(station);
  const wall = { name: 'Wall 1', rows: 1, columns: 1 };
  expect((await post('/api/walls/', { ...wall, name: 'cart 1' })).status).toBe(409);
  expect(detailOf(await post('/api/walls/', { ...wall, code: 'cart-1' }))).toContain('the cart Cart 1');
  expect(detailOf(await post('/api/walls/', { ...wall, slots: [{ slot: 'A1', code: 'c1-a1' }] }))).toContain('slot A1');
  expect(await station.get<Carrier[]>('/api/walls/')).toEqual([]);
});

test('a device can serve only one side of one slot', async () => {
  await addCart(station);
  const slots = [{ slot: 'A1', back_deviceid: SLOT_A1 }];
  const refused = await post('/api/walls/', { name: 'Wall 1', rows: 1, columns: 1, slots });
  expect(detailOf(refused)).toBe(`${SLOT_A1} already serves slot A1 of the cart Cart 1. Remove it there first.`);
  const twice = [{ slot: 'A1', deviceid: '51D000:000005', back_deviceid: '51D000:000005' }];
  expect((await post('/api/walls/', { name: 'Wall 1', rows: 1, columns: 1, slots: twice })).status).toBe(400);
});

test('the device of a place cannot serve a slot; a device with a label can, but the label then names no place', async () => {
  await station.post('/api/location-aliases/', { name: 'A-9-9', deviceid: SLOT_A1, deviceIs: 'Above' });
  const cart = { name: 'Cart 1', rows: 1, columns: 1, slots: [{ slot: 'A1', deviceid: SLOT_A1 }] };
  expect(detailOf(await post('/api/carts/', cart))).toContain('serves the place A-9-9');
  await station.request('DELETE', '/api/location-aliases/1/');
  await station.post(`/api/device/${SLOT_A1}/`, { locationoverride: 'Q-1' });
  const { id, warnings } = await station.post<CarrierResult>('/api/carts/', cart);
  expect(warnings).toEqual([expect.stringContaining('its label Q-1 is not a place')]);

  const lit = (where: object) => post('/api/devices/', { ...where, line1: 'x' });
  expect((await lit({ location: 'Q-1' })).status).toBe(404);
  expect((await lit({ location: SLOT_A1 })).status).toBe(404);
  expect((await lit({ deviceid: SLOT_A1 })).status).toBe(200);
  await addOrder(station, 'SO-1', [
    { name: 'a', ordered_quantity: 1, deviceid: SLOT_A1 },
    { name: 'b', ordered_quantity: 1, warehouse_location: 'Q-1' },
  ]);
  expect((await station.request('POST', '/api/orders/SO-1/launch/')).status).toBe(409);
  expect((await itemsOf(station, 'SO-1')).map(({ state }) => state)).toEqual(['open', 'open']);
  expect((await station.get<FoundThing[]>('/api/find/?q=Q-1')).filter(({ kind }) => kind === 'device')).toEqual([]);
  const alias = await post('/api/location-aliases/', { name: 'A-9-9', deviceid: SLOT_A1, deviceIs: 'Above' });
  expect(alias.status).toBe(409);

  await station.request('DELETE', `/api/carts/${id}/`);
  expect((await lit({ location: 'Q-1' })).status).toBe(200);
});

test('an article whose place is the DeviceID of a slot gets a warning that the place has no light', async () => {
  await addCart(station);
  const place = (location: string) => ({ sku: location, places: [{ location }] });
  const warned = async (location: string) =>
    (await station.post<{ warnings: string[] }>('/api/articles/', place(location))).warnings.length;
  expect([await warned(SLOT_A1), await warned('51D000:000005')]).toEqual([1, 0]);
});

test("replacing a slot's device assigns the new device to the slot; removing the device leaves the slot without a light", async () => {
  await addCart(station);
  await station.post(`/api/device/${SLOT_A1}/replace/`, { deviceid: '51D000:000005' });
  expect((await station.request('DELETE', `/api/device/${SLOT_A2}/`)).status).toBe(204);
  const { slots } = await station.get<Carrier>('/api/carts/1/');
  expect(slots.slice(0, 2).map(({ deviceid }) => deviceid)).toEqual(['51D000:000005', null]);
});

test('a cart in a live batch cannot be changed or deleted', async () => {
  await addCart(station);
  await addTies(station, 'SO-1', 1);
  await addBatch(station, ['SO-1']);
  const change = { name: 'Cart 2', rows: 1, columns: 1 };
  expect((await station.request('PUT', '/api/carts/1/', change)).status).toBe(409);
  expect(detailOf(await station.request('DELETE', '/api/carts/1/'))).toContain('is in batch 1');
  await station.request('DELETE', '/api/batches/1/');
  expect((await station.request('PUT', '/api/carts/1/', change)).status).toBe(200);
  expect((await station.request('DELETE', '/api/carts/1/')).status).toBe(204);
});

test('rejects replacing or deleting a cart or wall that somebody else has changed since it was read', async () => {
  await addCart(station);
  await station.post('/api/walls/', { name: 'Wall 1', code: 'W1', rows: 1, columns: 2 });
  const ask = (method: string, path: string, tag: string, body?: object) =>
    station.request(method, path, body, { 'api-key': API_KEY, 'content-type': 'application/json', 'if-match': tag });
  for (const path of ['/api/carts/1/', '/api/walls/2/']) {
    const { headers, body } = await station.request('GET', path);
    const tag = headers.get('etag') ?? '';
    const { id: _, ...read } = body as Carrier;
    expect((await station.request('PUT', path, { ...read, code: 'NEW' })).status).toBe(200);
    // A PUT also clears omitted fields, so it conflicts with changes to those.
    for (const late of [read, { name: read.name, rows: read.rows, columns: read.columns }]) {
      expect(await ask('PUT', path, tag, late)).toMatchObject({
        status: 412,
        body: { code: 'changed', errors: [{ path: '/code' }] },
      });
    }
    expect((await ask('DELETE', path, tag)).status).toBe(412);
    expect(await station.get<Carrier>(path)).toMatchObject({ ...read, code: 'NEW' });
    const now = (await station.request('GET', path)).headers.get('etag') ?? '';
    const changed = await ask('PUT', path, now, { ...read, code: 'N2', slots: [] });
    expect([changed.status, changed.headers.get('etag')]).toEqual([
      200,
      (await station.request('GET', path)).headers.get('etag'),
    ]);
    expect((await ask('DELETE', path, changed.headers.get('etag') ?? '')).status).toBe(204);
  }
});
