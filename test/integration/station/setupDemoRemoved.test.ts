import { expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Rack, StationMap } from '#shared/api/map.ts';
import type { Order, OrderProgress } from '#shared/api/order.ts';
import type { DemoShop } from '#shared/api/setup.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEMO = '/api/setup/demo/';
const NOTHING: DemoShop = { orders: [], sequences: [], racks: [], devices: [], kept: [], lit: [] };
const numbers = (orders: readonly OrderProgress[]) => orders.map(({ order_number: number }) => number);

async function remove(station: TestStation): Promise<DemoShop> {
  const { status, body } = await station.request('DELETE', DEMO);
  expect([status, body]).toMatchObject([200, {}]);
  return body as DemoShop;
}

async function deviceAt(station: TestStation, label: string): Promise<string> {
  for (const deviceid of await station.get<string[]>('/api/device/')) {
    // oxlint-disable-next-line no-await-in-loop -- few devices
    if ((await station.device(deviceid)).locationoverride === label) return deviceid;
  }
  throw new Error(`Nothing is labeled ${label}.`);
}

test('removes everything that the demo shop created, and lists it before and after', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  expect(await station.get(DEMO)).toEqual(NOTHING);
  await station.post(DEMO, {});
  const preview = await station.get<DemoShop>(DEMO);
  expect(preview).toMatchObject({
    orders: ['10418'],
    sequences: ['Bench kit'],
    racks: ['Rack A', 'Rack B'],
    kept: [],
    lit: [],
  });
  expect(preview.devices).toHaveLength(16);
  expect(await remove(station)).toEqual(preview);
  expect(await station.get('/api/device/')).toEqual([]);
  expect(await station.get('/api/orders/')).toEqual([]);
  expect(await station.get('/api/sequence/')).toEqual([]);
  expect(await station.get('/api/map/')).toEqual({ racks: [], places: [], zones: [] });
  expect(await remove(station)).toEqual(NOTHING);
  const entries = await station.get<AuditEntry[]>('/api/audit/');
  expect(entries.filter(({ action }) => action === 'setup.demo_removed')).toHaveLength(1);
  // The demo shop can be created again.
  expect((await station.request('POST', DEMO, {})).status).toBe(201);
});

test('removes the orders of the tour, whether picked or not', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  await station.post(DEMO, {});
  const { shipments } = await station.get<Order>('/api/orders/10418/');
  const again = (shipments[0]?.items ?? []).map(({ name, description, ordered_quantity, warehouse_location }) => ({
    name,
    description,
    ordered_quantity,
    warehouse_location,
  }));
  await station.post('/api/orders/', { order_number: 'DEMO-2', items: again });
  await station.post('/api/orders/', { order_number: 'DEMO-3', items: [{ name: 'mine', ordered_quantity: 1 }] });
  await station.post('/api/orders/10418/launch/', {});
  for (const { id, ordered_quantity: wanted } of shipments[0]?.items ?? []) {
    await station.patch(`/api/orders/10418/items/${id}/`, { quantity_fulfilled: wanted });
  }
  expect((await remove(station)).orders).toEqual(['10418', 'DEMO-2']);
  expect(numbers(await station.get('/api/order-progress/'))).toEqual(['DEMO-3']);
});

