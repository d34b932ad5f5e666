import { expect, test } from 'vitest';
import { startAlertsRig } from './alertsRig.ts';

const DEVICES = 10_000;

/** Counts operations, because measured times depend on the machine. */
test('each report from ten thousand devices needs one lookup, and a write only if an alert changes', async () => {
  const rig = startAlertsRig(DEVICES);
  const { work, deviceIds } = rig;
  const reset = () => Object.assign(work, { written: 0, timers: 0, asked: 0 });
  try {
    rig.turbo('T-1', 'online');
    for (const deviceId of deviceIds) rig.tell('T-1', deviceId);
    await rig.pass(0);

    reset();
    for (let round = 0; round < 5; round += 1) {
      for (const deviceId of deviceIds) {
        rig.tell('T-1', deviceId, { batteryMv: 3_000 - round, rssiDbm: -60 - round });
      }
      await rig.pass(60_000);
    }
    expect({ ...work }).toEqual({ written: 0, timers: 0, asked: 5 * DEVICES });

    // During an hour without events and with some devices unreachable, the other devices are not checked.
    for (const deviceId of deviceIds.slice(0, 100)) rig.tell('T-1', deviceId, { reachable: false });
    reset();
    await rig.pass(3_600_000);
    expect(rig.open()).toHaveLength(100);
    expect(work.written).toBe(100);
    expect(work.timers).toBeLessThan(10);
    expect(work.asked).toBeLessThan(500);

    // Further reports about devices that already have alerts write nothing.
    for (const deviceId of deviceIds.slice(100, 110)) rig.tell('T-1', deviceId, { batteryMv: 2_250 });
    await rig.pass(0);
    reset();
    for (let round = 0; round < 10; round += 1) {
      for (const deviceId of deviceIds.slice(100, 110)) rig.tell('T-1', deviceId, { batteryMv: 2_250 - round });
      await rig.pass(1_000);
    }
    expect({ ...work }).toEqual({ written: 0, timers: 0, asked: 100 });

    // The turbo goes offline and returns: one alert, regardless of the number of devices.
    rig.turbo('T-1', 'offline');
    reset();
    await rig.pass(3_600_000);
    expect(work).toMatchObject({ written: 1, asked: 0 });
    rig.turbo('T-1', 'online');
    for (const deviceId of deviceIds) rig.tell('T-1', deviceId);
    await rig.pass(0);
    expect(work.written).toBe(1 + 1 + 100 + 10);
    expect(work.asked).toBeLessThan(5 * DEVICES);
  } finally {
    rig.stop();
  }
});
