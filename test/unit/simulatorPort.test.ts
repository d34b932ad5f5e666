import { afterEach, expect, test } from 'vitest';
import { command, DEVICE, startRig, type Rig } from '../integration/turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

test('a device is found as it was added and changed', async () => {
  rig = await startRig();
  expect(rig.sim.findDevice(DEVICE)).toEqual({
    deviceId: DEVICE,
    buttons: 1,
    firmware: 70,
    reachable: true,
    batteryMv: 3_000,
    refreshFullMs: 2_000,
    refreshPartialMs: 300,
    pressAfterMs: undefined,
  });
  expect(rig.sim.setDevice(DEVICE, { batteryMv: 2_400, refreshFullMs: 0, pressAfterMs: 100, reachable: false })).toBe(
    true,
  );
  expect(rig.sim.findDevice(DEVICE)).toMatchObject({
    batteryMv: 2_400,
    refreshFullMs: 0,
    refreshPartialMs: 300,
    pressAfterMs: 100,
    reachable: false,
  });
});

test('a device that is added twice is one device', async () => {
  rig = await startRig();
  rig.sim.setDevice(DEVICE, { batteryMv: 2_400 });
  rig.sim.addDevice({ deviceId: DEVICE, buttons: 3, firmware: 10 });
  expect(rig.sim.findDevice(DEVICE)).toMatchObject({ batteryMv: 2_400, buttons: 1 });
});

test('unknown devices and turbos answer false', async () => {
  rig = await startRig();
  expect(rig.sim.findDevice('000000:000000')).toBeUndefined();
  expect(rig.sim.look('000000:000000')).toBeUndefined();
  expect(rig.sim.setDevice('000000:000000', {})).toBe(false);
  expect(rig.sim.press('000000:000000', 'front', 'short')).toBe(false);
  expect(rig.sim.restartDevice('000000:000000')).toBe(false);
  expect(rig.sim.setTurbo('SIM-2', { loss: 1 })).toBe(false);
  expect(rig.sim.restartTurbo('SIM-2')).toBe(false);
});

test('latency delays each frame, in both directions', async () => {
  rig = await startRig();
  rig.sim.setDevice(DEVICE, { refreshFullMs: 0, refreshPartialMs: 0 });
  rig.sim.setTurbo('SIM-1', { latencyMs: 40 });
  rig.fleet.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(39);
  expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0 });
  await rig.clock.advance(1);
  expect(rig.sim.look(DEVICE)).toMatchObject({ token: 1 });
  await rig.clock.advance(39);
  expect(rig.of('sent')).toEqual([]);
  await rig.clock.advance(1);
  expect(rig.of('sent')).toHaveLength(1);
  expect(rig.of('shown')).toMatchObject([{ token: 1, ageMs: 0 }]);
});

test('a thousand devices are all heard and all shown something', async () => {
  rig = await startRig({ devices: false });
  const ids = Array.from({ length: 1_000 }, (_, at) => `51D000:${String(at + 1).padStart(6, '0')}`);
  for (const deviceId of ids) rig.sim.addDevice({ deviceId, buttons: 1, firmware: 70 });
  for (const deviceId of ids) rig.fleet.want(deviceId, command(1, deviceId));
  await rig.clock.advance(3_000);
  expect(ids.filter((deviceId) => rig.sim.look(deviceId)?.lit !== true)).toEqual([]);
  expect(rig.fleet.list()).toMatchObject([{ deviceCount: 1_000 }]);
});
