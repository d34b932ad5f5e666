import { afterEach, describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { attachPeer, command, DEVICE, startRig, type Rig } from './turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

const peerState = () => rig.turbos.list().find((turbo) => turbo.serialNumber === 'T-1');
const changes = () => rig.of('turboChanged').map(({ state }) => `${state.serialNumber} ${state.status}`);

describe('hello', () => {
  test('is welcomed, and the list contains the turbo with its data', async () => {
    rig = await startRig();
    const peer = attachPeer(rig);
    await rig.clock.advance(100);
    expect(peerState()).toBeUndefined();
    peer.hello();
    await rig.clock.advance(0);
    expect(peer.replies).toMatchObject([{ name: 'welcome', body: { status: 'accepted', protocol: 1 } }]);
    expect(peerState()).toEqual({
      serialNumber: 'T-1',
      name: 'Hall 2',
      status: 'online',
      transport: 'simulated',
      port: 'loopback',
      firmware: 12,
      uptimeS: 3,
      lastSeenAt: 1_800_000_000_100,
      deviceCount: 0,
    });
    expect(peer.requests.map(({ request }) => request.name)).toEqual(['sync']);
  });

  test("with a different protocol version is refused, and the turbo's state says why", async () => {
    rig = await startRig();
    const peer = attachPeer(rig);
    peer.hello({ protocol: 9 });
    await rig.clock.advance(0);
    expect(peer.replies).toMatchObject([{ name: 'welcome', body: { status: 'wrongVersion', protocol: 1 } }]);
    expect(peerState()).toMatchObject({
      status: 'connecting',
      problem: 'The turbo speaks protocol 9, the station speaks 1',
    });
    expect(peer.requests).toEqual([]);
    peer.hello();
    await rig.clock.advance(0);
    expect(peerState()).not.toHaveProperty('problem');
    expect(peerState()).toMatchObject({ status: 'online' });
  });

  test('without a serial number is refused', async () => {
    rig = await startRig();
    const peer = attachPeer(rig);
    peer.hello({ serialNumber: '' });
    await rig.clock.advance(0);
    expect(peer.replies).toMatchObject([{ name: 'welcome', body: { status: 'refused' } }]);
    expect(rig.turbos.list()).toHaveLength(1);
  });

  test('that is repeated with new serial numbers leaves only the latest turbo', async () => {
    rig = await startRig();
    const peer = attachPeer(rig);
    for (let at = 0; at < 20; at++) peer.hello({ serialNumber: `T-${at}`, protocol: at % 2 === 0 ? 1 : 9 });
    await rig.clock.advance(0);
    expect(rig.turbos.list().map((turbo) => turbo.serialNumber)).toEqual(['SIM-1', 'T-19']);
  });

  test('on a second connection replaces the first', async () => {
    rig = await startRig();
    const first = attachPeer(rig);
    first.hello();
    await rig.clock.advance(0);
    const second = attachPeer(rig);
    second.hello();
    await rig.clock.advance(0);
    expect(first.closed).toBeDefined();
    expect(second.closed).toBeUndefined();
    expect(peerState()).toMatchObject({ status: 'online' });
  });

  test('that is lost is repeated every second', async () => {
    rig = await startRig();
    const faults = { loss: 1, latencyMs: 0 };
    const peer = attachPeer(rig, faults);
    peer.hello();
    await rig.clock.advance(4_500);
    expect(peerState()).toBeUndefined();
    faults.loss = 0;
    await rig.clock.advance(500);
    expect(peerState()).toMatchObject({ status: 'online' });
  });
});

test('reports the device count only once, after all devices have reported', async () => {
  rig = await startRig();
  expect(rig.of('turboChanged').map(({ state }) => `${state.status} ${state.deviceCount}`)).toEqual([
    'online 0',
    'online 3',
  ]);
});

describe('a link without a session', () => {
  test('refuses every message but hello', async () => {
    rig = await startRig();
    const peer = attachPeer(rig);
    peer.send({ name: 'button', body: EXAMPLES.button });
    peer.send({ name: 'heartbeat', body: { uptimeS: 1 } });
    await rig.clock.advance(0);
    expect(peer.replies).toEqual([
      { name: 'ack', body: { status: 'refused' } },
      { name: 'ack', body: { status: 'refused' } },
    ]);
    expect(rig.of('button')).toEqual([]);
  });
});

describe('an idle link', () => {
  test('is lost after three missed heartbeats, together with its devices', async () => {
    rig = await startRig();
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ device: 'AAAAAA:000001' });
    await rig.clock.advance(14_999);
    expect(peerState()).toMatchObject({ status: 'online', deviceCount: 1 });
    expect(rig.turbos.turboOf('AAAAAA:000001')).toMatchObject({ serialNumber: 'T-1' });
    await rig.clock.advance(1);
    expect(peerState()).toMatchObject({ status: 'offline', deviceCount: 0 });
    expect(peer.closed).toBeDefined();
    expect(rig.turbos.turboOf('AAAAAA:000001')).toBeUndefined();
    expect(changes()).toContain('T-1 offline');
  });

  test('is kept alive by heartbeats, which report the uptime', async () => {
    rig = await startRig();
    await rig.clock.advance(60_000);
    expect(rig.turbos.list()).toMatchObject([{ serialNumber: 'SIM-1', status: 'online', uptimeS: 60 }]);
    expect(changes()).not.toContain('SIM-1 offline');
  });

  test('reconnects automatically after all frames were lost', async () => {
    rig = await startRig();
    rig.sim.setTurbo('SIM-1', { loss: 1 });
    await rig.clock.advance(30_000);
    expect(rig.turbos.list()).toMatchObject([{ status: 'offline' }]);
    rig.sim.setTurbo('SIM-1', { loss: 0 });
    await rig.clock.advance(20_000);
    expect(rig.turbos.list()).toMatchObject([{ status: 'online', deviceCount: 3 }]);
  });
});

