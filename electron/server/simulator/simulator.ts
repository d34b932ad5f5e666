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
const OURS = { serialNumber: SIMULATED_SERIAL, name: 'Simulated gateway' };

/** Last firmware version that draws only bitmaps. Newer versions also draw fields. */
const LAST_BITMAP_FIRMWARE = 50;

export type SimulatorOptions = {
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Opens a wire to the station and returns the turbo's end. `faults` can change while the wire is open. */
  connect: (faults: WireFaults) => Transport;
  /** Identity of the turbo; SIM-1 by default. */
  identity?: Pick<TurboOptions, 'serialNumber' | 'name' | 'signIn'>;
  /** Faults of the radio link between turbo and devices; none by default. */
  radio?: RadioFaults & { fraction: () => number };
};

/** The visible state of a simulated device. */
export type Sight = {
  /** Token of the visible command, or 0 if none. */
  token: number;
  checksum: number | undefined;
  /** Whether the visible command is still open. */
  active: boolean;
  /** The LED as a worker sees it. A color that is too dark to see counts as off. */
  led: LedMode;
  /** Whether the LED is on at this moment. A blinking LED is on half of the time. */
  lit: boolean;
  count: number | undefined;
  /** Number of e-paper refreshes so far. */
  refreshes: number;
  heldReports: number;
  refusedPresses: number;
};

export type SimulatedHardware = Simulator & {
  /** Returns what a device shows, or undefined if the device does not exist. */
  look(deviceId: string): Sight | undefined;
  /** Removes and reinserts the battery. Returns false if the device does not exist. */
  restartDevice(deviceId: string): boolean;
  /** Restarts a turbo on its open wire. Returns false if the turbo does not exist. */
  restartTurbo(serialNumber: string): boolean;
  /** Closes the wire and cancels all timers. */
  stop(): void;
};

/** Simulates one turbo with its devices. The turbo connects immediately and exchanges only frames with the station. */
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
