import type { CallbackFamily } from '#shared/api/settings.ts';
import type { DeliveryState, CallbackReceiver } from '#shared/api/callback.ts';
import type { CallbackEvent } from '../../domain/callbackRequest.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** One callback for one receiver. The payload is frozen; the address is read from the settings at each attempt. */
export type OutboxRow = CallbackEvent & {
  id: number;
  receiver: CallbackReceiver;
  /** The row of the other receiver, whose number is in the webhook id; null: this one. */
  webhook_number: number | null;
  /** Random mark of the start that wrote it, so that id and mark together are unique among all stations. */
  run_mark: string;
  family: CallbackFamily;
  payload: string;
  state: DeliveryState;
  attempts: number;
  /** Attempts that do not advance the retry schedule: early ones, and those before a replay. */
  uncounted_attempts: number;
  created_at: number;
  /** How long the station had run when it was created or replayed, in milliseconds. */
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
  /** Left out if not needed. */
  exchange?: AttemptExchange;
  uncountedAttempts: number;
};

/** Request and answer for people; secrets in headers are already hidden. */
export type AttemptExchange = {
  milliseconds: number;
  request: { method: 'GET' | 'POST'; url: string; headers: Readonly<Record<string, string>> };
  /** `body`: null if it is not text. */
  answer: { headers: Readonly<Record<string, string>>; body: string | null; whole: boolean } | null;
};

type AttemptRow = { milliseconds: number; request: string; answer: string | null };

/** Waiting deliveries are retried early, but not before `notBefore`, forward time. */
export type SavedRecovery = {
  isRecovering: boolean;
  notBefore: number;
  /** Forward time at which the outage began. Null: no outage. */
  failingSince: number | null;
};

/** The receiver fails, or may: since when, epoch milliseconds, and what the last attempt said. */
export type SavedTrouble = { isFailing: boolean; since: number; status: number | null; error: string };

export type OutboxFilter = { state: DeliveryState | undefined; family: CallbackFamily | undefined };

/** Worded as in the partial indexes, so that no list scans the whole table. */
const OF_STATE = { pending: 'next_attempt_at IS NOT NULL', dead: "state = 'dead'", delivered: "state = 'delivered'" };
const INDEX_OF_STATE = { pending: 'outbox_due', dead: 'outbox_dead', delivered: undefined };

const NUMBER_OF: Readonly<Record<CallbackReceiver, number>> = { http: 0, mqtt: 1 };

/** More callbacks than one row of history can have. */
const MAX_OF_ONE = 50;

/** The same for both receivers, over retries and restarts, and unique among stations, including one restored from a backup. */
export function webhookId({
  id,
  webhook_number,
  run_mark,
}: Pick<OutboxRow, 'id' | 'webhook_number' | 'run_mark'>): string {
  return `msg_${run_mark}_${webhook_number ?? id}`;
}

/** What the API calls the delivery. */
export function deliveryId(row: Pick<OutboxRow, 'id' | 'receiver' | 'webhook_number' | 'run_mark'>): string {
  return `${webhookId(row)}${row.receiver === 'mqtt' ? '.mqtt' : ''}`;
}

const COLUMNS = `id, iif(receiver, 'mqtt', 'http') AS receiver, webhook_number, run_mark, family, payload, revision, event_at, picked, state, attempts, uncounted_attempts, created_at, since_ran_ms, next_attempt_at, last_attempt_at, last_status,
  last_error, iif(last_attempt_at IS NULL, NULL, last_url) AS last_url`;

type NewDelivery = {
  receiver: CallbackReceiver;
  webhookNumber: number | null;
  runMark: string;
  historyId: number | null;
  family: CallbackFamily;
  payload: string;
  revision: number;
  eventAt: number;
  picked: number;
  createdAt: number;
  ranMs: number;
  forwardAt: number;
  /** Where it will be sent: until the first attempt the row holds room for it, since a row that grows splits its page. */
  address: string;
};

