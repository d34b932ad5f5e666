import type { AlertKind } from '#shared/api/alert.ts';
import type { NewAlert } from '../../db/repositories/alerts.ts';
import type { Transaction } from '../../db/writer.ts';
import { BATTERY_MARGIN, isBelow, SIGNAL_MARGIN } from '../../domain/alerts/alertRules.ts';
import type { AlertContext, WatchedDevice } from './types.ts';

type DeviceKind = Extract<AlertKind, 'device_offline' | 'signal_weak' | 'battery_low'>;

const KINDS = ['device_offline', 'signal_weak', 'battery_low'] as const satisfies DeviceKind[];

type Level = {
  read(device: WatchedDevice): number | undefined;
  setting: 'alert_weak_dbm' | 'alert_battery_percent';
  margin: number;
};

/** Measured values with a threshold. An open alert ends only when the value exceeds the threshold by `margin`. */
const LEVELS: Readonly<Record<Exclude<DeviceKind, 'device_offline'>, Level>> = {
  signal_weak: { read: ({ rssiDbm }) => rssiDbm, setting: 'alert_weak_dbm', margin: SIGNAL_MARGIN },
  battery_low: { read: ({ percent }) => percent, setting: 'alert_battery_percent', margin: BATTERY_MARGIN },
};

export function watch({ watched }: AlertContext, deviceId: string): WatchedDevice {
  const known = watched.get(deviceId) ?? { turbo: undefined, percent: undefined, rssiDbm: undefined };
  watched.set(deviceId, known);
  return known;
}

export function turboHearing({ turbos }: AlertContext, deviceId: string): string | undefined {
  return turbos.turboOf(deviceId)?.serialNumber;
}

/** Queues the device if an alert about it has to begin or end. */
export function consider(context: AlertContext, deviceId: string): void {
  const { watched, devices, records, queue } = context;
  // A device that has never reported is probably still in its box.
  if (!watched.has(deviceId) || !devices.knows(deviceId)) return;
  const isSettled = KINDS.every((kind) => {
    const isOpen = records.isOpen(kind, deviceId);
    return wants(context, kind, deviceId, isOpen) === isOpen;
  });
  if (!isSettled) queue.add(deviceId);
}

/** Whether the device should have an open alert of this kind. `isOpen` tells whether the device has such an alert now. */
function wants(context: AlertContext, kind: DeviceKind, deviceId: string, isOpen: boolean): boolean {
  const settings = context.settings.current();
  if (kind === 'device_offline') {
    if (settings.alert_offline_seconds === 0) return false;
    return context.overdue.has(deviceId) || (isOpen && turboHearing(context, deviceId) === undefined);
  }
  const { setting, margin } = LEVELS[kind];
  const threshold = settings[setting];
  const value = valueOf(context, kind, deviceId);
  if (threshold === 0) return false;
  return value === undefined ? isOpen : isBelow(isOpen, value, { threshold, margin });
}

function valueOf({ watched }: AlertContext, kind: keyof typeof LEVELS, deviceId: string): number | undefined {
  const device = watched.get(deviceId);
  return device === undefined ? undefined : LEVELS[kind].read(device);
}

export function reconcile(context: AlertContext, tx: Transaction, deviceId: string): void {
  const { records } = context;
  for (const kind of KINDS) {
    const open = records.findOpen(kind, deviceId);
    const isWanted = wants(context, kind, deviceId, open !== undefined);
    if (open !== undefined && !isWanted) records.end(tx, open);
    if (open === undefined && isWanted) raise(context, tx, kind, deviceId);
  }
}

function raise(context: AlertContext, tx: Transaction, kind: DeviceKind, deviceId: string): void {
  const row = context.repositories.devices.find(deviceId);
  // Skip a device that was removed while it was queued.
  if (row === undefined) return;
  const measured =
    kind === 'device_offline'
      ? silence(context, tx, context.telemetry.of(row).last_seen)
      : level(context, tx, kind, deviceId);
  context.records.raise(tx, { kind, subject: deviceId, problem: null, ...measured });
}

type Measured = Pick<NewAlert, 'since' | 'value' | 'threshold'>;

function silence({ settings }: AlertContext, tx: Transaction, lastSeen: string | null): Measured {
  const since = lastSeen === null ? tx.now : Date.parse(lastSeen);
  const value = Math.max(0, Math.round((tx.now - since) / 1_000));
  return { since, value, threshold: settings.current().alert_offline_seconds };
}

function level(context: AlertContext, tx: Transaction, kind: keyof typeof LEVELS, deviceId: string): Measured {
  const threshold = context.settings.current()[LEVELS[kind].setting];
  return { since: tx.now, value: valueOf(context, kind, deviceId) ?? null, threshold };
}

/** Ends the alerts of a removed device. Call inside a transaction. */
export function forget({ records, watched, silences, overdue }: AlertContext, tx: Transaction, deviceId: string): void {
  for (const kind of KINDS) {
    const open = records.findOpen(kind, deviceId);
    if (open !== undefined) records.end(tx, open);
  }
  tx.afterCommit(() => {
    watched.delete(deviceId);
    silences.end(deviceId);
    overdue.delete(deviceId);
  });
}
