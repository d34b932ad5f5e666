import type { Alert, AlertKind, AlertQuery } from '#shared/api/alert.ts';
import { isStationAlert } from '#shared/lib/alertSubjects.ts';
import { createAlarm } from '../../alarm.ts';
import type { NewAlert } from '../../db/repositories/alerts.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { BATTERY_MARGIN, isBelow, SIGNAL_MARGIN } from '../../domain/alertRules.ts';
import { createSilences } from '../../domain/silences.ts';
import { StationError } from '../../errors.ts';
import type { Clock, DeviceStatus, Log, Turbos, TurboState } from '../../ports.ts';
import { type AlertRecords, alertEntry } from './records.ts';
import type { TurboAlerts } from './turboAlerts.ts';
import { type Bus, createReconcileQueue } from '../base/index.ts';
import { type Devices, type Telemetry, batteryPercent } from '../devices/index.ts';
import type { SettingsService } from '../settings/index.ts';

/** What lasts and somebody has to look after: each is raised once and ends once, over restarts too. */
export type Alerts = {
  /** Costs no more than a look, where it changes nothing. */
  heard(turbo: string, deviceId: string, status: DeviceStatus): void;
  /** Another turbo serves the device, and hears it so well; undefined: none reaches it. */
  moved(deviceId: string, rssiDbm: number | undefined): void;
  turboChanged(state: TurboState): void;
  /** The device is taken away: its alerts end with it. Runs inside a use-case. */
  forget(tx: Transaction, deviceId: string): void;
  list(query: AlertQuery): Alert[];
  /** Throws `not_found`, or `conflict` where it is over. */
  acknowledge(id: string, by: string): Promise<Alert>;
  /** All that are open and not seen yet; answers how many. */
  acknowledgeAll(by: string): Promise<number>;
  /**
   * Of a turbo that will not come back, or about the station: somebody dismisses it. Throws `not_found`, or `conflict` where
   * it ends by itself.
   */
  end(id: string): Promise<Alert>;
  /** A turbo was taken off the list: it is no longer missed, and what is open about it ends. Runs inside a use-case. */
  forgetTurbo(tx: Transaction, serialNumber: string): void;
  start(): void;
  stop(): void;
};

type DeviceKind = Extract<AlertKind, 'device_offline' | 'signal_weak' | 'battery_low'>;

/** Undefined: not heard since the start. `turbo`: which told of it last. */
type Watched = { turbo: string | undefined; percent: number | undefined; rssiDbm: number | undefined };

const KINDS = ['device_offline', 'signal_weak', 'battery_low'] as const satisfies DeviceKind[];

type Level = {
  read(device: Watched): number | undefined;
  setting: 'alert_weak_dbm' | 'alert_battery_percent';
  margin: number;
};

/** What falls: where it is known, and by how much it must rise again. */
const LEVELS: Readonly<Record<Exclude<DeviceKind, 'device_offline'>, Level>> = {
  signal_weak: { read: ({ rssiDbm }) => rssiDbm, setting: 'alert_weak_dbm', margin: SIGNAL_MARGIN },
  battery_low: { read: ({ percent }) => percent, setting: 'alert_battery_percent', margin: BATTERY_MARGIN },
};

/** A timer that comes so late slept: timers of some systems count the time of sleep. */
const LATE_MS = 10_000;

