import type { LedMode } from '#shared/led/blink.ts';
import type { Clock, Ids, Log, Simulator } from '../ports.ts';
import { CAN_DRAW_BITMAPS, CAN_DRAW_FIELDS } from '../turbo/frames/protocol/messages.ts';
import type { WireFaults, Transport } from '../turbo/frames/transports/transport.ts';
import { createAirtime } from './airtime.ts';
import { createAir, type RadioFaults } from './radio.ts';
import { RadioDevice } from './radioDevice.ts';
import { SimulatedTurbo, type TurboOptions } from './turbo.ts';

export const SIMULATED_SERIAL = 'SIM-1';

const CLEAR_AIR = { loss: 0, latencyMs: 0, frameMs: 0, fraction: () => 1 };
const OURS = { serialNumber: SIMULATED_SERIAL, name: 'Simulated turbo' };

/** Devices up to this firmware receive bitmaps, newer ones fields. */
const LAST_BITMAP_FIRMWARE = 50;

export type SimulatorOptions = {
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Opens a new wire to the station and returns the turbo's end. The faults can change while it is open. */
  connect: (faults: WireFaults) => Transport;
  /** Identity of the turbo; default: the simulated turbo of a station. */
  identity?: Pick<TurboOptions, 'serialNumber' | 'name' | 'signIn'>;
  /** Faults of the air between turbo and devices; default: none. */
  radio?: RadioFaults & { fraction: () => number };
};

/** What can be seen on a simulated device. */
export type Sight = {
  /** 0: the background, or nothing. */
  token: number;
  checksum: number | undefined;
  /** Shows a command that has not ended. */
  active: boolean;
  /** What a worker sees: a color too dark to shine is off. */
  led: LedMode;
  /** Whether it is lit at this moment: a blinking LED is lit half of the time. */
  lit: boolean;
  count: number | undefined;
  /** Number of e-paper refreshes so far. */
  refreshes: number;
  heldReports: number;
  refusedPresses: number;
};

export type SimulatedHardware = Simulator & {
  /** What a worker sees; undefined: no such device. */
  look(deviceId: string): Sight | undefined;
  /** Removes and reinserts the battery. False: no such device. */
  restartDevice(deviceId: string): boolean;
  /** Restarts a turbo on its open wire. False: no such turbo. */
  restartTurbo(serialNumber: string): boolean;
  /** Closes the wire and cancels timers. */
  stop(): void;
};

/** Simulated hardware: one turbo, connected from the start, and its devices. Speaks only frames. */
export function createSimulator({
  clock,
  ids,
  log,
  connect,
  identity = OURS,
  radio = CLEAR_AIR,
}: SimulatorOptions): SimulatedHardware {
  const faults: WireFaults = { loss: 0, latencyMs: 0 };
  const turbo = new SimulatedTurbo({
    ...identity,
    clock,
    ids,
    log,
    connect: () => connect(faults),
    airtime: createAirtime(clock, radio.frameMs),
  });
  turbo.connect();
  const air = () => createAir({ clock, fraction: radio.fraction, faults: radio });

  return {
    addDevice({ deviceId, buttons, firmware }) {
      if (turbo.devices.has(deviceId)) return;
      const device = new RadioDevice({
        deviceId,
        buttons,
        firmware,
        capabilities: firmware <= LAST_BITMAP_FIRMWARE ? CAN_DRAW_BITMAPS : CAN_DRAW_FIELDS | CAN_DRAW_BITMAPS,
        clock,
        newEpoch: () => Buffer.from(ids.bytes(4)).readUInt32LE(),
        pump: (changed) => turbo.pump(changed),
        answered: (answered, status) => turbo.answered(answered, status),
        air: { down: air(), up: air() },
      });
      turbo.devices.set(deviceId, device);
      turbo.pump(device);
    },
    removeDevice: (deviceId) => turbo.remove(deviceId),
    findDevice: (deviceId) => turbo.devices.get(deviceId)?.describe(),
    setDevice(deviceId, change) {
      const device = turbo.devices.get(deviceId);
      device?.change(change);
      return device !== undefined;
    },
    press: (deviceId, button, hold) => turbo.devices.get(deviceId)?.device.press(button, hold) ?? false,
    setTurbo(serialNumber, change) {
      if (serialNumber !== turbo.serialNumber) return false;
      faults.loss = change.loss ?? faults.loss;
      faults.latencyMs = change.latencyMs ?? faults.latencyMs;
      if (change.connected === true) turbo.connect();
      if (change.connected === false) turbo.disconnect();
      return true;
    },
    look(deviceId) {
      const device = turbo.devices.get(deviceId);
      if (device === undefined) return undefined;
      const { shownToken, shownChecksum, active, led, lit, count } = device.device.look();
      return {
        token: shownToken,
        checksum: shownChecksum,
        active,
        led,
        lit,
        count,
        refreshes: device.paper.refreshes,
        heldReports: device.outbox.size,
        refusedPresses: device.device.refusedPresses,
      };
    },
    restartDevice(deviceId) {
      const device = turbo.devices.get(deviceId);
      device?.restart();
      return device !== undefined;
    },
    restartTurbo(serialNumber) {
      if (serialNumber !== turbo.serialNumber) return false;
      turbo.restart();
      return true;
    },
    stop() {
      turbo.disconnect();
      for (const { device } of turbo.devices.values()) device.stop();
    },
  };
}
