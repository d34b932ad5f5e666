import { expect, test } from 'vitest';
import { startAlertsRig } from './alertsRig.ts';

const DEVICES = 10_000;

/** What it costs, in things done: the time that they take is that of the machine. */
test('ten thousand devices that tell of themselves cost a look each, and a write where an alert changes', async () => {
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

    // An hour in which nothing happens, with some that are silent: nobody looks at the others.
    for (const deviceId of deviceIds.slice(0, 100)) rig.tell('T-1', deviceId, { reachable: false });
    reset();
    await rig.pass(3_600_000);
    expect(rig.open()).toHaveLength(100);
    expect(work.written).toBe(100);
    expect(work.timers).toBeLessThan(10);
    expect(work.asked).toBeLessThan(500);

    // Telling of what has an alert already writes nothing.
    for (const deviceId of deviceIds.slice(100, 110)) rig.tell('T-1', deviceId, { batteryMv: 2_250 });
    await rig.pass(0);
    reset();
    for (let round = 0; round < 10; round += 1) {
      for (const deviceId of deviceIds.slice(100, 110)) rig.tell('T-1', deviceId, { batteryMv: 2_250 - round });
      await rig.pass(1_000);
    }
    expect({ ...work }).toEqual({ written: 0, timers: 0, asked: 100 });

    // The turbo goes and comes back: one alert, whatever it heard.
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