export function createAlerts(parts: {
  repositories: Repositories;
  reads: Repositories;
  writer: Writer;
  records: AlertRecords;
  turboAlerts: TurboAlerts;
  turbos: Pick<Turbos, 'turboOf'>;
  telemetry: Pick<Telemetry, 'of'>;
  devices: Pick<Devices, 'knows'>;
  settings: SettingsService;
  bus: Bus;
  clock: Clock;
  log: Log;
}): Alerts {
  const { repositories, reads, writer, records, turboAlerts, turbos, telemetry, devices, settings, bus, clock, log } =
    parts;
  const watched = new Map<string, Watched>();
  const silences = createSilences();
  /** Silent for too long; raised, or about to be. */
  const overdue = new Set<string>();
  const reconcileQueue = createReconcileQueue({ clock, log, writer, reconcile });
  const alarm = createAlarm(clock, look);
  let unsubscribe: (() => void) | undefined;

  function turboHearing(deviceId: string): string | undefined {
    return turbos.turboOf(deviceId)?.serialNumber;
  }

  function watch(deviceId: string): Watched {
    const known = watched.get(deviceId) ?? { turbo: undefined, percent: undefined, rssiDbm: undefined };
    watched.set(deviceId, known);
    return known;
  }

  function valueOf(kind: keyof typeof LEVELS, deviceId: string): number | undefined {
    const device = watched.get(deviceId);
    return device === undefined ? undefined : LEVELS[kind].read(device);
  }

  /** Whether it is to have an open alert, having one or not. */
  function wants(kind: DeviceKind, deviceId: string, isOpen: boolean): boolean {
    if (kind === 'device_offline') {
      if (settings.current().alert_offline_seconds === 0) return false;
      return overdue.has(deviceId) || (isOpen && turboHearing(deviceId) === undefined);
    }
    const { setting, margin } = LEVELS[kind];
    const threshold = settings.current()[setting];
    const value = valueOf(kind, deviceId);
    if (threshold === 0) return false;
    return value === undefined ? isOpen : isBelow(isOpen, value, { threshold, margin });
  }

  function consider(deviceId: string): void {
    // One that was never heard is still in its box.
    if (!watched.has(deviceId) || !devices.knows(deviceId)) return;
    const isSettled = KINDS.every((kind) => {
      const isOpen = records.isOpen(kind, deviceId);
      return wants(kind, deviceId, isOpen) === isOpen;
    });
    if (!isSettled) reconcileQueue.add(deviceId);
  }

  function reconcile(tx: Transaction, deviceId: string): void {
    for (const kind of KINDS) {
      const open = records.findOpen(kind, deviceId);
      const isWanted = wants(kind, deviceId, open !== undefined);
      if (open !== undefined && !isWanted) records.end(tx, open);
      if (open === undefined && isWanted) raise(tx, kind, deviceId);
    }
  }

  function raise(tx: Transaction, kind: DeviceKind, deviceId: string): void {
    const row = repositories.devices.find(deviceId);
    // Taken away meanwhile.
    if (row === undefined) return;
    const measured = kind === 'device_offline' ? silence(tx, telemetry.of(row).last_seen) : level(tx, kind, deviceId);
    records.raise(tx, { kind, subject: deviceId, problem: null, ...measured });
  }

  function silence(tx: Transaction, lastSeen: string | null): Pick<NewAlert, 'since' | 'value' | 'threshold'> {
    const since = lastSeen === null ? tx.now : Date.parse(lastSeen);
    const value = Math.max(0, Math.round((tx.now - since) / 1_000));
    return { since, value, threshold: settings.current().alert_offline_seconds };
  }

  function level(
    tx: Transaction,
    kind: keyof typeof LEVELS,
    deviceId: string,
  ): Pick<NewAlert, 'since' | 'value' | 'threshold'> {
    return {
      since: tx.now,
      value: valueOf(kind, deviceId) ?? null,
      threshold: settings.current()[LEVELS[kind].setting],
    };
  }

  /** Nobody says anything of a device while its turbo is missed, or each of them: that has an alert of its own. */
  function isFollowing(deviceId: string): boolean {
    if (!turboAlerts.isAnyOnline()) return true;
    const turbo = watched.get(deviceId)?.turbo;
    return turbo === undefined ? turboAlerts.isAnyMissing() : turboAlerts.isMissing(turbo);
  }

  /** A turbo came, went or was given up: whom it heard counts from now, and whoever is heard by another is that one's. */
  function recount(): void {
    for (const [deviceId, device] of watched) {
      const turbo = turboHearing(deviceId);
      if (turbo !== undefined) device.turbo = turbo;
      else if (!isFollowing(deviceId) && !overdue.has(deviceId) && !records.isOpen('device_offline', deviceId)) {
        silences.begin(deviceId, clock.monotonic());
      }
    }
    arm();
  }

  function offlineMs(): number {
    return settings.current().alert_offline_seconds * 1_000;
  }

  function arm(): void {
    const first = offlineMs() === 0 ? undefined : silences.earliest();
    const devicesAt = first === undefined ? Number.POSITIVE_INFINITY : first + offlineMs();
    const at = Math.min(devicesAt, turboAlerts.nextDue() ?? Number.POSITIVE_INFINITY);
    if (unsubscribe !== undefined) alarm.within(at - clock.monotonic());
  }

  function look(lateMs: number): void {
    if (lateMs > LATE_MS) return woke();
    const due = offlineMs() === 0 ? [] : silences.take(clock.monotonic() - offlineMs());
    for (const deviceId of due) {
      if (turboHearing(deviceId) !== undefined || isFollowing(deviceId)) continue;
      overdue.add(deviceId);
      consider(deviceId);
    }
    turboAlerts.look();
    arm();
  }

  function woke(): void {
    silences.restart(clock.monotonic());
    turboAlerts.restart();
    arm();
  }

  function reconsider(): void {
    for (const deviceId of watched.keys()) consider(deviceId);
    turboAlerts.look();
    arm();
  }

  function forgetTurbo(tx: Transaction, serialNumber: string): void {
    turboAlerts.giveUp(tx, serialNumber);
    tx.afterCommit(recount);
  }

  return {
    heard(turbo, deviceId, { batteryMv, rssiDbm }) {
      const device = watch(deviceId);
      const hearing = turboHearing(deviceId);
      // One that does not hear it either is no reason to follow that one.
      device.turbo = hearing ?? device.turbo ?? turbo;
      if (hearing === undefined) {
        if (!overdue.has(deviceId) && !records.isOpen('device_offline', deviceId)) {
          silences.begin(deviceId, clock.monotonic());
          arm();
        }
        return;
      }
      silences.end(deviceId);
      overdue.delete(deviceId);
      // What another turbo says of it is of a worse radio, or of before.
      if (hearing === turbo) Object.assign(device, { percent: batteryPercent(batteryMv), rssiDbm });
      consider(deviceId);
    },
    moved(deviceId, rssiDbm) {
      const device = watched.get(deviceId);
      const turbo = turboHearing(deviceId);
      // That none hears it is told by its turbo, or by what becomes of that.
      if (device === undefined || turbo === undefined) return;
      Object.assign(device, { turbo, rssiDbm });
      silences.end(deviceId);
      overdue.delete(deviceId);
      consider(deviceId);
    },
    turboChanged(state) {
      if (turboAlerts.changed(state)) recount();
      else arm();
    },
    forget(tx, deviceId) {
      for (const kind of KINDS) {
        const open = records.findOpen(kind, deviceId);
        if (open !== undefined) records.end(tx, open);
      }
      tx.afterCommit(() => {
        watched.delete(deviceId);
        silences.end(deviceId);
        overdue.delete(deviceId);
      });
    },
    list: records.list,
    acknowledge: records.acknowledge,
    acknowledgeAll: records.acknowledgeAll,
    async end(id) {
      await writer.write((tx) => {
        const { kind, subject, ended_at } = records.get(id, repositories);
        const open = records.findOpen(kind, subject);
        if (ended_at !== null || open === undefined) throw refused(id, 'has already ended.');
        if (isStationAlert(kind)) return records.end(tx, open);
        if (!kind.startsWith('turbo_')) throw refused(id, 'ends by itself, or when the device is removed.');
        if (!turboAlerts.isMissing(subject)) throw refused(id, 'ends by itself: there is a link to the turbo.');
        forgetTurbo(tx, subject);
      });
      return alertEntry(records.get(id, reads));
    },
    forgetTurbo,
    start() {
      for (const { device_id: deviceId, last_seen_at } of repositories.devices.list()) {
        if (last_seen_at === null || watched.has(deviceId)) continue;
        watch(deviceId);
        if (!records.isOpen('device_offline', deviceId)) silences.begin(deviceId, clock.monotonic());
      }
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          for (const fact of facts) {
            if (fact.type === 'settings.changed') reconsider();
            // Reports that came before the device was known count from now on.
            if (fact.type === 'device.added') consider(fact.device.deviceid);
          }
        },
        // After a sleep or a jump of the clock every silence starts anew.
        clockChange: woke,
      });
      reconsider();
    },
    stop() {
      unsubscribe?.();
      alarm.stop();
      reconcileQueue.stop();
      turboAlerts.stop();
    },
  };
}

function refused(id: string, why: string): StationError {
  return new StationError('conflict', `Alert ${id} ${why}`);
}
