import type { CallbackFamily } from '#shared/api/settings.ts';
import type { DeliveryState } from '#shared/api/callback.ts';
import type { Db } from '../database.ts';

/** One callback to one receiver. The payload is frozen; where it goes is read at each attempt. */
export type OutboxRow = {
  id: number;
  /** Of the start in which it was written: random, so that no other row of any station has both. */
  run_mark: string;
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

/** More callbacks than one row of history has. */
const MOST_OF_ONE = 50;

/** Equal over retries and restarts, and no other delivery's: not of another station, nor of a backup of this one. */
export function webhookId(row: Pick<OutboxRow, 'id' | 'run_mark'>): string {
  return `msg_${row.run_mark}_${row.id}`;
}

export type OutboxRows = ReturnType<typeof outboxRows>;

export function outboxRows(db: Db) {
  const columns = `id, run_mark, family, payload, state, attempts, created_at, since_at, next_attempt_at, last_attempt_at, last_status,
    last_error, last_url`;
  const insert = db.prepare(
    `INSERT INTO outbox (run_mark, history_id, family, payload, state, created_at, since_at, next_attempt_at)
     VALUES (?, ?, ?, ?, 'pending', ?, ?, ?)`,
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
  const atOrAfter = db.prepare<[number], { id: number; history_id: number }>(
    'SELECT id, history_id FROM outbox WHERE id >= ? AND history_id IS NOT NULL ORDER BY id LIMIT 1',
  );
  const newest = db.prepare<[], number | null>('SELECT max(id) FROM outbox').pluck();
  const ofHistory = db.prepare<[number, number], OutboxRow & { history_id: number }>(
    `SELECT ${columns}, history_id FROM outbox WHERE id >= ? AND history_id IS NOT NULL ORDER BY id LIMIT ?`,
  );
  const record = db.prepare(
    `UPDATE outbox SET state = ?, attempts = ?, next_attempt_at = ?, last_attempt_at = ?, last_status = ?, last_error = ?,
       last_url = ? WHERE id = ?`,
  );
  const replayColumns = `state = 'pending', next_attempt_at = :now, since_at = :now`;
  const replayOne = db.prepare(`UPDATE outbox SET ${replayColumns}, attempts = 0 WHERE id = :id`);
  const deadAfter = db
    .prepare<[number, number, number], number>(
      "SELECT id FROM outbox WHERE state = 'dead' AND id > ? AND id <= ? ORDER BY id LIMIT ?",
    )
    .pluck();
  const newestDead = db.prepare<[], number | null>("SELECT max(id) FROM outbox WHERE state = 'dead'").pluck();

  const oldestRows = db.prepare<
    [number, number],
    { id: number; state: DeliveryState; created_at: number; last_attempt_at: number | null }
  >('SELECT id, state, created_at, last_attempt_at FROM outbox WHERE id > ? ORDER BY id LIMIT ?');
  const newestAt = db.prepare<[], number>('SELECT created_at FROM outbox ORDER BY id DESC LIMIT 1').pluck();
  const remove = db
    .prepare<[number], number | null>("DELETE FROM outbox WHERE id = ? AND state = 'delivered' RETURNING history_id")
    .pluck();
  // The newest row of history of which a callback was removed.
  const removed = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'callbacks_removed'").pluck();
  const setRemoved = db.prepare(
    `INSERT INTO meta (key, value) VALUES ('callbacks_removed', ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE CAST(value AS INTEGER) < ?`,
  );

  const shift = db.prepare(
    'UPDATE outbox SET next_attempt_at = next_attempt_at + :ms, since_at = since_at + :ms WHERE next_attempt_at IS NOT NULL',
  );

  return {
    /** Moves every open deadline by `ms`. */
    shiftDeadlines: (ms: number): void => void shift.run({ ms }),
    insert(row: {
      runMark: string;
      historyId: number | null;
      family: CallbackFamily;
      payload: string;
      now: number;
    }): number {
      const { runMark, historyId, family, payload, now } = row;
      return Number(insert.run(runMark, historyId, family, payload, now, now, now).lastInsertRowid);
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
    /**
     * What was written with this row of history. Both tables grow in the same order, so that halving finds it: an index
     * would cost a page in the commit of every press.
     */
    listByHistory(historyId: number): OutboxRow[] {
      let low = 1;
      let high = (newest.get() ?? 0) + 1;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const found = atOrAfter.get(middle);
        if (found === undefined || found.history_id >= historyId) high = middle;
        else low = found.id + 1;
      }
      return ofHistory.all(low, MOST_OF_ONE).filter((row) => row.history_id === historyId);
    },
    /** Nothing that was written with this row of history, or after it, was removed. */
    isKeptSince: (historyId: number): boolean => Number(removed.get() ?? 0) < historyId,
    record(result: AttemptResult): void {
      const { id, state, attempts, nextAttemptAt, attemptAt, status, error, url } = result;
      record.run(state, attempts, nextAttemptAt, attemptAt, status, error, url, id);
    },
    /** When the newest was made, epoch milliseconds; 0: there is none. */
    newestAt: (): number => newestAt.get() ?? 0,
    /**
     * Of the next rows behind `after`, at most `limit`, those that were delivered before `before`, and where to go on; undefined:
     * there is nothing older. The newest is none of them: ids are not used twice.
     */
    findOldDelivered(step: { after: number; before: number; limit: number }): {
      ids: number[];
      next: number | undefined;
    } {
      const { after, before, limit } = step;
      const newestId = newest.get() ?? 0;
      const found = oldestRows.all(after, limit);
      const kept = found.findIndex(({ created_at }) => created_at >= before);
      const ids = (kept < 0 ? found : found.slice(0, kept))
        .filter(
          ({ id, state, last_attempt_at: at }) => state === 'delivered' && (at ?? before) < before && id < newestId,
        )
        .map(({ id }) => id);
      return { ids, next: found.length < limit || kept >= 0 ? undefined : found.at(-1)?.id };
    },
    /** Removes those of them that are delivered still. */
    removeDelivered(ids: readonly number[]): void {
      for (const id of ids) {
        const historyId = remove.get(id);
        if (historyId !== undefined && historyId !== null) setRemoved.run(String(historyId), historyId);
      }
    },
    replay: (id: number, now: number): void => void replayOne.run({ id, now }),
    /** The id of the newest dead one; 0: there is none. */
    newestDead: (): number => newestDead.get() ?? 0,
    /** Ids of dead ones above `after` up to `newest`, the oldest first. */
    listDead: (after: number, newest: number, limit: number): number[] => deadAfter.all(after, newest, limit),
  };
}
