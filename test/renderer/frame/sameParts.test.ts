import { expect, test } from 'vitest';
import type { Station } from '#shared/api/station.ts';
import { isSame, keepSame } from '../../../renderer/src/station/live/sameParts.ts';
import { alert, AT, device, station, userOf } from '../../helpers/snapshots.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

const before: Station = {
  ...station(device(ONE), device(TWO)),
  turbos: [
    {
      serial_number: 'T-1',
      name: 'Hall 2',
      status: 'online',
      transport: 'usb',
      port: '/dev/ttyACM0',
      firmware: 12,
      uptime: 60,
      last_seen: AT,
      device_count: 2,
      problem: null,
    },
  ],
  links: [
    {
      id: '4',
      kind: 'usb',
      url: '',
      name: '',
      key_set: false,
      places: [],
      problems: [],
      path: '/dev/ttyACM0',
      vendor_id: '',
      product_id: '',
      serial_number: '',
      baud_rate: 921_600,
      flow_control: false,
      step: 'online',
      problem: null,
      attempts: 0,
      next_try: null,
      turbo: 'T-1',
    },
  ],
  aliases: [{ id: 1, name: 'A-1', deviceid: ONE, deviceIs: 'Above' }],
  alerts: [alert('1')],
  last_import: { id: 1, at: AT, by: 'admin', counts: { new: 1, changed: 0, unchanged: 0, refused: 0 } },
};
/** Returns an equal copy, like a second response from the station. */
const read = (): Station => structuredClone(before);

test('if a snapshot is identical, keeps every previous part, so that nothing is redrawn', () => {
  const after = keepSame(before, read());
  for (const [name, part] of Object.entries(before)) expect(after[name as keyof Station], name).toBe(part);
});

test.each<Partial<Station>>([
  { turbos: [] },
  { links: [] },
  { user: userOf('ann', 'read') },
  { defaults: { seconds: 60, color: 'blue' } },
  { limits: { alert_battery_percent: 0, alert_weak_dbm: -85, order_stalled_minutes: 15 } },
  { map: { racks: [{ id: 'r', name: 'A', note: '', columns: 1, shelves: [] }], places: [], zones: [] } },
  { alerts: [] },
  { aliases: [] },
  { last_import: null },
  { devices: [device(ONE)] },
])('replaces a part that differs, and keeps the others: %j', (change) => {
  const next = { ...read(), ...change };
  const after = keepSame(before, next);
  expect(after).toEqual(next);
  for (const [name, part] of Object.entries(before))
    if (!(name in change)) expect(after[name as keyof Station], name).toBe(part);
});

test('replaces only the device that differs', () => {
  const changed = device(TWO, { statica: 'new' });
  const { devices } = keepSame(before, { ...read(), devices: [device(ONE), changed] });
  expect(devices[0]).toBe(before.devices[0]);
  expect(devices[1]).toBe(changed);
});

test.each([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: undefined }, { b: undefined }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[], {}, false],
  [{}, [], false],
  [null, {}, false],
  [{}, null, false],
  ['a', ['a'], false],
  [1, '1', false],
])('%j and %j are the same: %s', (a, b, same) => {
  expect(isSame(a, b)).toBe(same);
});
