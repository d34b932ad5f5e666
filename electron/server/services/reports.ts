import type { Transaction, Writer } from '../db/writer.ts';
import type { Clock, Log, TurboEvents } from '../ports.ts';
import type { Alerts } from './alerts/index.ts';
import type { Reach } from './commands/index.ts';
import type { Telemetry } from './devices/index.ts';
import { createLateLimit } from '../domain/commands/lateLimit.ts';
import { createPressDistances } from '../domain/commands/pressDistances.ts';
import { createLoopWatch } from './base/index.ts';
import { press, type PressContext, takeOnce } from './reportedPresses.ts';

/** Handles reports from turbos, each in one transaction. A report counts once, even if it arrives several times. */
export function createReports(
  core: Pick<PressContext, 'repositories'> & { writer: Writer; clock: Clock; log: Log },
  needs: Omit<PressContext, 'repositories' | 'distances' | 'lateLimit'> & {
    telemetry: Telemetry;
    alerts: Pick<Alerts, 'checkStatus' | 'moved' | 'turboChanged'>;
    reach: Reach;
    /** Called when a turbo came online, so that its held reports are handled before commands end. */
    turboUp: () => void;
  },
): TurboEvents {
  const { repositories, writer, clock, log } = core;
  const { commands, callbacks, telemetry, alerts, devices, display, called, reach, turboUp, batches } = needs;
  const context: PressContext = {
    repositories,
    commands,
    callbacks,
    devices,
    display,
    called,
    batches,
    distances: createPressDistances(),
    lateLimit: createLateLimit(() => clock.monotonic()),
  };
  const loop = createLoopWatch(clock);
  const online = new Set<string>();
  /**
   * Sent commands that are not stored yet. Fast devices report before the commit that they show a command, so that one write stores both.
   */
  const unwrittenSent = new Map<number, { deviceId: string; at: number }>();
  let writingSent = false;
  /** The pending write of each device's latest report. */
  const unwrittenShown = new Map<string, Promise<void>>();

  /**
   * Returns when the event of a report happened, in epoch milliseconds. Call when the report arrives, because its write can wait for tens of
   * milliseconds. That is too inexact to tell a bounce from a second press.
   */
  const madeAt = (ageMs: number): number => clock.now() - ageMs;

  /** Records the background after the device's previous report is written. */
  function noteBackground(deviceId: string, at: number): void {
    const before = unwrittenShown.get(deviceId);
    const note = () => commands.noteBackground(deviceId, at);
    if (before === undefined) note();
    else void before.catch(() => undefined).then(note);
  }

  /** Stores sent commands. Returns a function that forgets them once they are on disk. If the commit fails, the next commit writes them. */
  function writeSent(tx: Transaction): () => void {
    const written = [...unwrittenSent];
    for (const [token, { deviceId, at }] of written) commands.markSent(tx, deviceId, token, at);
    return () => {
      for (const [token] of written) unwrittenSent.delete(token);
    };
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
          // Run after everything else in the commit, because the commit may already have recorded commands as shown.
          tx.beforeCommit('sent', () => writeSent(tx));
        })
        .catch((error: unknown) => {
          writingSent = false;
          log.warn({ err: error }, 'could not record that commands were sent');
        });
    },
    reachChanged: (deviceId) => reach.changed(deviceId),
    async shown({ deviceId, token, checksum, ageMs }) {
      if (token === 0) {
        noteBackground(deviceId, madeAt(ageMs));
        display.shown(deviceId, token, checksum);
        return;
      }
      const at = madeAt(ageMs);
      loop.watch();
      const written = writer.writeSoon((tx) => {
        const sentAt = unwrittenSent.get(token)?.at ?? null;
        commands.markShown(tx, { deviceId, token, at, sentAt });
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
    button(report, turboKey) {
      // It would be dropped again. A jammed button sends thousands.
      if (context.lateLimit.isRefused(report.deviceId, report.token)) return Promise.resolve();
      const received = { ...report, at: madeAt(report.ageMs), waitedMs: loop.waitedMs() };
      loop.watch();
      return writer.write((tx) => {
        takeOnce(context, tx, report, (lastAt) => press(context, tx, received, turboKey, lastAt));
      });
    },
    ended(report) {
      const { deviceId, token, ageMs } = report;
      const at = madeAt(ageMs);
      return writer.write((tx) => {
        takeOnce(context, tx, report, (lastAt) => {
          commands.timeOut(tx, { deviceId, token, at, by: 'device', hasCallback: true });
          tx.afterCommit(() => display.ended(deviceId, token));
          return lastAt;
        });
      });
    },
    statusReceived(turbo, deviceId, status, turboKey) {
      if (!devices.recordStatus(deviceId, status, turboKey)) return;
      telemetry.record(deviceId, status);
      alerts.checkStatus(turbo, deviceId, status);
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
