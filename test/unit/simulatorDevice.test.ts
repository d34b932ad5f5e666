import { afterEach, describe, expect, test } from 'vitest';
import { command, DEVICE, startRig, statics, THREE_BUTTONS, type Rig } from '../integration/turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

/** Devices with a background, and their first, full refresh done. */
async function startReady(): Promise<void> {
  rig = await startRig();
  for (const device of [DEVICE, THREE_BUTTONS]) rig.fleet.want(device, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.forgetPast();
}

const look = () => rig.sim.look(DEVICE);

describe('the e-paper', () => {
  test('takes 2 s for its first refresh and 300 ms for the next nine; then a full one is due again', async () => {
    rig = await startRig();
    const times: number[] = [];
    for (let token = 1; token <= 12; token++) {
      rig.fleet.want(DEVICE, command(token, `pick ${token}`));
      const startMs = rig.clock.monotonic();
      while (look()?.token !== token) await rig.clock.advance(50);
      times.push(rig.clock.monotonic() - startMs);
    }
    expect(times).toEqual([2_000, 300, 300, 300, 300, 300, 300, 300, 300, 300, 2_000, 300]);
  });

  test('needs no refresh for what is on it', async () => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'shelf'));
    await rig.clock.advance(0);
    expect(look()).toMatchObject({ token: 1, lit: true, refreshes: 1 });
  });

  test('finishes a refresh before it begins the next, and of those that wait it draws the newest', async () => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'one'));
    await rig.clock.advance(100);
    rig.fleet.want(DEVICE, command(2, 'two'));
    await rig.clock.advance(100);
    rig.fleet.want(DEVICE, command(3, 'three'));
    await rig.clock.advance(100);
    expect(look()).toMatchObject({ token: 1 });
    await rig.clock.advance(300);
    expect(look()).toMatchObject({ token: 3, refreshes: 3 });
  });

  test('that takes no time needs no timer', async () => {
    rig = await startRig();
    rig.sim.setDevice(DEVICE, { refreshFullMs: 0, refreshPartialMs: 0 });
    await rig.clock.advance(5_000);
    const timers = rig.clock.timerCount();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 0 }));
    await rig.clock.advance(0);
    expect(look()).toMatchObject({ token: 1, lit: true });
    expect(rig.clock.timerCount()).toBeLessThanOrEqual(timers + 2); // one for the repetitions of each side
  });

  test('keeps its picture without the battery, and the device does not know it any more', async () => {
    await startReady();
    rig.sim.restartDevice(DEVICE);
    await rig.clock.advance(1);
    expect(rig.of('heard')).toMatchObject([{ status: { shownToken: 0, shownChecksum: undefined, uptimeS: 0 } }]);
    await rig.clock.advance(1_998);
    expect(look()?.checksum).toBeUndefined();
    await rig.clock.advance(1);
    expect(look()?.checksum).toBe(statics('shelf').checksum);
  });
});

describe('LED and token', () => {
  test('change when the refresh is finished', async () => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(299);
    expect(look()).toMatchObject({ token: 0, lit: false });
    expect(rig.of('shown')).toEqual([]);
    await rig.clock.advance(1);
    expect(look()).toMatchObject({ token: 1, lit: true });
    expect(rig.of('shown')).toMatchObject([{ token: 1, ageMs: 0 }]);
  });

  test('a press during a refresh belongs to what was there before', async () => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'one'));
    await rig.clock.advance(300);
    rig.fleet.want(DEVICE, command(2, 'two'));
    await rig.clock.advance(299);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    expect(rig.of('button')).toMatchObject([{ token: 1, button: 'front' }]);
    await rig.clock.advance(1);
    expect(look()).toMatchObject({ token: 2, lit: true });
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    expect(rig.of('button').map(({ token }) => token)).toEqual([1, 2]);
  });
});

