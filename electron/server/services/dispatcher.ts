import type { Delivery, DeliveryState, SimpleCallback, TestDelivery } from '#shared/api/callback.ts';
import { webhookId, type OutboxRow } from '../db/repositories/outbox.ts';
import type { Rows } from '../db/rows.ts';
import type { Writer } from '../db/writer.ts';
import { afterAttempt, isTaken } from '../domain/deliverySchedule.ts';
import { StationError } from '../errors.ts';
import type { Clock, Ids, Log, Timer } from '../ports.ts';
import type { Attempt, CallbackSender, Sent } from './callbackSender.ts';
import { isoOrNull } from './deviceEntry.ts';
import type { SettingsService } from './settings.ts';

/** Deliveries under way at once: a receiver that hangs holds this many sockets, not the engine. */
const MAX_IN_FLIGHT = 64;
const MAX_TIMER_MS = 3_600_000;
/** Of very many dead ones, so many in one use-case: the loop must not stand still. */
const REPLAYED_AT_ONCE = 1_000;
/** After a disk error the rows are looked at again this much later. */
const STORAGE_RETRY_MS = 5_000;

/** What a test says: of a device that there cannot be, with nothing to book. */
const ABOUT_NOTHING: SimpleCallback = {
  acknack: 'ack',
  deviceid: '000000:000000',
  location: '',
  nonce: 'test',
  qty: 0,
};

export type Dispatcher = {
  start(): void;
  /** A row that was just committed: sent at once where there is room, else found again by its due time. */
  offer(row: OutboxRow): void;
  list(filter: { state: DeliveryState | undefined; after: string | undefined; limit: number }): Delivery[];
  replay(id: string): Promise<Delivery>;
  /** How many dead deliveries are pending again. */
  replayDead(): Promise<number>;
  /** Sends one callback about nothing, once, and tells what became of it. Throws `conflict` where no URL is set. */
  test(): Promise<TestDelivery>;
  /** Looks for what is due: the clock may have been set. */
  look(): void;
  idle(): boolean;
  /** Aborts what is under way; it stays pending. */
  stop(): void;
};