test('keeps every row that the owner added or changed', async () => {
  await using station = await startTestStation({ refreshMs: 0, simulate: 2 });
  await station.post(DEMO, {});
  const [mine, other] = ['51D000:000001', '51D000:000002'];
  await station.post(`/api/device/${mine}/`, { locationoverride: 'C-1-1', statica: 'Own part' });
  const relabeled = await deviceAt(station, 'B-2-4');
  await station.post(`/api/device/${relabeled}/`, { locationoverride: 'My shelf' });
  const aliased = await deviceAt(station, 'A-2-1');
  await station.post('/api/location-aliases/', { name: 'Above it', deviceid: aliased, deviceIs: 'Above' });
  const map = await station.get<StationMap>('/api/map/');
  const own = await station.post<Rack>('/api/map/racks/', { name: 'Mine', columns: 2, shelves: ['C-1'] });
  await station.request('PUT', `/api/map/places/${mine}/`, { shelf: own.shelves[0]?.id, column: 0 });
  const rackB = map.racks[1];
  await station.post('/api/map/zones/', { name: 'Cold', racks: [own.id, map.racks[0]?.id] });
  await station.post('/api/orders/', {
    order_number: '7',
    items: [{ name: 'x', ordered_quantity: 2, warehouse_location: 'A-4-1' }],
  });
  await station.post('/api/sequence/', { sequenceid: 'Mine', steps: [{ order: 1, location: 'C-1-1', line1: 'x' }] });
  const removed = await remove(station);
  expect(removed.devices).toHaveLength(14);
  expect(removed.racks).toEqual([]);
  expect(removed.kept).toEqual([
    { kind: 'rack', name: 'Rack A', reason: 'It holds devices that stay.' },
    { kind: 'rack', name: 'Rack B', reason: 'It holds devices that stay.' },
    { kind: 'device', name: 'A-2-1', reason: 'It also serves places of yours.' },
    { kind: 'device', name: 'My shelf', reason: 'Its label or its screen texts were changed.' },
  ]);
  expect(await station.get('/api/device/')).toEqual([mine, other, aliased, relabeled].sort());
  expect((await station.device(mine)).statica).toBe('Own part');
  const after = await station.get<StationMap>('/api/map/');
  expect(after.racks.map(({ name }) => name)).toEqual(['Rack A', 'Rack B', 'Mine']);
  expect(after.places).toContainEqual({ deviceid: relabeled, shelf: rackB?.shelves[0]?.id, column: 3 });
  expect(after.zones).toMatchObject([{ name: 'Cold', racks: [own.id, map.racks[0]?.id] }]);
  expect(numbers(await station.get('/api/order-progress/'))).toEqual(['7']);
  const sequences = await station.get<{ sequenceid: string }[]>('/api/sequence/');
  expect(sequences.map(({ sequenceid }) => sequenceid)).toEqual(['Mine']);
  expect(await station.get<LocationAlias[]>('/api/location-aliases/')).toMatchObject([{ name: 'Above it' }]);
  // Removing the demo shop again removes nothing, because the rest belongs to the owner.
  expect(await remove(station)).toMatchObject({ devices: [], racks: [], orders: [] });
});

test('keeps a rack that was renamed and an order to which a customer was added', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  const { racks } = await station.post<StationMap>(DEMO, {});
  await station.patch(`/api/map/racks/${racks[1]?.id}/`, { name: 'Gloves' });
  await station.patch('/api/orders/10418/', { customer: 'Baker' });
  const { racks: removed, orders, kept } = await remove(station);
  expect([removed, orders]).toEqual([['Rack A'], []]);
  expect(kept).toEqual([
    { kind: 'order', name: '10418', reason: 'It has a customer or a note.' },
    { kind: 'rack', name: 'Gloves', reason: 'It was changed.' },
  ]);
});

test('removes a demo device that was replaced, and keeps the device that replaced it', async () => {
  await using station = await startTestStation({ refreshMs: 0, simulate: 1 });
  await station.post(DEMO, {});
  const replaced = await deviceAt(station, 'A-4-1');
  await station.post(`/api/device/${replaced}/replace/`, { deviceid: '51D000:000001' });
  const { devices, kept } = await remove(station);
  expect(devices.map(({ deviceid }) => deviceid)).toContain(replaced);
  expect(kept).toEqual([{ kind: 'rack', name: 'Rack A', reason: 'It holds devices that stay.' }]);
  expect((await station.device('51D000:000001')).locationoverride).toBe('A-4-1');
});

test('removes nothing while a part of the demo shop is lit, and lists what is lit', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  await station.post(DEMO, {});
  const before = await station.get<DemoShop>(DEMO);
  await station.post(`/api/device/${await deviceAt(station, 'A-4-1')}/`, { line1: 'Somebody works here' });
  expect(await station.get(DEMO)).toEqual({ ...before, lit: ['A-4-1'] });
  const refused = await station.request('DELETE', DEMO);
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(JSON.stringify(refused.body)).toContain('lit: A-4-1.');
  await station.post(`/api/device/${await deviceAt(station, 'A-4-1')}/`, { command: 'kill' });
  expect(await station.get(DEMO)).toEqual(before);
  await station.post('/api/orders/10418/launch/', {});
  expect((await station.get<DemoShop>(DEMO)).lit).toContain('order 10418');
  expect((await station.request('DELETE', DEMO)).status).toBe(409);
  await station.get(`/api/launchsequence/${encodeURIComponent('Bench kit')}/`);
  expect((await station.get<DemoShop>(DEMO)).lit).toContain('sequence Bench kit');
});

test('only an admin can remove the demo shop', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  await station.post('/api/users/', { username: 'Anna', password: 'a few easy words', role: 'picker' });
  await station.post(DEMO, {});
  const session = await station.post<{ apikey: string }>('/api/user/login/', {
    username: 'Anna',
    password: 'a few easy words',
  });
  const asAnna = { 'api-key': session.apikey };
  const refused = await station.request('DELETE', DEMO, undefined, asAnna);
  expect(refused.status).toBe(403);
  expect(await station.get<unknown[]>('/api/device/')).toHaveLength(16);
});
