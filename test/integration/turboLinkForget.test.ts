import { afterEach, beforeEach, expect, test } from 'vitest';
import { command, DEVICE, startRig, statics, type Rig } from './turboLinkRig.ts';

let rig: Rig;

beforeEach(async () => {
  rig = await startRig();
  rig.fleet.want(DEVICE, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.fleet.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(1_000);
  rig.forgetPast();
});

afterEach(() => rig.stop());

test('a last wish goes out before a device is forgotten', async () => {
  rig.fleet.want(DEVICE, statics('dark'));
  rig.fleet.forget(DEVICE);
  await rig.clock.advance(5_000);
  expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, led: 'off', checksum: statics('dark').checksum });
});

test('a forgotten device is of no turbo, and one fewer is counted', async () => {
  const [before] = rig.fleet.list();
  rig.fleet.forget(DEVICE);
  await rig.clock.advance(5_000);
  expect(rig.fleet.turboOf(DEVICE)).toBeUndefined();
  expect(rig.fleet.canPress(DEVICE)).toBe(false);
  expect(rig.fleet.list()[0]?.deviceCount).toBe((before?.deviceCount ?? 0) - 1);
  expect(rig.of('turboChanged')).toHaveLength(1);
});

test('a forgotten device that is still heard is told as heard, and shown nothing until something is wanted', async () => {
  rig.fleet.forget(DEVICE);
  rig.sim.restartDevice(DEVICE);
  await rig.clock.advance(5_000);
  expect(rig.of('heard').map(({ deviceId }) => deviceId)).toContain(DEVICE);
  expect(rig.showsSent()).toEqual([]);
  rig.fleet.want(DEVICE, statics('again'));
  await rig.clock.advance(5_000);
  expect(rig.sim.look(DEVICE)).toMatchObject({ checksum: statics('again').checksum });
});

test('a device that is switched off for good reports nothing more, and holds up no sync', async () => {
  rig.sim.setDevice(DEVICE, { reachable: false });
  rig.sim.press(DEVICE, 'front', 'short');
  await rig.clock.advance(1_000);
  expect(rig.sim.removeDevice(DEVICE)).toBe(true);
  expect(rig.sim.removeDevice(DEVICE)).toBe(false);
  rig.forgetPast();
  let drained = false;
  void rig.fleet.drain(60_000).then(() => {
    drained = true;
  });
  await rig.clock.advance(100);
  expect(drained).toBe(true);
  await rig.clock.advance(120_000);
  expect(rig.told.filter((entry) => 'deviceId' in entry && entry.deviceId === DEVICE)).toEqual([]);
});

test('of the reports of a device that is switched off none follows the one on its way', async () => {
  rig.sim.setTurbo('SIM-1', { latencyMs: 200 });
  rig.sim.press(DEVICE, 'front', 'short');
  rig.sim.press(DEVICE, 'front', 'long');
  rig.sim.removeDevice(DEVICE);
  await rig.clock.advance(5_000);
  expect(rig.of('button')).toHaveLength(1);
});
