import { afterEach, expect, test } from 'vitest';
import type { Admission } from '../../../electron/server/ports.ts';
import { SimulatedTurbo } from '../../../electron/server/simulator/turbo.ts';
import { attachPeer, command, DEVICE, startRig, type Rig } from './turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

const WHOLE = { loss: 0, latencyMs: 0 };
const state = () => rig.turbos.list().find((turbo) => turbo.serialNumber === 'T-1');

/** Creates an admission that admits anyone who knows the secret, once `answer` resolves. */
function doorkeeper() {
  const asked: { username: string; secret: string }[] = [];
  const door = { isLive: true, answer: Promise.resolve() };
  const admission: Admission = {
    async admit(signIn) {
      asked.push(signIn);
      await door.answer;
      return signIn.secret === 'right' ? undefined : 'The user name or the password is wrong.';
    },
    isLive: () => door.isLive,
    turboKey: () => undefined,
    boundTo: () => undefined,
    signUpdate: () => undefined,
  };
  return { asked, door, admission };
}

test('admits a turbo that signs in, and does not store its secret', async () => {
  rig = await startRig();
  const { asked, admission } = doorkeeper();
  const peer = attachPeer(rig, WHOLE, admission);
  peer.hello({ username: 'aisle-1', secret: 'right' });
  await rig.clock.advance(0);
  expect(peer.replies).toMatchObject([{ name: 'welcome', body: { status: 'accepted' } }]);
  expect(asked).toEqual([{ username: 'aisle-1', secret: 'right' }]);
  expect(state()).toMatchObject({ status: 'online' });
  expect(JSON.stringify([rig.turbos.list(), rig.log.lines, rig.told])).not.toContain('right');
});

test('refuses a turbo with a wrong sign-in, exchanges no other messages with it, and lets it retry', async () => {
  rig = await startRig();
  const { admission } = doorkeeper();
  const peer = attachPeer(rig, WHOLE, admission);
  peer.hello({ username: 'aisle-1', secret: 'wrong' });
  await rig.clock.advance(0);
  expect(peer.replies).toMatchObject([{ name: 'welcome', body: { status: 'notSignedIn' } }]);
  expect(state()).toMatchObject({ status: 'connecting', problem: 'The user name or the password is wrong.' });
  rig.turbos.want(DEVICE, command(7, 'x'));
  peer.status();
  peer.press();
  await rig.clock.advance(0);
  expect(peer.requests).toEqual([]);
  expect(peer.replies.slice(1)).toEqual([
    { name: 'ack', body: { status: 'refused' } },
    { name: 'ack', body: { status: 'refused' } },
  ]);
  expect(rig.of('button')).toEqual([]);
  await rig.clock.advance(9_000);
  peer.hello({ username: 'aisle-1', secret: 'right' });
  await rig.clock.advance(0);
  expect(state()).toMatchObject({ status: 'online' });
});

test('a stranger does not replace the turbo whose serial number it uses', async () => {
  rig = await startRig();
  const good = attachPeer(rig);
  good.hello();
  await rig.clock.advance(0);
  const stranger = attachPeer(rig, WHOLE, doorkeeper().admission);
  stranger.hello({ secret: 'wrong' });
  await rig.clock.advance(0);
  expect(good.closed).toBeUndefined();
  expect(state()).toMatchObject({ status: 'online' });
});