/** By how much a first attempt lengthens a row, without its address. */
const RESULT_BYTES = 8;

export function outboxRows(db: Db) {
  const { find, insert, list, meta, number, run, value, values } = statements(db);
  const add = insert(
    `INSERT INTO outbox (receiver, webhook_number, run_mark, history_id, family, payload, revision, event_at, picked,
       state, created_at, since_ran_ms, next_attempt_at, last_url)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)`,
  );
  const recovery = meta('callback_recovery');
  const preparePage = (sql: string) => list<[before: number, limit: number], OutboxRow>(sql);
  const pages = new Map<string, ReturnType<typeof preparePage>>();
  const atOrAfter = find<[id: number], { id: number; history_id: number }>(
    'SELECT id, history_id FROM outbox WHERE id >= ? AND history_id IS NOT NULL ORDER BY id LIMIT 1',
  );
  const newest = number<[]>('SELECT max(id) FROM outbox');
  const ofHistory = list<[from: number, limit: number], OutboxRow & { history_id: number }>(
    `SELECT ${COLUMNS}, history_id FROM outbox WHERE id >= ? AND history_id IS NOT NULL ORDER BY id LIMIT ?`,
  );
  const record = run(
    `UPDATE outbox SET state = ?, attempts = ?, next_attempt_at = ?, last_attempt_at = ?, last_status = ?, last_error = ?,
       last_url = ?, uncounted_attempts = ? WHERE id = ?`,
  );
  const replay = run<[delivery: { id: number; ranMs: number; forwardAt: number }]>(
    `UPDATE outbox SET state = 'pending', next_attempt_at = :forwardAt, since_ran_ms = :ranMs, uncounted_attempts = attempts WHERE id = :id`,
  );
  const recordExchange = run(
    'INSERT OR REPLACE INTO outbox_attempts (outbox_id, milliseconds, request, answer) VALUES (?, ?, ?, ?)',
  );
  const removeAttempt = run<[id: number]>('DELETE FROM outbox_attempts WHERE outbox_id = ?');
  type Schedule = Pick<OutboxRow, 'attempts' | 'uncounted_attempts' | 'since_ran_ms' | 'next_attempt_at'>;
  const findSchedule = find<[id: number], Schedule>(
    'SELECT attempts, uncounted_attempts, since_ran_ms, next_attempt_at FROM outbox WHERE id = ?',
  );
  const findRow = find<[id: number], OutboxRow>(`SELECT ${COLUMNS} FROM outbox WHERE id = ?`);
  const countDead = number<[]>("SELECT count(*) FROM outbox INDEXED BY outbox_dead WHERE state = 'dead'");
  const oldestPending = value<[], number>(
    `SELECT created_at FROM outbox WHERE id =
       (SELECT min(id) FROM outbox INDEXED BY outbox_due WHERE next_attempt_at IS NOT NULL)`,
  );
  type OldRow = Pick<OutboxRow, 'id' | 'state' | 'created_at' | 'last_attempt_at'>;
  const oldestRows = list<[after: number, limit: number], OldRow>(
    'SELECT id, state, created_at, last_attempt_at FROM outbox WHERE id > ? ORDER BY id LIMIT ?',
  );
  const remove = find<[id: number], { history_id: number | null }>(
    "DELETE FROM outbox WHERE id = ? AND state = 'delivered' RETURNING history_id",
  );
  // The newest history row with a deleted callback.
  const removed = meta('callbacks_removed');

  function pageOf({ state, family }: OutboxFilter) {
    const key = `${state ?? ''} ${family ?? ''}`;
    let page = pages.get(key);
    if (page === undefined) {
      const ofFamily =
        family === undefined ? [] : [`family = '${family}'`, ...(family === 'device' ? [] : ["family <> 'device'"])];
      const where = [...(state === undefined ? [] : [OF_STATE[state]]), ...ofFamily, 'id < ?'];
      const rare = family === undefined || family === 'device' ? undefined : 'outbox_family';
      const index = (state === undefined ? undefined : INDEX_OF_STATE[state]) ?? rare;
      page = preparePage(
        `SELECT ${COLUMNS} FROM outbox ${index === undefined ? '' : `INDEXED BY ${index}`}
         WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT ?`,
      );
      pages.set(key, page);
    }
    return page;
  }

  /** What one receiver is owed. */
  function ofReceiver(receiver: CallbackReceiver) {
    const mine = `receiver = ${NUMBER_OF[receiver]} AND`;
    const earliest = value<[now: number], number>(
      `SELECT min(next_attempt_at) FROM outbox WHERE ${mine} next_attempt_at > ?`,
    );
    // Stored before there were two receivers.
    const trouble = meta(receiver === 'http' ? 'callback_trouble' : `callback_trouble_${receiver}`);
    return {
      /** Ids of due deliveries, longest waiting first. `now`: forward time. */
      listDue: values<[now: number, limit: number], number>(
        `SELECT id FROM outbox WHERE ${mine} next_attempt_at <= ? ORDER BY next_attempt_at, id LIMIT ?`,
      ),
      /** Pending deliveries with an id above `after`, due or not, oldest first. `device`: empty if not about a device. */
      listWaiting: list<[after: number, limit: number], { id: number; device: string }>(
        // The index is sorted by time: only its ids are sorted anew, and only the payloads of the page are read.
        `SELECT id, coalesce(json_extract(payload, '$.deviceid'), '') AS device FROM outbox WHERE id IN
           (SELECT id FROM outbox INDEXED BY outbox_due WHERE ${mine} next_attempt_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?)
         ORDER BY id`,
      ),
      /** Number of pending deliveries. */
      countPending: number<[]>(
        `SELECT count(*) FROM outbox INDEXED BY outbox_due WHERE ${mine} next_attempt_at IS NOT NULL`,
      ),
      /** The first due time after `now`, or null. */
      earliestDueAfter: (now: number): number | null => earliest(now) ?? null,
      /** Trouble of the receiver, of the last run; null: none. */
      findTrouble: (): SavedTrouble | null =>
        // Only this program writes it.
        JSON.parse(trouble.get() ?? 'null') as SavedTrouble | null,
      saveTrouble: (saved: SavedTrouble | null) => trouble.set(JSON.stringify(saved)),
    };
  }
  const of = { http: ofReceiver('http'), mqtt: ofReceiver('mqtt') };

  return {
    of,
    insert: ({
      receiver,
      webhookNumber,
      runMark,
      historyId,
      family,
      payload,
      revision,
      eventAt,
      picked,
      createdAt,
      ranMs,
      forwardAt,
      address,
    }: NewDelivery) =>
      add(
        NUMBER_OF[receiver],
        webhookNumber,
        runMark,
        historyId,
        family,
        payload,
        revision,
        eventAt,
        picked,
        createdAt,
        ranMs,
        forwardAt,
        ' '.repeat(address.length + RESULT_BYTES),
      ),
    find: findRow,
    /** Without its payload: read after each attempt. */
    findSchedule,
    /** By the number in its webhook id. */
    findOf: (receiver: CallbackReceiver, webhookNumber: number): OutboxRow | undefined =>
      [webhookNumber, webhookNumber + 1]
        .map((id) => findRow(id))
        .find((row) => row?.receiver === receiver && (row.webhook_number ?? row.id) === webhookNumber),
    /** Whether a delivery is pending. */
    hasPending: () => oldestPending() !== undefined,
    /** Last saved state of the receiver's recovery. */
    findRecovery: (): SavedRecovery => ({
      isRecovering: false,
      notBefore: 0,
      failingSince: null,
      // Only this program writes it. Older versions did not store `failingSince`.
      ...(JSON.parse(recovery.get() ?? '{}') as Partial<SavedRecovery>),
    }),
    saveRecovery: (saved: SavedRecovery) => recovery.set(JSON.stringify(saved)),
    /** Newest first; `after` is the last id of the previous page. */
    list: (filter: OutboxFilter & { after: number | undefined; limit: number }): OutboxRow[] =>
      pageOf(filter)(filter.after ?? Number.MAX_SAFE_INTEGER, filter.limit),
    /** Number of pending and dead deliveries, and when the oldest pending one was created. */
    counts: () => ({
      pending: of.http.countPending() + of.mqtt.countPending(),
      dead: countDead(),
      oldestPendingAt: oldestPending() ?? null,
    }),
    /** The command that it reports. */
    findCommand: value<[id: number], number>(
      'SELECT command_id FROM outbox JOIN history ON history.id = history_id WHERE outbox.id = ?',
    ),
    /** The history row that it was written with; undefined: none. */
    findHistory: value<[id: number], number>('SELECT history_id FROM outbox WHERE id = ?'),
    findAttempt: find<[id: number], AttemptRow>(
      'SELECT milliseconds, request, answer FROM outbox_attempts WHERE outbox_id = ?',
    ),
    /**
     * Deliveries written with this history row. Binary search, since both tables grow in the same order: an index would
     * cost a page in the commit of every press.
     */
    listByHistory(historyId: number): OutboxRow[] {
      let low = 1;
      let high = newest() + 1;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const found = atOrAfter(middle);
        if (found === undefined || found.history_id >= historyId) high = middle;
        else low = found.id + 1;
      }
      return ofHistory(low, MAX_OF_ONE).filter((row) => row.history_id === historyId);
    },
    /** Whether nothing written with this history row or later was deleted. */
    isKeptSince: (historyId: number): boolean => Number(removed.get() ?? 0) < historyId,
    record(result: AttemptResult): void {
      const { id, state, attempts, nextAttemptAt, attemptAt, status, error, url, exchange, uncountedAttempts } = result;
      record(state, attempts, nextAttemptAt, attemptAt, status, error, url, uncountedAttempts, id);
      if (exchange === undefined) return;
      const { milliseconds, request, answer } = exchange;
      recordExchange(id, milliseconds, JSON.stringify(request), answer === null ? null : JSON.stringify(answer));
    },
    /** When the newest was created, epoch milliseconds; 0: none. */
    newestAt: number<[]>('SELECT created_at FROM outbox ORDER BY id DESC LIMIT 1'),
    /**
     * Among the next `limit` rows after `after`: those delivered before `before`, and where to continue; undefined:
     * nothing older. Never the newest, so that ids are not reused.
     */
    findOldDelivered({ after, before, limit }: { after: number; before: number; limit: number }) {
      const newestId = newest();
      const found = oldestRows(after, limit);
      const kept = found.findIndex(({ created_at }) => created_at >= before);
      const ids = (kept < 0 ? found : found.slice(0, kept))
        .filter(
          ({ id, state, last_attempt_at: at }) => state === 'delivered' && (at ?? before) < before && id < newestId,
        )
        .map(({ id }) => id);
      return { ids, next: found.length < limit || kept >= 0 ? undefined : found.at(-1)?.id };
    },
    /** Deletes those that are still delivered. */
    removeDelivered(ids: readonly number[]): void {
      for (const id of ids) {
        const row = remove(id);
        if (row === undefined) continue;
        removeAttempt(id);
        if ((row.history_id ?? 0) > Number(removed.get() ?? 0)) removed.set(String(row.history_id));
      }
    },
    replay: (id: number, time: { ranMs: number; forwardAt: number }) => replay({ id, ...time }),
    /** Id of the newest dead delivery; 0: none. */
    newestDead: number<[]>("SELECT max(id) FROM outbox WHERE state = 'dead'"),
    /** Ids of dead deliveries above `after` up to `newest`, oldest first. */
    listDead: values<[after: number, newest: number, limit: number], number>(
      "SELECT id FROM outbox WHERE state = 'dead' AND id > ? AND id <= ? ORDER BY id LIMIT ?",
    ),
  };
}