describe('a front press on a command', () => {
  test.each(['short', 'long'] as const)('ends it, %s: dark at once, then the background', async (hold) => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'pick', { quantity: 4 }));
    await rig.clock.advance(300);
    rig.forgetPast();
    rig.sim.press(DEVICE, 'front', hold);
    expect(look()).toMatchObject({ token: 1, lit: false });
    await rig.clock.advance(0);
    expect(rig.of('button')).toMatchObject([{ token: 1, button: 'front', hold, ageMs: 0, quantity: 4 }]);
    await rig.clock.advance(299);
    expect(rig.of('shown')).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.of('shown')).toMatchObject([{ token: 0, checksum: statics('shelf').checksum }]);
    expect(look()).toMatchObject({ token: 0, lit: false });
    expect(rig.of('ended')).toEqual([]);
  });

  test('without a background leaves a blank screen and no report of it', async () => {
    rig = await startRig();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    rig.forgetPast();
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(300);
    expect(look()).toMatchObject({ token: 0, checksum: undefined, lit: false, refreshes: 2 });
    expect(rig.of('shown')).toEqual([]);
  });
});

test('a command that is pressed while it is drawn again does not come back', async () => {
  await startReady();
  rig.fleet.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(300);
  rig.forgetPast();
  rig.fleet.want(DEVICE, command(1, 'other words'));
  await rig.clock.advance(150);
  rig.sim.press(DEVICE, 'front', 'short');
  await rig.clock.advance(150);
  expect(look()).toMatchObject({ token: 1, lit: false });
  await rig.clock.advance(300);
  expect(look()).toMatchObject({ token: 0, checksum: statics('shelf').checksum });
  expect(rig.of('shown').map(({ token }) => token)).toEqual([0]);
});

describe('its seconds', () => {
  test('count from when it is shown, not from when it was sent', async () => {
    rig = await startRig();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 10, quantity: 2 }));
    await rig.clock.advance(2_000);
    await rig.clock.advance(9_999);
    expect(rig.of('ended')).toEqual([]);
    expect(look()).toMatchObject({ token: 1, lit: true });
    await rig.clock.advance(1);
    expect(rig.of('ended')).toMatchObject([{ token: 1, ageMs: 0, quantity: 2, counter: 1 }]);
    expect(look()).toMatchObject({ lit: false });
  });

  test('go on without a link, and the end is reported with its age', async () => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 5 }));
    await rig.clock.advance(300);
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(9_000);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(0);
    expect(rig.of('ended')).toMatchObject([{ token: 1, ageMs: 4_000 }]);
  });

  test('of 0 never end', async () => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 0 }));
    await rig.clock.advance(1_000_000);
    expect(rig.of('ended')).toEqual([]);
    expect(look()).toMatchObject({ token: 1, lit: true });
  });

  test('of an acknowledged command end nothing later, and those of the next count for themselves', async () => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 10 }));
    await rig.clock.advance(5_300);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(300);
    rig.fleet.want(DEVICE, command(2, 'next', { seconds: 20 }));
    await rig.clock.advance(20_299);
    expect(rig.of('ended')).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.of('ended')).toMatchObject([{ token: 2 }]);
    rig.fleet.want(DEVICE, command(3, 'short', { seconds: 1 }));
    await rig.clock.advance(1_600);
    expect(rig.of('ended')).toMatchObject([{ token: 2 }, { token: 3 }]);
  });

  test('that are left are told in the status', async () => {
    await startReady();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 60 }));
    await rig.clock.advance(20_300);
    rig.sim.setDevice(DEVICE, { batteryMv: 2_400 });
    await rig.clock.advance(0);
    expect(rig.of('heard')).toMatchObject([
      { turbo: 'SIM-1', status: { batteryMv: 2_400, shownToken: 1, remainingMs: 40_000, firmware: 70, buttons: 1 } },
    ]);
  });
});

