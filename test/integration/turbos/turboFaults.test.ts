import { Duplex } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { createSimulator, type SimulatedHardware } from '../../../electron/server/simulator/simulator.ts';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import {
  attachPeer,
  BITMAP_DEVICE,
  command,
  DEVICE,
  startRig,
  THREE_BUTTONS,
  type Rig,
} from '../turboLink/turboLinkRig.ts';

const DEVICES = [DEVICE, THREE_BUTTONS, BITMAP_DEVICE];

let rig: Rig;
const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  rig.stop();
});

/** Starts a turbo with three devices, whose transports `connect` opens. */
function plugIn(connect: () => Transport): SimulatedHardware {
  const { clock, ids, log } = rig;
  const sim = createSimulator({ clock, ids, log, connect, identity: { serialNumber: 'T-1', name: '' } });
  stops.push(() => sim.stop());
  for (const deviceId of DEVICES) sim.addDevice({ deviceId, buttons: 3, firmware: 70 });
  return sim;
}

/** Changes one frame in transit and returns the bytes that arrive. */
type Fault = (frame: Buffer, fraction: () => number) => Uint8Array[];

const below = (fraction: () => number, end: number) => Math.floor(fraction() * end);
const noise = (fraction: () => number) => Buffer.from(Array.from({ length: 20 }, () => below(fraction, 256)));

/** Faults by name. Each fault affects one frame in four. */
const FAULTS: Record<string, Fault> = {
  'truncated frames': (frame) => [frame.subarray(0, frame.length / 2)],
  'flipped bits': (frame, fraction) => {
    const at = below(fraction, frame.length);
    frame[at] = (frame[at] ?? 0) ^ (1 << below(fraction, 8));
    return [frame];
  },
  'a wrong low length byte': (frame, fraction) => {
    frame[6] = below(fraction, 256);
    return [frame];
  },
  'a wrong high length byte': (frame, fraction) => {
    frame[7] = below(fraction, 0x21);
    return [frame];
  },
  'noise before and after': (frame, fraction) => [noise(fraction), frame, noise(fraction)],
  'noise that looks like the beginning of a frame': (frame) => [Buffer.from('a55a1200', 'hex'), frame],
  'duplicate frames': (frame) => [frame, frame],
  'frames sent byte by byte': (frame) => Array.from(frame, (byte) => Uint8Array.of(byte)),
  'lost frames': () => [],
};

function faulty(end: Transport, fault: Fault, fraction: () => number): Transport {
  return {
    ...end,
    write(bytes) {
      if (fraction() < 0.75) return end.write(bytes);
      for (const piece of fault(Buffer.from(bytes), fraction)) void end.write(piece);
      return undefined;
    },
  };
}

/** Lights and presses the devices for two minutes, then sets the final content of each device. */
async function work(sim: SimulatedHardware, fraction: () => number) {
  let presses = 0;
  let token = 0;
  for (let step = 0; step < 40; step += 1) {
    const device = DEVICES[below(fraction, 3)] ?? DEVICE;
    if (fraction() < 0.6) rig.turbos.want(device, command((token += 1), `pick ${step % 5}`, { seconds: 0 }));
    else if (sim.press(device, 'front', 'long')) presses += 1;
    await rig.clock.advance(fraction() * 6_000);
  }
  for (const device of DEVICES) rig.turbos.want(device, command((token += 1), `last ${device}`, { seconds: 0 }));
  await rig.clock.advance(120_000);
  return { presses, token };
}

function expectWhole(sim: SimulatedHardware, { presses, token }: { presses: number; token: number }): void {
  for (const [at, device] of DEVICES.entries()) {
    expect(sim.look(device)).toMatchObject({ token: token - 2 + at, led: 'blink', heldReports: 0 });
  }
  const told = rig.of('button').map(({ deviceId, epoch, counter }) => `${deviceId} ${epoch} ${counter}`);
  expect(new Set(told).size).toBe(presses);
  expect(rig.turbos.idle()).toBe(true);
}

describe.each(Object.entries(FAULTS))('with %s, one frame in four in each direction,', (_name, fault) => {
  test.each([1, 2, 3])(
    'every press arrives, and every device finally shows the wanted content (seed %i)',
    async (seed) => {
      rig = await startRig({ seed, devices: false });
      const fraction = seededFraction(seed * 101);
      const sim = plugIn(() => {
        const { station, turbo } = rig.wires.connect({ loss: 0, latencyMs: 0 });
        rig.turbos.attach(faulty(station, fault, fraction));
        return faulty(turbo, fault, fraction);
      });
      expectWhole(sim, await work(sim, fraction));
    },
  );
});