/** Sends what the outbox owes: at least once, each row by itself, until delivered or dead. */
export function createDispatcher(parts: {
  rows: Rows;
  reads: Rows;
  writer: Writer;
  settings: SettingsService;
  sender: CallbackSender;
  clock: Clock;
  ids: Ids;
  log: Log;
}): Dispatcher {
  const { rows, reads, writer, settings, sender, clock, ids, log } = parts;
  const inFlight = new Map<number, Attempt>();
  const tests = new Set<Attempt>();
  let timer: Timer | undefined;
  /** Monotonic: the wall clock may be set while it runs. */
  let timerDueMs = Number.POSITIVE_INFINITY;
  let running = false;
  /** Rows that are due may wait for room: looked for again when a delivery ends. */
  let backlog = false;
  /** Sent, and waiting for the disk to take that down. */
  let unrecorded = 0;

  /** `from`: over which connection. */
  function find(id: string, from: Rows): OutboxRow {
    const digits = /_(\d{1,15})$/.exec(id)?.[1];
    const row = digits === undefined ? undefined : from.outbox.find(Number(digits));
    if (row === undefined || webhookId(row) !== id) throw notFound(id);
    return row;
  }

  function notFound(id: string): StationError {
    return new StationError('not_found', `There is no delivery ${id}.`);
  }

  function entry(row: OutboxRow): Delivery {
    return {
      id: webhookId(row),
      state: row.state,
      family: row.family,
      payload: JSON.parse(row.payload) as Record<string, unknown>,
      url: row.last_url,
      attempts: row.attempts,
      next_attempt: isoOrNull(row.next_attempt_at),
      last_status: row.last_status,
      last_error: row.last_error,
      created: new Date(row.created_at).toISOString(),
    };
  }

  function look(): void {
    if (!running) return;
    try {
      lookNow();
    } catch (error) {
      log.error({ err: error }, 'the deliveries that are due could not be read and are looked for again');
      timerDueMs = Number.POSITIVE_INFINITY;
      wakeAt(clock.now() + STORAGE_RETRY_MS);
    }
  }

  function lookNow(): void {
    timerDueMs = Number.POSITIVE_INFINITY;
    timer?.cancel();
    // Rows under way are still due: ask for as many more.
    const now = clock.now();
    const due = reads.outbox.listDue(now, inFlight.size + MAX_IN_FLIGHT);
    for (const row of due) {
      if (inFlight.size >= MAX_IN_FLIGHT) break;
      if (!inFlight.has(row.id)) send(row);
    }
    backlog = inFlight.size >= MAX_IN_FLIGHT;
    // What is due by now is under way, or behind what is.
    const waiting = reads.outbox.earliestDueAfter(now);
    if (!backlog && waiting !== null) wakeAt(waiting);
  }

  function wakeAt(at: number): void {
    const delayMs = Math.min(Math.max(at - clock.now(), 0), MAX_TIMER_MS);
    const dueMs = clock.monotonic() + delayMs;
    if (!running || dueMs >= timerDueMs) return;
    timer?.cancel();
    timerDueMs = dueMs;
    timer = clock.setTimer(delayMs, () => {
      // A commit looks at the clock first, and moves what is due where it was set back.
      writer
        .write(() => undefined)
        .catch((error: unknown) => log.warn({ err: error }, 'deliveries are looked for without a look at the clock'))
        .finally(look);
    });
  }

  function send(row: OutboxRow): void {
    const attempt = sender.send({ id: webhookId(row), payload: row.payload });
    inFlight.set(row.id, attempt);
    recorded(row, attempt).then(
      () => settled(row),
      (error: unknown) => {
        log.error({ err: error, delivery: row.id }, 'a delivery could not be recorded');
        // It keeps its place until then: the row is due still, and would be sent again at once.
        unrecorded += 1;
        clock.setTimer(STORAGE_RETRY_MS, () => {
          unrecorded -= 1;
          settled(row);
          wakeAt(clock.now());
        });
      },
    );
  }

  function settled(row: OutboxRow): void {
    inFlight.delete(row.id);
    if (!backlog || inFlight.size >= MAX_IN_FLIGHT) return;
    backlog = false;
    look();
  }

  async function recorded(row: OutboxRow, attempt: Attempt): Promise<void> {
    const sent = await attempt.sent;
    // Stopped by us, not refused by the receiver: it stays as it was.
    if (!running) return;
    const attempts = row.attempts + 1;
    await writer.writeSoon((unit) => {
      const outcome = afterAttempt({
        status: sent.answer?.status,
        attempts,
        now: unit.now,
        sinceAt: row.since_at,
        retryAfter: sent.answer?.retryAfter,
        fraction: ids.fraction(),
      });
      const nextAttemptAt = outcome.kind === 'retry' ? outcome.nextAttemptAt : null;
      rows.outbox.record({
        id: row.id,
        state: outcome.kind === 'retry' ? 'pending' : outcome.kind,
        attempts,
        nextAttemptAt,
        attemptAt: unit.now,
        status: sent.answer?.status ?? null,
        error: errorOf(sent),
        url: sent.url,
      });
      if (nextAttemptAt !== null) unit.afterCommit(() => wakeAt(nextAttemptAt));
    });
  }

  return {
    start() {
      running = true;
      look();
    },
    offer(row) {
      if (!running) return;
      if (inFlight.size >= MAX_IN_FLIGHT) backlog = true;
      else if (!inFlight.has(row.id)) send(row);
    },
    list({ state, after, limit }) {
      const rowsOfPage = reads.outbox.list({
        state,
        after: after === undefined ? undefined : find(after, reads).id,
        limit,
      });
      return rowsOfPage.map(entry);
    },
    async replay(id) {
      await writer.write((unit) => {
        rows.outbox.replay(find(id, rows).id, unit.now);
        unit.afterCommit(look);
      });
      return entry(find(id, reads));
    },
    async replayDead() {
      const newest = reads.outbox.newestDead();
      let replayed = 0;
      for (let after = 0; after < newest;) {
        const from = after;
        const ids = await writer.write((unit) => {
          const page = rows.outbox.listDead(from, newest, REPLAYED_AT_ONCE);
          for (const id of page) rows.outbox.replay(id, unit.now);
          unit.afterCommit(look);
          return page;
        });
        replayed += ids.length;
        after = ids.length < REPLAYED_AT_ONCE ? newest : (ids.at(-1) ?? newest);
      }
      return replayed;
    },
    async test() {
      if (settings.current().callback_url === '') {
        throw new StationError('conflict', 'There is nowhere to send it: set callback_url first.');
      }
      const id = `msg_test_${Buffer.from(ids.bytes(9)).toString('base64url')}`;
      const startedAt = clock.monotonic();
      const attempt = sender.send({ id, payload: JSON.stringify(ABOUT_NOTHING) });
      tests.add(attempt);
      const sent = await attempt.sent;
      tests.delete(attempt);
      const error = errorOf(sent);
      return {
        id,
        state: error === null ? 'delivered' : 'failed',
        url: sent.url,
        method: sent.method,
        payload: ABOUT_NOTHING,
        status: sent.answer?.status ?? null,
        error,
        milliseconds: Math.round(clock.monotonic() - startedAt),
      };
    },
    look,
    idle: () => inFlight.size === unrecorded,
    stop() {
      running = false;
      timer?.cancel();
      for (const { giveUp } of [...inFlight.values(), ...tests]) giveUp();
    },
  };
}

/** Null: the receiver has taken it. */
function errorOf({ answer, failure }: Sent): string | null {
  if (failure !== null || answer === undefined) return failure;
  return isTaken(answer.status) ? null : `The receiver answered ${answer.status}.`;
}
