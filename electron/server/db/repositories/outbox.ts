import type { CallbackFamily } from '#shared/lib/connections/callbackFamilies.ts';
import { MAX_CALLBACK_RECEIVERS } from '#shared/lib/connections/maxCallbackReceivers.ts';
import type { DeliveryState, CallbackReceiver } from '#shared/api/callback.ts';
import type { Db } from '../db.ts';
import { storedJson } from '../storedJson.ts';
import { COLUMNS, numberOf, type OutboxRow } from './outboxRow.ts';
import { receiverOutboxes } from './receiverOutbox.ts';
import { mapped, statements } from './statements.ts';

/** `receiver` is undefined to select all receivers. */
type DeadFilter = { after: number; newest: number; limit: number; receiver: CallbackReceiver | undefined };

export type AttemptResult = {
  id: number;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: number | null;
  attemptAt: number;
  status: number | null;
  error: string | null;
  url: string;
  /** Request and answer to store; undefined to store none. */
  exchange?: AttemptExchange;
  uncountedAttempts: number;
};

/** Request and answer to show to people. Secrets in headers have already been hidden. */
export type AttemptExchange = {
  milliseconds: number;
  request: { method: 'GET' | 'POST'; url: string; headers: Readonly<Record<string, string>> };
  /** `body` is null if it is not text. */
  answer: { headers: Readonly<Record<string, string>>; body: string | null; whole: boolean } | null;
};

type AttemptRow = { milliseconds: number; request: string; answer: string | null };

export type OutboxFilter = {
  state: DeliveryState | undefined;
  family: CallbackFamily | undefined;
  receiver: CallbackReceiver | undefined;
};

/** SQL conditions by state. They must match the partial indexes, so that no query scans the whole table. */
const OF_STATE = { pending: 'next_attempt_at IS NOT NULL', dead: "state = 'dead'", delivered: "state = 'delivered'" };
const INDEX_OF_STATE = { pending: 'outbox_due', dead: 'outbox_dead', delivered: undefined };

/** SQL condition for rows of existing receivers. */
const OF_KNOWN = '(receiver < 2 OR receiver IN (SELECT id FROM callback_receivers))';

/** Maximum number of rows per callback: one each for HTTP, MQTT and the additional receivers. Their ids are consecutive. */
const MAX_RECEIVERS = 2 + MAX_CALLBACK_RECEIVERS;
/** Upper limit of outbox rows per history row. */
const MAX_OF_ONE = 10 * MAX_RECEIVERS;

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
  /** Expected address. The row reserves space for it before the first attempt, because a growing row splits its page. */
  address: string;
};

/** How many bytes the first attempt adds to a row, not counting the address. */
const RESULT_BYTES = 8;

