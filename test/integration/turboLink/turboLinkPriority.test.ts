import { afterEach, describe, expect, test } from 'vitest';
import { attachPeer, command, startRig, statics, type Rig } from './turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

const MANY = 1_000;
const FRAME_MS = 20;
const LATENCY_MS = 50;
/** The documented limit in frames: the frame already in the air and the frame of the pick. */
const FRAMES = 2;

const idOf = (number: number): string => `AAAAAA:${String(number).padStart(6, '0')}`;

/** Queues backgrounds for a thousand devices, over a slow link and slow radio. */
async function startBusy(): Promise<void> {
  rig = await startRig({ devices: false, frameMs: FRAME_MS });
  for (let number = 0; number < MANY; number += 1) {
    rig.sim.addDevice({ deviceId: idOf(number), buttons: 1, firmware: 70 });
    rig.sim.setDevice(idOf(number), { refreshFullMs: 0, refreshPartialMs: 0 });
  }
  await rig.clock.advance(1_000);
  rig.sim.setTurbo('SIM-1', { latencyMs: LATENCY_MS });
  for (let number = 0; number < MANY; number += 1) rig.turbos.want(idOf(number), statics(`shelf ${number}`));
}

/** Returns the milliseconds until this device shows its pick. */
async function timeToShow(number: number, withinMs: number): Promise<number> {
  const deviceId = idOf(number);
  const from = rig.clock.monotonic();
  rig.turbos.want(deviceId, command(number + 1, `pick ${number}`));
  const isShown = () => rig.sim.look(deviceId)?.token === number + 1;
  while (!isShown() && rig.clock.monotonic() - from <= withinMs) await rig.clock.advance(5);
  return rig.clock.monotonic() - from;
}

describe('a pick overtakes a thousand backgrounds', () => {
  const bound = LATENCY_MS + FRAMES * FRAME_MS;

  test('and replaces a background for the same device that waits at the station', async () => {
    await startBusy();
    await rig.clock.advance(1_000);
    expect(await timeToShow(MANY - 1, bound)).toBeLessThanOrEqual(bound);
    expect(rig.showsSent().filter(({ device }) => device === idOf(MANY - 1))).toHaveLength(1);
  });

  test('directly after a background for the same device that already waits for the air', async () => {
    await startBusy();
    // The turbo has accepted the backgrounds, but has not transmitted this one yet.
    await rig.clock.advance(1_000);
    const waits = rig.showsSent().at(-20)?.device ?? '';
    expect(rig.of('shown').some(({ deviceId }) => deviceId === waits)).toBe(false);
    const longer = bound + FRAME_MS;
    expect(await timeToShow(Number(waits.slice(-6)), longer)).toBeLessThanOrEqual(longer);
    await rig.clock.advance(30_000);
    expect(rig.sim.look(waits)).toMatchObject({ led: 'blink' });
  });

  test('even as one of ten picks, each shown one frame later, and in the end every device has its background', async () => {
    await startBusy();
    await rig.clock.advance(1_000);
    const picked = Array.from({ length: 10 }, (_, index) => MANY - 1 - index);
    for (const number of picked) rig.turbos.want(idOf(number), command(number + 1, `pick ${number}`));
    await rig.clock.advance(bound + 9 * FRAME_MS);
    expect(picked.map((number) => rig.sim.look(idOf(number))?.token)).toEqual(picked.map((number) => number + 1));
    for (const number of picked) rig.turbos.want(idOf(number), statics(`shelf ${number}`));
    await rig.clock.advance(60_000);
    for (let number = 0; number < MANY; number += 1) {
      expect(rig.sim.look(idOf(number))?.checksum).toBe(statics(`shelf ${number}`).checksum);
    }
  });
});

