import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startSerialMachine } from '../../helpers/devices/serialMachine.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const KNOWN = '51D000:000001';
const NEW = '51D000:000002';
const ALSO_NEW = '51D000:000003';

let first: TestStation;
let station: TestStation;

/**
 * Starts a station that knows only one of three devices in range. The others are deleted from its database, so they appear as unregistered
 * hardware.
 */
beforeEach(async () => {
  first = await startTestStation({ simulate: 3, refreshMs: 0 });
  await first.patch('/api/settings/', { accept_devices: 'ask' });
  await first.halt();
  const db = new Database(join(first.dataFolder, 'pickstation.sqlite'));
  db.pragma('foreign_keys = OFF');
  db.prepare('DELETE FROM devices WHERE device_id <> ?').run(KNOWN);
  db.close();
  station = await startTestStation({ dataFolder: first.dataFolder });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await first.stop();
});

const waiting = async () =>
  (await station.get<{ deviceid: string }[]>('/api/devices/waiting/')).map((each) => each.deviceid);
const light = (deviceid: string) => station.request('POST', `/api/device/${deviceid}/`, { line1: 'x' });

test('if the station is set to ask, a new device waits: it is listed, but accepts no commands', async () => {
  expect(await station.get('/api/device/')).toEqual([KNOWN]);
  expect(await station.get('/api/devices/waiting/')).toEqual([
    { deviceid: NEW, buttons: 3, firmware: 70, voltage: 3, rssi: expect.any(Number) as number },
    { deviceid: ALSO_NEW, buttons: 1, firmware: 70, voltage: 3, rssi: expect.any(Number) as number },
  ]);
  expect((await light(NEW)).status).toBe(404);
});

test('an accepted device has the values that it reported, and works', async () => {
  const accepted = await station.request('POST', '/api/device/', { deviceid: NEW, label: 'A-2' });
  expect(accepted).toMatchObject({ status: 201, body: { buttons: 3, firmware: 70, location: 'A-2', online: true } });
  // The answer contains the values that the device reported while it was waiting.
  expect(accepted.body).toMatchObject({ voltage: 3, rssi: expect.any(Number) as number });
  expect(await waiting()).toEqual([ALSO_NEW]);
  expect((await light(NEW)).status).toBe(200);
  await station.clock.advance(5_000);
  expect(await station.device(NEW)).toMatchObject({ commands: [{ state: 'shown' }], buttons: 3, firmware: 70 });
});

test('changing the setting to accept all devices accepts the waiting ones', async () => {
  await station.patch('/api/settings/', { accept_devices: 'all' });
  expect(await waiting()).toEqual([]);
  expect(await station.get('/api/device/')).toEqual([KNOWN, NEW, ALSO_NEW]);
  expect(await station.device(NEW)).toMatchObject({ buttons: 3, firmware: 70, online: true });
  await station.patch('/api/settings/', { accept_devices: 'ask' });
  expect(await station.get('/api/device/')).toHaveLength(3);
});

test('a new station accepts all devices', async () => {
  await using fresh = await startTestStation();
  expect(await fresh.get('/api/settings/')).toMatchObject({ accept_devices: 'all' });
});

const refused = async () =>
  (await station.get<{ deviceid: string }[]>('/api/devices/refused/')).map((each) => each.deviceid);
const refuse = (deviceid: string) => station.request('POST', '/api/devices/refused/', { deviceid });
const readmit = (deviceid: string) => station.request('DELETE', `/api/devices/refused/${deviceid}/`);

test('a refused device does not wait, even after a restart or when all devices are accepted', async () => {
  expect((await refuse(NEW.toLowerCase())).status).toBe(201);
  expect([await waiting(), await refused()]).toEqual([[ALSO_NEW], [NEW]]);
  await station.restart();
  await station.clock.advance(5_000);
  await station.patch('/api/settings/', { accept_devices: 'all' });
  expect(await station.get('/api/device/')).toEqual([KNOWN, ALSO_NEW]);
  await station.restart();
  await station.clock.advance(5_000);
  expect(await station.get('/api/device/')).toEqual([KNOWN, ALSO_NEW]);
  expect(await refused()).toEqual([NEW]);
});

