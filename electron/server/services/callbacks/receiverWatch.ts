import type { CallbackReceiver, ReceiverTrouble } from '#shared/api/callback.ts';
import type { TablesOf } from '../../core.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { SavedTrouble } from '../../db/repositories/receiverOutbox.ts';
import type { Writer } from '../../db/writer.ts';
import {
  FAILING_AFTER_MS,
  type HealthEvent,
  nextHealth,
  type ReceiverHealth,
} from '../../domain/callbacks/receiverHealth.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import type { Clock, Log } from '../../ports.ts';

/** Monitors whether a receiver accepts callbacks, across restarts. */
export function createReceiverWatch(parts: {
  receiver: CallbackReceiver;
  repositories: TablesOf<'callbacks'>;
  reads: TablesOf<'callbacks'>;
  writer: Pick<Writer, 'writeSoon'>;
  clock: Clock;
  log: Log;
  /** Whether callbacks are sent to the receiver. */
  isSet: () => boolean;
  /** Subject of the receiver's alerts. */
  subject: () => string;
  /** Called when the trouble begins, changes or ends. */
  changed: () => void;
}) {
  const { receiver, repositories, reads, writer, clock, log, isSet, subject, changed } = parts;
  const owed = reads.outbox.of(receiver);
  let health = healthAtStart(owed.findTrouble());
  const alarm = createAlarm(clock, () => apply({ kind: 'elapsed' }));
  /**
   * The last attempt, null if there is none, or undefined until it is loaded. It is loaded only once, because without attempts, the query
   * reads all deliveries of the receiver.
   */
  let last: LastAttempt | null | undefined;

  function apply(event: HealthEvent): void {
    const before = health;
    health = nextHealth(health, event);
    if (health === before) return;
    changed();
    if (health.kind === before.kind) return;
    if (health.kind === 'doubtful') alarm.in(FAILING_AFTER_MS);
    else alarm.cancel();
    writer
      .writeSoon(() => repositories.outbox.of(receiver).saveTrouble(saved(health)))
      .catch((error: unknown) => log.warn({ err: error }, 'could not save whether the receiver fails'));
  }

  function reconsider(): void {
    if (!isSet()) apply({ kind: 'unset' });
  }

  return {
    /** Handles the end of an attempt. `error` is null if the receiver accepted the callback. */
    attempted({ error, status }: { error: string | null; status: number | null }): void {
      last = { at: clock.now(), status, error };
      if (error === null) apply({ kind: 'taken' });
      else if (isSet()) apply({ kind: 'failed', at: clock.now(), status, error });
    },
    /** Returns the receiver's trouble, or null if the receiver is not failing. */
    trouble(): ReceiverTrouble | null {
      if (health.kind !== 'failing') return null;
      const { since, status } = health;
      return { failing_since: isoTime(since), status, waiting: owed.countPending() };
    },
    isSet,
    subject,
    /** Returns the last attempt, even if it was made before the last restart, or null if there is none. */
    last(): LastAttempt | null {
      if (last === undefined) last = lastOf(owed.findTried());
      return last;
    },
    /** Ends the receiver's trouble if no callbacks are sent to it. Call after the settings or the receivers changed. */
    reconsider,
    /**
     * Returns why the last attempt failed, and when the failures began, in epoch milliseconds. Returns undefined if the receiver is not
     * failing.
     */
    failure: (): { since: number; error: string } | undefined => (health.kind === 'failing' ? health : undefined),
    start(): void {
      reconsider();
      if (health.kind === 'doubtful') alarm.in(FAILING_AFTER_MS);
    },
    stop: alarm.stop,
  };
}

export type ReceiverWatch = ReturnType<typeof createReceiverWatch>;

/** The last attempt. `at` is in epoch milliseconds. `error` is null if the receiver accepted the callback. */
type LastAttempt = { at: number; status: number | null; error: string | null };

type Tried = { last_attempt_at: number | null; last_status: number | null; last_error: string | null };

function lastOf(row: Tried | undefined): LastAttempt | null {
  if (row === undefined || row.last_attempt_at === null) return null;
  return { at: row.last_attempt_at, status: row.last_status, error: row.last_error };
}

type Trouble = SavedTrouble | null;

function healthAtStart(trouble: Trouble): ReceiverHealth {
  if (trouble === null) return { kind: 'well' };
  const { isFailing, ...rest } = trouble;
  return { kind: isFailing ? 'failing' : 'doubtful', failures: 1, ...rest };
}

function saved(health: ReceiverHealth): Trouble {
  if (health.kind === 'well') return null;
  const { kind, since, status, error } = health;
  return { isFailing: kind === 'failing', since, status, error };
}