test('a refused stranger does not change an offline turbo whose serial number it uses', async () => {
  rig = await startRig();
  const good = attachPeer(rig);
  good.hello({ name: 'Hall 2', firmware: 70 });
  await rig.clock.advance(0);
  good.detach();
  await rig.clock.advance(0);
  const before = rig.turbos.list();
  expect(state()).toMatchObject({ name: 'Hall 2', firmware: 70, status: 'offline' });

  const stranger = attachPeer(rig, WHOLE, doorkeeper().admission);
  const foreign = { secret: 'wrong', name: 'Call 555-0100', firmware: 99 };
  stranger.hello(foreign);
  await rig.clock.advance(0);
  expect(rig.turbos.list()).toEqual(before);
  // Switching to another serial number and back must not change T-1 either.
  stranger.hello({ ...foreign, serialNumber: 'T-9' });
  await rig.clock.advance(0);
  expect(rig.turbos.list().map(({ serialNumber }) => serialNumber)).toEqual([
    ...before.map(({ serialNumber }) => serialNumber),
    'T-9',
  ]);
  stranger.hello(foreign);
  await rig.clock.advance(0);
  expect(rig.turbos.list()).toEqual(before);
  await rig.clock.advance(10_000);
  expect(stranger.closed).toBeDefined();
  expect(state()).toEqual(before.find(({ serialNumber }) => serialNumber === 'T-1'));
});

test('closes a connection without a sign-in after ten seconds, regardless of what it sends', async () => {
  rig = await startRig();
  const silent = attachPeer(rig, WHOLE, doorkeeper().admission);
  const wrong = attachPeer(rig, WHOLE, doorkeeper().admission);
  const good = attachPeer(rig, WHOLE, doorkeeper().admission);
  good.hello({ secret: 'right' });
  await rig.clock.advance(9_900);
  wrong.hello({ serialNumber: 'T-2', secret: 'wrong' });
  await rig.clock.advance(50);
  expect([silent.closed, wrong.closed]).toEqual([undefined, undefined]);
  await rig.clock.advance(100);
  expect([silent.closed, wrong.closed, good.closed]).toEqual([expect.any(String), expect.any(String), undefined]);
});

test('waits for a sign-in that takes long to check', async () => {
  rig = await startRig();
  const { door, admission } = doorkeeper();
  const { promise, resolve } = Promise.withResolvers<void>();
  door.answer = promise;
  const peer = attachPeer(rig, WHOLE, admission);
  peer.hello({ secret: 'right' });
  await rig.clock.advance(25_000);
  expect(peer.closed).toBeUndefined();
  resolve();
  await rig.clock.advance(0);
  expect(state()).toMatchObject({ status: 'online' });
});

test('closes the oldest of many connections without a sign-in, but not a turbo that signs in', async () => {
  rig = await startRig();
  const good = attachPeer(rig, WHOLE, doorkeeper().admission);
  good.hello({ secret: 'right' });
  await rig.clock.advance(0);
  const strangers = Array.from({ length: 100 }, () => attachPeer(rig, WHOLE, doorkeeper().admission));
  await rig.clock.advance(0);
  expect(strangers.map(({ closed }) => closed === undefined)).toEqual(
    strangers.map((_, at) => at >= strangers.length - 64),
  );
  expect(good.closed).toBeUndefined();
  strangers.at(-1)?.hello({ serialNumber: 'T-2', secret: 'right' });
  await rig.clock.advance(0);
  expect(rig.turbos.list()).toContainEqual(expect.objectContaining({ serialNumber: 'T-2', status: 'online' }));
});

test('many connections without a sign-in from one address do not close those from another', async () => {
  rig = await startRig();
  const stranger = (from: string) => attachPeer(rig, WHOLE, doorkeeper().admission, from);
  const slow = [stranger('192.0.2.1:4000'), stranger('[2001:db8::1]:4000')];
  const flood = Array.from({ length: 200 }, (_, at) => stranger(`192.0.2.9:${5_000 + at}`));
  await rig.clock.advance(0);
  expect(slow.map(({ closed }) => closed)).toEqual([undefined, undefined]);
  expect(flood.filter(({ closed }) => closed === undefined)).toHaveLength(62);
  slow[0]?.hello({ serialNumber: 'T-2', secret: 'right' });
  await rig.clock.advance(0);
  expect(rig.turbos.list()).toContainEqual(expect.objectContaining({ serialNumber: 'T-2', status: 'online' }));
});

