import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attachPeer, command, DEVICE, startRig, statics, type Rig } from './turboLinkRig.ts';

let rig: Rig;

beforeEach(async () => {
  rig = await startRig();
  rig.turbos.want(DEVICE, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.turbos.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(1_000);
  rig.forgetPast();
});

afterEach(() => rig.stop());

test('sends the last wanted screen before it forgets a device', async () => {
  rig.turbos.want(DEVICE, statics('dark'));
  rig.turbos.forget(DEVICE);
  await rig.clock.advance(5_000);
  expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, led: 'off', checksum: statics('dark').checksum });
});

test('a forgotten device belongs to no turbo and is not counted', async () => {
  const [before] = rig.turbos.list();
  rig.turbos.forget(DEVICE);
  await rig.clock.advance(5_000);
  expect(rig.turbos.turboOf(DEVICE)).toBeUndefined();
  expect(rig.turbos.canPress(DEVICE)).toBe(false);
  expect(rig.turbos.list()[0]?.deviceCount).toBe((before?.deviceCount ?? 0) - 1);
  expect(rig.of('turboChanged')).toHaveLength(1);
});

test('reports a forgotten device that is still in range, and does not send it a show until one is wanted', async () => {
  rig.turbos.forget(DEVICE);
  rig.sim.restartDevice(DEVICE);
  await rig.clock.advance(5_000);
  expect(rig.of('heard').map(({ deviceId }) => deviceId)).toContain(DEVICE);
  expect(rig.showsSent()).toEqual([]);
  rig.turbos.want(DEVICE, statics('again'));
  await rig.clock.advance(5_000);
  expect(rig.sim.look(DEVICE)).toMatchObject({ checksum: statics('again').checksum });
});

test('a device that is switched off for good reports nothing more, and does not hold up a sync', async () => {
  rig.sim.setDevice(DEVICE, { reachable: false });
  rig.sim.press(DEVICE, 'front', 'short');
  await rig.clock.advance(1_000);
  expect(rig.sim.removeDevice(DEVICE)).toBe(true);
  expect(rig.sim.removeDevice(DEVICE)).toBe(false);
  rig.forgetPast();
  let drained = false;
  void rig.turbos.drain(60_000).then(() => {
    drained = true;
  });
  await rig.clock.advance(100);
  expect(drained).toBe(true);
  await rig.clock.advance(120_000);
  expect(rig.told.filter((entry) => 'deviceId' in entry && entry.deviceId === DEVICE)).toEqual([]);
});

test('ignores reports of a switched-off device, except a report in flight', async () => {
  rig.sim.setTurbo('SIM-1', { latencyMs: 200 });
  rig.sim.press(DEVICE, 'front', 'short');
  rig.sim.press(DEVICE, 'front', 'long');
  rig.sim.removeDevice(DEVICE);
  await rig.clock.advance(5_000);
  expect(rig.of('button')).toHaveLength(1);
});

describe('the unanswered last show for a forgotten device', () => {
  const idOf = (number: number): string => `AAAAAA:00000${number}`;
  const EIGHT = Array.from({ length: 8 }, (_, number) => idOf(number));

  /** Forgets eight devices, the maximum number of unanswered backgrounds, while the turbo does not answer. */
  async function forgetEight() {
    const peer = attachPeer(rig);
    peer.showAnswer = 'silent';
    peer.hello();
    for (const device of EIGHT) peer.status({ device, epoch: 1 });
    await rig.clock.advance(0);
    for (const device of EIGHT) {
      rig.turbos.want(device, statics('dark'));
      rig.turbos.forget(device);
    }
    rig.forgetPast();
    return peer;
  }

  async function beat(peer: ReturnType<typeof attachPeer>, seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      peer.send({ name: 'heartbeat', body: { uptimeS: second } });
      await rig.clock.advance(1_000);
    }
  }

  const sentTo = (device: string) => rig.showsSent().filter((show) => show.device === device);

  test('is repeated, and then frees its slot for other backgrounds', async () => {
    const peer = await forgetEight();
    await beat(peer, 30);
    expect(sentTo(idOf(0))).toHaveLength(2);
    peer.status({ device: idOf(9), epoch: 1 });
    rig.turbos.want(idOf(9), statics('shelf'));
    await rig.clock.advance(0);
    expect(sentTo(idOf(9))).toHaveLength(1);
  });

  test('is not repeated if the device is back and a newer show is wanted', async () => {
    const peer = await forgetEight();
    peer.status({ device: idOf(0), epoch: 1 });
    rig.turbos.want(idOf(0), command(7, 'pick'));
    await beat(peer, 30);
    expect(new Set(sentTo(idOf(0)).map(({ token }) => token))).toEqual(new Set([7]));
  });
});
