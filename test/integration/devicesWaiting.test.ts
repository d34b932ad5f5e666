import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

const KNOWN = '51D000:000001';
const NEW = '51D000:000002';
const ALSO_NEW = '51D000:000003';

let first: TestStation;
let station: TestStation;

/** A station that hears three devices and knows one, since it has forgotten the others: hardware that nobody has announced. */
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

test('a device that is heard for the first time waits where the station asks: it is listed, and takes no work', async () => {
  expect(await station.get('/api/device/')).toEqual([KNOWN]);
  expect(await station.get('/api/devices/waiting/')).toEqual([
    { deviceid: NEW, buttons: 3, firmware: 70, voltage: 3, rssi: expect.any(Number) as number },
    { deviceid: ALSO_NEW, buttons: 1, firmware: 70, voltage: 3, rssi: expect.any(Number) as number },
  ]);
  expect((await light(NEW)).status).toBe(404);
});

test('accepted, it is what it said itself, and works', async () => {
  const accepted = await station.request('POST', '/api/device/', { deviceid: NEW, label: 'A-2' });
  expect(accepted).toMatchObject({ status: 201, body: { buttons: 3, firmware: 70, location: 'A-2', online: true } });
  expect(await waiting()).toEqual([ALSO_NEW]);
  expect((await light(NEW)).status).toBe(200);
  await station.clock.advance(5_000);
  expect(await station.device(NEW)).toMatchObject({ commands: [{ state: 'shown' }], buttons: 3, firmware: 70 });
});

test('where all are accepted from now on, so are those that wait', async () => {
  await station.patch('/api/settings/', { accept_devices: 'all' });
  expect(await waiting()).toEqual([]);
  expect(await station.get('/api/device/')).toEqual([KNOWN, NEW, ALSO_NEW]);
  expect(await station.device(NEW)).toMatchObject({ buttons: 3, firmware: 70, online: true });
  await station.patch('/api/settings/', { accept_devices: 'ask' });
  expect(await station.get('/api/device/')).toHaveLength(3);
});

test('a fresh station accepts all', async () => {
  await using fresh = await startTestStation();
  expect(await fresh.get('/api/settings/')).toMatchObject({ accept_devices: 'all' });
});