test('a refused turbo retries after half a minute, even if its connection was closed in the meantime', async () => {
  rig = await startRig({ devices: false });
  const { asked, admission } = doorkeeper();
  const turbo = new SimulatedTurbo({
    serialNumber: 'T-1',
    name: '',
    clock: rig.clock,
    ids: rig.ids,
    log: rig.log,
    connect() {
      const { station, turbo: end } = rig.wires.connect(WHOLE);
      rig.turbos.attach({ ...station, admission });
      return end;
    },
    signIn: { username: 'aisle-1', secret: 'wrong' },
  });
  turbo.connect();
  await rig.clock.advance(29_000);
  expect(asked).toHaveLength(1);
  await rig.clock.advance(2_000);
  expect(asked).toHaveLength(2);
  turbo.disconnect();
});

test('answers the latest hello', async () => {
  rig = await startRig();
  const { door, admission } = doorkeeper();
  const { promise, resolve } = Promise.withResolvers<void>();
  door.answer = promise;
  const peer = attachPeer(rig, WHOLE, admission);
  peer.hello({ secret: 'wrong' });
  peer.hello({ secret: 'right' });
  await rig.clock.advance(0);
  expect(peer.replies).toEqual([]);
  resolve();
  await rig.clock.advance(0);
  expect(state()).toMatchObject({ status: 'online' });
  expect(peer.replies).toMatchObject([{ name: 'welcome', body: { status: 'accepted' } }]);
});

test('does not welcome a turbo that disconnected while its sign-in was being checked', async () => {
  rig = await startRig();
  const { door, admission } = doorkeeper();
  const { promise, resolve } = Promise.withResolvers<void>();
  door.answer = promise;
  const peer = attachPeer(rig, WHOLE, admission);
  peer.hello({ secret: 'right' });
  await rig.clock.advance(0);
  peer.stop();
  await rig.clock.advance(0);
  resolve();
  await rig.clock.advance(0);
  expect(state()?.status ?? 'offline').toBe('offline');
});

test('retries checking a sign-in after an error', async () => {
  rig = await startRig();
  const { door, admission } = doorkeeper();
  door.answer = Promise.reject(new Error('the disk is full'));
  const peer = attachPeer(rig, WHOLE, admission);
  peer.hello({ secret: 'right' });
  await rig.clock.advance(0);
  expect(peer.replies).toEqual([]);
  door.answer = Promise.resolve();
  await rig.clock.advance(1_000);
  expect(state()).toMatchObject({ status: 'online' });
});

test('closes a connection whose sign-in could not be checked, like a connection without a sign-in', async () => {
  rig = await startRig();
  const { door, admission } = doorkeeper();
  door.answer = Promise.reject(new Error('the disk is full'));
  const peer = attachPeer(rig, WHOLE, admission);
  peer.hello({ secret: 'right' });
  await rig.clock.advance(11_000);
  expect(peer.closed).toBeDefined();
});

test('a revoked sign-in ends the link at the next heartbeat', async () => {
  rig = await startRig();
  const { door, admission } = doorkeeper();
  const peer = attachPeer(rig, WHOLE, admission);
  peer.hello({ secret: 'right' });
  await rig.clock.advance(0);
  peer.send({ name: 'heartbeat', body: { uptimeS: 8 } });
  await rig.clock.advance(0);
  expect(peer.closed).toBeUndefined();
  door.isLive = false;
  peer.send({ name: 'heartbeat', body: { uptimeS: 13 } });
  await rig.clock.advance(0);
  expect(peer.closed).toBeDefined();
  expect(state()).toMatchObject({ status: 'offline' });
});

test('closes the connection of an admitted turbo that is later refused, even if it keeps sending', async () => {
  rig = await startRig();
  const peer = attachPeer(rig, WHOLE, doorkeeper().admission);
  peer.hello({ username: 'aisle-1', secret: 'right' });
  await rig.clock.advance(0);
  peer.hello({ username: 'aisle-1', secret: 'wrong' });
  for (let second = 0; second < 12; second += 1) {
    peer.send({ name: 'heartbeat', body: { uptimeS: second } });
    await rig.clock.advance(1_000);
  }
  expect(peer.closed).toBeDefined();
  expect(state()).toMatchObject({ status: 'offline' });
});
