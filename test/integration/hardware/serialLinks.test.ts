import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SerialLinks, SerialPortInfo, SerialPorts, SerialWish } from '../../../electron/server/ports.ts';
import { createAirtime } from '../../../electron/server/simulator/airtime.ts';
import { SimulatedTurbo } from '../../../electron/server/simulator/turbo.ts';
import { createSerialLinks } from '../../../electron/server/turbo/links/serialLinks.ts';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { openStreams } from '../../helpers/devices/serialMachine.ts';
import { attachPeer, startRig, type Rig } from '../turboLink/turboLinkRig.ts';

/** Creates a machine with serial ports into which tests plug devices. */
function machine() {
  const plugged = new Map<string, { info: SerialPortInfo; open: () => Duplex; resets: number }>();
  const streams = new Map<Duplex, string>();
  const ports: SerialPorts = {
    list: () => Promise.resolve([...plugged.values()].map(({ info }) => info)),
    async open({ path }) {
      const there = plugged.get(path);
      if (there === undefined) throw new Error(`No such file or directory, cannot open ${path}`);
      const stream = there.open();
      streams.set(stream, path);
      return stream;
    },
    async reset(stream) {
      const there = plugged.get(streams.get(stream) ?? '');
      if (there !== undefined) there.resets += 1;
    },
  };
  return {
    ports,
    plugged,
    plugIn(path: string, change: Partial<SerialPortInfo>, open: () => Duplex) {
      const info = {
        path,
        vendorId: '303a',
        productId: '1001',
        serialNumber: 'X1',
        manufacturer: '',
        locationId: '',
        ...change,
      };
      const entry = { info, open, resets: 0 };
      plugged.set(path, entry);
      return entry;
    },
    unplug(path: string) {
      plugged.delete(path);
      for (const [stream, at] of streams) if (at === path) stream.destroy(new Error('unplugged'));
    },
  };
}

const BY_IDENTITY: SerialWish = {
  id: 'one',
  path: '/dev/ttyACM0',
  identity: { vendorId: '303a', productId: '1001', serialNumber: 'X1' },
  baudRate: 921_600,
  flowControl: false,
};

let rig: Rig;
let at: ReturnType<typeof machine>;
let links: SerialLinks;
const turbos: SimulatedTurbo[] = [];

beforeEach(async () => {
  rig = await startRig({ devices: false });
  at = machine();
  links = createSerialLinks({
    ports: at.ports,
    clock: rig.clock,
    log: rig.log,
    attach: (transport, watch) => rig.turbos.attach(transport, watch),
  });
});

afterEach(() => {
  links.stop();
  for (const turbo of turbos.splice(0)) turbo.disconnect();
  rig.stop();
});

/** Returns a turbo at the other end of the port, which sends its hello as soon as the port is opened. */
function turboAt(serialNumber = 'USB-1', ids = seededIds(5)): () => Duplex {
  return () => {
    const [station, far] = openStreams();
    const turbo = new SimulatedTurbo({
      serialNumber,
      name: 'Aisle 1',
      clock: rig.clock,
      ids,
      log: rig.log,
      airtime: createAirtime(rig.clock, 0),
      connect: () => streamTransport(far, { clock: rig.clock, kind: 'usb', port: 'far' }),
    });
    turbos.push(turbo);
    turbo.connect();
    return station;
  };
}

const state = () => links.states()[0];
const online = () => rig.turbos.list().find(({ serialNumber }) => serialNumber === 'USB-1');

test('opens a configured port and brings its turbo online', async () => {
  at.plugIn('/dev/ttyACM0', {}, turboAt());
  links.set([BY_IDENTITY]);
  await rig.clock.advance(100);
  expect(state()).toEqual({ id: 'one', path: '/dev/ttyACM0', step: 'online', problem: undefined, attempts: 0 });
  expect(online()).toMatchObject({ status: 'online', transport: 'usb', port: '/dev/ttyACM0' });
});

