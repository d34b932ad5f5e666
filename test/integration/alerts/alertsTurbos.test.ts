import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAlertsRig, type AlertsRig } from './alertsRig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DEVICES = 20;

let rig: AlertsRig;

beforeEach(() => {
  rig = startAlertsRig(DEVICES);
});

afterEach(() => rig.stop());

/** Connects the turbo, which then reports that these devices are in range. */
function connect(serialNumber: string, from = 0, to = DEVICES): void {
  rig.turbo(serialNumber, 'online');
  for (const deviceId of rig.deviceIds.slice(from, to)) rig.tell(serialNumber, deviceId);
}

test('an offline turbo gets one alert, regardless of its number of devices', async () => {
  connect('T-1');
  await rig.pass(MINUTE);
  rig.turbo('T-1', 'offline');
  await rig.pass(MINUTE - 1);
  expect(rig.open()).toEqual([]);
  await rig.pass(HOUR);
  expect(rig.open()).toEqual(['turbo_offline T-1']);
  expect(rig.alerts.list({ state: 'open', limit: 10, after: undefined })).toMatchObject([
    { turbo: 'T-1', deviceid: null, value: 60, threshold: 60 },
  ]);
  connect('T-1');
  await rig.pass(HOUR);
  expect([rig.open(), rig.ended().length]).toEqual([[], 1]);
});

test('a turbo alert is dated from the last contact with the turbo, not from when its loss was noticed', async () => {
  connect('T-1');
  await rig.pass(MINUTE);
  rig.turbo('T-1', 'offline', undefined, 15_000);
  const since = new Date(rig.clock.now() - 15_000).toISOString();
  await rig.pass(MINUTE);
  expect(rig.alerts.list({ state: 'open', limit: 10, after: undefined })).toMatchObject([{ since, value: 75 }]);
});

test('a device that is still offline when its turbo returns gets an alert five minutes later', async () => {
  connect('T-1');
  rig.turbo('T-1', 'offline');
  await rig.pass(HOUR);
  connect('T-1', 1);
  rig.tell('T-1', rig.deviceIds[1] ?? '', { reachable: false });
  await rig.pass(5 * MINUTE - 1);
  expect(rig.open()).toEqual([]);
  await rig.pass(1);
  expect(rig.open()).toEqual([`device_offline ${rig.deviceIds[1]}`, `device_offline ${rig.deviceIds[0]}`].toSorted());
});

test('a device that went offline before its turbo did gets no alert while the turbo is offline', async () => {
  connect('T-1');
  rig.tell('T-1', rig.deviceIds[0] ?? '', { reachable: false });
  await rig.pass(4 * MINUTE);
  rig.turbo('T-1', 'offline');
  await rig.pass(HOUR);
  expect(rig.open()).toEqual(['turbo_offline T-1']);
});

test('devices of an online turbo still get alerts, even a device that moved there from an offline turbo', async () => {
  connect('T-1', 0, 10);
  connect('T-2', 10, 20);
  rig.turbo('T-1', 'offline');
  // The device moves to T-2 and then becomes unreachable there.
  rig.tell('T-2', rig.deviceIds[0] ?? '');
  rig.tell('T-2', rig.deviceIds[0] ?? '', { reachable: false });
  rig.tell('T-2', rig.deviceIds[10] ?? '', { reachable: false });
  await rig.pass(HOUR);
  expect(rig.open()).toEqual([
    'turbo_offline T-1',
    `device_offline ${rig.deviceIds[0]}`,
    `device_offline ${rig.deviceIds[10]}`,
  ]);
});

test('dismissing the alert of a turbo that will not return ends it permanently, and devices left on that turbo raise alerts', async () => {
  connect('T-1', 0, 10);
  connect('T-2', 10, 20);
  rig.turbo('T-1', 'offline');
  await rig.pass(HOUR);
  const [alert] = rig.alerts.list({ state: 'open', limit: 10, after: undefined });
  for (const deviceId of rig.deviceIds.slice(0, 9)) rig.tell('T-2', deviceId);
  expect(await rig.alerts.end(alert?.id ?? '')).toMatchObject({
    kind: 'turbo_offline',
    ended: expect.any(String) as string,
  });
  await rig.pass(4 * MINUTE);
  expect(rig.open()).toEqual([]);
  await rig.pass(2 * MINUTE);
  expect(rig.open()).toEqual([`device_offline ${rig.deviceIds[9]}`]);
  rig.restart();
  connect('T-2', 0, 9);
  for (const deviceId of rig.deviceIds.slice(10)) rig.tell('T-2', deviceId);
  await rig.pass(HOUR);
  expect(rig.open()).toEqual([`device_offline ${rig.deviceIds[9]}`]);
  await expect(rig.alerts.end(alert?.id ?? '')).rejects.toMatchObject({ code: 'conflict' });
});

test('devices raise no alerts while all turbos are offline', async () => {
  connect('T-1');
  rig.turbo('T-1', 'offline');
  await rig.pass(2 * MINUTE);
  await rig.alerts.end('1');
  await rig.pass(HOUR);
  expect(rig.open()).toEqual([]);
  rig.turbo('T-2', 'online');
  await rig.pass(5 * MINUTE);
  expect(rig.open()).toHaveLength(DEVICES);
});

