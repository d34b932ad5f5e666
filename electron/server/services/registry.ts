import type { Capabilities, Device, RefusedDevice } from '#shared/api/device.ts';
import { labelWarnings } from '#shared/lib/requests/deviceRequest.ts';
import type { TablesOf } from '../core.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { StationError } from '../errors.ts';
import type { Log, Turbos } from '../ports.ts';
import type { Alerts } from './alerts/index.ts';
import type { Aliases } from './aliases/index.ts';
import type { Audit, By } from './base/index.ts';
import type { Carriers } from './batches/index.ts';
import type { Commands } from './commands/index.ts';
import {
  type Devices,
  type Display,
  type PlaceLights,
  refuseLost,
  type Refusals,
  type SaidOfLights,
  type Telemetry,
} from './devices/index.ts';
import type { Simulation } from './simulation/index.ts';

/** Maximum time to wait for reports that a simulated device sent before it was turned off. */
const DRAIN_LIMIT_MS = 10_000;

/** Registers and removes devices when people request it. */
export function createRegistry(
  core: {
    repositories: TablesOf<'registry'>;
    reads: TablesOf<'registry'>;
    writer: Writer;
    audit: Audit;
    log: Log;
  },
  needs: {
    commands: Commands;
    alerts: Pick<Alerts, 'forget'>;
    aliases: Aliases;
    devices: Devices;
    refusals: Refusals;
    telemetry: Telemetry;
    display: Display;
    simulation: Simulation;
    turbos: Turbos;
    placeLights: PlaceLights;
    carriers: Pick<Carriers, 'deviceRemoved'>;
  },
) {
  const { repositories, reads, writer, audit, log } = core;
  const { commands, alerts, aliases, devices, refusals, telemetry, display, simulation, turbos, placeLights } = needs;
  const { carriers } = needs;

  /**
   * Forgets a removed device once its reports have arrived. Until then, the device counts as known, so that these reports do not register
   * it again.
   */
  function forget(deviceId: string): void {
    if (reads.devices.find(deviceId) !== undefined) return;
    devices.forget(deviceId);
    telemetry.forget(deviceId);
    turbos.forget(deviceId);
  }

  /** Like `remove`, but inside a transaction that writes its own audit entry. */
  function removeWithin(tx: Transaction, deviceId: string, by: By): SaidOfLights {
    devices.byId(deviceId);
    // Lines go to the devices that have these names now, before the rest ends with the device.
    const { said } = placeLights.together(tx, by.name, () => {
      aliases.removeAllOf(tx, deviceId, by.name);
      devices.takeLabel(tx, deviceId, by.name);
    });
    commands.kill(tx, { deviceId, target: undefined, nonce: undefined, by: by.name });
    alerts.forget(tx, deviceId);
    repositories.map.unplace(deviceId);
    carriers.deviceRemoved(deviceId);
    repositories.devices.remove(deviceId);
    tx.emit({ type: 'device.removed', deviceid: deviceId });
    tx.afterCommit(() => {
      display.forget(deviceId);
      if (!simulation.switchOff(deviceId)) {
        forget(deviceId);
        return;
      }
      turbos
        .drain(DRAIN_LIMIT_MS)
        .then(() => forget(deviceId))
        .catch((error: unknown) => log.error({ err: error, deviceId }, 'could not remove a device'));
    });
    return said;
  }

  return {
    /**
     * Registers a device before any turbo receives it. Returns the device with warnings about its label. Throws `conflict` if the device is
     * already registered.
     */
    async add(
      { deviceId, buttons, label }: { deviceId: string; buttons: Capabilities['buttons']; label: string | undefined },
      by: By,
    ): Promise<{ device: Device; warnings: string[] }> {
      const warnings = await writer.write((tx) => {
        // The device reports its firmware when a turbo first receives it.
        if (!devices.register(tx, { deviceId, buttons, firmware: 0 })) {
          throw new StationError('conflict', `${deviceId} is already known.`);
        }
        audit.record(tx, { action: 'device.added', by, subject: deviceId, detail: {} });
        if (label === undefined || label === '') return [];
        const { warnings: ofLabel } = devices.change(tx, deviceId, { locationoverride: label }, by.name);
        return [...labelWarnings(label, 'label'), ...ofLabel];
      });
      return { device: devices.get(deviceId), warnings };
    },
    listRefused: refusals.list,
    /**
     * Refuses a device, so that its reports are ignored even if all new devices are accepted. Throws `conflict` if the device is
     * registered.
     */
    refuse: (deviceId: string, by: By): Promise<RefusedDevice> =>
      writer.write((tx) => {
        if (repositories.devices.find(deviceId) !== undefined) {
          throw new StationError('conflict', `${deviceId} is already known. Take it away first, with DELETE.`);
        }
        if (refusals.has(deviceId)) return refusals.add(tx, deviceId);
        audit.record(tx, { action: 'device.refused', by, subject: deviceId, detail: {} });
        tx.emit({ type: 'waiting.changed' });
        return refusals.add(tx, deviceId);
      }),
    /** Stops ignoring a refused device, which then waits or is accepted. Throws `not_found` if the device is not refused. */
    async readmit(deviceId: string, by: By): Promise<void> {
      await writer.write((tx) => {
        if (!refusals.remove(tx, deviceId)) {
          throw new StationError('not_found', `${deviceId} is not refused. GET /api/devices/refused/ lists what is.`);
        }
        audit.record(tx, { action: 'device.readmitted', by, subject: deviceId, detail: {} });
        tx.emit({ type: 'waiting.changed' });
      });
      // Devices over the hourly limit keep waiting.
      await devices.acceptWaiting(deviceId);
    },
    /**
     * Removes a device with all its data except history. Returns warnings. Throws `not_found` and, if `strict`, `invalid` if a place with
     * goods would lose its last light.
     */
    remove: (deviceId: string, { by, strict }: { by: By; strict: boolean }): Promise<string[]> =>
      writer.write((tx) => {
        const { lost } = removeWithin(tx, deviceId, by);
        if (strict) refuseLost(lost);
        audit.record(tx, { action: 'device.removed', by, subject: deviceId, detail: {} });
        return lost;
      }),
    removeWithin,
  };
}

export type Registry = ReturnType<typeof createRegistry>;