test('finds a turbo by its identity after it is plugged into a different USB socket', async () => {
  at.plugIn('/dev/ttyACM0', {}, turboAt());
  links.set([BY_IDENTITY]);
  await rig.clock.advance(100);
  at.unplug('/dev/ttyACM0');
  await rig.clock.advance(100);
  expect(online()).toMatchObject({ status: 'offline' });
  expect(state()).toMatchObject({ step: 'waiting', problem: 'The link on /dev/ttyACM0 ended: unplugged' });
  await rig.clock.advance(1_000);
  expect(state()).toMatchObject({ step: 'absent', problem: '/dev/ttyACM0 is not plugged in.' });
  at.plugIn('/dev/ttyUSB9', { serialNumber: 'another' }, turboAt('USB-2'));
  at.plugIn('/dev/ttyACM3', {}, turboAt());
  await rig.clock.advance(2_500);
  expect(state()).toMatchObject({ step: 'online', path: '/dev/ttyACM3', problem: undefined });
  expect(rig.turbos.list().map(({ serialNumber }) => serialNumber)).not.toContain('USB-2');
});

test('two links to identical adapters open different ports', async () => {
  at.plugIn('/dev/ttyACM0', {}, turboAt('USB-1'));
  at.plugIn('/dev/ttyACM1', {}, turboAt('USB-2'));
  links.set([
    { ...BY_IDENTITY, id: 'one', path: '/dev/ttyACM1' },
    { ...BY_IDENTITY, id: 'two', path: '/dev/ttyACM1' },
  ]);
  await rig.clock.advance(5_000);
  expect(
    links
      .states()
      .map(({ path, step }) => `${path} ${step}`)
      .toSorted(),
  ).toEqual(['/dev/ttyACM0 online', '/dev/ttyACM1 online']);
});

test('with two identical adapters, opens the one in the previous socket', async () => {
  at.plugIn('/dev/ttyACM7', {}, turboAt('USB-2'));
  at.plugIn('/dev/ttyACM0', {}, turboAt('USB-1'));
  links.set([BY_IDENTITY]);
  await rig.clock.advance(100);
  expect(state()).toMatchObject({ step: 'online', path: '/dev/ttyACM0' });
});

test('opens a port path that was entered manually even if it is not listed, or explains why it cannot', async () => {
  links.set([{ ...BY_IDENTITY, path: '/dev/pts/7', identity: null }]);
  await rig.clock.advance(0);
  expect(state()).toMatchObject({
    step: 'waiting',
    attempts: 1,
    problem: '/dev/pts/7 cannot be opened: No such file or directory, cannot open /dev/pts/7',
  });
  at.plugIn('/dev/pts/7', {}, turboAt());
  await rig.clock.advance(5_000);
  expect(state()).toMatchObject({ step: 'online' });
});

test('reports an error from the serial bindings without the "Error:" prefix', async () => {
  at.ports.open = () => Promise.reject(new Error('Error: Permission denied, cannot open /dev/ttyACM0'));
  at.plugIn('/dev/ttyACM0', {}, turboAt());
  links.set([BY_IDENTITY]);
  await rig.clock.advance(0);
  expect(state()?.problem).toBe('/dev/ttyACM0 cannot be opened: Permission denied, cannot open /dev/ttyACM0');
});

test('resets a port that does not answer, reopens it, reports the failure, and keeps retrying', async () => {
  const mute = at.plugIn('/dev/ttyACM0', {}, () => openStreams()[0]);
  links.set([BY_IDENTITY]);
  await rig.clock.advance(7_900);
  expect(state()).toMatchObject({ step: 'listening', problem: undefined });
  expect(mute.resets).toBe(0);
  await rig.clock.advance(200);
  expect(mute.resets).toBe(1);
  expect(state()).toMatchObject({ step: 'resetting', problem: 'No turbo answers on /dev/ttyACM0.' });
  await rig.clock.advance(8_000);
  expect(state()).toMatchObject({
    step: 'waiting',
    attempts: 1,
    problem: 'No turbo answers on /dev/ttyACM0, not even after a reset.',
  });
  await rig.clock.advance(3_600_000);
  const { attempts = 0 } = state() ?? {};
  expect(attempts).toBeGreaterThan(60);
  // Each cause is logged once, so that a port that is missing for a year does not fill the log.
  expect(rig.log.lines.filter((line) => line.includes('not even after a reset'))).toHaveLength(1);
  expect(mute.resets).toBe(attempts + (state()?.step === 'resetting' ? 1 : 0));
  mute.open = turboAt();
  await rig.clock.advance(60_000);
  expect(state()).toMatchObject({ step: 'online', problem: undefined, attempts: 0 });
});

