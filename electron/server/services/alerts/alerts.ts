import type { Alert } from '#shared/api/alert.ts';
import { ALERT_SUBJECTS, isStationAlert } from '#shared/lib/alerts/alertSubjects.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { Transaction } from '../../db/writer.ts';
import { createSilences } from '../../domain/alerts/silences.ts';
import { StationError } from '../../errors.ts';
import type { DeviceStatus, Log, TurboState } from '../../ports.ts';
import { type Bus } from '../base/index.ts';
import { createReconcileQueue } from '../../scheduling/index.ts';
import { batteryPercent } from '../devices/index.ts';
import { consider, forget, reconcile, turboHearing, watch } from './deviceAlerts.ts';
import { alertEntry } from './records.ts';
import type { AlertContext } from './types.ts';

/** A timer that fires this many milliseconds late shows that the machine was asleep. */
const LATE_MS = 10_000;

type Parts = Omit<AlertContext, 'watched' | 'silences' | 'overdue' | 'queue' | 'alarm'> & { bus: Bus; log: Log };

/** Manages alerts: lasting conditions that need attention. Each alert is raised once and ends once, even across restarts. */
export function createAlerts({ bus, ...parts }: Parts) {
  const { clock, log, writer, records } = parts;
  const context: AlertContext = {
    ...parts,
    watched: new Map(),
    silences: createSilences(),
    overdue: new Set(),
    queue: createReconcileQueue({ clock, log, writer, reconcile: (tx, deviceId) => reconcile(context, tx, deviceId) }),
    alarm: createAlarm(clock, (lateMs) => (lateMs > LATE_MS ? restart(context) : look(context))),
  };
  let unsubscribe: (() => void) | undefined;

  return {
    checkStatus: (turbo: string, deviceId: string, status: DeviceStatus) =>
      checkStatus(context, turbo, deviceId, status),
    moved: (deviceId: string, rssiDbm: number | undefined) => moved(context, deviceId, rssiDbm),
    turboChanged: (state: TurboState) => turboChanged(context, state),
    forget: (tx: Transaction, deviceId: string) => forget(context, tx, deviceId),
    end: (id: string) => end(context, id),
    forgetTurbo: (tx: Transaction, serialNumber: string) => forgetTurbo(context, tx, serialNumber),
    list: records.list,
    acknowledge: records.acknowledge,
    acknowledgeAll: records.acknowledgeAll,
    start(): void {
      watchKnown(context);
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          for (const fact of facts) {
            if (fact.type === 'settings.changed') reconsider(context);
            // Check the device, because its reports may have arrived before it was added.
            if (fact.type === 'device.added') consider(context, fact.device.deviceid);
          }
        },
        clockChange: () => restart(context),
      });
      reconsider(context);
    },
    stop(): void {
      unsubscribe?.();
      context.alarm.stop();
      context.queue.stop();
      context.turboAlerts.stop();
    },
  };
}

export type Alerts = ReturnType<typeof createAlerts>;

/** Handles a device report. Writes to the database only if an alert begins or ends. */
function checkStatus(
  context: AlertContext,
  turbo: string,
  deviceId: string,
  { batteryMv, rssiDbm }: DeviceStatus,
): void {
  const { silences, overdue } = context;
  const device = watch(context, deviceId);
  const hearing = turboHearing(context, deviceId);
  // If no turbo serves the device now, keep the last one that did.
  device.turbo = hearing ?? device.turbo ?? turbo;
  if (hearing === undefined) {
    if (beginSilence(context, deviceId)) arm(context);
    return;
  }
  silences.end(deviceId);
  overdue.delete(deviceId);
  // Ignore values from other turbos, because their signal is weaker or their values are older.
  if (hearing === turbo) Object.assign(device, { percent: batteryPercent(batteryMv), rssiDbm });
  consider(context, deviceId);
}

/**
 * Handles a change of the turbo that serves a device. `rssiDbm` is the signal strength at the new turbo, or undefined if no turbo reaches
 * the device.
 */
function moved(context: AlertContext, deviceId: string, rssiDbm: number | undefined): void {
  const device = context.watched.get(deviceId);
  const turbo = turboHearing(context, deviceId);
  // If no turbo reaches the device, the silence timer starts with the last turbo's report, or when that turbo goes offline.
  if (device === undefined || turbo === undefined) return;
  Object.assign(device, { turbo, rssiDbm });
  context.silences.end(deviceId);
  context.overdue.delete(deviceId);
  consider(context, deviceId);
}