export function outboxRows(db: Db) {
  const { find, insert, list, meta, number, run, value, values } = statements(db);
  const add = insert(
    `INSERT INTO outbox (receiver, webhook_number, run_mark, history_id, family, payload, revision, event_at, picked,
       state, created_at, since_ran_ms, next_attempt_at, last_url)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)`,
  );
  const preparePage = (sql: string) =>
    list<[filter: { before: number; limit: number; receiver: number }], OutboxRow>(sql);
  const pages = new Map<string, ReturnType<typeof preparePage>>();
  const atOrAfter = find<[id: number], { id: number; history_id: number }>(
    'SELECT id, history_id FROM outbox WHERE id >= ? AND history_id IS NOT NULL ORDER BY id LIMIT 1',
  );
  const attempt = find<[id: number], AttemptRow>(
    'SELECT milliseconds, request, answer FROM outbox_attempts WHERE outbox_id = ?',
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
  const countDead = number<[]>(
    `SELECT count(*) FROM outbox INDEXED BY outbox_dead WHERE state = 'dead' AND ${OF_KNOWN}`,
  );
  const countPending = number<[]>(
    'SELECT count(*) FROM outbox INDEXED BY outbox_due WHERE next_attempt_at IS NOT NULL',
  );
  const around = list<[from: number, to: number], OutboxRow>(`SELECT ${COLUMNS} FROM outbox WHERE id BETWEEN ? AND ?`);
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
  const dead = (of: string) =>
    `SELECT id FROM outbox INDEXED BY outbox_dead WHERE state = 'dead' AND ${of} AND id > ? AND id <= ? ORDER BY id LIMIT ?`;
  const deadOfAll = values<[after: number, newest: number, limit: number], number>(dead(OF_KNOWN));
  const deadOf = values<[receiver: number, after: number, newest: number, limit: number], number>(
    dead(`receiver = ? AND ${OF_KNOWN}`),
  );
  // Id of the newest history row whose callback was deleted.
  const removed = meta('callbacks_removed');

  function pageOf({ state, family, receiver }: OutboxFilter) {
    const isOther = receiver !== undefined && receiver !== 'http';
    const key = `${state ?? ''} ${family ?? ''} ${receiver === undefined ? '' : isOther}`;
    let page = pages.get(key);
    if (page === undefined) {
      const ofFamily =
        family === undefined ? [] : [`family = '${family}'`, ...(family === 'device' ? [] : ["family <> 'device'"])];
      const ofReceiver = receiver === undefined ? [] : ['receiver = :receiver', ...(isOther ? ['receiver > 0'] : [])];
      const where = [...(state === undefined ? [] : [OF_STATE[state]]), ...ofFamily, ...ofReceiver, 'id < :before'];
      const ofRare = family === undefined || family === 'device' ? undefined : 'outbox_family';
      const rare = isOther ? 'outbox_receiver' : ofRare;
      const index = (state === undefined ? undefined : INDEX_OF_STATE[state]) ?? rare;
      page = preparePage(
        `SELECT ${COLUMNS} FROM outbox ${index === undefined ? '' : `INDEXED BY ${index}`}
         WHERE ${where.join(' AND ')} ORDER BY id DESC LIMIT :limit`,
      );
      pages.set(key, page);
    }
    return page;
  }

  return {
    /** Gives access to the deliveries of one receiver. */
    of: receiverOutboxes(db),
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
        numberOf(receiver),
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
    /** Finds the columns that determine the retry schedule. Excludes the payload, because the row is read after each attempt. */
    findSchedule,
    /** Finds a delivery by the number in its webhook id. */
    findOf: (receiver: CallbackReceiver, webhookNumber: number): OutboxRow | undefined =>
      around(webhookNumber, webhookNumber + MAX_RECEIVERS - 1).find(
        (row) => row.receiver === receiver && (row.webhook_number ?? row.id) === webhookNumber,
      ),
    /** Whether a delivery is pending. */
    hasPending: () => oldestPending() !== undefined,
    /** Lists deliveries, newest first. `after` is the last id of the previous page. */
    list: (filter: OutboxFilter & { after: number | undefined; limit: number }): OutboxRow[] =>
      pageOf(filter)({
        before: filter.after ?? Number.MAX_SAFE_INTEGER,
        limit: filter.limit,
        receiver: numberOf(filter.receiver ?? 'http'),
      }),
    /**
     * Returns the numbers of pending deliveries and of dead deliveries of existing receivers, and when the oldest pending one was created.
     */
    counts: () => ({
      pending: countPending(),
      dead: countDead(),
      oldestPendingAt: oldestPending() ?? null,
    }),
    /** Returns the id of the command that a callback reports. */
    findCommand: value<[id: number], number>(
      'SELECT command_id FROM outbox JOIN history ON history.id = history_id WHERE outbox.id = ?',
    ),
    /** Returns the id of the history row that was written together with a delivery, or undefined if there is none. */
    findHistory: value<[id: number], number>('SELECT history_id FROM outbox WHERE id = ?'),
    /** Finds the last attempt. Returns undefined if there is none, or if its row is damaged. */
    findAttempt: (id: number): AttemptExchange | undefined => mapped(attempt(id), exchangeIn),
    /**
     * Lists deliveries that were written together with this history row. Uses binary search, because both tables grow in the same order,
     * and an index would add a page to the commit of every press.
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
    /** Whether all deliveries of this and later history rows still exist. */
    isKeptSince: (historyId: number): boolean => Number(removed.get() ?? 0) < historyId,
    record(result: AttemptResult): void {
      const { id, state, attempts, nextAttemptAt, attemptAt, status, error, url, exchange, uncountedAttempts } = result;
      record(state, attempts, nextAttemptAt, attemptAt, status, error, url, uncountedAttempts, id);
      if (exchange === undefined) return;
      const { milliseconds, request, answer } = exchange;
      recordExchange(id, milliseconds, JSON.stringify(request), answer === null ? null : JSON.stringify(answer));
    },
    /** Returns when the newest delivery was created, in epoch milliseconds, or 0 if there is none. */
    newestAt: number<[]>('SELECT created_at FROM outbox ORDER BY id DESC LIMIT 1'),
    /**
     * Finds deliveries that were delivered before `before`, among the next `limit` rows after `after`. `next` is the id after which to
     * continue, or undefined if no older rows follow. Never includes the newest row, so that ids are not reused.
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
    /** Deletes these rows if their state is still `delivered`. */
    removeDelivered(ids: readonly number[]): void {
      for (const id of ids) {
        const row = remove(id);
        if (row === undefined) continue;
        removeAttempt(id);
        if ((row.history_id ?? 0) > Number(removed.get() ?? 0)) removed.set(String(row.history_id));
      }
    },
    replay: (id: number, time: { ranMs: number; forwardAt: number }) => replay({ id, ...time }),
    /** Lists ids of pending deliveries to deleted receivers. */
    listAbandoned: values<[limit: number], number>(
      `SELECT id FROM outbox INDEXED BY outbox_due WHERE receiver > 1 AND next_attempt_at IS NOT NULL
         AND receiver NOT IN (SELECT id FROM callback_receivers) LIMIT ?`,
    ),
    /** Ends a pending delivery without an attempt. */
    end: run<[error: string, id: number]>(
      "UPDATE outbox SET state = 'dead', next_attempt_at = NULL, last_error = ? WHERE id = ? AND next_attempt_at IS NOT NULL",
    ),
    /** Returns the id of the newest dead delivery, or 0 if there is none. */
    newestDead: number<[]>("SELECT max(id) FROM outbox WHERE state = 'dead'"),
    /** Lists ids of dead deliveries above `after` up to `newest`, oldest first, of one receiver or of all existing receivers. */
    listDead: ({ after, newest: last, limit, receiver }: DeadFilter): number[] =>
      receiver === undefined ? deadOfAll(after, last, limit) : deadOf(numberOf(receiver), after, last, limit),
  };
}

function exchangeIn({ milliseconds, ...stored }: AttemptRow): AttemptExchange | undefined {
  const request = storedJson('outbox_attempts.request', stored.request) as AttemptExchange['request'] | undefined;
  const answer = storedJson('outbox_attempts.answer', stored.answer ?? 'null') as AttemptExchange['answer'] | undefined;
  return request === undefined || answer === undefined ? undefined : { milliseconds, request, answer };
}
