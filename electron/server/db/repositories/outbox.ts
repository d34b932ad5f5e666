import type { CallbackFamily } from '#shared/api/settings.ts';
import type { DeliveryState } from '#shared/api/callback.ts';
import type { Statement } from 'better-sqlite3';
import type { Db } from '../db.ts';

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
  /** How long the station had run when it was created, or replayed, in milliseconds. */
  since_ran_ms: number;
  /** Forward time, docs/decisions/0006. */
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
  /** Left out: nobody will ask. */
  exchange?: AttemptExchange;
};

/** What was sent and answered, for people; secrets in headers are hidden already. */
export type AttemptExchange = {
  milliseconds: number;
  request: { method: 'GET' | 'POST'; url: string; headers: Readonly<Record<string, string>> };
  /** `body`: null where it is no text. */
  answer: { headers: Readonly<Record<string, string>>; body: string | null; whole: boolean } | null;
};

type AttemptRow = { milliseconds: number; request: string; answer: string | null };

/** Waiting deliveries are being pulled forward; none is before `notBefore`, forward time. */
export type SavedRecovery = { isRecovering: boolean; notBefore: number };

export type OutboxFilter = { state: DeliveryState | undefined; family: CallbackFamily | undefined };

/** Said in words that SQLite finds in its partial indexes: none of these lists looks through the whole table. */
const OF_STATE = { pending: 'next_attempt_at IS NOT NULL', dead: "state = 'dead'", delivered: "state = 'delivered'" };
const INDEX_OF_STATE = { pending: 'outbox_due', dead: 'outbox_dead', delivered: undefined };

/** More callbacks than one row of history has. */
const MAX_OF_ONE = 50;

/** Equal over retries and restarts, and no other delivery's: not of another station, nor of a backup of this one. */
export function webhookId(row: Pick<OutboxRow, 'id' | 'run_mark'>): string {
  return `msg_${row.run_mark}_${row.id}`;
}

export type OutboxRows = ReturnType<typeof outboxRows>;

