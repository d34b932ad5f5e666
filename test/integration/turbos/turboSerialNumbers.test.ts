import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedTurbo } from '../../../electron/server/simulator/turbo.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { attachPeer, startRig, type Rig } from '../turboLink/turboLinkRig.ts';

let rig: Rig;
const turbos: SimulatedTurbo[] = [];

beforeEach(async () => {
  rig = await startRig({ devices: false });
});

afterEach(() => {
  for (const turbo of turbos.splice(0)) turbo.disconnect();
  rig.stop();
});

const state = () => rig.turbos.list().find(({ serialNumber }) => serialNumber === 'T-1');
const statuses = (peer: ReturnType<typeof attachPeer>) =>
  peer.replies.flatMap((reply) => (reply.name === 'welcome' ? [reply.body.status] : []));
const alive = (...peers: ReturnType<typeof attachPeer>[]) => {
  for (const peer of peers) peer.send({ name: 'heartbeat', body: { uptimeS: 1 } });
};

/** Connects a turbo that has been running for a minute. */
async function startFirst() {
  const first = attachPeer(rig);
  first.hello({ bootId: 1, uptimeS: 60 });
  await rig.clock.advance(0);
  return first;
}

/** Starts a turbo with its own wire and boot id, and counts its connections. */
function startTurbo(seed: number) {
  const counts = { connections: 0 };
  const turbo = new SimulatedTurbo({
    serialNumber: 'T-1',
    name: `of seed ${seed}`,
    clock: rig.clock,
    ids: seededIds(seed),
    log: rig.log,
    connect() {
      counts.connections += 1;
      const { station, turbo: end } = rig.wires.connect({ loss: 0, latencyMs: 0 });
      rig.turbos.attach(station);
      return end;
    },
  });
  turbos.push(turbo);
  turbo.connect();
  return { turbo, counts };
}

test('refuses a second, long-running turbo with the same serial number, keeps the first one working, and says why', async () => {
  const first = await startFirst();
  await rig.clock.advance(4_000);
  alive(first);
  await rig.clock.advance(0);
  const second = attachPeer(rig);
  second.hello({ bootId: 2, uptimeS: 3_600 });
  await rig.clock.advance(0);
  expect(statuses(second)).toEqual(['numberTaken']);
  expect(first.closed).toBeUndefined();
  expect(state()).toMatchObject({
    status: 'online',
    problem:
      'Another turbo with the serial number T-1 is at loopback and was refused. Give one of them another number.',
  });
  for (let again = 0; again < 12; again += 1) {
    alive(first);
    if (again % 3 === 0) second.hello({ bootId: 2, uptimeS: 3_600 });
    await rig.clock.advance(10_000);
  }
  expect(new Set(statuses(second))).toEqual(new Set(['numberTaken']));
  expect(first.closed).toBeUndefined();
});

test('reports the duplicate serial number until the other turbo has not connected for a while', async () => {
  const first = await startFirst();
  const second = attachPeer(rig);
  second.hello({ bootId: 2, uptimeS: 3_600 });
  await rig.clock.advance(0);
  second.stop();
  rig.forgetPast();
  for (let beat = 0; beat < 10; beat += 1) {
    alive(first);
    await rig.clock.advance(10_000);
  }
  expect(state()).not.toHaveProperty('problem');
  expect(rig.of('turboChanged').at(-1)?.state).not.toHaveProperty('problem');
});

test('a restarted turbo immediately replaces its dead link', async () => {
  const first = await startFirst();
  await rig.clock.advance(4_000);
  const reborn = attachPeer(rig);
  reborn.hello({ bootId: 2, uptimeS: 2 });
  await rig.clock.advance(0);
  expect(statuses(reborn)).toEqual(['accepted']);
  expect(first.closed).toBeDefined();
  expect(state()).toMatchObject({ status: 'online' });
  expect(state()).not.toHaveProperty('problem');
});

test('a turbo that did not restart immediately replaces its own half-open link', async () => {
  const first = await startFirst();
  await rig.clock.advance(4_000);
  const again = attachPeer(rig);
  again.hello({ bootId: 1, uptimeS: 64 });
  await rig.clock.advance(0);
  expect(statuses(again)).toEqual(['accepted']);
  expect(first.closed).toBeDefined();
});

test('if the first turbo reconnects and finds a second one in its place, the first keeps the serial number', async () => {
  await startFirst();
  await rig.clock.advance(1_000);
  const second = attachPeer(rig);
  second.hello({ bootId: 2, uptimeS: 2 });
  await rig.clock.advance(1_000);
  const back = attachPeer(rig);
  back.hello({ bootId: 1, uptimeS: 62 });
  await rig.clock.advance(0);
  expect(statuses(back)).toEqual(['accepted']);
  expect(second.closed).toBeDefined();
  expect(state()).toMatchObject({ status: 'online', problem: expect.stringContaining('Another turbo') as string });
  const secondAgain = attachPeer(rig);
  secondAgain.hello({ bootId: 2, uptimeS: 4 });
  await rig.clock.advance(0);
  expect(statuses(secondAgain)).toEqual(['numberTaken']);
  expect(back.closed).toBeUndefined();
});

test('of two turbos with the same serial number, exactly one works, even if either restarts, and neither displaces the other', async () => {
  const { counts: first } = startTurbo(1);
  await rig.clock.advance(60_000);
  const { turbo: second, counts } = startTurbo(2);
  await rig.clock.advance(60_000);
  first.connections = 0;
  counts.connections = 0;
  rig.forgetPast();
  await rig.clock.advance(600_000);
  expect([first.connections, counts.connections]).toEqual([0, 0]);
  expect(rig.of('turboChanged').filter(({ state: { status } }) => status !== 'online')).toEqual([]);
  expect(state()).toMatchObject({ status: 'online', name: 'of seed 1' });
  turbos[0]?.disconnect();
  await rig.clock.advance(60_000);
  expect(state()).toMatchObject({ status: 'online', name: 'of seed 2' });
  turbos[0]?.connect();
  await rig.clock.advance(60_000);
  expect(state()).toMatchObject({ status: 'online', name: 'of seed 1' });
  second.disconnect();
  await rig.clock.advance(120_000);
  expect(state()).not.toHaveProperty('problem');
});

test('a forgotten turbo does not affect a later one with the same serial number', async () => {
  const first = await startFirst();
  first.stop();
  const second = attachPeer(rig);
  second.hello({ bootId: 2, uptimeS: 0 });
  await rig.clock.advance(0);
  second.stop();
  await rig.clock.advance(0);
  expect(rig.turbos.forgetTurbo('T-1')).toBe(true);
  attachPeer(rig).hello({ bootId: 2, uptimeS: 10 });
  await rig.clock.advance(0);
  attachPeer(rig).hello({ bootId: 1, uptimeS: 0 });
  await rig.clock.advance(0);
  expect(state()).toMatchObject({ status: 'online' });
  expect(state()?.problem).toBeUndefined();
});
