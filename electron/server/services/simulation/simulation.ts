import { MAX_SIMULATED } from '#shared/lib/devices/maxSimulated.ts';
import type { CoreOf } from '../../core.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Button, Hold, SimulatedDevice, Simulator } from '../../ports.ts';
import type { Devices } from '../devices/index.ts';

const FIRMWARE = 70;

/** Number of device numbers to try per transaction, so that the event loop is not blocked for long. */
const MAX_AT_ONCE = 250;

/** Devices to add. If `buttons` is undefined, devices with odd numbers get one button, and those with even numbers three. */
type Hardwares = { count: number; buttons: 1 | 3 | undefined; firmware: number };
type Hardware = { deviceId: string; buttons: 1 | 3; firmware: number };

/** Manages the simulated devices. Like real hardware, they survive a restart of the station. */
export function createSimulation(
  core: {
    repositories: CoreOf<'simulation'>['repositories'];
    reads: CoreOf<'simulation'>['reads'];
    writer: Writer;
  },
  needs: {
    devices: Devices;
    simulator: Simulator;
    /** Number of devices that `--simulate` requests. */
    wanted: number;
  },
) {
  const { repositories, reads, writer } = core;
  const { devices, simulator, wanted: wantedAtStart } = needs;
  /** Number of devices that are being added but not stored yet. */
  let reserved = 0;

  /**
   * Adds devices. Throws `conflict`, without adding any device, if there would be more than `MAX_SIMULATED`. `check` runs in the first
   * transaction and can throw, in which case no device is added.
   */
  async function add(wanted: Hardwares, check: () => void = () => undefined): Promise<SimulatedDevice[]> {
    refuseTooMany(wanted.count);
    reserved += wanted.count;
    try {
      return await addReserved(wanted, check);
    } finally {
      reserved -= wanted.count;
    }
  }

  function refuseTooMany(count: number): void {
    const known = repositories.devices.countSimulated() + reserved;
    if (known + count <= MAX_SIMULATED) return;
    throw new StationError(
      'conflict',
      `There are ${known} simulated devices; a station has at most ${MAX_SIMULATED}. Remove some first. Nothing was added.`,
    );
  }

  async function addReserved(wanted: Hardwares, check: () => void): Promise<SimulatedDevice[]> {
    const added: SimulatedDevice[] = [];
    for (let number = 1; added.length < wanted.count; number += MAX_AT_ONCE) {
      const most = wanted.count - added.length;
      const created = await writer.write((tx) => {
        if (added.length === 0) check();
        return create(tx, number, most, wanted);
      });
      for (const device of created) simulator.addDevice(device);
      added.push(...created.map(({ deviceId }) => find(deviceId)));
    }
    return added;
  }

  /** Adds at most `most` devices, with the free numbers among the next `MAX_AT_ONCE`. */
  function create(
    tx: Transaction,
    from: number,
    most: number,
    wanted: { buttons: 1 | 3 | undefined; firmware: number },
  ): Hardware[] {
    const created: Hardware[] = [];
    for (let number = from; number < from + MAX_AT_ONCE && created.length < most; number += 1) {
      const deviceId = simulatedId(number);
      if (repositories.devices.find(deviceId) !== undefined) continue;
      const buttons = wanted.buttons ?? (number % 2 === 1 ? 1 : 3);
      const device: Hardware = { deviceId, buttons, firmware: wanted.firmware };
      devices.register(tx, device);
      repositories.devices.insertSimulated(device);
      created.push(device);
    }
    return created;
  }

  function find(deviceId: string): SimulatedDevice {
    const device = simulator.findDevice(deviceId);
    if (device === undefined) throw new StationError('not_found', `${deviceId} is not a simulated device.`);
    return device;
  }

  return {
    /** Whether the station was started for a trial, with `--simulate` or the demo shop. */
    isTrial: (): boolean => wantedAtStart > 0 || (reads.devices.isDemoShop() && reads.devices.countSimulated() > 0),
    /** Turns on the simulated devices of the previous run, and adds devices until there are as many as `--simulate` requests. */
    async start(): Promise<void> {
      const count = wantedAtStart;
      const kept = repositories.devices.listSimulated();
      for (const device of kept) simulator.addDevice(device);
      if (kept.length < count) await add({ count: count - kept.length, buttons: undefined, firmware: FIRMWARE });
    },
    add,
    /** Turns a device off permanently. Returns false if the device is not simulated. */
    switchOff: (deviceId: string): boolean => simulator.removeDevice(deviceId),
    press(deviceId: string, button: Button, hold: Hold): void {
      const device = find(deviceId);
      if (button !== 'front' && device.buttons === 1) {
        throw new StationError('invalid', `${deviceId} has one button, no ${button}.`, [
          { path: '/button', message: 'Use front.' },
        ]);
      }
      simulator.press(deviceId, button, hold);
    },
    setDevice(deviceId: string, change: Parameters<Simulator['setDevice']>[1]): SimulatedDevice {
      find(deviceId);
      simulator.setDevice(deviceId, change);
      return find(deviceId);
    },
    setTurbo(serialNumber: string, change: Parameters<Simulator['setTurbo']>[1]): void {
      if (!simulator.setTurbo(serialNumber, change)) {
        throw new StationError('not_found', `There is no simulated turbo ${serialNumber}.`);
      }
    },
  };
}

export type Simulation = ReturnType<typeof createSimulation>;

/**
 * Returns the DeviceID for a number in decimal: 51D000:000001, 51D000:000002, and so on. A number gets the same DeviceID at every start.
 * Contract, section 1.
 */
export function simulatedId(number: number): string {
  return `51D000:${String(number).padStart(6, '0')}`;
}
