import type { Log, TurboEvents } from '../ports.ts';
import type { TurboConnection, Report } from './types.ts';

/** Passes reports from turbos to the engine. An error in the engine must not break the connection from which the report came. */
export function createEngine(log: Log) {
  let events: TurboEvents;
  let awaited = 0;
  let isStopped = false;

  return {
    /** Sets the listener for reports. Must be called once, before the first turbo is attached. */
    start(listener: TurboEvents): void {
      events = listener;
    },
    emit(call: (events: TurboEvents) => void): void {
      if (isStopped) return;
      try {
        call(events);
      } catch (error) {
        log.error({ err: error }, 'The engine failed on a report from a turbo');
      }
    },
    /** Passes a report to the engine. Resolves when the report is on disk; rejects if it was not accepted. */
    async report(connection: TurboConnection, report: Report): Promise<void> {
      awaited++;
      try {
        await passOn(events, connection, report);
      } finally {
        awaited--;
      }
    },
    /** Whether the engine has finished all reports. */
    idle: (): boolean => awaited === 0,
    /** Stops `emit`. Reports that still arrive are passed to the engine anyway. */
    stop(): void {
      isStopped = true;
    },
  };
}

export type Engine = ReturnType<typeof createEngine>;

function passOn(events: TurboEvents, { transport }: TurboConnection, { name, body }: Report): Promise<void> {
  const deviceId = body.device;
  if (name === 'shown') {
    return events.shown({ deviceId, token: body.token, checksum: body.checksum, ageMs: body.ageMs });
  }
  const { epoch, counter, token, ageMs } = body;
  const quantity = body.quantity ?? null;
  if (name === 'ended') return events.ended({ deviceId, epoch, counter, token, ageMs, quantity });
  const { button, hold } = body;
  const sinceMs = body.sinceMs ?? null;
  const turboKey = transport.admission?.turboKey();
  return events.button({ deviceId, epoch, counter, token, button, hold, ageMs, sinceMs, quantity }, turboKey);
}