function turboChanged(context: AlertContext, state: TurboState): void {
  if (context.turboAlerts.changed(state)) recount(context);
  else arm(context);
}

/**
 * Dismisses an alert about the station, or about a turbo that will not return. Throws `not_found`, or `conflict` for an alert that resolves
 * automatically.
 */
async function end(context: AlertContext, id: string): Promise<Alert> {
  const { records, repositories, turboAlerts } = context;
  await context.writer.write((tx) => {
    const { kind, subject, ended_at } = records.get(id, repositories);
    const open = records.findOpen(kind, subject);
    if (ended_at !== null || open === undefined) throw refused(id, 'has already ended.');
    if (isStationAlert(kind)) return records.end(tx, open);
    if (!kind.startsWith('turbo_'))
      throw refused(id, `ends by itself, or when the ${ALERT_SUBJECTS[kind]} is removed.`);
    if (!turboAlerts.isMissing(subject)) throw refused(id, 'ends by itself: there is a link to the turbo.');
    forgetTurbo(context, tx, subject);
  });
  return alertEntry(records.get(id, context.reads));
}

/** Ends the alerts of a removed turbo, which is no longer expected to connect. Call inside a transaction. */
function forgetTurbo(context: AlertContext, tx: Transaction, serialNumber: string): void {
  context.turboAlerts.giveUp(tx, serialNumber);
  tx.afterCommit(() => recount(context));
}

/** Watches devices that reported before the restart. */
function watchKnown(context: AlertContext): void {
  for (const { device_id: deviceId, last_seen_at } of context.repositories.devices.list()) {
    if (last_seen_at === null || context.watched.has(deviceId)) continue;
    watch(context, deviceId);
    beginSilence(context, deviceId);
  }
}

/** Starts waiting for the device to report. Returns false if it is already known to be offline. */
function beginSilence({ overdue, records, silences, clock }: AlertContext, deviceId: string): boolean {
  if (overdue.has(deviceId) || records.isOpen('device_offline', deviceId)) return false;
  silences.begin(deviceId, clock.monotonic());
  return true;
}

/** Whether the device's turbo, or every turbo, is offline. In that case, the turbo has an alert, and the device does not get one. */
function isFollowing({ turboAlerts, watched }: AlertContext, deviceId: string): boolean {
  if (!turboAlerts.isAnyOnline()) return true;
  const turbo = watched.get(deviceId)?.turbo;
  return turbo === undefined ? turboAlerts.isAnyMissing() : turboAlerts.isMissing(turbo);
}

/**
 * Updates the turbo of each device after a turbo connected, disconnected or was removed. Starts the silence timer for devices without a
 * turbo.
 */
function recount(context: AlertContext): void {
  for (const [deviceId, device] of context.watched) {
    const turbo = turboHearing(context, deviceId);
    if (turbo !== undefined) device.turbo = turbo;
    else if (!isFollowing(context, deviceId)) beginSilence(context, deviceId);
  }
  arm(context);
}

function offlineMs({ settings }: AlertContext): number {
  return settings.current().alert_offline_seconds * 1_000;
}

function arm(context: AlertContext): void {
  const { silences, turboAlerts, clock, alarm } = context;
  const first = offlineMs(context) === 0 ? undefined : silences.earliest();
  const devicesAt = first === undefined ? Number.POSITIVE_INFINITY : first + offlineMs(context);
  alarm.within(Math.min(devicesAt, turboAlerts.nextDue() ?? Number.POSITIVE_INFINITY) - clock.monotonic());
}

/** Raises alerts for devices and turbos that have been offline long enough. */
function look(context: AlertContext): void {
  const { silences, overdue, turboAlerts, clock } = context;
  const due = offlineMs(context) === 0 ? [] : silences.take(clock.monotonic() - offlineMs(context));
  for (const deviceId of due) {
    if (turboHearing(context, deviceId) !== undefined || isFollowing(context, deviceId)) continue;
    overdue.add(deviceId);
    consider(context, deviceId);
  }
  turboAlerts.look();
  arm(context);
}

/** Restarts all silence timers. Call after sleep or a clock jump. */
function restart(context: AlertContext): void {
  context.silences.restart(context.clock.monotonic());
  context.turboAlerts.restart();
  arm(context);
}

/** Checks all devices again after the settings changed. */
function reconsider(context: AlertContext): void {
  for (const deviceId of context.watched.keys()) consider(context, deviceId);
  context.turboAlerts.look();
  arm(context);
}

function refused(id: string, why: string): StationError {
  return new StationError('conflict', `Alert ${id} ${why}`);
}
