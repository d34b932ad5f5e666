import type { SimpleCallback } from '#shared/api/callback.ts';
import { isoTime } from '../domain/isoTime.ts';
import type { DeviceRow } from '../db/repositories/devices.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { takeReport } from '../domain/reportWindow.ts';
import type { ButtonReport, Clock, Log, ReportId, TurboEvents } from '../ports.ts';
import type { Alerts } from './alerts/index.ts';
import type { Callbacks } from './callbacks/index.ts';
import type { Commands, Reach } from './commands/index.ts';
import type { Devices, Display, Telemetry } from './devices/index.ts';

const CALLS = { front: 'call', plus: 'call_up', minus: 'call_down' } as const satisfies Record<
  string,
  SimpleCallback['acknack']
>;

/** What turbos report, each as one use-case. A report counts once, however often it comes. */
export function createReports(parts: {
  repositories: Pick<Repositories, 'devices' | 'history' | 'reportWindows'>;
  writer: Writer;
  commands: Commands;
  callbacks: Callbacks;
  telemetry: Telemetry;
  alerts: Pick<Alerts, 'heard' | 'moved' | 'turboChanged'>;
  devices: Devices;
  display: Display;
  clock: Clock;
  log: Log;
  reach: Reach;
  /** A turbo came online: the reports that it holds come first. */
  turboUp: () => void;
}): TurboEvents {
  const { repositories, writer, commands, callbacks, telemetry, alerts, devices, display, reach, clock, log, turboUp } =
    parts;
  const online = new Set<string>();
  /** Sent, and not written yet: a device that is fast has shown it before, and both are one write. */
  const unwrittenSent = new Map<number, { deviceId: string; at: number }>();
  let writingSent = false;
  /** The pending write of each device's newest report. */
  const unwrittenShown = new Map<string, Promise<void>>();

  /** Waits until the device's previous report is written. */
  function noteBackground(deviceId: string, at: number): void {
    const before = unwrittenShown.get(deviceId);
    const note = () => commands.noteBackground(deviceId, at);
    if (before === undefined) note();
    else void before.catch(() => undefined).then(note);
  }

  /** They are forgotten once they are on disk: after a commit that fails, the next one writes them. */
  function writeSent(tx: Transaction): () => void {
    const written = [...unwrittenSent];
    for (const [token, { deviceId, at }] of written) commands.markSent(tx, deviceId, token, at);
    return () => {
      for (const [token] of written) unwrittenSent.delete(token);
    };
  }

  /**
   * Remembers the report in the same savepoint as what it changes, unless it was taken before. `act` returns when the device was
   * pressed last.
   */
  function takeOnce(
    tx: Transaction,
    { deviceId, epoch, counter }: ReportId,
    act: (pressedAt: number | null) => number | null,
  ): void {
    const window = takeReport(repositories.reportWindows.find(deviceId, epoch), counter);
    if (window === 'duplicate') return;
    const pressedAt = act(window.pressedAt);
    repositories.reportWindows.save(deviceId, epoch, { ...window, pressedAt }, tx.now);
  }

  /** Returns when the front button was last pressed with effect. */
  function press(
    tx: Transaction,
    report: ButtonReport,
    turboKey: string | undefined,
    lastAt: number | null,
  ): number | null {
    const at = tx.now - report.ageMs;
    if (report.token === 0) {
      call(tx, report, at, turboKey);
      return lastAt;
    }
    const { deviceId, token, button, quantity } = report;
    if (button === 'front') {
      tx.afterCommit(() => display.ended(deviceId, token));
      if (commands.refuseEarly(tx, { deviceId, token, at, lastAt, quantity })) return lastAt;
      if (commands.acknowledge(tx, { deviceId, token, at, qty: quantity, by: 'device', reason: undefined })) return at;
      late(tx, report, at);
      return lastAt;
    }
    if (quantity === null) return lastAt;
    if (!commands.adjust(tx, { deviceId, token, at, quantity })) late(tx, report, at);
    tx.afterCommit(() => display.adjusted(deviceId, token, quantity));
    return lastAt;
  }

  /** A press while idle. A short front press has no meaning and only helps to find a device, like any press of a new one. */
  function call(tx: Transaction, report: ButtonReport, at: number, turboKey: string | undefined): void {
    const { deviceId, button, hold } = report;
    const row = repositories.devices.find(deviceId) ?? firstHeard(tx, report, turboKey);
    // A device that waits to be accepted reports its press to the page.
    if (row === undefined && devices.isRefused(deviceId)) return;
    if (row === undefined || (button === 'front' && hold === 'short')) {
      tx.emit({ type: 'device.pressed', deviceid: deviceId, button, hold, at: isoTime(at) });
      return;
    }
    const acknack = CALLS[button];
    const { device_id: deviceid, label: location, unsolicited_nonce: nonce } = row;
    const historyId = repositories.history.insert({
      at,
      kind: acknack,
      deviceId: deviceid,
      commandId: null,
      nonce,
      location,
      qty: 0,
      detail: { ageMs: report.ageMs },
    });
    callbacks.add(tx, { family: 'device', historyId, at, payload: { acknack, deviceid, location, nonce, qty: 0 } });
    tx.emit({ type: 'device.called', deviceid, acknack, at: isoTime(at) });
  }

  /** A device may hold a press before it is heard for the first time: it counts where new devices are accepted. */
  function firstHeard(
    tx: Transaction,
    { deviceId, button }: ButtonReport,
    turboKey: string | undefined,
  ): DeviceRow | undefined {
    const isAccepted = devices.acceptPressed(tx, deviceId, button === 'front' ? 1 : 3, turboKey);
    return isAccepted ? repositories.devices.find(deviceId) : undefined;
  }

  /** A press on an ended command: recorded, and acknowledges no other command. */
  function late(tx: Transaction, report: ButtonReport, at: number): void {
    repositories.history.insert({
      at,
      kind: 'late',
      deviceId: report.deviceId,
      commandId: report.token,
      nonce: '',
      location: repositories.devices.find(report.deviceId)?.label ?? '',
      qty: report.quantity ?? 0,
      detail: { button: report.button, ageMs: report.ageMs },
    });
    const shown = commands.describeLate(report.token);
    tx.emit({ type: 'press.late', deviceid: report.deviceId, at: isoTime(at), ...shown });
  }

  return {
    sent(deviceId, token) {
      if (token === 0) return;
      unwrittenSent.set(token, { deviceId, at: clock.now() });
      if (writingSent) return;
      writingSent = true;
      writer
        .writeSoon((tx) => {
          writingSent = false;
          // After every other use-case of the commit: what was shown by then is written already.
          tx.beforeCommit('sent', () => writeSent(tx));
        })
        .catch((error: unknown) => {
          writingSent = false;
          log.warn({ err: error }, 'that commands were sent could not be recorded');
        });
    },
    reachChanged: (deviceId) => reach.changed(deviceId),
    async shown({ deviceId, token, checksum, ageMs }) {
      if (token === 0) {
        noteBackground(deviceId, clock.now() - ageMs);
        display.shown(deviceId, token, checksum);
        return;
      }
      const written = writer.writeSoon((tx) => {
        const sentAt = unwrittenSent.get(token)?.at ?? null;
        commands.markShown(tx, { deviceId, token, at: tx.now - ageMs, sentAt });
        tx.afterCommit(() => {
          unwrittenSent.delete(token);
          display.shown(deviceId, token, checksum);
        });
      });
      unwrittenShown.set(deviceId, written);
      try {
        await written;
      } finally {
        if (unwrittenShown.get(deviceId) === written) unwrittenShown.delete(deviceId);
      }
    },
    button: (report, turboKey) =>
      writer.write((tx) => {
        takeOnce(tx, report, (lastAt) => press(tx, report, turboKey, lastAt));
      }),
    ended: (report) =>
      writer.write((tx) => {
        takeOnce(tx, report, (lastAt) => {
          const { deviceId, token, ageMs } = report;
          commands.timeOut(tx, { deviceId, token, at: tx.now - ageMs, by: 'device', tell: true });
          tx.afterCommit(() => display.ended(deviceId, token));
          return lastAt;
        });
      }),
    heard(turbo, deviceId, status, turboKey) {
      if (!devices.heard(deviceId, status, turboKey)) return;
      telemetry.heard(deviceId, status);
      alerts.heard(turbo, deviceId, status);
      display.showing(deviceId, status.shownToken);
      if (status.shownChecksum !== undefined) display.shown(deviceId, status.shownToken, status.shownChecksum);
    },
    moved(deviceId, rssiDbm) {
      telemetry.moved(deviceId, rssiDbm);
      alerts.moved(deviceId, rssiDbm);
    },
    turboChanged(state) {
      const was = online.has(state.serialNumber);
      if (state.status === 'online') online.add(state.serialNumber);
      else online.delete(state.serialNumber);
      telemetry.turboChanged(state);
      alerts.turboChanged(state);
      if (state.status === 'online' && !was) turboUp();
    },
  };
}
