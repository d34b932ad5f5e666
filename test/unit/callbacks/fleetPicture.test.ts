import { expect, test, vi } from 'vitest';
import { createFleetPicture } from '../../../electron/server/mqtt/fleetPicture.ts';
import { findInFleet } from '../../../electron/server/mqtt/fleetFind.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/screens/template.ts';

function picture(limits?: { stations: number; states: number }, clock = createFakeClock(START_MS)) {
  const made = createFleetPicture({ clock, prefix: 'shop', own: 'one', limits });
  const tell = (topic: string, payload: unknown): void => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    made.take({ topic: `shop/${topic}`, text, isLive: true });
  };
  return { ...made, tell };
}

const find = (fleet: Parameters<typeof findInFleet>[0], wanted: string) => whole(findInFleet(fleet, wanted));

const [A, B, C] = ['51D000:00000A', '51D000:00000B', '51D000:00000C'] as const;
const INFO = { protocol: 1, name: 'pi', devices: 0 };
const DEVICE = { locationoverride: 'Shelf', online: true, battery: null, commands: [] };

test('limits the number of stations, devices and orders, and reports that the limit was reached', () => {
  const fleet = picture({ stations: 3, states: 2 });
  for (const id of ['one', 'two', 'three', 'four']) fleet.tell(`${id}/info`, INFO);
  expect(fleet.listStations().map(({ station }) => station)).toEqual(['one', 'three', 'two']);
  for (const id of [A, B, C]) fleet.tell(`two/devices/${id}`, DEVICE);
  expect(find(fleet, 'shelf')).toHaveLength(2);
  expect(fleet.listStations()[0]?.problem).toContain('at most 3 stations with 2 devices and orders');
  // A removed device makes room.
  fleet.tell(`two/devices/${A}`, '');
  fleet.tell(`two/devices/${B}`, DEVICE);
  fleet.tell(`two/devices/${C}`, DEVICE);
  expect(find(fleet, 'shelf').map(({ deviceid }) => deviceid)).toEqual([B, C]);
  fleet.asked('two');
  expect(find(fleet, 'shelf')).toEqual([]);
});

