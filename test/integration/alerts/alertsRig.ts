import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Alert, StationAlertKind } from '#shared/api/alert.ts';
import { DEFAULT_SETTINGS, type Settings } from '#shared/api/settings.ts';
import { openKeyRing } from '../../../electron/server/db/keyRing.ts';
import { openDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { createWriter } from '../../../electron/server/db/writer.ts';
import type { Clock, DeviceStatus, TurboState } from '../../../electron/server/ports.ts';
import { createAlertRecords, type AlertRecords } from '../../../electron/server/services/alerts/records.ts';
import { createAlerts } from '../../../electron/server/services/alerts/alerts.ts';
import type { Alerts } from '../../../electron/server/services/alerts/alerts.ts';
import { createAudit } from '../../../electron/server/services/base/audit.ts';
import { createBus } from '../../../electron/server/services/base/bus.ts';
import { createSettings } from '../../../electron/server/services/settings/settings.ts';
import { createStationAlerts } from '../../../electron/server/services/alerts/stationAlerts.ts';
import { createTurboAlerts } from '../../../electron/server/services/alerts/turboAlerts.ts';
import { device } from '../../helpers/snapshots.ts';
import { createFakeClock, type FakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const BOXED = '51D0FF:000009';
const NOTHING = { add: () => undefined };

const WELL: DeviceStatus = {
  firmware: 70,
  buttons: 1,
  screen: true,
  led: true,
  latency: 'live',
  batteryMv: 3_000,
  rssiDbm: -60,
  uptimeS: 1,
  shownToken: 0,
  shownChecksum: undefined,
  remainingMs: undefined,
  reachable: true,
};

/** Alerts with a real database and with turbos that the test controls. Counts the work that the alerts cause. */
export type AlertsRig = {
  alerts: Alerts;
  /** Reports that the machine has woken up. */
  wake(): void;
  clock: FakeClock;
  repositories: Repositories;
  /** Milliseconds by which the monotonic clock runs ahead, as on a machine whose timers count its sleep. */
  sleepMs: number;
  /** Number of writes, of timers set, and of queries for the turbos that receive a device. */
  work: { written: number; timers: number; asked: number };
  deviceIds: readonly string[];
  /** A registered device from which no turbo has ever received anything. */
  boxed: string;
  /** Registers a device. */
  accept(deviceId: string): Promise<void>;
  set(settings: Partial<Settings>): Promise<void>;
  /** Reports the status of a device as a turbo receives it. */
  tell(turbo: string, deviceId: string, status?: Partial<DeviceStatus>): void;
  /**
   * Connects or disconnects a turbo together with all devices in its range, which it has not reported yet. `silentMs` is the time since the
   * turbo's last message.
   */
  turbo(serialNumber: string, status: TurboState['status'], problem?: string, silentMs?: number): void;
  /** Raises an alert about the station itself. */
  raise(kind: StationAlertKind, about: string, problem: string): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Returns the kind and subject of each open alert, oldest first. */
  open(): string[];
  ended(): Alert[];
  restart(): void;
  stop(): void;
};

export function startAlertsRig(devices: number): AlertsRig {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-alerts-'));
  const database = openDatabase(folder);
  const repositories = createRepositories(database.writer);
  const reads = createRepositories(database.reader);
  const clock = createFakeClock(START_MS);
  const bus = createBus();
  const work = { written: 0, timers: 0, asked: 0 };
  const deviceIds = Array.from({ length: devices }, (_, index) => `51D000:${String(index + 1).padStart(6, '0')}`);
  const hearing = new Map<string, string>();
  const online = new Set<string>();
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const rig = { sleepMs: 0 };
  const counted: Clock = {
    ...clock,
    monotonic: () => clock.monotonic() + rig.sleepMs,
    setTimer(delayMs, run) {
      work.timers += 1;
      return clock.setTimer(delayMs, run);
    },
  };
  const writer = createWriter({
    db: database.writer,
    clock,
    log,
    soonMs: 0,
    revisionFloor: 0,
    publish: (commit) => bus.publish(commit),
    watchClock: () => undefined,
  });
  clock.whenIdle(() => writer.idle());
  const settings = createSettings({
    keyRing: openKeyRing(folder),
    madeStationId: 'station-1',
    repositories,
    writer,
    audit: createAudit({ repositories, reads }),
  });
  const known = new Set([...deviceIds, BOXED]);
  const created = database.writer.transaction(() => {
    for (const deviceId of known) repositories.devices.insert({ deviceId, buttons: 1, firmware: 70 });
    for (const deviceId of deviceIds)
      repositories.devices.saveCondition({
        deviceId,
        batteryMv: 3_000,
        rssiDbm: -60,
        uptimeS: 1,
        lastSeenAt: START_MS,
      });
  });
  created();

  let records: AlertRecords;

  function begin(): Alerts {
    records = createAlertRecords({ repositories, reads, writer, callbacks: NOTHING, mail: NOTHING });
    const counting = {
      ...writer,
      writeEach: ((items, useCase, failed) => {
        work.written += items.length;
        return writer.writeEach(items, useCase, failed);
      }) as typeof writer.writeEach,
    };
    const alerts = createAlerts({
      repositories,
      reads,
      writer: counting,
      records,
      turboAlerts: createTurboAlerts({ repositories, writer: counting, records, settings, clock: counted, log }),
      turbos: {
        turboOf(deviceId) {
          work.asked += 1;
          const serialNumber = hearing.get(deviceId);
          return serialNumber === undefined || !online.has(serialNumber) ? undefined : state(serialNumber, 'online');
        },
      },
      telemetry: { of: ({ last_seen_at }) => ({ last_seen: new Date(last_seen_at ?? 0).toISOString() }) as never },
      devices: { knows: (deviceId) => known.has(deviceId) },
      settings,
      bus,
      clock: counted,
      log,
    });
    alerts.start();
    return alerts;
  }

  function state(serialNumber: string, status: TurboState['status']): TurboState {
    const line = { transport: 'network', port: '', firmware: 1, uptimeS: 1, lastSeenAt: clock.now() } as const;
    return { serialNumber, name: '', status, deviceCount: 0, ...line };
  }

  let alerts = begin();
  return Object.assign(rig, {
    wake: () => bus.publishClockChange('woke'),
    get alerts() {
      return alerts;
    },
    clock,
    repositories,
    work,
    deviceIds,
    boxed: BOXED,
    async accept(deviceId: string) {
      await writer.write((tx) => {
        repositories.devices.insert({ deviceId, buttons: 1, firmware: 70 });
        tx.emit({ type: 'device.added', device: device(deviceId) });
        tx.apply(() => known.add(deviceId));
      });
      await clock.advance(0);
    },
    async set(change: Partial<Settings>) {
      await settings.change({ ...DEFAULT_SETTINGS, ...change }, { name: '', address: '' });
      await clock.advance(0);
    },
    tell(turbo: string, deviceId: string, status: Partial<DeviceStatus> = {}) {
      const said = { ...WELL, ...status };
      if (said.reachable) hearing.set(deviceId, turbo);
      else if (hearing.get(deviceId) === turbo) hearing.delete(deviceId);
      alerts.checkStatus(turbo, deviceId, said);
    },
    turbo(serialNumber: string, status: TurboState['status'], problem?: string, silentMs = 0) {
      if (status === 'online') online.add(serialNumber);
      else {
        online.delete(serialNumber);
        for (const [deviceId, by] of hearing) if (by === serialNumber) hearing.delete(deviceId);
      }
      const lastSeenAt = clock.now() - silentMs;
      const said = { ...state(serialNumber, status), lastSeenAt };
      alerts.turboChanged(problem === undefined ? said : { ...said, problem });
    },
    async raise(kind: StationAlertKind, about: string, problem: string) {
      await writer.write((tx) => createStationAlerts(records).raise(tx, { kind, about, problem }));
    },
    pass: (ms: number) => clock.advance(ms),
    open: () => repositories.alerts.listOpen().map(({ kind, subject }) => `${kind} ${subject}`),
    ended: () => alerts.list({ state: 'ended', limit: 1_000, after: undefined }),
    restart() {
      alerts.stop();
      hearing.clear();
      online.clear();
      alerts = begin();
    },
    stop() {
      alerts.stop();
      writer.stop();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}
