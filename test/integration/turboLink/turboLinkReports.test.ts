import { afterEach, describe, expect, test } from 'vitest';
import { attachPeer, command, DEVICE, startRig, statics, THREE_BUTTONS, type Rig } from './turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

async function startShowing(): Promise<void> {
  rig = await startRig();
  rig.turbos.want(DEVICE, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.turbos.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(300);
  rig.forgetPast();
}

const acksOut = () => rig.messages.filter(({ direction, message }) => direction === 'out' && message.name === 'ack');
const presses = () => rig.of('button').map(({ token, counter, ageMs }) => ({ token, counter, ageMs }));

describe('a report is acknowledged', () => {
  test('only once the engine has stored it on disk', async () => {
    await startShowing();
    const onDisk = Promise.withResolvers<void>();
    rig.engine.take = () => onDisk.promise;
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(1_000);
    expect(presses()).toHaveLength(1);
    expect(rig.turbos.idle()).toBe(false);
    expect(acksOut()).toHaveLength(0);
    onDisk.resolve();
    await rig.clock.advance(0);
    expect(acksOut().length).toBeGreaterThan(0);
    expect(rig.sim.look(DEVICE)?.heldReports).toBe(0);
    expect(rig.turbos.idle()).toBe(true);
  });

  test('without forwarding a repetition that arrives while the report is being stored', async () => {
    await startShowing();
    const onDisk = Promise.withResolvers<void>();
    rig.engine.take = () => onDisk.promise;
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(20_000);
    expect(presses()).toHaveLength(1);
    onDisk.resolve();
    await rig.clock.advance(30_000);
    expect(presses()).toHaveLength(1);
    expect(rig.sim.look(DEVICE)?.heldReports).toBe(0);
  });

  test('only when the engine accepts it, and is repeated with its age until then', async () => {
    await startShowing();
    let refusals = 2;
    rig.engine.take = async (told) => {
      if (told.kind === 'button' && refusals-- > 0) throw new Error('disk full');
    };
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(10_000);
    expect(presses()).toEqual([
      { token: 1, counter: 1, ageMs: 0 },
      { token: 1, counter: 1, ageMs: 1_500 },
      { token: 1, counter: 1, ageMs: 4_500 },
    ]);
    expect(rig.sim.look(DEVICE)?.heldReports).toBe(0);
    expect(rig.log.lines.filter((line) => line.includes('could not be stored'))).toHaveLength(2);
  });

  test('only after a repetition if the engine throws synchronously', async () => {
    await startShowing();
    let broken = true;
    rig.engine.take = () => {
      if (!broken) return Promise.resolve();
      broken = false;
      throw new Error('broken engine');
    };
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(2_000);
    expect(presses()).toHaveLength(2);
    expect(rig.sim.look(DEVICE)?.heldReports).toBe(0);
  });
});

describe('the reports of a device', () => {
  test('include a press, which is forwarded without waiting for the ack of the shown report', async () => {
    rig = await startRig();
    const onDisk = Promise.withResolvers<void>();
    rig.engine.take = (told) => (told.kind === 'shown' ? onDisk.promise : Promise.resolve());
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(60_000);
    expect(presses()).toEqual([{ token: 1, counter: 1, ageMs: 0 }]);
    expect(rig.of('shown')).toHaveLength(1);
    expect(rig.sim.look(DEVICE)?.heldReports).toBe(1);
    onDisk.resolve();
    await rig.clock.advance(10_000);
    expect(rig.sim.look(DEVICE)?.heldReports).toBe(0);
  });

  test('are accepted in order if the press comes before the shown report', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    rig.turbos.want(DEVICE, command(7, 'pick'));
    await rig.clock.advance(0);
    peer.press({ token: 7 });
    peer.shown(command(7, 'pick'), 100);
    await rig.clock.advance(0);
    expect(rig.told.flatMap(({ kind }) => (kind === 'button' || kind === 'shown' ? [kind] : []))).toEqual([
      'button',
      'shown',
    ]);
    expect(peer.replies.filter(({ name, body }) => name === 'ack' && 'status' in body && body.status !== 'ok')).toEqual(
      [],
    );
  });

  test('are handled one after the other, in order, while reports of other devices continue', async () => {
    await startShowing();
    const first = Promise.withResolvers<void>();
    rig.engine.take = (told) =>
      told.kind === 'button' && told.deviceId === DEVICE && told.counter === 1 ? first.promise : Promise.resolve();
    rig.sim.press(DEVICE, 'front', 'short');
    rig.sim.press(DEVICE, 'front', 'long');
    rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    await rig.clock.advance(400);
    expect(rig.of('button').map(({ deviceId, counter }) => `${deviceId} ${counter}`)).toEqual([
      `${DEVICE} 1`,
      `${THREE_BUTTONS} 1`,
    ]);
    first.resolve();
    await rig.clock.advance(0);
    expect(rig.of('button').map(({ deviceId, counter }) => `${deviceId} ${counter}`)).toEqual([
      `${DEVICE} 1`,
      `${THREE_BUTTONS} 1`,
      `${DEVICE} 2`,
    ]);
  });

  test('all reach the engine in order, even if every second frame is lost', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { loss: 0.5 });
    for (let at = 0; at < 10; at++) rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    await rig.clock.advance(120_000);
    rig.sim.setTurbo('SIM-1', { loss: 0 });
    await rig.clock.advance(60_000);
    const counters = rig.of('button').map(({ counter }) => counter);
    expect([...new Set(counters)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(counters).toEqual(counters.toSorted((a, b) => a - b));
    // Within a session, reports are not repeated; only a new session can repeat earlier reports.
    const sessions = rig.messages.filter(({ message }) => message.name === 'hello').length;
    expect(counters.length).toBeLessThanOrEqual(10 + sessions);
  });

  test('are kept while the link is down, and arrive with their actual age', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(1_000);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(7_000);
    rig.sim.press(DEVICE, 'front', 'long');
    await rig.clock.advance(3_000);
    expect(rig.of('button')).toEqual([]);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(0);
    expect(rig.of('button').map(({ token, ageMs, hold }) => ({ token, ageMs, hold }))).toEqual([
      { token: 1, ageMs: 10_000, hold: 'short' },
      { token: 0, ageMs: 3_000, hold: 'long' },
    ]);
  });

  test('arrive before its status, and the station sends the device no show before them', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { connected: false });
    rig.sim.press(DEVICE, 'front', 'short');
    rig.sim.press(DEVICE, 'front', 'long');
    await rig.clock.advance(1_000);
    rig.forgetPast();
    rig.turbos.want(DEVICE, command(2, 'next'));
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(0);
    const order = rig.messages.flatMap(({ message }) =>
      'device' in message.body && message.body.device === DEVICE ? [message.name] : [],
    );
    // The shown report arrives along with the presses; the status waits for all of them.
    expect(order.slice(0, 3).toSorted()).toEqual(['button', 'button', 'shown']);
    expect(order.slice(3)).toEqual(['deviceStatus', 'show', 'shown']);
  });

  test('omit a background that was replaced before it could be reported', async () => {
    rig = await startRig();
    rig.sim.setDevice(DEVICE, { refreshFullMs: 0, refreshPartialMs: 0 });
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    rig.forgetPast();
    const written = Promise.withResolvers<void>();
    rig.engine.take = (told) => (told.kind === 'shown' ? written.promise : Promise.resolve());
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    expect(rig.of('button')).toHaveLength(1); // the press does not wait for the shown report
    rig.turbos.want(DEVICE, command(2, 'next'));
    await rig.clock.advance(0);
    written.resolve();
    await rig.clock.advance(0);
    expect(rig.of('shown').map(({ token }) => token)).toEqual([1, 2]);
  });

  test('are kept up to 64, and further presses are refused', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { connected: false });
    for (let at = 0; at < 70; at++) expect(rig.sim.press(THREE_BUTTONS, 'plus', 'short')).toBe(true);
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ heldReports: 64, refusedPresses: 6 });
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(0);
    expect(rig.of('button')).toHaveLength(64);
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ heldReports: 0 });
  });
});

