import { afterEach, describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { createSharedDevice } from '../../helpers/devices/sharedDevice.ts';
import {
  command,
  DEVICE,
  startRig,
  statics,
  THREE_BUTTONS,
  type Rig,
} from '../../integration/turboLink/turboLinkRig.ts';
import { startReady } from './simulatorDeviceRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

const look = () => rig.sim.look(DEVICE);

describe('a front press on a command', () => {
  test.each(['short', 'long'] as const)(
    'ends the command (%s): the LED turns off immediately, then the background appears',
    async (hold) => {
      rig = await startReady();
      rig.turbos.want(DEVICE, command(1, 'pick', { quantity: 4 }));
      await rig.clock.advance(300);
      rig.forgetPast();
      rig.sim.press(DEVICE, 'front', hold);
      expect(look()).toMatchObject({ token: 0, led: 'off', active: false });
      await rig.clock.advance(0);
      expect(rig.of('button')).toMatchObject([{ token: 1, button: 'front', hold, ageMs: 0, quantity: 4 }]);
      await rig.clock.advance(299);
      expect(rig.of('shown')).toEqual([]);
      await rig.clock.advance(1);
      expect(rig.of('shown')).toMatchObject([{ token: 0, checksum: statics('shelf').checksum }]);
      expect(look()).toMatchObject({ token: 0, led: 'off' });
      expect(rig.of('ended')).toEqual([]);
    },
  );

  test('leaves a blank screen, without a report, if the device has no background', async () => {
    rig = await startRig();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    rig.forgetPast();
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(300);
    expect(look()).toMatchObject({ token: 0, checksum: undefined, led: 'off', refreshes: 2 });
    expect(rig.of('shown')).toEqual([]);
  });
});

test('a command pressed during its redraw does not return', async () => {
  rig = await startReady();
  rig.turbos.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(300);
  rig.forgetPast();
  rig.turbos.want(DEVICE, command(1, 'other words'));
  await rig.clock.advance(150);
  rig.sim.press(DEVICE, 'front', 'short');
  await rig.clock.advance(150);
  expect(look()).toMatchObject({ token: 0, led: 'off', active: false });
  await rig.clock.advance(300);
  expect(look()).toMatchObject({ token: 0, checksum: statics('shelf').checksum });
  expect(rig.of('shown').map(({ token }) => token)).toEqual([0]);
});

test('a press after the end of a command and before its background belongs to no command', async () => {
  rig = await startReady();
  rig.turbos.want(DEVICE, command(1, 'pick', { quantity: 4 }));
  await rig.clock.advance(300);
  rig.forgetPast();
  rig.sim.press(DEVICE, 'front', 'short');
  rig.sim.press(DEVICE, 'front', 'long');
  await rig.clock.advance(0);
  expect(rig.of('button')).toMatchObject([
    { token: 1, quantity: 4 },
    { token: 0, hold: 'long', quantity: null },
  ]);
});

describe('a command that the device has ended', () => {
  const same = command(1, 'pick', { seconds: 0 });
  let tries = 0;
  const showAgain = async () => {
    tries += 1;
    rig.turbos.want(DEVICE, command(1, `pick ${tries}`, { seconds: 0 }));
    await rig.clock.advance(2_500);
    return look()?.token;
  };

  test('is not shown again while its press is held, nor for a minute after the station accepted the press', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, same);
    await rig.clock.advance(300);
    rig.engine.take = () => Promise.reject(new Error('the disk is full'));
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(180_000);
    expect(await showAgain()).toBe(0);
    rig.engine.take = () => Promise.resolve();
    await rig.clock.advance(12_000);
    expect(look()?.heldReports).toBe(0);
    expect(await showAgain()).toBe(0);
    await rig.clock.advance(60_000);
    expect(await showAgain()).toBe(1);
  });

  test('does not replace the next command if it arrives late', async () => {
    rig = await startRig({ devices: false });
    const { device, press, addTurbo } = createSharedDevice({ ...rig, deviceId: DEVICE });
    addTurbo('T-1', () => rig.wires.connect({ loss: 0, latencyMs: 0 }).turbo);
    const show = (token: number) => ({ ...EXAMPLES.show, device: DEVICE, token, checksum: token, seconds: 0 });
    device.take(show(1));
    await rig.clock.advance(0);
    press();
    device.take(show(2));
    await rig.clock.advance(0);
    device.take(show(1));
    await rig.clock.advance(0);
    expect(device.look()).toMatchObject({ shownToken: 2, led: 'blink', pendingToken: undefined });
  });

  test('is remembered even after the next command has ended', async () => {
    rig = await startReady();
    for (const token of [1, 2]) {
      rig.turbos.want(DEVICE, { ...same, token });
      await rig.clock.advance(300);
      rig.sim.press(DEVICE, 'front', 'short');
      await rig.clock.advance(300);
    }
    expect(await showAgain()).toBe(0);
  });
});