test('a device that has never been online gets no alert, even after a restart', async () => {
  connect('T-1');
  await rig.pass(HOUR);
  rig.restart();
  connect('T-1');
  await rig.pass(HOUR);
  expect(rig.open()).toEqual([]);
  rig.tell('T-1', rig.boxed);
  rig.tell('T-1', rig.boxed, { reachable: false });
  await rig.pass(HOUR);
  expect(rig.open()).toEqual([`device_offline ${rig.boxed}`]);
});

test('reports about a waiting device are used once the device is accepted', async () => {
  const stranger = '51D0FF:000010';
  connect('T-1');
  await rig.pass(MINUTE);
  const { written } = rig.work;
  rig.tell('T-1', stranger, { batteryMv: 2_250 });
  await rig.pass(MINUTE);
  expect([rig.open(), rig.work.written - written]).toEqual([[], 0]);
  await rig.accept(stranger);
  expect(rig.open()).toEqual([`battery_low ${stranger}`]);
});

test('after startup, missing turbos get alerts before missing devices, and neither gets one immediately', async () => {
  connect('T-1', 0, 10);
  connect('T-2', 10, 20);
  await rig.pass(MINUTE);
  rig.restart();
  await rig.pass(MINUTE - 1);
  expect(rig.open()).toEqual([]);
  await rig.pass(HOUR);
  expect(rig.open()).toEqual(['turbo_offline T-1', 'turbo_offline T-2']);
  connect('T-2', 11, 20);
  // No turbo has reported device 10 yet, so it may belong to T-1, which is offline.
  await rig.pass(HOUR);
  expect(rig.open()).toEqual(['turbo_offline T-1']);
  connect('T-1', 0, 10);
  await rig.pass(6 * MINUTE);
  expect(rig.open()).toEqual([`device_offline ${rig.deviceIds[10]}`]);
});

test('trouble with a turbo raises one alert for all connection attempts, which replaces the offline alert', async () => {
  connect('T-1');
  rig.turbo('T-1', 'offline');
  await rig.pass(2 * MINUTE);
  rig.turbo('T-1', 'connecting', 'It speaks another version of the protocol.');
  for (let tries = 0; tries < 10; tries += 1) {
    rig.turbo('T-1', 'offline');
    await rig.pass(10_000);
    rig.turbo('T-1', 'connecting', 'It speaks another version of the protocol.');
    await rig.pass(10_000);
  }
  expect([rig.open(), rig.ended().map(({ kind }) => kind)]).toEqual([['turbo_trouble T-1'], ['turbo_offline']]);
  expect(rig.alerts.list({ state: 'open', limit: 1, after: undefined })).toMatchObject([
    { problem: 'It speaks another version of the protocol.', value: null, threshold: null },
  ]);
  connect('T-1');
  await rig.pass(0);
  expect(rig.open()).toEqual([]);
});

test("ignores a turbo's reports about a device that is served by another turbo", async () => {
  connect('T-1');
  rig.turbo('T-2', 'online');
  rig.alerts.checkStatus('T-2', rig.deviceIds[0] ?? '', { ...HEARD, rssiDbm: -97 });
  await rig.pass(0);
  expect(rig.open()).toEqual([]);
  rig.alerts.checkStatus('T-1', rig.deviceIds[0] ?? '', { ...HEARD, rssiDbm: -97 });
  await rig.pass(0);
  expect(rig.open()).toEqual([`signal_weak ${rig.deviceIds[0]}`]);
});

const HEARD = {
  firmware: 70,
  buttons: 1,
  screen: true,
  led: true,
  latency: 'live',
  batteryMv: 3_000,
  rssiDbm: -60,
  uptimeS: 1,
  shownToken: 0,
  shownChecksum: undefined,
  remainingMs: undefined,
  reachable: true,
} as const;

test('time during which the machine slept does not count as time offline', async () => {
  connect('T-1');
  for (const deviceId of rig.deviceIds.slice(0, 5)) rig.tell('T-1', deviceId, { reachable: false });
  await rig.pass(4 * MINUTE);
  rig.sleepMs = 8 * HOUR;
  // The time asleep counts toward the timers, so they fire immediately.
  rig.clock.jump(8 * HOUR);
  await rig.pass(MINUTE);
  expect(rig.open()).toEqual([]);
  for (const deviceId of rig.deviceIds.slice(0, 4)) rig.tell('T-1', deviceId);
  await rig.pass(5 * MINUTE);
  expect(rig.open()).toEqual([`device_offline ${rig.deviceIds[4]}`]);
});

test('after the machine wakes, turbos have their full time to reconnect', async () => {
  connect('T-1');
  rig.turbo('T-1', 'offline');
  await rig.pass(MINUTE - 1);
  rig.wake();
  await rig.pass(MINUTE - 1);
  expect(rig.open()).toEqual([]);
  await rig.pass(1);
  expect(rig.open()).toEqual(['turbo_offline T-1']);
});
