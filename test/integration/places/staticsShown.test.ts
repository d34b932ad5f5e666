import { expect, test } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';
import { watchMessages } from '../../helpers/servers/watchMessages.ts';

const ONE_FIELD: readonly DeviceRequest[] = [
  { statica: 'a' },
  { staticb: 'b' },
  { staticc: 'c' },
  { staticb: '', staticd: 'b' },
  { staticc: '', staticd: '', statice: 'c' },
  { arrow: 'left' },
  { arrow: 'up' },
  { icon: 'hazardd' },
  { icon: 'hazardD' },
  { icon: '', quantity: 0 },
  { quantity: 7 },
  { quantity: null, qrcode: '1' },
  { qrcode: '2' },
  { qrcode: '', barcode: '1' },
  { barcode: '2' },
  { locationoverride: 'A-1' },
];

test('shows a change to any single static field, on devices that draw and on devices that do not', async () => {
  await using station = await startTestStation({ simulate: 1, refreshMs: 0 });
  const [old] = await station.post<{ deviceid: string }[]>('/api/simulator/devices/', { count: 1, firmware: 66 });
  await station.patch(`/api/simulator/devices/${old?.deviceid}/`, { refresh_ms: 0 });
  await station.clock.advance(5_000);
  for (const deviceid of ['51D000:000001', old?.deviceid ?? '']) {
    for (const request of ONE_FIELD) {
      const { screen } = await station.post<{ screen: object }>('/api/preview/', { deviceid, ...request });
      const before = (await station.device(deviceid)).displayed?.screen;
      await station.post('/api/devices/', { deviceid, ...request });
      await station.clock.advance(1_000);
      const after = (await station.device(deviceid)).displayed?.screen;
      expect(after, JSON.stringify(request)).toEqual(screen);
      expect(after).not.toEqual(before);
    }
  }
});

test('a background is sent without a time limit, even when its device is removed', async () => {
  const wire = watchMessages();
  await using station = await startTestStation({ simulate: 1, watchTransport: wire.watch });
  await station.post('/api/device/51D000:000001/', { statica: 'a' });
  await station.clock.advance(5_000);
  await station.post('/api/device/51D000:000001/', { line1: 'pick', statica: 'b', seconds: 9 });
  await station.clock.advance(5_000);
  await station.request('DELETE', '/api/device/51D000:000001/');
  await station.clock.advance(5_000);
  const seconds = (token: 'work' | 'background') =>
    wire.sent('show').flatMap((body) => ((body.token === 0) === (token === 'background') ? [body.seconds] : []));
  expect(seconds('work')).toContain(9);
  expect(new Set(seconds('background'))).toEqual(new Set([0]));
});
