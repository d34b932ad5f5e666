import type { Condition, Displayed } from '#shared/api/device.ts';
import { USUAL_SIZE } from '#shared/screen/content.ts';
import type { DeviceRow, SavedCondition } from '../../db/repositories/devices.ts';
import type { Clock, DeviceStatus, Turbos } from '../../ports.ts';
import { isoOrNull } from '../base/index.ts';

/** Voltage of two full AA cells in millivolts. Below 2.2 V, the radio fails. */
const BATTERY_FULL_MV = 3_000;
const BATTERY_EMPTY_MV = 2_200;

/** The condition of a device, as reported since the station started. */
export type Known = {
  status: DeviceStatus | undefined;
  /** Monotonic time when `status` was reported. */
  statusAt: number;
  /** Epoch milliseconds of the last report, or of the end of the last connection. */
  lastSeenAt: number | null;
  /** Monotonic time of `lastSeenAt`, if the device was seen since the station started. */
  seenAt: number;
  isReached: boolean;
  upSince: string | null;
  displayed: Displayed | null;
};

/** The conditions of devices since the station started, by DeviceID. */
export type KnownConditions = Map<string, Known>;

/** Returns the entry of a device, creating an empty one. */
export function knownOf(known: KnownConditions, deviceId: string): Known {
  const entry = known.get(deviceId);
  if (entry !== undefined) return entry;
  const nothing = { status: undefined, statusAt: 0, lastSeenAt: null, seenAt: 0 };
  const added: Known = { ...nothing, isReached: false, upSince: null, displayed: null };
  known.set(deviceId, added);
  return added;
}

/** Records that the device was just seen. */
export function seen(entry: Known, clock: Clock): void {
  entry.lastSeenAt = clock.now();
  entry.seenAt = clock.monotonic();
}

/**
 * Converts the condition to its API form. `row` contains the device's stored values, which are used if nothing has been reported since the
 * station started.
 */
export function conditionOf(
  entry: Known | undefined,
  { deviceId, row, turbos }: { deviceId: string; row: DeviceRow | undefined; turbos: Turbos },
): Condition {
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

/** Returns the values to store, or undefined if none are known. */
export function savedOf(deviceId: string, entry: Known | undefined): SavedCondition | undefined {
  if (entry?.status === undefined || entry.lastSeenAt === null) return undefined;
  const { batteryMv, rssiDbm } = entry.status;
  return { deviceId, batteryMv, rssiDbm, uptimeS: uptimeOf(entry) ?? 0, lastSeenAt: entry.lastSeenAt };
}

/** Returns the milliseconds until the device ends the command with this token, or undefined if it shows something else. */
export function remainingMs(entry: Known | undefined, token: number, clock: Clock): number | undefined {
  if (entry?.status?.remainingMs === undefined || entry.status.shownToken !== token) return undefined;
  return entry.status.remainingMs - (clock.monotonic() - entry.statusAt);
}

/** Returns the device's uptime in seconds when it was last seen, extrapolated from its last status. */
function uptimeOf(entry: Known | undefined): number | undefined {
  if (entry?.status === undefined) return undefined;
  return entry.status.uptimeS + Math.max(0, Math.floor((entry.seenAt - entry.statusAt) / 1_000));
}

/** Converts a battery voltage in millivolts to a level in percent. */
export function batteryPercent(batteryMv: number): number {
  const part = (batteryMv - BATTERY_EMPTY_MV) / (BATTERY_FULL_MV - BATTERY_EMPTY_MV);
  return Math.round(Math.min(Math.max(part, 0), 1) * 100);
}