describe('a turbo', () => {
  test('that disconnects is listed as offline, and returns with its devices', async () => {
    rig = await startRig();
    expect(rig.turbos.turboOf(DEVICE)).toMatchObject({ serialNumber: 'SIM-1' });
    expect(rig.turbos.canPress(DEVICE)).toBe(true);
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(0);
    expect(rig.turbos.list()).toMatchObject([{ serialNumber: 'SIM-1', status: 'offline' }]);
    expect(rig.turbos.turboOf(DEVICE)).toBeUndefined();
    expect(rig.turbos.canPress(DEVICE)).toBe(false);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(0);
    expect(rig.turbos.turboOf(DEVICE)).toMatchObject({ serialNumber: 'SIM-1', status: 'online', deviceCount: 3 });
  });

  test('that reboots says hello again, and its device is not sent what it already shows', async () => {
    rig = await startRig();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    rig.forgetPast();
    rig.sim.restartTurbo('SIM-1');
    await rig.clock.advance(0);
    expect(rig.of('heard').map(({ deviceId }) => deviceId)).toContain(DEVICE);
    expect(rig.showsSent()).toEqual([]); // the device already shows the command
    expect(rig.turbos.list()).toMatchObject([{ status: 'online', deviceCount: 3 }]);
  });

  test('that sends messages without a new hello after the station restarted is refused', async () => {
    rig = await startRig();
    const peer = attachPeer(rig);
    peer.status();
    await rig.clock.advance(0);
    expect(peer.replies).toEqual([{ name: 'ack', body: { status: 'refused' } }]);
  });
});

test("reports a turbo's new device count only once for many added devices", async () => {
  rig = await startRig();
  rig.forgetPast();
  for (let at = 100; at < 400; at++) rig.sim.addDevice({ deviceId: `51D000:000${at}`, buttons: 1, firmware: 70 });
  await rig.clock.advance(1_000);
  expect(rig.of('turboChanged').map(({ state }) => state.deviceCount)).toEqual([303]);
});

test('an engine that throws while handling a report does not break the link', async () => {
  rig = await startRig({ devices: false });
  rig.events.statusReceived = () => {
    throw new Error('broken engine');
  };
  rig.sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
  await rig.clock.advance(0);
  rig.turbos.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(2_000);
  expect(rig.of('shown')).toMatchObject([{ token: 1 }]);
  expect(rig.log.lines).toContain('The engine failed on a report from a turbo');
});

test('a timer that fires late because the machine slept does not end the link', async () => {
  let sleptMs = 0;
  rig = await startRig({ sleptMs: () => sleptMs });
  await rig.clock.advance(14_999); // just before the link is checked
  sleptMs = 3_600_000;
  await rig.clock.advance(60_000);
  expect(rig.turbos.list()).toMatchObject([{ status: 'online' }]);
  expect(changes()).not.toContain('SIM-1 offline');
});

test('after stop, sends and reports nothing and leaves no timer', async () => {
  rig = await startRig();
  rig.turbos.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(100);
  rig.forgetPast();
  rig.stop();
  expect(rig.clock.timerCount()).toBe(0);
  rig.turbos.want(DEVICE, command(2, 'pick'));
  await rig.clock.advance(60_000);
  expect(rig.told).toEqual([]);
  expect(rig.messages).toEqual([]);
  expect(rig.clock.timerCount()).toBe(0);
});
