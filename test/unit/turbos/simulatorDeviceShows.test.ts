import { afterEach, describe, expect, test } from 'vitest';
import { command, DEVICE, startRig, statics, type Rig } from '../../integration/turboLink/turboLinkRig.ts';
import { startReady } from './simulatorDeviceRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

const look = () => rig.sim.look(DEVICE);

describe('the e-paper', () => {
  test('takes 2 s for its first refresh, 300 ms for the next nine, and then 2 s again', async () => {
    rig = await startRig();
    const times: number[] = [];
    for (let token = 1; token <= 12; token++) {
      rig.turbos.want(DEVICE, command(token, `pick ${token}`));
      const startMs = rig.clock.monotonic();
      while (look()?.token !== token) await rig.clock.advance(50);
      times.push(rig.clock.monotonic() - startMs);
    }
    expect(times).toEqual([2_000, 300, 300, 300, 300, 300, 300, 300, 300, 300, 2_000, 300]);
  });

  test('needs no refresh if it already shows the picture', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'shelf'));
    await rig.clock.advance(0);
    expect(look()).toMatchObject({ token: 1, led: 'blink', refreshes: 1 });
  });

  test('finishes a refresh before the next one, and then draws the newest waiting picture', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'one'));
    await rig.clock.advance(100);
    rig.turbos.want(DEVICE, command(2, 'two'));
    await rig.clock.advance(100);
    rig.turbos.want(DEVICE, command(3, 'three'));
    await rig.clock.advance(100);
    expect(look()).toMatchObject({ token: 1 });
    await rig.clock.advance(300);
    expect(look()).toMatchObject({ token: 3, refreshes: 3 });
  });

  test('needs no timer if a refresh takes no time', async () => {
    rig = await startRig();
    rig.sim.setDevice(DEVICE, { refreshFullMs: 0, refreshPartialMs: 0 });
    await rig.clock.advance(5_000);
    const timers = rig.clock.timerCount();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 0 }));
    await rig.clock.advance(0);
    expect(look()).toMatchObject({ token: 1, led: 'blink' });
    expect(rig.clock.timerCount()).toBeLessThanOrEqual(timers + 2); // one repetition timer per side
  });

  test('keeps its picture when the device restarts, but the device no longer knows it', async () => {
    rig = await startReady();
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
  test('change immediately from the background to work, and the picture follows', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    expect(look()).toMatchObject({ token: 1, led: 'blink', refreshes: 2 });
    expect(rig.of('shown')).toMatchObject([{ token: 1, ageMs: 0 }]);
    rig.forgetPast();
    await rig.clock.advance(1_000);
    expect(look()).toMatchObject({ token: 1, led: 'blink', refreshes: 2 });
    expect(rig.of('shown')).toEqual([]);
  });

  test('change immediately while a background is drawn, and then stay unchanged', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, statics('other shelf'));
    await rig.clock.advance(100);
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 60 }));
    await rig.clock.advance(0);
    expect(look()).toMatchObject({ token: 1, led: 'blink' });
    await rig.clock.advance(1_000);
    expect(look()).toMatchObject({ token: 1, led: 'blink' });
    expect(rig.of('shown').map(({ token }) => token)).toEqual([1]);
  });

  test('a press before the picture ends the command, and the next one waits for its own picture', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'one'));
    await rig.clock.advance(100);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    expect(rig.of('button')).toMatchObject([{ token: 1, button: 'front' }]);
    rig.turbos.want(DEVICE, command(2, 'two'));
    await rig.clock.advance(199);
    expect(look()).toMatchObject({ token: 0, led: 'off' });
    await rig.clock.advance(301);
    expect(look()).toMatchObject({ token: 2, led: 'blink' });
  });

  test('a press during a refresh belongs to the previous command', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'one'));
    await rig.clock.advance(300);
    rig.turbos.want(DEVICE, command(2, 'two'));
    await rig.clock.advance(299);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    expect(rig.of('button')).toMatchObject([{ token: 1, button: 'front' }]);
    await rig.clock.advance(1);
    expect(look()).toMatchObject({ token: 2, led: 'blink' });
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    expect(rig.of('button').map(({ token }) => token)).toEqual([1, 2]);
  });
});