test('a device with 64 unaccepted reports refuses shows, and shows the wanted screen once the reports are accepted', async () => {
  await startShowing();
  let broken = true;
  rig.engine.take = async () => {
    if (broken) throw new Error('disk full');
  };
  for (let at = 0; at < 70; at++) rig.sim.press(DEVICE, 'front', 'long');
  rig.turbos.want(DEVICE, command(2, 'next', { seconds: 0 }));
  await rig.clock.advance(5_000);
  // 64 presses, and the report that the background is shown again after the first press.
  expect(rig.sim.look(DEVICE)).toMatchObject({ heldReports: 65, refusedPresses: 6, token: 0 });
  expect(rig.of('sent')).toEqual([]);
  broken = false;
  await rig.clock.advance(60_000);
  expect(rig.sim.look(DEVICE)).toMatchObject({ heldReports: 0, token: 2, led: 'blink' });
});

test('synced is sent last, even if the window is too small for all reports at once', async () => {
  rig = await startRig({ devices: false });
  const ids = Array.from({ length: 50 }, (_, at) => `51D000:0001${String(at).padStart(2, '0')}`);
  for (const deviceId of ids) {
    rig.sim.addDevice({ deviceId, buttons: 1, firmware: 70 });
    rig.sim.setDevice(deviceId, { refreshFullMs: 0, refreshPartialMs: 0 });
    rig.turbos.want(deviceId, statics('shelf'));
  }
  await rig.clock.advance(0);
  for (const deviceId of ids) rig.turbos.want(deviceId, command(1, 'pick'));
  await rig.clock.advance(0);
  rig.sim.setTurbo('SIM-1', { connected: false });
  for (const deviceId of ids) rig.sim.press(deviceId, 'front', 'short');
  rig.forgetPast();
  rig.sim.setTurbo('SIM-1', { connected: true });
  await rig.clock.advance(0);
  const order = rig.messages.filter(({ direction }) => direction === 'in').map(({ message }) => message.name);
  expect(order.filter((name) => name === 'button')).toHaveLength(50);
  expect(order.filter((name) => name === 'shown')).toHaveLength(50);
  const told = order.filter((name) => name !== 'ack');
  expect(told.indexOf('synced')).toBe(told.length - 1);
});