test('does not reset a refused turbo, explains the refusal, and admits it once the reason no longer applies', async () => {
  const there = at.plugIn('/dev/ttyACM0', {}, turboAt());
  const other = attachPeer(rig);
  other.hello({ serialNumber: 'USB-1', uptimeS: 3_600 });
  await rig.clock.advance(0);
  links.set([BY_IDENTITY]);
  await rig.clock.advance(100);
  const back = attachPeer(rig);
  back.hello({ serialNumber: 'USB-1', uptimeS: 3_600 });
  for (let beats = 0; beats < 8; beats += 1) {
    await rig.clock.advance(10_000);
    back.send({ name: 'heartbeat', body: { uptimeS: 3_600 } });
  }
  expect(state()).toMatchObject({
    step: 'listening',
    problem: 'The serial number USB-1 belongs to the turbo at loopback. Give this one a number of its own.',
  });
  expect([there.resets, back.closed]).toEqual([0, undefined]);
  back.stop();
  await rig.clock.advance(31_000);
  expect(state()).toMatchObject({ step: 'online', problem: undefined });
});

test('closes a jammed port after ten seconds, reports the cause, and reopens it until data flows', async () => {
  let isJammed = true;
  const open = turboAt();
  const problems = new Set<string | undefined>();
  at.plugIn('/dev/ttyACM0', {}, () => {
    const stream = open();
    // Imitates a driver that hangs: written bytes never leave the machine.
    if (isJammed) stream.cork();
    return stream;
  });
  links.set([BY_IDENTITY]);
  for (let second = 0; second < 120; second += 1) {
    await rig.clock.advance(1_000);
    problems.add(state()?.problem);
    if (state()?.step === 'waiting') expect(online()).toMatchObject({ status: 'offline' });
  }
  expect([...problems]).toContain('The link on /dev/ttyACM0 ended: jammed: nothing could be sent for 10 s');
  isJammed = false;
  await rig.clock.advance(60_000);
  expect(state()).toMatchObject({ step: 'online', problem: undefined, attempts: 0 });
  expect(online()).toMatchObject({ status: 'online' });
});

test('brings a turbo online that answers only after the reset', async () => {
  const [station, far] = openStreams();
  const mute = at.plugIn('/dev/ttyACM0', {}, () => station);
  links.set([BY_IDENTITY]);
  await rig.clock.advance(8_100);
  expect(mute.resets).toBe(1);
  const turbo = new SimulatedTurbo({
    serialNumber: 'USB-1',
    name: '',
    clock: rig.clock,
    ids: seededIds(6),
    log: rig.log,
    airtime: createAirtime(rig.clock, 0),
    connect: () => streamTransport(far, { clock: rig.clock, kind: 'usb', port: 'far' }),
  });
  turbos.push(turbo);
  turbo.connect();
  await rig.clock.advance(1_000);
  expect(state()).toMatchObject({ step: 'online', problem: undefined });
});

test('closes a port whose link was removed, keeps others open, and retries immediately on request', async () => {
  let opened = 0;
  at.plugIn('/dev/ttyACM0', {}, () => {
    opened += 1;
    return turboAt()();
  });
  links.set([BY_IDENTITY]);
  await rig.clock.advance(100);
  links.set([BY_IDENTITY]);
  await rig.clock.advance(100);
  expect(opened).toBe(1);
  links.set([]);
  await rig.clock.advance(100);
  expect(links.states()).toEqual([]);
  expect(online()).toMatchObject({ status: 'offline' });
  links.set([{ ...BY_IDENTITY, path: '/dev/ttyS7', identity: null }]);
  await rig.clock.advance(40_000);
  at.plugIn('/dev/ttyS7', {}, turboAt());
  links.retry('one');
  await rig.clock.advance(10);
  expect(state()).toMatchObject({ step: 'online' });
});

test('opens no port after stopping, and leaves no timer', async () => {
  links.set([BY_IDENTITY]);
  await rig.clock.advance(100);
  const before = rig.clock.timerCount();
  links.stop();
  expect(rig.clock.timerCount()).toBe(before - 1);
});

test('opens no port if the system answers only after the stop', async () => {
  let opened = 0;
  at.plugIn('/dev/ttyACM0', {}, () => {
    opened += 1;
    return openStreams()[0];
  });
  links.set([BY_IDENTITY]);
  links.stop();
  await rig.clock.advance(10_000);
  expect(opened).toBe(0);
});
