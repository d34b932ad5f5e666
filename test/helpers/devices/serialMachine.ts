import { Duplex } from 'node:stream';
import type { Log, SerialPortInfo, SerialPorts } from '../../../electron/server/ports.ts';
import { createSimulator, type SimulatedHardware } from '../../../electron/server/simulator/simulator.ts';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import { createFakeClock } from '../fakeClock.ts';
import { seededIds } from '../seeded.ts';
import { START_MS } from '../screens/template.ts';

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Returns the two ends of a cable as streams. */
export function openStreams(): [Duplex, Duplex] {
  const ends: Duplex[] = [0, 1].map(
    (at) =>
      new Duplex({
        read: () => undefined,
        write(chunk: Uint8Array, _encoding, written) {
          // Deliver asynchronously: on a real wire, an answer cannot arrive before the write of its question has ended.
          queueMicrotask(() => ends[1 - at]?.push(chunk));
          written();
        },
        destroy(error, done) {
          done(error);
        },
      }),
  );
  const [first, second] = ends;
  if (first === undefined || second === undefined) throw new Error('unreachable');
  return [first, second];
}

type Plugged = {
  info: SerialPortInfo;
  /** The serial number of the turbo, not of the USB device. */
  serialNumber: string;
  hardware: SimulatedHardware | undefined;
  far: Duplex | undefined;
};

/** Creates the USB ports of a machine, into which tests plug turbos. The ports outlive stations. */
export function startSerialMachine() {
  const clock = createFakeClock(START_MS);
  const plugged = new Map<string, Plugged>();
  const out = new Map<string, Plugged>();
  const near = new Map<Duplex, string>();
  let resets = 0;
  const settings: Parameters<SerialPorts['open']>[0][] = [];
  const ports: SerialPorts = {
    list: () => Promise.resolve([...plugged.values()].map(({ info }) => info)),
    async open(wanted) {
      const { path } = wanted;
      settings.push(wanted);
      const there = plugged.get(path);
      if (there === undefined) throw new Error(`No such file or directory, cannot open ${path}`);
      const [station, far] = openStreams();
      near.set(station, path);
      there.far = far;
      // The port is open, so its device starts sending.
      there.hardware?.setTurbo(there.serialNumber, { connected: false });
      there.hardware?.setTurbo(there.serialNumber, { connected: true });
      return station;
    },
    reset() {
      resets += 1;
      return Promise.resolve();
    },
  };
  return {
    clock,
    ports,
    resets: () => resets,
    /** Returns the settings of the port that was opened last. */
    settings: () => settings.at(-1),
    /** Plugs a turbo into a port. If `turbo` is undefined, plugs in a device that sends nothing. */
    plugIn(
      path: string,
      change: Partial<SerialPortInfo>,
      turbo: { serialNumber: string; devices: readonly string[] } | undefined,
    ): SimulatedHardware | undefined {
      const info = {
        vendorId: '303a',
        productId: '1001',
        serialNumber: 'X1',
        manufacturer: '',
        locationId: '',
        ...change,
        path,
      };
      const entry: Plugged = { info, serialNumber: turbo?.serialNumber ?? '', hardware: undefined, far: undefined };
      plugged.set(path, entry);
      if (turbo === undefined) return undefined;
      entry.hardware = createSimulator({
        clock,
        ids: seededIds(7),
        log: SILENT,
        identity: { serialNumber: turbo.serialNumber, name: 'Aisle 1' },
        connect: () => streamTransport(entry.far ?? openStreams()[1], { clock, kind: 'usb', port: 'far' }),
      });
      for (const deviceId of turbo.devices) entry.hardware.addDevice({ deviceId, buttons: 1, firmware: 70 });
      return entry.hardware;
    },
    unplug(path: string): void {
      const there = plugged.get(path);
      if (there !== undefined) out.set(path, there);
      plugged.delete(path);
      for (const [stream, at] of near) if (at === path) stream.destroy(new Error('unplugged'));
    },
    /** Plugs the device that was unplugged from this port back in. */
    plugAgain(path: string): void {
      const there = out.get(path);
      if (there !== undefined) plugged.set(path, there);
    },
  };
}
