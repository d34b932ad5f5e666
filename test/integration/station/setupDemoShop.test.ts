import { expect, test } from 'vitest';
import type { AuditEntry } from '#shared/api/access.ts';
import type { StationMap } from '#shared/api/map.ts';
import type { Order } from '#shared/api/order.ts';
import type { Sequence } from '#shared/api/sequence.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

test('the demo shop has two racks of simulated devices with labels, statics and working buttons', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  const answer = await station.request('POST', '/api/setup/demo/');
  expect(answer.status).toBe(201);
  const { racks, places } = answer.body as StationMap;
  expect(await station.get('/api/map/')).toEqual(answer.body);
  expect(racks.map(({ name, columns, shelves }) => [name, columns, shelves.map((shelf) => shelf.name)])).toEqual([
    ['Rack A', 4, ['A-4', 'A-3', 'A-2']],
    ['Rack B', 4, ['B-2']],
  ]);
  expect(places).toHaveLength(16);
  const names = new Map(racks.flatMap(({ shelves }) => shelves.map(({ id, name }) => [id, name] as const)));
  const graphics: { icon: string; barcode: string; qrcode: string }[] = [];
  for (const { deviceid, shelf, column } of places) {
    const device = await station.device(deviceid);
    expect(device.locationoverride).toBe(`${names.get(shelf)}-${column + 1}`);
    expect(device.buttons).toBe(names.get(shelf) === 'A-3' ? 3 : 1);
    expect(device.statica).not.toBe('');
    expect(device.staticc).toMatch(/^on hand \d+$/);
    const { icon, barcode, qrcode } = device;
    graphics.push({ icon, barcode, qrcode });
  }
  for (const graphic of ['icon', 'barcode', 'qrcode'] as const) {
    expect(
      graphics.some((each) => each[graphic] !== ''),
      graphic,
    ).toBe(true);
  }
  const [first] = places;
  const deviceid = first?.deviceid ?? '';
  await station.post(`/api/device/${deviceid}/`, { line1: 'M8 washer' });
  await station.clock.advance(5_000);
  await station.press(deviceid);
  expect((await station.device(deviceid)).commands).toEqual([]);
});

test('several simultaneous requests create the demo shop only once', async () => {
  await using station = await startTestStation();
  const answers = await Promise.all([1, 2, 3].map(() => station.request('POST', '/api/setup/demo/', {})));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await station.get('/api/device/')).toHaveLength(16);
  expect(await station.request('POST', '/api/setup/demo/')).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(await station.get('/api/device/')).toHaveLength(16);
});

test('the activity log says once who created the demo shop', async () => {
  await using station = await startTestStation();
  await station.post('/api/setup/demo/');
  await station.request('POST', '/api/setup/demo/');
  const entries = await station.get<AuditEntry[]>('/api/audit/');
  expect(entries.filter(({ action }) => action === 'setup.demo')).toMatchObject([{ by: 'API key', subject: '' }]);
});

test('existing devices keep their settings', async () => {
  await using station = await startTestStation({ simulate: 2 });
  await station.post('/api/device/51D000:000001/', { locationoverride: 'mine' });
  const { places } = await station.post<StationMap>('/api/setup/demo/');
  expect(places.map(({ deviceid }) => deviceid)).not.toContain('51D000:000001');
  expect((await station.device('51D000:000001')).locationoverride).toBe('mine');
});

test('the demo shop has an order and a sequence that can be launched, and a device for every item and step', async () => {
  await using station = await startTestStation({ refreshMs: 0 });
  await station.post('/api/setup/demo/');
  const [order] = await station.get<Order[]>('/api/orders/');
  const [sequence] = await station.get<Sequence[]>('/api/sequence/');
  expect([order?.state, sequence?.state]).toEqual(['open', 'unstarted']);
  const launched = await station.post<Order>(`/api/orders/${order?.order_number}/launch/`, {});
  expect(launched.unassigned).toEqual([]);
  const items = launched.shipments.flatMap((shipment) => shipment.items);
  expect(items.map(({ state }) => state)).toEqual(items.map(() => 'active'));
  for (const { deviceid, name } of items) expect((await station.device(deviceid ?? '')).statica).toBe(name);
  const running = await station.get<Sequence>(`/api/launchsequence/${encodeURIComponent(sequence?.sequenceid ?? '')}/`);
  expect(running.state).toBe('in-progress');
  for (const { deviceid, location } of running.steps.filter(({ state }) => state === 'active')) {
    expect((await station.device(deviceid ?? '')).locationoverride).toBe(location);
  }
});

test('does not change an existing order and sequence with the same names', async () => {
  await using station = await startTestStation({ simulate: 1 });
  await station.post('/api/orders/', { order_number: '10418', items: [{ name: 'mine', ordered_quantity: 1 }] });
  await station.post('/api/sequence/', {
    sequenceid: 'Bench kit',
    steps: [{ order: 1, location: 'x', line1: 'mine' }],
  });
  expect((await station.request('POST', '/api/setup/demo/')).status).toBe(201);
  expect((await station.get<Order>('/api/orders/10418/')).shipments[0]?.items[0]?.name).toBe('mine');
  expect((await station.get<Sequence>('/api/sequence/Bench%20kit/')).steps).toHaveLength(1);
});