describe('drain', () => {
  test('resolves once all held reports have been accepted', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { connected: false });
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(500);
    const onDisk = Promise.withResolvers<void>();
    rig.engine.take = () => onDisk.promise;
    rig.sim.setTurbo('SIM-1', { connected: true });
    let drained = false;
    void rig.turbos.drain(10_000).then(() => (drained = true));
    await rig.clock.advance(5_000);
    expect(drained).toBe(false);
    onDisk.resolve();
    await rig.clock.advance(0);
    expect(drained).toBe(true);
    expect(presses()).toHaveLength(1);
  });

  test('requests the state of an online turbo again', async () => {
    await startShowing();
    const timers = rig.clock.timerCount();
    const drained = rig.turbos.drain(10_000);
    await rig.clock.advance(0);
    await drained;
    expect(rig.clock.timerCount()).toBe(timers);
    expect(rig.messages.map(({ message }) => message.name)).toContain('sync');
    expect(rig.of('heard')).toHaveLength(3);
  });

  test('sends one sync for several callers, and each waits for the answer', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { latencyMs: 100 });
    rig.messages.splice(0);
    let drained = 0;
    for (let count = 0; count < 2; count += 1) void rig.turbos.drain(10_000).then(() => (drained += 1));
    await rig.clock.advance(100);
    expect(drained).toBe(0);
    await rig.clock.advance(1_000);
    expect(drained).toBe(2);
    expect(rig.messages.filter(({ message }) => message.name === 'sync')).toHaveLength(1);
  });

  test('waits no longer than its limit', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { loss: 1 });
    let drained = false;
    void rig.turbos.drain(10_000).then(() => (drained = true));
    await rig.clock.advance(9_999);
    expect(drained).toBe(false);
    await rig.clock.advance(1);
    expect(drained).toBe(true);
  });

  test('waits for a turbo that reboots in the meantime', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { latencyMs: 100 });
    let drained = false;
    void rig.turbos.drain(10_000).then(() => (drained = true));
    rig.sim.restartTurbo('SIM-1');
    await rig.clock.advance(300);
    expect(drained).toBe(false);
    await rig.clock.advance(1_000);
    expect(drained).toBe(true);
  });

  test('waits for the next session if a turbo has none', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    await rig.clock.advance(0);
    peer.syncAnswer = 'refused';
    let drained = false;
    void rig.turbos.drain(10_000).then(() => (drained = true));
    await rig.clock.advance(0);
    expect(drained).toBe(false);
    peer.syncAnswer = 'synced';
    peer.hello({ bootId: 2 });
    await rig.clock.advance(0);
    expect(drained).toBe(true);
  });

  test('syncs again a second after a turbo refused', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    await rig.clock.advance(0);
    peer.syncAnswer = 'refused';
    let drained = false;
    void rig.turbos.drain(10_000).then(() => (drained = true));
    await rig.clock.advance(0);
    peer.syncAnswer = 'synced';
    await rig.clock.advance(999);
    expect(drained).toBe(false);
    await rig.clock.advance(1);
    expect(drained).toBe(true);
  });

  test('resolves immediately without turbos, or when the only turbo is lost', async () => {
    await startShowing();
    rig.sim.setTurbo('SIM-1', { loss: 1 });
    const lost = rig.turbos.drain(60_000);
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(0);
    await lost;
    await rig.turbos.drain(60_000);
    expect(rig.clock.timerCount()).toBeLessThan(5);
  });
});
