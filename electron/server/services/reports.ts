import type { SimpleCallback } from '#shared/api/callback.ts';
import { isoTime } from '../domain/isoTime.ts';
import type { DeviceRow } from '../db/repositories/devices.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { takeReport } from '../domain/reportWindow.ts';
import type { ButtonReport, Clock, Log, ReportId, TurboEvents } from '../ports.ts';
import type { Alerts } from './alerts.ts';
import type { Callbacks } from './callbacks.ts';
import type { Commands } from './commands.ts';
import type { Telemetry } from './telemetry.ts';
import type { Devices } from './devices.ts';
import type { Display } from './display.ts';
import type { Reach } from './reach.ts';

const CALLS = { front: 'call', plus: 'call_up', minus: 'call_down' } as const satisfies Record<
  string,
  SimpleCallback['acknack']
>;

/** What turbos report, each as one use-case. A report counts once, however often it comes. */
export function createReports(parts: {
  rows: Repositories;
  writer: Writer;
  commands: Commands;
  callbacks: Callbacks;
  conditions: Telemetry;
  alerts: Pick<Alerts, 'heard' | 'moved' | 'turboChanged'>;
  devices: Devices;
  display: Display;
  clock: Clock;
  log: Log;
  reach: Reach;
  /** A link came up: what is held there comes first. */
  linkUp: () => void;
}): TurboEvents {
  const { rows, writer, commands, callbacks, conditions, alerts, devices, display, reach, clock, log, linkUp } = parts;
  const online = new Set<string>();
  /** Sent, and not written yet: a device that is fast has shown it before, and both are one write. */
  const unwrittenSent = new Map<number, { deviceId: string; at: number }>();
  let writingSent = false;

  /** They are forgotten once they are on disk: after a commit that fails, the next one writes them. */
  function writeSent(unit: Transaction): () => void {
    const written = [...unwrittenSent];
    for (const [token, { deviceId, at }] of written) commands.markSent(unit, deviceId, token, at);
    return () => {
      for (const [token] of written) unwrittenSent.delete(token);
    };
  }

  /** Remembers the report in the same savepoint as what it changes. False: it was taken before. */
  function isNew(unit: Transaction, report: ReportId): boolean {
    const window = takeReport(rows.reportWindows.find(report.deviceId, report.epoch), report.counter);
    if (window === 'duplicate') return false;
    rows.reportWindows.save(report.deviceId, report.epoch, window, unit.now);
    return true;
  }

  function press(unit: Transaction, report: ButtonReport, turboKey: string | undefined): void {
    const at = unit.now - report.ageMs;
    if (report.token === 0) {
      call(unit, report, at, turboKey);
      return;
    }
    const { deviceId, token, button, quantity } = report;
    if (button === 'front') {
      const taken = commands.acknowledge(unit, { deviceId, token, at, qty: quantity, by: 'device', reason: undefined });
      if (!taken) late(unit, report, at);
      unit.afterCommit(() => display.ended(deviceId, token));
      return;
    }
    if (quantity === null) return;
    if (!commands.adjust(unit, { deviceId, token, at, quantity })) late(unit, report, at);
    unit.afterCommit(() => display.adjusted(deviceId, token, quantity));
  }

  /** A press while idle. A short front press means nothing then, and is told for who looks for the device, as all of a new one are. */
  function call(unit: Transaction, report: ButtonReport, at: number, turboKey: string | undefined): void {
    const { deviceId, button, hold } = report;
    const row = rows.devices.find(deviceId) ?? firstHeard(unit, report, turboKey);
    // One that waits, or will once it has said what it is: who acknowledges its press must tell of it.
    if (row === undefined && devices.isRefused(deviceId)) return;
    if (row === undefined || (button === 'front' && hold === 'short')) {
      unit.emit({ type: 'device.pressed', deviceid: deviceId, button, hold, at: isoTime(at) });
      return;
    }
    const acknack = CALLS[button];
    const { device_id: deviceid, label: location, unsolicited_nonce: nonce } = row;
    const historyId = rows.history.insert({
      at,
      kind: acknack,
      deviceId: deviceid,
      commandId: null,
      nonce,
      location,
      qty: 0,
      detail: { ageMs: report.ageMs },
    });
    callbacks.add(unit, { family: 'device', historyId, payload: { acknack, deviceid, location, nonce, qty: 0 } });
    unit.emit({ type: 'device.called', deviceid, acknack, at: isoTime(at) });
  }

  /** A device may hold a press before it is heard for the first time: it counts where new devices are accepted. */
  function firstHeard(
    unit: Transaction,
    { deviceId, button }: ButtonReport,
    turboKey: string | undefined,
  ): DeviceRow | undefined {
    const isAccepted = devices.acceptPressed(unit, deviceId, button === 'front' ? 1 : 3, turboKey);
    return isAccepted ? rows.devices.find(deviceId) : undefined;
  }

  /** A press on something that has ended: kept and shown, and it acknowledges nothing else. */
  function late(unit: Transaction, report: ButtonReport, at: number): void {
    rows.history.insert({
      at,
      kind: 'late',
      deviceId: report.deviceId,
      commandId: report.token,
      nonce: '',
      location: rows.devices.find(report.deviceId)?.label ?? '',
      qty: report.quantity ?? 0,
      detail: { button: report.button, ageMs: report.ageMs },
    });
    unit.emit({ type: 'press.late', deviceid: report.deviceId, at: isoTime(at) });
  }

  return {
    sent(deviceId, token) {
      if (token === 0) return;
      unwrittenSent.set(token, { deviceId, at: clock.now() });
      if (writingSent) return;
      writingSent = true;
      writer
        .writeSoon((unit) => {
          writingSent = false;
          // After every other use-case of the commit: what was shown by then is written already.
          unit.beforeCommit('sent', () => writeSent(unit));
        })
        .catch((error: unknown) => {
          writingSent = false;
          log.warn({ err: error }, 'that commands were sent could not be recorded');
        });
    },
    reachChanged: (deviceId) => reach.changed(deviceId),
    async shown({ deviceId, token, checksum, ageMs }) {
      if (token === 0) {
        display.shown(deviceId, token, checksum);
        return;
      }
      await writer.writeSoon((unit) => {
        const sentAt = unwrittenSent.get(token)?.at ?? null;
        commands.markShown(unit, { deviceId, token, at: unit.now - ageMs, sentAt });
        unit.afterCommit(() => {
          unwrittenSent.delete(token);
          display.shown(deviceId, token, checksum);
        });
      });
    },
    button: (report, turboKey) =>
      writer.write((unit) => {
        if (isNew(unit, report)) press(unit, report, turboKey);
      }),
    ended: (report) =>
      writer.write((unit) => {
        if (!isNew(unit, report)) return;
        const { deviceId, token, ageMs } = report;
        commands.timeOut(unit, { deviceId, token, at: unit.now - ageMs, by: 'device', tell: true });
        unit.afterCommit(() => display.ended(deviceId, token));
      }),
    heard(turbo, deviceId, status, turboKey) {
      if (!devices.heard(deviceId, status, turboKey)) return;
      conditions.heard(deviceId, status);
      alerts.heard(turbo, deviceId, status);
      display.showing(deviceId, status.shownToken);
      if (status.shownChecksum !== undefined) display.shown(deviceId, status.shownToken, status.shownChecksum);
    },
    moved(deviceId, rssiDbm) {
      conditions.moved(deviceId, rssiDbm);
      alerts.moved(deviceId, rssiDbm);
    },
    turboChanged(state) {
      const was = online.has(state.serialNumber);
      if (state.status === 'online') online.add(state.serialNumber);
      else online.delete(state.serialNumber);
      conditions.turboChanged(state);
      alerts.turboChanged(state);
      if (state.status === 'online' && !was) linkUp();
    },
  };
}
