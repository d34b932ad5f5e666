import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { createHardware, type Hardware } from '../../property/model/hardware.ts';

const NEW = '7C0000:000001';
const OTHER = '7C0000:000002';

let clock: FakeClock;
let hardware: Hardware;
let station: TestStation;

beforeEach(async () => {
  clock = createFakeClock(START_MS);
  hardware = createHardware({ clock, seed: 1, tap: { station: (end) => end, turbo: (end) => end } });
  clock.whenIdle(() => hardware.idle(), 'the hardware');
  station = await startTestStation({ clock, watchTransport: (own) => hardware.plug(own) });
});

afterEach(async () => {
  await station.stop();
  hardware.sim.stop();
});

/** Connects a turbo with two unknown devices, one of which has a press to report. */
async function comePressed(hold: 'short' | 'long'): Promise<void> {
  hardware.disconnect();
  await clock.advance(1_000);
  for (const deviceId of [NEW, OTHER]) hardware.sim.addDevice({ deviceId, buttons: 3, firmware: 70 });
  hardware.sim.press(NEW, 'front', hold);
  await clock.advance(2_000);
  hardware.connect();
  await clock.advance(3_000);
}

const waiting = () => station.get<{ deviceid: string }[]>('/api/devices/waiting/');
const history = () => station.get<HistoryEntry[]>('/api/history/');

test("if all devices are accepted, a press that arrives before the device's first status is recorded", async () => {
  await comePressed('long');
  expect(await history()).toMatchObject([
    { kind: 'call', deviceid: NEW, at: new Date(START_MS + 1_000).toISOString(), location: '' },
  ]);
  expect(await station.device(NEW)).toMatchObject({ buttons: 3, firmware: 70, online: true });
});

test('a short press at a new device is not added to the history', async () => {
  await comePressed('short');
  expect(await history()).toEqual([]);
  expect(await station.get('/api/device/')).toEqual([NEW, OTHER]);
});

test('if the station is set to ask, a new device waits even if pressed, and its press is reported but not recorded', async () => {
  await station.patch('/api/settings/', { accept_devices: 'ask' });
  const stream = await openStream(station.url);
  await comePressed('long');
  const pressed = () =>
    stream
      .commits()
      .flatMap(({ facts }) => facts)
      .filter(({ type }) => type === 'device.pressed');
  await stream.until(() => pressed().length > 0);
  const at = new Date(START_MS + 1_000).toISOString();
  expect(pressed()).toEqual([{ type: 'device.pressed', deviceid: NEW, button: 'front', hold: 'long', at }]);
  stream.close();
  expect((await waiting()).map(({ deviceid }) => deviceid)).toEqual([NEW, OTHER]);
  expect(await history()).toEqual([]);
});

test('a removed device that reports again counts as new: it is accepted or waits, depending on the setting', async () => {
  await comePressed('short');
  await station.post(`/api/device/${NEW}/`, { line1: 'M8', seconds: 0 });
  expect(await station.request('DELETE', `/api/device/${NEW}/`)).toMatchObject({ status: 204 });
  expect(await station.get('/api/device/')).toEqual([OTHER]);
  hardware.disconnect();
  await clock.advance(2_000);
  hardware.connect();
  await clock.advance(5_000);
  expect(await station.device(NEW)).toMatchObject({ online: true, commands: [], location: '' });
  await station.patch('/api/settings/', { accept_devices: 'ask' });
  await station.request('DELETE', `/api/device/${NEW}/`);
  hardware.disconnect();
  await clock.advance(2_000);
  hardware.connect();
  await clock.advance(5_000);
  expect(await station.get('/api/device/')).toEqual([OTHER]);
  expect((await waiting()).map(({ deviceid }) => deviceid)).toEqual([NEW]);
});
