import type { TablesOf } from '../../core.ts';
import type { OutboxRow } from '../../db/repositories/outboxRow.ts';
import type { AttemptExchange } from '../../db/repositories/outbox.ts';
import { storedJson } from '../../db/storedJson.ts';
import type { Transaction } from '../../db/writer.ts';
import { afterAttempt } from '../../domain/callbacks/deliverySchedule.ts';
import type { Ids, Log } from '../../ports.ts';
import type { RunningClock } from '../base/index.ts';

/** The result of an attempt. `error` is null if the receiver accepted the callback. */
type Ended = {
  /** Running time when the receiver was last resumed, in milliseconds. The limit of 72 hours starts at that time at the earliest. */
  resumedRanMs: number;
  status: number | undefined;
  retryAfter: string | undefined;
  error: string | null;
  url: string;
  /** Request and answer to store, or undefined to store nothing. */
  exchange?: AttemptExchange;
};

const DAMAGED =
  'The stored payload is damaged, so the callback is not sent. See the history for what happened, and book it by hand.';

type Damage = { repositories: TablesOf<'callbacks'>; log: Pick<Log, 'error'> };

/** Records an attempt, inside a transaction. Returns when the next attempt is due, in forward time, or null if there is none. */
export function recordAttempt(
  parts: {
    repositories: TablesOf<'callbacks'>;
    time: Pick<RunningClock, 'ranMs' | 'forwardAt' | 'keep'>;
    ids: Pick<Ids, 'fraction'>;
  },
  tx: Transaction,
  row: OutboxRow,
  { resumedRanMs, status, retryAfter, ...ended }: Ended,
): number | null {
  const { repositories, time, ids } = parts;
  // The delivery may have been replayed during the attempt.
  const scheduled = repositories.outbox.findSchedule(row.id) ?? row;
  const forwardAt = time.forwardAt();
  const dueInMs = Math.max(0, (scheduled.next_attempt_at ?? 0) - forwardAt);
  const attempts = scheduled.attempts + 1;
  const uncountedAttempts = scheduled.uncounted_attempts + (dueInMs > 0 ? 1 : 0);
  const outcome = afterAttempt({
    status: ended.error === null ? 200 : status,
    attempts: attempts - uncountedAttempts,
    dueInMs,
    now: tx.now,
    ranMs: time.ranMs() - Math.max(scheduled.since_ran_ms, resumedRanMs),
    retryAfter,
    fraction: ids.fraction(),
  });
  time.keep(tx);
  const nextAttemptAt = outcome.kind === 'retry' ? forwardAt + outcome.waitMs : null;
  repositories.outbox.record({
    id: row.id,
    state: outcome.kind === 'retry' ? 'pending' : outcome.kind,
    attempts,
    uncountedAttempts,
    nextAttemptAt,
    attemptAt: tx.now,
    status: status ?? null,
    ...ended,
  });
  return nextAttemptAt;
}

/** Whether the stored payload fails the schema of a callback. */
export function isDamaged({ payload }: Pick<OutboxRow, 'payload'>): boolean {
  return storedJson('outbox.payload', payload) === undefined;
}

/** Ends a damaged delivery without an attempt. It remains in the list of failed deliveries. */
export function endDamaged({ repositories, log }: Damage, row: Pick<OutboxRow, 'id'>): void {
  log.error({ delivery: row.id }, 'the stored payload of a callback is damaged; it is not sent');
  repositories.outbox.end(DAMAGED, row.id);
}
