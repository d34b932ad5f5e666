import type { TablesOf } from '../../core.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Sessions } from './sessions.ts';

/** Maximum time between two checks for expired sessions. */
const LOOK_MS = 3_600_000;

/** Ends expired sessions, including those of earlier runs, so that people who forgot to sign out count as signed out. */
export function createSessionEnds(parts: {
  reads: TablesOf<'access'>;
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  log: Log;
  sessions: Pick<Sessions, 'endExpired'>;
}) {
  const { reads, writer, clock, log, sessions } = parts;
  const alarm = createAlarm(clock, look);

  function look(): void {
    const first = reads.accounts.findFirstEnd() ?? Number.POSITIVE_INFINITY;
    const leftMs = first - clock.now();
    alarm.in(leftMs > 0 ? Math.min(leftMs, LOOK_MS) : LOOK_MS);
    if (leftMs > 0) return;
    writer
      .write(sessions.endExpired)
      .then(look, (error: unknown) => log.warn({ err: error }, 'could not end expired sessions'));
  }

  return { start: look, stop: alarm.stop };
}
