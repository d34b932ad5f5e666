import { expect, test } from 'vitest';
import type { StationMap } from '#shared/api/map.ts';
import { startTestStation } from '../helpers/startTestStation.ts';

test('the demo shop is two racks of simulated devices with labels, statics and buttons that can be pressed', async () => {
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

test('the demo shop is made once, however many ask for it at the same moment', async () => {
  await using station = await startTestStation();
  const answers = await Promise.all([1, 2, 3].map(() => station.request('POST', '/api/setup/demo/', {})));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await station.get('/api/device/')).toHaveLength(16);
  expect(await station.request('POST', '/api/setup/demo/')).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(await station.get('/api/device/')).toHaveLength(16);
});

test('devices that are there already keep what they have', async () => {
  await using station = await startTestStation({ simulate: 2 });
  await station.post('/api/device/51D000:000001/', { locationoverride: 'mine' });
  const { places } = await station.post<StationMap>('/api/setup/demo/');
  expect(places.map(({ deviceid }) => deviceid)).not.toContain('51D000:000001');
  expect((await station.device('51D000:000001')).locationoverride).toBe('mine');
});