test('withdrawing a refusal makes the device wait again, or accepts it if all devices are accepted', async () => {
  await refuse(NEW);
  await refuse(ALSO_NEW);
  expect((await readmit(NEW)).status).toBe(204);
  expect(await waiting()).toEqual([NEW]);
  await station.patch('/api/settings/', { accept_devices: 'all' });
  expect((await readmit(ALSO_NEW.toLowerCase())).status).toBe(204);
  expect(await station.get('/api/device/')).toEqual([KNOWN, NEW, ALSO_NEW]);
  expect((await readmit(NEW)).status).toBe(404);
});

test('registering a refused device withdraws the refusal, and a known device cannot be refused', async () => {
  await refuse(NEW);
  expect((await station.request('POST', '/api/device/', { deviceid: NEW })).body).toMatchObject({ buttons: 3 });
  expect(await refused()).toEqual([]);
  expect((await refuse(NEW)).status).toBe(409);
  const actions = (await station.get<{ action: string; subject: string }[]>('/api/audit/')).map(
    ({ action, subject }) => `${action} ${subject}`,
  );
  expect(actions).toContain(`device.refused ${NEW}`);
});

test('the event stream reports changes to the waiting list and presses at waiting devices, but not at refused ones', async () => {
  const stream = await openStream(station.url);
  const told = async (count: number) => {
    await station.clock.advance(100);
    await stream.until(() => stream.commits().length >= count);
    return stream
      .commits()
      .slice(count - 1)
      .map(({ facts }) => facts);
  };
  await station.press(NEW);
  expect(await told(1)).toMatchObject([[{ type: 'device.pressed', deviceid: NEW, button: 'front', hold: 'short' }]]);
  await station.press(NEW, 'plus');
  expect(await told(2)).toMatchObject([[{ type: 'device.pressed', deviceid: NEW, button: 'plus' }]]);
  await refuse(NEW);
  expect(await told(3)).toEqual([[{ type: 'waiting.changed' }]]);
  await station.press(NEW);
  await station.press(KNOWN);
  expect(await told(4)).toMatchObject([[{ type: 'device.pressed', deviceid: KNOWN, hold: 'short' }]]);
  await station.press(KNOWN, 'front', 'long');
  expect(await told(5)).toMatchObject([[{ type: 'device.called', deviceid: KNOWN }]]);
  stream.close();
});

test('several new waiting devices cause only one stream message', async () => {
  const told = station.rows<{ facts: string }>(`SELECT facts FROM commits WHERE facts LIKE '%waiting.changed%'`);
  expect(told.map(({ facts }) => JSON.parse(facts) as unknown)).toEqual([[{ type: 'waiting.changed' }]]);
});

test('simulated devices and devices added by id do not wait', async () => {
  await station.post('/api/simulator/devices/', { count: 1 });
  await station.post('/api/device/', { deviceid: 'ABCDEF:000001' });
  expect(await station.get('/api/device/')).toEqual([KNOWN, NEW, 'ABCDEF:000001']);
  expect(await waiting()).toEqual([ALSO_NEW]);
});

test('a press at a waiting device sends no call and acknowledges nothing', async () => {
  await station.press(NEW, 'plus');
  await station.press(NEW, 'front', 'long');
  expect(await station.get('/api/history/')).toEqual([]);
  expect(await waiting()).toEqual([NEW, ALSO_NEW]);
});

test('at most 5,000 devices can wait, and further devices are listed once there is room', async () => {
  const machine = startSerialMachine();
  await using asking = await startTestStation({ serial: machine.ports, clock: machine.clock });
  await asking.patch('/api/settings/', { accept_devices: 'ask' });
  const devices = Array.from({ length: 5_001 }, (_, at) => `7C0000:${String(at).padStart(6, '0')}`);
  machine.plugIn('/dev/ttyS1', {}, { serialNumber: 'USB-1', devices });
  await asking.post('/api/turbo/links/', { path: '/dev/ttyS1' });
  await asking.clock.advance(3_000);
  const waits = async () =>
    (await asking.get<{ deviceid: string }[]>('/api/devices/waiting/')).map(({ deviceid }) => deviceid);
  expect(await waits()).toEqual(devices.slice(0, 5_000));
  await asking.post('/api/device/', { deviceid: devices[0] });
  machine.unplug('/dev/ttyS1');
  await asking.clock.advance(3_000);
  machine.plugAgain('/dev/ttyS1');
  await asking.clock.advance(10_000);
  expect(await waits()).toEqual(devices.slice(1));
});