describe('plus and minus', () => {
  test('change the count of a command at once, in its bounds, and each change is reported', async () => {
    await startReady();
    rig.fleet.want(THREE_BUTTONS, command(1, 'pick', { quantity: 1 }));
    await rig.clock.advance(300);
    for (const button of ['plus', 'minus', 'minus', 'minus'] as const) rig.sim.press(THREE_BUTTONS, button, 'short');
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ count: 0, token: 1, lit: true });
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

  test('draw the new count, once for several quick presses', async () => {
    await startReady();
    rig.fleet.want(THREE_BUTTONS, command(1, 'pick', { quantity: 5 }));
    await rig.clock.advance(300);
    for (let at = 0; at < 4; at++) rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    await rig.clock.advance(2_000);
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ count: 9, refreshes: 4 });
  });

  test('count no further than 999, and the count survives a change of the LED', async () => {
    await startReady();
    rig.fleet.want(THREE_BUTTONS, command(1, 'pick', { quantity: 998 }));
    await rig.clock.advance(300);
    for (let at = 0; at < 3; at++) rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    rig.fleet.want(THREE_BUTTONS, command(1, 'pick', { quantity: 998, brightness: 5 }));
    await rig.clock.advance(1_000);
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ count: 999, token: 1 });
  });

  test('on a command without a quantity are reported without one', async () => {
    await startReady();
    rig.fleet.want(THREE_BUTTONS, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    await rig.clock.advance(0);
    expect(rig.of('button')).toMatchObject([{ button: 'plus', token: 1, quantity: null }]);
  });

  test('are not there on a device with one button', async () => {
    await startReady();
    expect(rig.sim.press(DEVICE, 'plus', 'short')).toBe(false);
    await rig.clock.advance(0);
    expect(rig.of('button')).toEqual([]);
  });
});

test('of what was shown it keeps the newest four while nobody takes them', async () => {
  await startReady();
  rig.engine.take = () => new Promise(() => {});
  for (let token = 1; token <= 9; token++) {
    rig.fleet.want(DEVICE, command(token, `pick ${token}`));
    await rig.clock.advance(300);
  }
  expect(look()).toMatchObject({ token: 9, heldReports: 4 });
  rig.forgetPast();
  rig.engine.take = async () => {};
  rig.sim.restartTurbo('SIM-1');
  await rig.clock.advance(0);
  expect(rig.of('shown').map(({ token }) => token)).toEqual([6, 7, 8, 9]);
});

test('presses while idle are reported with token 0', async () => {
  await startReady();
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

test('out of reach it keeps its presses and reports them with their age when it is back', async () => {
  await startReady();
  rig.fleet.want(DEVICE, command(1, 'pick'));
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
  test('presses so long after something is lit', async () => {
    await startReady();
    rig.sim.setDevice(DEVICE, { pressAfterMs: 1_500 });
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300 + 1_499);
    expect(rig.of('button')).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.of('button')).toMatchObject([{ token: 1, button: 'front', hold: 'short' }]);
  });

  test('presses at once where it needs no time, and not on statics', async () => {
    await startReady();
    rig.sim.setDevice(DEVICE, { pressAfterMs: 0, refreshFullMs: 0, refreshPartialMs: 0 });
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    expect(rig.of('button')).toMatchObject([{ token: 1 }]);
    expect(look()).toMatchObject({ token: 0, lit: false });
    rig.fleet.want(DEVICE, statics('other shelf'));
    await rig.clock.advance(0);
    expect(rig.of('button')).toHaveLength(1);
  });

  test('goes home when told so, and presses what is lit already when told to', async () => {
    await startReady();
    rig.sim.setDevice(DEVICE, { pressAfterMs: 1_000 });
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(800);
    rig.sim.setDevice(DEVICE, { pressAfterMs: undefined });
    await rig.clock.advance(10_000);
    expect(rig.of('button')).toEqual([]);
    rig.sim.setDevice(DEVICE, { pressAfterMs: 10 });
    await rig.clock.advance(10);
    expect(rig.of('button')).toHaveLength(1);
  });

  test('does not press the next command with the patience of the last', async () => {
    await startReady();
    rig.sim.setDevice(DEVICE, { pressAfterMs: 1_000 });
    rig.fleet.want(DEVICE, command(1, 'one'));
    await rig.clock.advance(1_200);
    rig.fleet.want(DEVICE, command(2, 'two'));
    await rig.clock.advance(150); // the worker reaches the first while the second is being drawn
    expect(rig.of('button')).toMatchObject([{ token: 1 }]);
    await rig.clock.advance(900);
    expect(rig.of('button')).toHaveLength(1);
    await rig.clock.advance(300);
    expect(rig.of('button')).toMatchObject([{ token: 1 }, { token: 2 }]);
  });
});