describe('plus and minus', () => {
  test('count down from a number over 999, and back up to it', async () => {
    rig = await startReady();
    rig.turbos.want(THREE_BUTTONS, command(1, 'pick', { quantity: 1_000_000 }));
    await rig.clock.advance(300);
    for (const button of ['plus', 'minus', 'plus', 'plus'] as const) rig.sim.press(THREE_BUTTONS, button, 'short');
    await rig.clock.advance(0);
    expect(rig.of('button').map(({ quantity }) => quantity)).toEqual([1_000_000, 999_999, 1_000_000, 1_000_000]);
  });

  test('change the count of a command immediately, within its bounds, and report each change', async () => {
    rig = await startReady();
    rig.turbos.want(THREE_BUTTONS, command(1, 'pick', { quantity: 1 }));
    await rig.clock.advance(300);
    for (const button of ['plus', 'minus', 'minus', 'minus'] as const) rig.sim.press(THREE_BUTTONS, button, 'short');
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ count: 0, token: 1, led: 'blink' });
    rig.sim.press(THREE_BUTTONS, 'plus', 'long');
    rig.sim.press(THREE_BUTTONS, 'front', 'short');
    await rig.clock.advance(1_000);
    expect(rig.of('button').map(({ button, quantity, token }) => [button, quantity, token])).toEqual([
      ['plus', 2, 1],
      ['minus', 1, 1],
      ['minus', 0, 1],
      ['minus', 0, 1],
      ['plus', 1, 1],
      ['front', 1, 1],
    ]);
  });

  test('draw the new count once for several quick presses', async () => {
    rig = await startReady();
    rig.turbos.want(THREE_BUTTONS, command(1, 'pick', { quantity: 5 }));
    await rig.clock.advance(300);
    for (let at = 0; at < 4; at++) rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    await rig.clock.advance(2_000);
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ count: 9, refreshes: 4 });
  });

  test('stop counting at 999, and keep the count when the LED changes', async () => {
    rig = await startReady();
    rig.turbos.want(THREE_BUTTONS, command(1, 'pick', { quantity: 998 }));
    await rig.clock.advance(300);
    for (let at = 0; at < 3; at++) rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    rig.turbos.want(THREE_BUTTONS, command(1, 'pick', { quantity: 998, brightness: 5 }));
    await rig.clock.advance(1_000);
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ count: 999, token: 1 });
  });

  test('report no quantity on a command without a quantity', async () => {
    rig = await startReady();
    rig.turbos.want(THREE_BUTTONS, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    await rig.clock.advance(0);
    expect(rig.of('button')).toMatchObject([{ button: 'plus', token: 1, quantity: null }]);
  });

  test('are missing on a device with one button', async () => {
    rig = await startReady();
    expect(rig.sim.press(DEVICE, 'plus', 'short')).toBe(false);
    await rig.clock.advance(0);
    expect(rig.of('button')).toEqual([]);
  });
});

test('while idle, reports presses with token 0', async () => {
  rig = await startReady();
  for (const button of ['front', 'plus', 'minus'] as const) rig.sim.press(THREE_BUTTONS, button, 'long');
  rig.sim.press(THREE_BUTTONS, 'front', 'short');
  await rig.clock.advance(0);
  expect(rig.of('button').map(({ button, hold, token, quantity }) => [button, hold, token, quantity])).toEqual([
    ['front', 'long', 0, null],
    ['plus', 'long', 0, null],
    ['minus', 'long', 0, null],
    ['front', 'short', 0, null],
  ]);
});

test('a device keeps its presses while out of reach, and reports them with their age on return', async () => {
  rig = await startReady();
  rig.turbos.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(300);
  rig.sim.setDevice(DEVICE, { reachable: false });
  await rig.clock.advance(1_000);
  rig.sim.press(DEVICE, 'front', 'short');
  await rig.clock.advance(7_000);
  expect(rig.of('button')).toEqual([]);
  expect(rig.of('heard').at(-1)).toMatchObject({ status: { reachable: false, shownToken: 1 } });
  rig.sim.setDevice(DEVICE, { reachable: true });
  await rig.clock.advance(0);
  expect(rig.of('button')).toMatchObject([{ token: 1, ageMs: 7_000 }]);
  expect(rig.of('heard').at(-1)).toMatchObject({ status: { reachable: true, shownToken: 0 } });
});

describe('the simulated worker', () => {
  test('presses when a command has been lit for the set time', async () => {
    rig = await startReady();
    rig.sim.setDevice(DEVICE, { pressAfterMs: 1_500 });
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(1_499);
    expect(rig.of('button')).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.of('button')).toMatchObject([{ token: 1, button: 'front', hold: 'short' }]);
  });

  test('presses immediately if the set time is 0, and never presses statics', async () => {
    rig = await startReady();
    rig.sim.setDevice(DEVICE, { pressAfterMs: 0, refreshFullMs: 0, refreshPartialMs: 0 });
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    expect(rig.of('button')).toMatchObject([{ token: 1 }]);
    expect(look()).toMatchObject({ token: 0, led: 'off' });
    rig.turbos.want(DEVICE, statics('other shelf'));
    await rig.clock.advance(0);
    expect(rig.of('button')).toHaveLength(1);
  });

  test('stops pressing when switched off, and presses a lit command when switched on', async () => {
    rig = await startReady();
    rig.sim.setDevice(DEVICE, { pressAfterMs: 1_000 });
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(800);
    rig.sim.setDevice(DEVICE, { pressAfterMs: undefined });
    await rig.clock.advance(10_000);
    expect(rig.of('button')).toEqual([]);
    rig.sim.setDevice(DEVICE, { pressAfterMs: 10 });
    await rig.clock.advance(10);
    expect(rig.of('button')).toHaveLength(1);
  });

  test('also waits the full time for the next command', async () => {
    rig = await startReady();
    rig.sim.setDevice(DEVICE, { pressAfterMs: 1_000 });
    rig.turbos.want(DEVICE, command(1, 'one'));
    await rig.clock.advance(1_200);
    rig.turbos.want(DEVICE, command(2, 'two'));
    await rig.clock.advance(150); // the worker reaches the first command while the second one is being drawn
    expect(rig.of('button')).toMatchObject([{ token: 1 }]);
    await rig.clock.advance(900);
    expect(rig.of('button')).toHaveLength(1);
    await rig.clock.advance(300);
    expect(rig.of('button')).toMatchObject([{ token: 1 }, { token: 2 }]);
  });
});
