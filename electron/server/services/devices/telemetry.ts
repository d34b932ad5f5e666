import type { Condition, Displayed } from '#shared/api/device.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { DeviceRow, SavedCondition } from '../../db/repositories/devices.ts';
import type { Clock, DeviceStatus, Log, Turbos, TurboState } from '../../ports.ts';
import type { Bus } from '../base/index.ts';
import { conditionOf, type KnownConditions, knownOf, remainingMs, savedOf, seen } from './conditions.ts';
import { createNews } from './news.ts';

const SAVE_EVERY_MS = 60_000;

/** Tracks the current conditions of devices and turbos. They are kept in memory, published without a revision, and saved once a minute. */
export function createTelemetry(parts: {
  clock: Clock;
  bus: Bus;
  turbos: Turbos;
  /** Returns the name that people gave the turbo, or undefined to use the turbo's own name. */
  nameOf: (serialNumber: string) => string | undefined;
  /** Saves changed conditions to disk. */
  save: (telemetry: readonly SavedCondition[]) => Promise<void>;
  log: Log;
}) {
  const { clock, bus, turbos, log } = parts;
  const known: KnownConditions = new Map();
  const unsaved = new Set<string>();
  const turboStatus = new Map<string, TurboState['status']>();
  const entryOf = (state: TurboState): Turbo => turboEntry(state, parts.nameOf(state.serialNumber) ?? state.name);
  const condition = (deviceId: string, row?: DeviceRow): Condition =>
    conditionOf(known.get(deviceId), { deviceId, row, turbos });
  const news = createNews(clock, (deviceIds, states) =>
    bus.publishEphemera({
      devices: deviceIds.map((deviceId) => ({ deviceid: deviceId, ...condition(deviceId) })),
      turbos: states.map(entryOf),
    }),
  );
  const saving = createAlarm(clock, () => {
    saving.in(SAVE_EVERY_MS);
    void save();
  });

  async function save(): Promise<void> {
    const saved = [...unsaved].flatMap((deviceId) => savedOf(deviceId, known.get(deviceId)) ?? []);
    unsaved.clear();
    if (saved.length === 0) return;
    try {
      await parts.save(saved);
    } catch (error) {
      log.warn({ err: error }, 'could not save the condition of devices');
    }
  }

  function changed(deviceId: string): void {
    unsaved.add(deviceId);
    news.ofDevice(deviceId);
  }

  return {
    record(deviceId: string, status: DeviceStatus): void {
      const entry = knownOf(known, deviceId);
      entry.status = status;
      entry.statusAt = clock.monotonic();
      entry.upSince = new Date(clock.now() - status.uptimeS * 1_000).toISOString();
      if (status.reachable) seen(entry, clock);
      entry.isReached = turbos.reaches(deviceId);
      changed(deviceId);
    },
    /**
     * Handles a change of the device's turbo. `rssiDbm` is the signal strength at the new turbo, or undefined if no turbo reaches the
     * device.
     */
    moved(deviceId: string, rssiDbm: number | undefined): void {
      const entry = known.get(deviceId);
      if (entry?.status === undefined) return;
      if (rssiDbm !== undefined) entry.status = { ...entry.status, rssiDbm };
      else if (entry.isReached) {
        // Devices report only changes, so count the device as seen until its connection ended.
        seen(entry, clock);
        unsaved.add(deviceId);
      }
      entry.isReached = rssiDbm !== undefined;
      news.ofDevice(deviceId);
    },
    /** Records what the device shows, according to its report. */
    displayed(deviceId: string, displayed: Displayed): void {
      const entry = knownOf(known, deviceId);
      entry.displayed = displayed;
      seen(entry, clock);
      changed(deviceId);
    },
    turboChanged(state: TurboState): void {
      const { serialNumber, status } = state;
      if (turboStatus.get(serialNumber) !== status) {
        // Do not keep offline turbos, because a turbo that changes its serial number daily would fill the memory.
        if (status === 'offline') turboStatus.delete(serialNumber);
        else turboStatus.set(serialNumber, status);
        // The turbo's devices go online or offline together with it.
        for (const [deviceId, entry] of known) if (entry.status !== undefined) news.ofDevice(deviceId);
      }
      news.ofTurbo(state);
    },
    /** Returns the device's condition in API form, from the saved values if nothing has been reported yet. */
    of: (row: DeviceRow): Condition => condition(row.device_id, row),
    /** Returns the milliseconds until the device ends the command with this token, or undefined if it shows something else. */
    remainingMs: (deviceId: string, token: number): number | undefined =>
      remainingMs(known.get(deviceId), token, clock),
    /** Returns the last reported battery voltage in millivolts, or null if nothing has been reported. */
    batteryMv: (deviceId: string): number | null => known.get(deviceId)?.status?.batteryMv ?? null,
    displayedOf: (deviceId: string): Displayed | null => known.get(deviceId)?.displayed ?? null,
    forget(deviceId: string): void {
      known.delete(deviceId);
      unsaved.delete(deviceId);
      news.forget(deviceId);
    },
    turbos: (): Turbo[] => turbos.list().map(entryOf),
    start: (): void => saving.in(SAVE_EVERY_MS),
    /** Saves the conditions one last time and stops publishing. */
    async stop(): Promise<void> {
      news.stop();
      saving.stop();
      for (const [deviceId, entry] of known) {
        if (!entry.isReached) continue;
        seen(entry, clock);
        unsaved.add(deviceId);
      }
      await save();
    },
  };
}

export type Telemetry = ReturnType<typeof createTelemetry>;

function turboEntry(state: TurboState, name: string): Turbo {
  return {
    serial_number: state.serialNumber,
    name,
    status: state.status,
    transport: state.transport,
    port: state.port,
    firmware: state.firmware,
    uptime: state.uptimeS,
    last_seen: state.lastSeenAt === 0 ? null : new Date(state.lastSeenAt).toISOString(),
    device_count: state.deviceCount,
    problem: state.problem ?? null,
  };
}