describe('the seconds of a command', () => {
  test('count from when it is shown, not from when it is sent', async () => {
    rig = await startRig();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 10, quantity: 2 }));
    await rig.clock.advance(2_000);
    await rig.clock.advance(9_999);
    expect(rig.of('ended')).toEqual([]);
    expect(look()).toMatchObject({ token: 1, led: 'blink' });
    await rig.clock.advance(1);
    expect(rig.of('ended')).toMatchObject([{ token: 1, ageMs: 0, quantity: 2, counter: 1 }]);
    expect(look()).toMatchObject({ led: 'off' });
  });

  test('continue without a link, and the end is reported with its age', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 5 }));
    await rig.clock.advance(300);
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(9_000);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(0);
    expect(rig.of('ended')).toMatchObject([{ token: 1, ageMs: 4_300 }]);
  });

  test('never end if they are 0', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 0 }));
    await rig.clock.advance(1_000_000);
    expect(rig.of('ended')).toEqual([]);
    expect(look()).toMatchObject({ token: 1, led: 'blink' });
  });

  test('stop with a press, and the next command counts its own seconds', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 10 }));
    await rig.clock.advance(5_300);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(300);
    rig.turbos.want(DEVICE, command(2, 'next', { seconds: 20 }));
    await rig.clock.advance(19_999);
    expect(rig.of('ended')).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.of('ended')).toMatchObject([{ token: 2 }]);
    rig.turbos.want(DEVICE, command(3, 'short', { seconds: 1 }));
    await rig.clock.advance(1_600);
    expect(rig.of('ended')).toMatchObject([{ token: 2 }, { token: 3 }]);
  });

  test('that remain are reported in the device status', async () => {
    rig = await startReady();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 60 }));
    await rig.clock.advance(20_000);
    rig.sim.setDevice(DEVICE, { batteryMv: 2_400 });
    await rig.clock.advance(0);
    expect(rig.of('heard')).toMatchObject([
      { turbo: 'SIM-1', status: { batteryMv: 2_400, shownToken: 1, remainingMs: 40_000, firmware: 70, buttons: 1 } },
    ]);
  });
});

test('keeps the newest four shown reports while the station does not accept them', async () => {
  rig = await startReady();
  rig.engine.take = () => new Promise(() => {});
  for (let token = 1; token <= 9; token++) {
    rig.turbos.want(DEVICE, command(token, `pick ${token}`));
    await rig.clock.advance(300);
  }
  expect(look()).toMatchObject({ token: 9, heldReports: 4 });
  rig.forgetPast();
  rig.engine.take = async () => {};
  rig.sim.restartTurbo('SIM-1');
  await rig.clock.advance(0);
  expect(rig.of('shown').map(({ token }) => token)).toEqual([6, 7, 8, 9]);
});

test('a status names the picture that stays on the screen after a command, and none once the screen is blank', async () => {
  rig = await startRig();
  const pick = command(1, 'pick');
  rig.turbos.want(DEVICE, pick);
  await rig.clock.advance(2_000);
  /** Requests and returns the status of the device. */
  const says = async () => {
    rig.forgetPast();
    void rig.turbos.drain(10_000);
    await rig.clock.advance(0);
    return rig.messages.flatMap(({ message }) =>
      message.name === 'deviceStatus' && message.body.device === DEVICE ? [message.body] : [],
    )[0];
  };
  expect(await says()).toMatchObject({ shownToken: 1, shownChecksum: pick.checksum, pendingToken: undefined });
  rig.sim.press(DEVICE, 'front', 'short');
  await rig.clock.advance(0);
  expect(await says()).toMatchObject({
    shownToken: 0,
    shownChecksum: pick.checksum,
    pendingToken: 0,
    pendingChecksum: undefined,
  });
  await rig.clock.advance(1_000);
  expect(await says()).toMatchObject({ shownToken: 0, shownChecksum: undefined, pendingToken: undefined });
  rig.sim.restartDevice(DEVICE);
  await rig.clock.advance(0);
  expect(await says()).toMatchObject({ shownToken: 0, shownChecksum: undefined });
});
