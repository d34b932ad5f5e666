import type { Condition, Displayed } from '#shared/api/device.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import { USUAL_SIZE } from '#shared/screen/content.ts';
import { createAlarm } from '../../alarm.ts';
import type { DeviceRow, SavedCondition } from '../../db/repositories/devices.ts';
import type { Clock, DeviceStatus, Log, Turbos, TurboState } from '../../ports.ts';
import { type Bus, isoOrNull } from '../base/index.ts';

/** Shortest pause between two reports of conditions, each with the newest of each device. */
const TELL_EVERY_MS = 50;
const SAVE_EVERY_MS = 60_000;
/** Two AA cells: full at 3.0 V, and the radio fails below 2.2 V. */
const BATTERY_FULL_MV = 3_000;
const BATTERY_EMPTY_MV = 2_200;

type Known = {
  status: DeviceStatus | undefined;
  /** Monotonic time of that. */
  statusAt: number;
  /** When it said something, or until when it was reached. */
  lastSeenAt: number | null;
  /** Monotonic time of that, where it was since the start. */
  seenAt: number;
  isReached: boolean;
  upSince: string | null;
  displayed: Displayed | null;
};

/** Current conditions of devices and turbos: kept in memory, published without a revision, saved once a minute. */
export function createTelemetry(parts: {
  clock: Clock;
  bus: Bus;
  turbos: Turbos;
  /** How people call the turbo; undefined: as it calls itself. */
  nameOf: (serialNumber: string) => string | undefined;
  /** Writes what changed to disk. */
  save: (telemetry: readonly SavedCondition[]) => Promise<void>;
  log: Log;
}) {
  const { clock, bus, turbos, log } = parts;
  const known = new Map<string, Known>();
  const unsaved = new Set<string>();
  const untold = new Set<string>();
  const untoldTurbos = new Map<string, TurboState>();
  const turboStatus = new Map<string, TurboState['status']>();
  const telling = createAlarm(clock, tell);
  let toldAt = -Infinity;
  const saving = createAlarm(clock, () => {
    saving.in(SAVE_EVERY_MS);
    void save();
  });

  async function save(): Promise<void> {
    const unsaved = takeUnsaved();
    if (unsaved.length === 0) return;
    try {
      await parts.save(unsaved);
    } catch (error) {
      log.warn({ err: error }, 'the conditions of devices could not be saved');
    }
  }

  function takeUnsaved(): SavedCondition[] {
    const saved: SavedCondition[] = [];
    for (const deviceId of unsaved) {
      const entry = known.get(deviceId);
      if (entry?.status === undefined || entry.lastSeenAt === null) continue;
      const { batteryMv, rssiDbm } = entry.status;
      const uptimeS = uptimeOf(entry) ?? 0;
      saved.push({ deviceId, batteryMv, rssiDbm, uptimeS, lastSeenAt: entry.lastSeenAt });
    }
    unsaved.clear();
    return saved;
  }

  function get(deviceId: string): Known {
    let entry = known.get(deviceId);
    if (entry === undefined) {
      entry = {
        status: undefined,
        statusAt: 0,
        lastSeenAt: null,
        seenAt: 0,
        isReached: false,
        upSince: null,
        displayed: null,
      };
      known.set(deviceId, entry);
    }
    return entry;
  }

  function seen(entry: Known): void {
    entry.lastSeenAt = clock.now();
    entry.seenAt = clock.monotonic();
  }

  /** A device reports changes only, so it counts as seen while it was reached. */
  function reachedUntilNow(deviceId: string, entry: Known): void {
    seen(entry);
    unsaved.add(deviceId);
  }

  function touch(deviceId: string): void {
    untold.add(deviceId);
    tellSoon();
  }

  /** At once after a pause: a person who presses a button watches the page. */
  function tellSoon(): void {
    if (!telling.isSet()) telling.in(toldAt + TELL_EVERY_MS - clock.monotonic());
  }

  function tell(): void {
    toldAt = clock.monotonic();
    const devices = [...untold].map((deviceId) => ({ deviceid: deviceId, ...condition(deviceId, undefined) }));
    const changedTurbos = [...untoldTurbos.values()].map(entryOf);
    untold.clear();
    untoldTurbos.clear();
    bus.publishEphemera({ devices, turbos: changedTurbos });
  }

  function entryOf(state: TurboState): Turbo {
    return turboEntry(state, parts.nameOf(state.serialNumber) ?? state.name);
  }

  function condition(deviceId: string, row: DeviceRow | undefined): Condition {
    const entry = known.get(deviceId);
    const status = entry?.status;
    const batteryMv = status?.batteryMv ?? row?.battery_mv ?? null;
    const turbo = turbos.turboOf(deviceId);
    return {
      voltage: batteryMv === null ? null : Math.round(batteryMv / 10) / 100,
      battery: batteryMv === null ? null : batteryPercent(batteryMv),
      uptime: uptimeOf(entry) ?? row?.uptime_s ?? null,
      up_since: entry?.upSince ?? null,
      rssi: status?.rssiDbm ?? row?.rssi_dbm ?? null,
      turbo: turbo?.serialNumber ?? null,
      online: turbo?.status === 'online',
      last_seen: isoOrNull(entry?.lastSeenAt ?? row?.last_seen_at ?? null),
      can_press: turbos.canPress(deviceId),
      screen_size: status?.screenSize ?? USUAL_SIZE,
      displayed: entry?.displayed ?? null,
    };
  }

  return {
    heard(deviceId: string, status: DeviceStatus): void {
      const entry = get(deviceId);
      entry.status = status;
      entry.statusAt = clock.monotonic();
      entry.upSince = new Date(clock.now() - status.uptimeS * 1_000).toISOString();
      if (status.reachable) seen(entry);
      entry.isReached = turbos.reaches(deviceId);
      unsaved.add(deviceId);
      touch(deviceId);
    },
    /** Another turbo serves the device, and hears it so well; undefined: none reaches it. */
    moved(deviceId: string, rssiDbm: number | undefined): void {
      const entry = known.get(deviceId);
      if (entry?.status === undefined) return;
      if (rssiDbm !== undefined) entry.status = { ...entry.status, rssiDbm };
      else if (entry.isReached) reachedUntilNow(deviceId, entry);
      entry.isReached = rssiDbm !== undefined;
      touch(deviceId);
    },
    /** What the device shows, since it said so. */
    displayed(deviceId: string, displayed: Displayed): void {
      const entry = get(deviceId);
      entry.displayed = displayed;
      seen(entry);
      unsaved.add(deviceId);
      touch(deviceId);
    },
    turboChanged(state: TurboState): void {
      untoldTurbos.set(state.serialNumber, state);
      const { serialNumber, status } = state;
      if (turboStatus.get(serialNumber) !== status) {
        // Known by the others alone: a turbo that calls itself something else each day leaves nothing behind.
        if (status === 'offline') turboStatus.delete(serialNumber);
        else turboStatus.set(serialNumber, status);
        // Its devices are heard or silent with it.
        for (const [deviceId, entry] of known) {
          if (entry.status !== undefined) untold.add(deviceId);
        }
      }
      tellSoon();
    },
    /** As the API answers it; falls back to the saved condition. */
    of: (row: DeviceRow): Condition => condition(row.device_id, row),
    /** Milliseconds until the device itself ends what it shows under this token; undefined when it does not show it. */
    remainingMs(deviceId: string, token: number): number | undefined {
      const entry = known.get(deviceId);
      const status = entry?.status;
      if (
        entry === undefined ||
        status === undefined ||
        status.shownToken !== token ||
        status.remainingMs === undefined
      )
        return undefined;
      return status.remainingMs - (clock.monotonic() - entry.statusAt);
    },
    /** The last battery voltage, in millivolts. */
    batteryMv: (deviceId: string): number | null => known.get(deviceId)?.status?.batteryMv ?? null,
    displayedOf: (deviceId: string): Displayed | null => known.get(deviceId)?.displayed ?? null,
    /** The device was removed. */
    forget(deviceId: string): void {
      known.delete(deviceId);
      unsaved.delete(deviceId);
      untold.delete(deviceId);
    },
    turbos: (): Turbo[] => turbos.list().map(entryOf),
    /** Saves once a minute. */
    start: (): void => saving.in(SAVE_EVERY_MS),
    /** Saves, and publishes nothing more. */
    async stop(): Promise<void> {
      telling.stop();
      saving.stop();
      for (const [deviceId, entry] of known) if (entry.isReached) reachedUntilNow(deviceId, entry);
      await save();
    },
  };
}

export type Telemetry = ReturnType<typeof createTelemetry>;

/** When the device was seen last: it says it with its condition, which may be long ago, and has not started anew since. */
function uptimeOf(entry: Known | undefined): number | undefined {
  if (entry?.status === undefined) return undefined;
  return entry.status.uptimeS + Math.max(0, Math.floor((entry.seenAt - entry.statusAt) / 1_000));
}

/** Percent of a full battery, from its voltage in millivolts. */
export function batteryPercent(batteryMv: number): number {
  const part = (batteryMv - BATTERY_EMPTY_MV) / (BATTERY_FULL_MV - BATTERY_EMPTY_MV);
  return Math.round(Math.min(Math.max(part, 0), 1) * 100);
}

/** A turbo as the API answers it. */
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