export function outboxRows(db: Db) {
  const columns = `id, run_mark, family, payload, state, attempts, created_at, since_ran_ms, next_attempt_at, last_attempt_at, last_status,
    last_error, last_url`;
  const insert = db.prepare(
    `INSERT INTO outbox (run_mark, history_id, family, payload, state, created_at, since_ran_ms, next_attempt_at)
     VALUES (?, ?, ?, ?, 'pending', ?, ?, ?)`,
  );
  const due = db
    .prepare<[number, number], number>(
      'SELECT id FROM outbox WHERE next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?',
    )
    .pluck();
  const earliest = db
    .prepare<[number], number | null>('SELECT min(next_attempt_at) FROM outbox WHERE next_attempt_at > ?')
    .pluck();
  const waiting = db.prepare<[number, number], { id: number; device: string }>(
    `SELECT id, coalesce(json_extract(payload, '$.deviceid'), '') AS device FROM outbox INDEXED BY outbox_due
     WHERE next_attempt_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?`,
  );
  const recovery = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'callback_recovery'").pluck();
  const setRecovery = db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('callback_recovery', ?)");
  const one = db.prepare<[number], OutboxRow>(`SELECT ${columns} FROM outbox WHERE id = ?`);
  const pages = new Map<string, Statement<[number, number], OutboxRow>>();
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
  const replayColumns = `state = 'pending', next_attempt_at = :forwardAt, since_ran_ms = :ranMs`;
  const replayOne = db.prepare(`UPDATE outbox SET ${replayColumns}, attempts = 0 WHERE id = :id`);
  const deadAfter = db
    .prepare<[number, number, number], number>(
      "SELECT id FROM outbox WHERE state = 'dead' AND id > ? AND id <= ? ORDER BY id LIMIT ?",
    )
    .pluck();
  const newestDead = db.prepare<[], number | null>("SELECT max(id) FROM outbox WHERE state = 'dead'").pluck();

  const recordExchange = db.prepare(
    'INSERT OR REPLACE INTO outbox_attempts (outbox_id, milliseconds, request, answer) VALUES (?, ?, ?, ?)',
  );
  const attemptOf = db.prepare<[number], AttemptRow>(
    'SELECT milliseconds, request, answer FROM outbox_attempts WHERE outbox_id = ?',
  );
  const removeAttempt = db.prepare('DELETE FROM outbox_attempts WHERE outbox_id = ?');
  const commandOf = db
    .prepare<[number], number | null>(
      'SELECT command_id FROM outbox JOIN history ON history.id = history_id WHERE outbox.id = ?',
    )
    .pluck();
  const historyOf = db.prepare<[number], number | null>('SELECT history_id FROM outbox WHERE id = ?').pluck();
  const countPending = db
    .prepare<[], number>('SELECT count(*) FROM outbox INDEXED BY outbox_due WHERE next_attempt_at IS NOT NULL')
    .pluck();
  const countDead = db
    .prepare<[], number>("SELECT count(*) FROM outbox INDEXED BY outbox_dead WHERE state = 'dead'")
    .pluck();
  const oldestPending = db
    .prepare<[], number | null>(
      `SELECT created_at FROM outbox WHERE id =
         (SELECT min(id) FROM outbox INDEXED BY outbox_due WHERE next_attempt_at IS NOT NULL)`,
    )
    .pluck();
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

  function pageOf({ state, family }: OutboxFilter): Statement<[number, number], OutboxRow> {
    const key = `${state ?? ''} ${family ?? ''}`;
    let page = pages.get(key);
    if (page === undefined) {
      const ofFamily =
        family === undefined ? [] : [`family = '${family}'`, ...(family === 'device' ? [] : ["family <> 'device'"])];
      const where = [...(state === undefined ? [] : [OF_STATE[state]]), ...ofFamily, 'id < ?'];
      const rare = family === undefined || family === 'device' ? undefined : 'outbox_family';
      const index = (state === undefined ? undefined : INDEX_OF_STATE[state]) ?? rare;
      page = db.prepare(
        `SELECT ${columns} FROM outbox ${index === undefined ? '' : `INDEXED BY ${index}`}
         WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT ?`,
      );
      pages.set(key, page);
    }
    return page;
  }

  return {
    insert(row: {
      runMark: string;
      historyId: number | null;
      family: CallbackFamily;
      payload: string;
      createdAt: number;
      ranMs: number;
      forwardAt: number;
    }): number {
      const { runMark, historyId, family, payload, createdAt, ranMs, forwardAt } = row;
      return Number(insert.run(runMark, historyId, family, payload, createdAt, ranMs, forwardAt).lastInsertRowid);
    },
    find: (id: number): OutboxRow | undefined => one.get(id),
    /** Some delivery is owed. */
    hasPending: (): boolean => (earliest.get(0) ?? null) !== null,
    /** Ids of deliveries that are due, the longest waiting first. `now`: forward time. */
    listDue: (now: number, limit: number): number[] => due.all(now, limit),
    /** Owed deliveries with an id above `after`, due or not, oldest first. `device`: empty where it tells of none. */
    listWaiting: (after: number, limit: number): { id: number; device: string }[] => waiting.all(after, limit),
    /** How far the receiver had recovered when that changed last. */
    findRecovery: (): SavedRecovery =>
      // Written below.
      JSON.parse(recovery.get() ?? '{"isRecovering":false,"notBefore":0}') as SavedRecovery,
    saveRecovery: (saved: SavedRecovery): void => void setRecovery.run(JSON.stringify(saved)),
    /** The first due time after `now`, or null. */
    earliestDueAfter: (now: number): number | null => earliest.get(now) ?? null,
    /** Newest first; `after` is the last id of the page before. */
    list(filter: OutboxFilter & { after: number | undefined; limit: number }): OutboxRow[] {
      const before = filter.after ?? Number.MAX_SAFE_INTEGER;
      return pageOf(filter).all(before, filter.limit);
    },
    /** How many are owed, how many given up, and when the oldest that is owed was made. */
    counts: (): { pending: number; dead: number; oldestPendingAt: number | null } => ({
      pending: countPending.get() ?? 0,
      dead: countDead.get() ?? 0,
      oldestPendingAt: oldestPending.get() ?? null,
    }),
    /** The command that it tells of. */
    findCommand: (id: number): number | undefined => commandOf.get(id) ?? undefined,
    /** The row of history that it was written with; undefined where it has none. */
    findHistory: (id: number): number | undefined => historyOf.get(id) ?? undefined,
    findAttempt: (id: number): AttemptRow | undefined => attemptOf.get(id),
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
      return ofHistory.all(low, MAX_OF_ONE).filter((row) => row.history_id === historyId);
    },
    /** Nothing that was written with this row of history, or after it, was removed. */
    isKeptSince: (historyId: number): boolean => Number(removed.get() ?? 0) < historyId,
    record(result: AttemptResult): void {
      const { id, state, attempts, nextAttemptAt, attemptAt, status, error, url, exchange } = result;
      record.run(state, attempts, nextAttemptAt, attemptAt, status, error, url, id);
      if (exchange === undefined) return;
      const { milliseconds, request, answer } = exchange;
      recordExchange.run(id, milliseconds, JSON.stringify(request), answer === null ? null : JSON.stringify(answer));
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
        if (historyId === undefined) continue;
        removeAttempt.run(id);
        if (historyId !== null) setRemoved.run(String(historyId), historyId);
      }
    },
    replay: (id: number, time: { ranMs: number; forwardAt: number }): void => void replayOne.run({ id, ...time }),
    /** The id of the newest dead one; 0: there is none. */
    newestDead: (): number => newestDead.get() ?? 0,
    /** Ids of dead ones above `after` up to `newest`, the oldest first. */
    listDead: (after: number, newest: number, limit: number): number[] => deadAfter.all(after, newest, limit),
  };
}
