import { expect, test } from 'vitest';
import { createFleetPicture } from '../../electron/server/mqtt/fleetPicture.ts';
import { findInFleet } from '../../electron/server/mqtt/fleetFind.ts';
import { whole } from '#shared/lib/inParts.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';
import { START_MS } from '../helpers/template.ts';

function picture(limits?: { stations: number; states: number }) {
  const made = createFleetPicture({ clock: createFakeClock(START_MS), prefix: 'shop', own: 'one', limits });
  const tell = (topic: string, payload: unknown): void => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    made.take({ topic: `shop/${topic}`, text, isLive: true });
  };
  return { ...made, tell };
}

const find = (fleet: Parameters<typeof findInFleet>[0], wanted: string) => whole(findInFleet(fleet, wanted));

const INFO = { protocol: 1, name: 'pi', devices: 0 };
const DEVICE = { locationoverride: 'Shelf', online: true, battery: null, commands: [] };

test('keeps no more stations, devices and orders than it may, and says so', () => {
  const fleet = picture({ stations: 3, states: 2 });
  for (const id of ['one', 'two', 'three', 'four']) fleet.tell(`${id}/info`, INFO);
  expect(fleet.listStations().map(({ station }) => station)).toEqual(['one', 'three', 'two']);
  for (const id of ['A', 'B', 'C']) fleet.tell(`two/devices/${id}`, DEVICE);
  expect(find(fleet, 'shelf')).toHaveLength(2);
  expect(fleet.listStations()[0]?.problem).toContain('at most 3 stations with 2 devices and orders');
  // What goes makes room.
  fleet.tell('two/devices/A', '');
  fleet.tell('two/devices/B', DEVICE);
  fleet.tell('two/devices/C', DEVICE);
  expect(find(fleet, 'shelf').map(({ deviceid }) => deviceid)).toEqual(['B', 'C']);
  fleet.asked('two');
  expect(find(fleet, 'shelf')).toEqual([]);
});

test('long texts are cut, and there are no more than 50 alerts of a station and 1,000 in all', () => {
  const fleet = picture();
  const alerts = Array.from({ length: 60 }, (_, each) => ({
    kind: 'device_offline',
    about: `device ${each}`,
    since: new Date(START_MS + each).toISOString(),
    problem: 'x'.repeat(10_000),
  }));
  for (let id = 0; id < 30; id += 1) fleet.tell(`s${id}/info`, { ...INFO, name: 'n'.repeat(9_999), alerts });
  expect(fleet.listStations()[0]?.name).toHaveLength(200);
  const listed = fleet.listAlerts();
  expect(listed).toHaveLength(1_000);
  expect(listed.filter(({ station }) => station === 's3').length).toBeLessThanOrEqual(50);
  expect(listed[0]).toMatchObject({ about: 'device 49', problem: 'x'.repeat(200) });
});

test('a search in many devices is split, so that others come between', () => {
  const fleet = picture();
  fleet.tell('one/info', INFO);
  for (let id = 0; id < 1_200; id += 1) fleet.tell(`one/devices/${id}`, { ...DEVICE, locationoverride: `Shelf ${id}` });
  expect([...findInFleet(fleet, 'shelf')]).toHaveLength(2);
  expect(find(fleet, 'shelf 1199')).toMatchObject([{ deviceid: '1199' }]);
});

test('a search has at most 50 results, and the whole text comes first', () => {
  const fleet = picture();
  fleet.tell('one/info', INFO);
  for (let number = 100; number < 200; number += 1)
    fleet.tell(`one/orders/SO-1${number}`, { order_number: `SO-1${number}`, state: 'open', attention: [] });
  fleet.tell('one/orders/SO-1', { order_number: 'SO-1', state: 'open', attention: [] });
  const found = find(fleet, 'so-1');
  expect(found).toHaveLength(50);
  expect(found[0]).toMatchObject({ order_number: 'SO-1', matched: 'order_number' });
});

test('topics elsewhere, deeper and above are none of its business', () => {
  const fleet = picture();
  for (const topic of ['one/info/more', 'one/events', 'one/devices/A/set', 'one', 'one/devices/A'])
    fleet.tell(topic, INFO);
  fleet.take({ topic: 'other/one/info', text: JSON.stringify(INFO), isLive: true });
  expect(fleet.listStations()).toEqual([]);
});
