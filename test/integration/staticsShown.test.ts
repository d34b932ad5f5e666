import { expect, test } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import { startTestStation } from '../helpers/startTestStation.ts';

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

test('a change of any one thing that stays on a screen is shown, by devices that draw and by those that do not', async () => {
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