test('with 2 s of latency in each direction, nothing is lost or duplicated, and no link ends', async () => {
  rig = await startRig({ devices: false });
  const sim = plugIn(() => {
    const { station, turbo } = rig.wires.connect({ loss: 0, latencyMs: 2_000 });
    rig.turbos.attach(station);
    return turbo;
  });
  expectWhole(sim, await work(sim, seededFraction(5)));
  expect(rig.of('turboChanged').filter(({ state }) => state.status === 'offline')).toEqual([]);
  expect(rig.of('button').length).toBe(new Set(rig.of('button').map((b) => `${b.deviceId} ${b.counter}`)).size);
});

/** Returns both ends of a line that carries this many bytes per second. */
function slowLine(bytesPerSecond: number): [Duplex, Duplex] {
  const ends: Duplex[] = [0, 1].map(
    (at) =>
      new Duplex({
        read: () => undefined,
        write(chunk: Uint8Array, _encoding, written) {
          rig.clock.setTimer((chunk.length * 1_000) / bytesPerSecond, () => {
            ends[1 - at]?.push(chunk);
            written();
          });
        },
      }),
  );
  const [first, second] = ends;
  if (first === undefined || second === undefined) throw new Error('unreachable');
  return [first, second];
}

test('waits for a slow line, and does not repeat frames that are still waiting to be written', async () => {
  rig = await startRig({ devices: false });
  const [near, far] = slowLine(500);
  const sim = plugIn(() => streamTransport(far, { clock: rig.clock, kind: 'usb', port: 'far' }));
  rig.turbos.attach(streamTransport(near, { clock: rig.clock, kind: 'usb', port: 'near' }));
  await rig.clock.advance(30_000);
  rig.forgetPast();
  for (const [at, device] of DEVICES.entries()) {
    rig.turbos.want(device, command(at + 1, 'x'.repeat(200), { seconds: 0 }));
  }
  await rig.clock.advance(20_000);
  expect(DEVICES.map((device) => sim.look(device)?.token)).toEqual([1, 2, 3]);
  expect(rig.showsSent()).toHaveLength(3);
  expect(near.writableLength).toBe(0);
});

test('a flood of events from one turbo does not hold up another turbo, and all events are accepted', async () => {
  rig = await startRig();
  const mad = attachPeer(rig);
  mad.hello();
  await rig.clock.advance(0);
  // This turbo ignores the window.
  mad.exchange.window = 10_000;
  for (let counter = 1; counter <= 5_000; counter += 1) mad.press({ device: 'AAAAAA:000001', counter, token: 0 });
  rig.sim.press(DEVICE, 'front', 'long');
  await rig.clock.advance(0);
  expect(rig.of('button').filter(({ deviceId }) => deviceId === DEVICE)).toHaveLength(1);
  expect(rig.of('button')).toHaveLength(5_001);
  expect(mad.replies.filter(({ name }) => name === 'ack')).toHaveLength(5_000);
});

test('when a device is reachable again, its held press is accepted before its current work is shown', async () => {
  rig = await startRig();
  rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 0 }));
  await rig.clock.advance(3_000);
  rig.sim.setDevice(DEVICE, { reachable: false });
  await rig.clock.advance(0);
  rig.sim.press(DEVICE, 'front', 'short');
  rig.turbos.want(DEVICE, command(2, 'next', { seconds: 0 }));
  await rig.clock.advance(60_000);
  expect(rig.of('button')).toEqual([]);
  expect(rig.showsSent().map(({ token }) => token)).toEqual([1]);
  rig.forgetPast();
  rig.sim.setDevice(DEVICE, { reachable: true });
  await rig.clock.advance(3_000);
  expect(
    rig.messages.map(({ message }) => message.name).filter((name) => name === 'button' || name === 'show'),
  ).toEqual(['button', 'show']);
  expect(rig.of('button')).toMatchObject([{ token: 1, ageMs: 60_000 }]);
  expect(rig.sim.look(DEVICE)).toMatchObject({ token: 2, led: 'blink' });
});

test('a turbo closes a connection after 15 s if the other end is dead, whether it was welcomed or not', async () => {
  rig = await startRig({ devices: false });
  const faults = { loss: 0, latencyMs: 0 };
  let opened = 0;
  plugIn(() => {
    opened += 1;
    const { station, turbo } = rig.wires.connect(faults);
    // Neither end notices when the other one is closed.
    rig.turbos.attach({ ...station, close: () => undefined });
    return { ...turbo, kind: 'network', close: () => undefined };
  });
  await rig.clock.advance(1_000);
  expect(opened).toBe(1);
  faults.loss = 1;
  await rig.clock.advance(60_000);
  expect(opened).toBeGreaterThanOrEqual(4);
  faults.loss = 0;
  await rig.clock.advance(16_000);
  expect(rig.turbos.list()).toContainEqual(
    expect.objectContaining({ serialNumber: 'T-1', status: 'online', deviceCount: 3 }),
  );
});