describe('unanswered shows', () => {
  async function startPeer() {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.showAnswer = 'silent';
    peer.hello({ window: 32 });
    for (let number = 0; number < 60; number += 1) peer.status({ device: idOf(number), epoch: 1 });
    await rig.clock.advance(0);
    return peer;
  }

  test("are limited to eight backgrounds, and to as many commands as the turbo's window allows", async () => {
    const peer = await startPeer();
    for (let number = 0; number < 20; number += 1) rig.turbos.want(idOf(number), statics('shelf'));
    await rig.clock.advance(0);
    expect(peer.shows()).toHaveLength(8);
    for (let number = 20; number < 60; number += 1) rig.turbos.want(idOf(number), command(number, 'pick'));
    await rig.clock.advance(0);
    expect(peer.shows()).toHaveLength(32);
  });

  test('do not delay a command that replaces a waiting background', async () => {
    const peer = await startPeer();
    for (let number = 0; number < 20; number += 1) rig.turbos.want(idOf(number), statics('shelf'));
    rig.turbos.want(idOf(19), command(1, 'pick'));
    await rig.clock.advance(0);
    expect(peer.shows().map(({ token }) => token)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(peer.shows().at(-1)?.device).toBe(idOf(19));
  });

  test('do not delay turning off a light', async () => {
    const peer = await startPeer();
    peer.showAnswer = 'ok';
    rig.turbos.want(idOf(0), command(1, 'pick'));
    await rig.clock.advance(0);
    peer.showAnswer = 'silent';
    for (let number = 1; number < 20; number += 1) rig.turbos.want(idOf(number), statics('shelf'));
    rig.turbos.want(idOf(0), statics('shelf'));
    await rig.clock.advance(0);
    expect(peer.shows().at(-1)).toMatchObject({ device: idOf(0), token: 0 });
  });

  test('do not delay a sync request', async () => {
    const peer = await startPeer();
    for (let number = 0; number < 20; number += 1) rig.turbos.want(idOf(number), statics('shelf'));
    await rig.clock.advance(0);
    const before = peer.requests.length;
    void rig.turbos.drain(10_000);
    await rig.clock.advance(0);
    expect(peer.requests.slice(before).map(({ request }) => request.name)).toEqual(['sync']);
  });
});

describe('a turbo that did not answer eight backgrounds gets backgrounds again', () => {
  const DEVICES = Array.from({ length: 20 }, (_, number) => idOf(number));

  /** Starts two turbos in range of every device. The one with better reception does not answer shows. */
  async function startTwo() {
    rig = await startRig({ devices: false });
    const silent = attachPeer(rig);
    silent.showAnswer = 'silent';
    silent.hello({ serialNumber: 'SILENT', window: 32 });
    const other = attachPeer(rig);
    other.hello({ serialNumber: 'OTHER', window: 32 });
    for (const device of DEVICES) silent.status({ device, epoch: 1, rssiDbm: -50 });
    await rig.clock.advance(0);
    for (const device of DEVICES) other.status({ device, epoch: 1, rssiDbm: -70 });
    await rig.clock.advance(0);
    return { silent, other };
  }

  async function backgroundsAgain({ silent, other }: Awaited<ReturnType<typeof startTwo>>): Promise<void> {
    silent.showAnswer = 'ok';
    other.stop();
    for (const device of DEVICES) silent.status({ device, epoch: 1, rssiDbm: -50 });
    await rig.clock.advance(0);
    silent.requests.length = 0;
    for (const device of DEVICES) rig.turbos.want(device, statics('another shelf'));
    await rig.clock.advance(0);
    expect(new Set(silent.shows().map(({ device }) => device))).toEqual(new Set(DEVICES));
  }

  test('once its devices have moved to another turbo because it stopped answering', async () => {
    const { silent, other } = await startTwo();
    for (const device of DEVICES) rig.turbos.want(device, statics('shelf'));
    // Each show is transmitted three times, eight shows at a time.
    for (let second = 0; second < 20; second += 1) {
      for (const turbo of [silent, other]) turbo.send({ name: 'heartbeat', body: { uptimeS: second } });
      await rig.clock.advance(1_000);
    }
    expect(new Set(other.shows().map(({ device }) => device))).toEqual(new Set(DEVICES));
    await backgroundsAgain({ silent, other });
  });

  test('once it has reported eight devices as unreachable', async () => {
    const { silent, other } = await startTwo();
    for (const device of DEVICES.slice(0, 8)) {
      rig.turbos.want(device, statics('shelf'));
      await rig.clock.advance(0);
      silent.status({ device, epoch: 1, reachable: false });
      await rig.clock.advance(0);
    }
    expect(silent.shows()).toHaveLength(8);
    expect(other.shows()).toHaveLength(8);
    await backgroundsAgain({ silent, other });
  });
});
