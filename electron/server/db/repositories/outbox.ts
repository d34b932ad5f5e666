import type { CallbackFamily } from '#shared/api/settings.ts';
import type { DeliveryState } from '#shared/api/callback.ts';
import type { Db } from '../database.ts';

/** One callback to one receiver. The payload is frozen; where it goes is read at each attempt. */
export type OutboxRow = {
  id: number;
  family: CallbackFamily;
  payload: string;
  state: DeliveryState;
  attempts: number;
  created_at: number;
  since_at: number;
  next_attempt_at: number | null;
  last_attempt_at: number | null;
  last_status: number | null;
  last_error: string | null;
  last_url: string | null;
};

export type AttemptResult = {
  id: number;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: number | null;
  attemptAt: number;
  status: number | null;
  error: string | null;
  url: string;
};

export type OutboxRows = ReturnType<typeof outboxRows>;

export function outboxRows(db: Db) {
  const columns = `id, family, payload, state, attempts, created_at, since_at, next_attempt_at, last_attempt_at, last_status,
    last_error, last_url`;
  const insert = db.prepare(
    `INSERT INTO outbox (history_id, family, payload, state, created_at, since_at, next_attempt_at)
     VALUES (?, ?, ?, 'pending', ?, ?, ?)`,
  );
  const due = db.prepare<[number, number], OutboxRow>(
    `SELECT ${columns} FROM outbox WHERE next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`,
  );
  const earliest = db
    .prepare<[number], number | null>('SELECT min(next_attempt_at) FROM outbox WHERE next_attempt_at > ?')
    .pluck();
  const one = db.prepare<[number], OutboxRow>(`SELECT ${columns} FROM outbox WHERE id = ?`);
  const page = db.prepare<[number, number], OutboxRow>(
    `SELECT ${columns} FROM outbox WHERE id < ? ORDER BY id DESC LIMIT ?`,
  );
  const pageOfState = db.prepare<[string, number, number], OutboxRow>(
    `SELECT ${columns} FROM outbox WHERE state = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  );
  const record = db.prepare(
    `UPDATE outbox SET state = ?, attempts = ?, next_attempt_at = ?, last_attempt_at = ?, last_status = ?, last_error = ?,
       last_url = ? WHERE id = ?`,
  );
  const replayColumns = `state = 'pending', next_attempt_at = :now, since_at = :now`;
  const replayOne = db.prepare(`UPDATE outbox SET ${replayColumns}, attempts = 0 WHERE id = :id`);
  const replayDead = db.prepare(`UPDATE outbox SET ${replayColumns}, attempts = 0 WHERE state = 'dead'`);

  const shift = db.prepare(
    'UPDATE outbox SET next_attempt_at = next_attempt_at + :ms, since_at = since_at + :ms WHERE next_attempt_at IS NOT NULL',
  );

  return {
    /** Moves every open deadline by `ms`. */
    shiftDeadlines: (ms: number): void => void shift.run({ ms }),
    insert(row: { historyId: number | null; family: CallbackFamily; payload: string; now: number }): number {
      const { historyId, family, payload, now } = row;
      return Number(insert.run(historyId, family, payload, now, now, now).lastInsertRowid);
    },
    find: (id: number): OutboxRow | undefined => one.get(id),
    /** Deliveries that are due, the longest waiting first. */
    listDue: (now: number, limit: number): OutboxRow[] => due.all(now, limit),
    /** The first due time after `now`, or null. */
    earliestDueAfter: (now: number): number | null => earliest.get(now) ?? null,
    /** Newest first; `after` is the last id of the page before. */
    list(filter: { state: DeliveryState | undefined; after: number | undefined; limit: number }): OutboxRow[] {
      const before = filter.after ?? Number.MAX_SAFE_INTEGER;
      return filter.state === undefined
        ? page.all(before, filter.limit)
        : pageOfState.all(filter.state, before, filter.limit);
    },
    record(result: AttemptResult): void {
      const { id, state, attempts, nextAttemptAt, attemptAt, status, error, url } = result;
      record.run(state, attempts, nextAttemptAt, attemptAt, status, error, url, id);
    },
    replay: (id: number, now: number): void => void replayOne.run({ id, now }),
    /** How many dead ones are pending again. */
    replayDead: (now: number): number => replayDead.run({ now }).changes,
  };
}