test('truncates long texts, and lists at most 50 alerts per station and 1,000 in total', () => {
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

test('a search over many devices runs in parts, so that other work can run in between', () => {
  const fleet = picture();
  fleet.tell('one/info', INFO);
  for (let id = 0; id < 1_200; id += 1)
    fleet.tell(`one/devices/51D000:00${1_000 + id}`, { ...DEVICE, locationoverride: `Shelf ${id}` });
  // Each device takes 0.002 ms.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.002));
  expect([...findInFleet(fleet, 'shelf')]).toHaveLength(2);
  clock.mockRestore();
  expect(find(fleet, 'shelf 1199')).toMatchObject([{ deviceid: '51D000:002199' }]);
});

test('a search has at most 50 results, with the exact match first', () => {
  const fleet = picture();
  fleet.tell('one/info', INFO);
  for (let number = 100; number < 200; number += 1)
    fleet.tell(`one/orders/SO-1${number}`, { order_number: `SO-1${number}`, state: 'open', attention: [] });
  fleet.tell('one/orders/SO-1', { order_number: 'SO-1', state: 'open', attention: [] });
  const found = find(fleet, 'so-1');
  expect(found).toHaveLength(50);
  expect(found[0]).toMatchObject({ order_number: 'SO-1', matched: 'order_number' });
});

test('ignores topics with a different prefix or the wrong number of levels', () => {
  const fleet = picture();
  for (const topic of ['one/info/more', 'one/events', 'one/devices/A/set', 'one', 'one/devices/A'])
    fleet.tell(topic, INFO);
  fleet.take({ topic: 'other/one/info', text: JSON.stringify(INFO), isLive: true });
  expect(fleet.listStations()).toEqual([]);
});

test('rejects a message that would take long to parse, and reads only the list entries that it shows', () => {
  const fleet = picture();
  fleet.tell('one/info', INFO);
  const alerts = Array.from({ length: 50 }, (_, each) => ({ kind: 'k', about: String(each) }));
  fleet.tell('one/info', { ...INFO, alerts: [...alerts, 'beyond'] });
  expect(fleet.listAlerts()).toHaveLength(50);
  const commands = Array.from({ length: 1_000 }, () => ({ state: 'shown' }));
  fleet.tell(`one/devices/${A}`, { ...DEVICE, commands: [...commands, 'beyond'] });
  expect(fleet.listStations()[0]?.devices.lit).toBe(1);
  fleet.tell('one/info', { ...INFO, more: 'x'.repeat(2 ** 20) });
  expect(fleet.listStations()[0]?.problem).toContain('cannot be read');
  fleet.tell('one/info', INFO);
  fleet.tell(`one/devices/${B}`, `{"locationoverride":"B","more":"${'x'.repeat(2 ** 20)}"}`);
  fleet.tell('one/orders/Y', { order_number: 'y'.repeat(2_000), state: 'open' });
  expect(fleet.listStations()[0]?.problem).toContain(`topic devices/${B} cannot be read`);
  expect(find(fleet, 'yy')).toEqual([]);
});

test('lists the newest alerts of many stations', () => {
  const fleet = picture();
  const alertsOf = (station: number) =>
    Array.from({ length: 50 }, (_, each) => {
      const since = new Date(START_MS + ((each * 7_919 + station * 104_729) % 100_000) * 1_000).toISOString();
      return { kind: 'device_offline', about: `${station} ${each}`, since, problem: '' };
    });
  const all = Array.from({ length: 300 }, (_, station) => alertsOf(station));
  for (const [station, alerts] of all.entries()) fleet.tell(`s${station}/info`, { ...INFO, alerts });
  const times = all.flat().map(({ since }) => since);
  const newest = times.toSorted().toReversed().slice(0, 1_000);
  expect(fleet.listAlerts().map(({ since }) => since)).toEqual(newest);
});

test('ignores an id that no station can have, and an empty message from an unknown station', () => {
  const fleet = picture({ stations: 2, states: 9 });
  for (const id of ['', 'a b', 'x'.repeat(65), '<b>', '\u202Ea', '%2e', 'é']) fleet.tell(`${id}/info`, INFO);
  expect(fleet.listStations()).toEqual([]);
  for (const id of ['a', 'b']) fleet.tell(`${id}/info`, INFO);
  fleet.tell('c/info', '');
  expect(fleet.listStations().map(({ problem }) => problem)).toEqual([null, null]);
  for (const id of ['__proto__', 'set']) {
    fleet.tell(`${id}/info`, INFO);
    expect(fleet.listStations()[0]?.problem).toContain('at most 2 stations');
  }
  fleet.begin();
  expect(fleet.listStations()[0]?.problem).toBeNull();
});

test('ignores a device whose topic does not contain a DeviceID, so that no link leads elsewhere', () => {
  const fleet = picture();
  fleet.tell('one/info', INFO);
  fleet.tell('one/devices/..%2F..%2Fx', DEVICE);
  expect(find(fleet, 'shelf')).toEqual([]);
  expect(fleet.listStations()[0]).toMatchObject({ devices: { count: 0 } });
});

test('sanitizes the texts and numbers of a station, and links only web addresses', () => {
  const fleet = picture();
  const stationWith = (given: object) => {
    fleet.tell('one/info', { ...INFO, ...given });
    return fleet.listStations()[0];
  };
  expect(stationWith({ name: 'a\u202Eb\u0000\n\u2066c' })?.name).toBe('a b c');
  expect(stationWith({ devices: Number.MAX_SAFE_INTEGER, open_alerts: -1 })).toMatchObject({
    devices: { count: 0 },
    open_alerts: 0,
  });
  const urls = ['https://user:pw@h.test/', 'javascript:alert(1)', 'http://', 'https://%', ' http://h', 'http://a b/'];
  for (const url of [...urls, `http://${'a'.repeat(500)}/`, 'http:\n//h/', 5])
    expect(stationWith({ url })?.url).toBe('');
  for (const url of ['http://127.0.0.1:4680/', 'HTTPS://h.test/a']) expect(stationWith({ url })?.url).toBe(url);
  const alert = { kind: '__proto__', about: 'x', since: null, problem: '' };
  stationWith({ alerts: [alert, { ...alert, problem: 'again' }] });
  expect(fleet.listAlerts()).toHaveLength(1);
});

test('an info of another instance does not rename a station that is online, unless the station is gone', async () => {
  const clock = createFakeClock(START_MS);
  const fleet = picture(undefined, clock);
  const named = () => fleet.listStations()[0]?.name;
  const tell = (name: string, instance?: string) => fleet.tell('two/info', { ...INFO, name, instance });
  tell('Berlin', 'a');
  fleet.tell('two/availability', 'online');
  for (const foreign of ['b', undefined]) {
    tell('Foreign', foreign);
    expect(named()).toBe('Berlin');
  }
  fleet.tell('two/info', '');
  expect(fleet.listStations()[0]).toMatchObject({ name: 'Berlin', problem: null });
  tell('Berlin 2', 'a');
  await clock.advance(10 * 60_000);
  expect(named()).toBe('Berlin 2');
  // A restart: the station was offline in between.
  fleet.tell('two/availability', 'offline');
  tell('Berlin 3', 'c');
  fleet.tell('two/availability', 'online');
  expect(named()).toBe('Berlin 3');
  // The station does not restore its topic, so another one has taken over.
  tell('Riga', 'd');
  await clock.advance(60_000);
  tell('Riga 2', 'd');
  expect(named()).toBe('Berlin 3');
  await clock.advance(61_000);
  expect(named()).toBe('Riga 2');
});

test('a station restores its info after a foreign one that arrived while it was offline', () => {
  const fleet = picture();
  const tell = (name: string, instance: string) => fleet.tell('two/info', { ...INFO, name, instance });
  tell('Berlin', 'a');
  fleet.tell('two/availability', 'offline');
  tell('Foreign', 'b');
  fleet.tell('two/availability', 'online');
  tell('Berlin', 'a');
  expect(fleet.listStations()[0]?.name).toBe('Berlin');
  tell('Foreign', 'b');
  expect(fleet.listStations()[0]?.name).toBe('Berlin');
});
