import type { Delivery, SimpleCallback, TestDelivery } from '#shared/api/callback.ts';
import { webhookId, type AttemptExchange, type OutboxRow } from '../../db/repositories/outbox.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { afterAttempt, askedWaitMs, isTaken } from '../../domain/deliverySchedule.ts';
import { textOf, withoutSecrets } from '../../domain/redactResponse.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Ids, Log, Timer } from '../../ports.ts';
import type { StationClock } from '../base/index.ts';
import { deliveryEntry, findDelivery } from './deliveries.ts';
import { createPullForward } from './pullForward.ts';
import type { Attempt, CallbackSender, Sent } from './sender.ts';
import type { SettingsService } from '../settings/index.ts';

/** Deliveries under way at once: a receiver that hangs holds this many sockets, not the engine. */
const MAX_IN_FLIGHT = 64;
/** Of these, so many at most while waiting deliveries are pulled forward: new ones leave at once. */
const MAX_BESIDE_NEW = 48;
/** Tests at once: each holds a connection for as long as a receiver keeps it waiting. */
const MAX_TESTS = 8;
/** Of very many that are due so many are found at once: each look reads those under way again. */
const LOOKED_AHEAD = 512;
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
  replay(id: string): Promise<Delivery>;
  /** How many dead deliveries are pending again. */
  replayDead(): Promise<number>;
  /** Sends one callback about nothing, once, and tells what became of it. Throws `conflict` where no URL is set. */
  test(): Promise<TestDelivery>;
  /** Looks for what is due: the machine may have slept. */
  look(): void;
  idle(): boolean;
  /** Aborts what is under way; it stays pending. */
  stop(): void;
};

/** Sends what the outbox owes: at least once, each row by itself, until delivered or dead. */
export function createDispatcher(parts: {
  repositories: Repositories;
  reads: Repositories;
  writer: Writer;
  settings: SettingsService;
  sender: CallbackSender;
  clock: Clock;
  time: Pick<StationClock, 'ranMs' | 'forwardAt' | 'toWall' | 'keep'>;
  ids: Ids;
  log: Log;
  /** Told of each row that came or went on. */
  changed: () => void;
}): Dispatcher {
  const { repositories, reads, writer, settings, sender, clock, time, ids, log, changed } = parts;
  const inFlight = new Map<number, Attempt>();
  const tests = new Set<Attempt>();
  let timer: Timer | undefined;
  /** Monotonic: the wall clock may be set while it runs. */
  let timerDueMs = Number.POSITIVE_INFINITY;
  let running = false;
  /** Ids of rows that were due when somebody looked last, and that were not sent since. */
  let due: number[] = [];
  /** Rows that are due may wait for room: looked for again when a delivery ends. */
  let backlog = false;
  /** Replayed while they were under way: due again as soon as that has ended, whatever became of it. */
  const replayed = new Set<number>();
  /** Sent, and waiting for the disk to take that down. */
  let unrecorded = 0;
  const pullForward = createPullForward({
    repositories,
    reads,
    writer,
    clock,
    time,
    log,
    hasRoom: () => inFlight.size < MAX_BESIDE_NEW,
    isUnderWay: (id) => inFlight.has(id),
    send,
  });

  function look(): void {
    guarded(lookNow);
  }

  /** A disk that cannot be read is tried again, and throws at nobody. */
  function guarded(run: () => void): void {
    if (!running) return;
    try {
      run();
    } catch (error) {
      log.error({ err: error }, 'the deliveries that are due could not be read and are looked for again');
      timerDueMs = Number.POSITIVE_INFINITY;
      wakeAt(time.forwardAt() + STORAGE_RETRY_MS);
    }
  }

  function lookNow(): void {
    timerDueMs = Number.POSITIVE_INFINITY;
    timer?.cancel();
    // Rows under way are still due: ask for as many more.
    const now = time.forwardAt();
    due = reads.outbox.listDue(now, inFlight.size + LOOKED_AHEAD).filter((id) => !inFlight.has(id));
    sendDue();
    backlog = inFlight.size >= MAX_IN_FLIGHT;
    // What is due by now is under way, or behind what is.
    const waiting = reads.outbox.earliestDueAfter(now);
    if (!backlog && waiting !== null) wakeAt(waiting);
  }

  /** As many of those that were found as there is room for. */
  function sendDue(): void {
    const now = time.forwardAt();
    while (inFlight.size < MAX_IN_FLIGHT) {
      const id = due.shift();
      if (id === undefined) return;
      // It may have been delivered since.
      const row = inFlight.has(id) ? undefined : reads.outbox.find(id);
      if (row !== undefined && row.next_attempt_at !== null && row.next_attempt_at <= now) send(row);
    }
  }

  /** `at`: forward time. */
  function wakeAt(at: number): void {
    const delayMs = Math.min(Math.max(at - time.forwardAt(), 0), MAX_TIMER_MS);
    const dueMs = clock.monotonic() + delayMs;
    if (!running || dueMs >= timerDueMs) return;
    timer?.cancel();
    timerDueMs = dueMs;
    timer = clock.setTimer(delayMs, look);
  }

  function send(row: OutboxRow): void {
    const attempt = sender.send({ id: webhookId(row), payload: row.payload });
    inFlight.set(row.id, attempt);
    record(row, attempt).then(
      () => settled(row),
      (error: unknown) => {
        log.error({ err: error, delivery: row.id }, 'a delivery could not be recorded');
        // It keeps its place until then: the row is due still, and would be sent again at once.
        unrecorded += 1;
        clock.setTimer(STORAGE_RETRY_MS, () => {
          unrecorded -= 1;
          settled(row);
          wakeAt(time.forwardAt());
        });
      },
    );
  }

  function settled(row: OutboxRow): void {
    inFlight.delete(row.id);
    if (replayed.delete(row.id)) look();
    pullForward.goOn();
    if (!backlog || inFlight.size >= MAX_IN_FLIGHT) return;
    guarded(() => {
      sendDue();
      if (inFlight.size < MAX_IN_FLIGHT) lookNow();
    });
  }

  async function record(row: OutboxRow, attempt: Attempt): Promise<void> {
    const sent = await attempt.sent;
    // Stopped by us, not refused by the receiver: it stays as it was.
    if (!running) return;
    const hasTaken = sent.answer !== undefined && isTaken(sent.answer.status);
    pullForward.answered(row.id, hasTaken, hasTaken ? 0 : askedWaitMs(sent.answer?.retryAfter, clock.now()));
    await writer.writeSoon((tx) => {
      // It may have been replayed meanwhile.
      const { attempts: before, since_ran_ms: sinceRanMs } = repositories.outbox.find(row.id) ?? row;
      const attempts = before + 1;
      const outcome = afterAttempt({
        status: sent.answer?.status,
        attempts,
        now: tx.now,
        ranMs: time.ranMs() - sinceRanMs,
        retryAfter: sent.answer?.retryAfter,
        fraction: ids.fraction(),
      });
      time.keep(tx);
      const nextAttemptAt = outcome.kind === 'retry' ? time.forwardAt() + outcome.waitMs : null;
      repositories.outbox.record({
        id: row.id,
        state: outcome.kind === 'retry' ? 'pending' : outcome.kind,
        attempts,
        nextAttemptAt,
        attemptAt: tx.now,
        status: sent.answer?.status ?? null,
        error: errorOf(sent),
        url: sent.url,
        ...exchangeOf(sent),
      });
      tx.afterCommit(changed);
      if (nextAttemptAt !== null) tx.afterCommit(() => wakeAt(nextAttemptAt));
    });
  }

  /** Within a use-case. */
  function replayThese(tx: Transaction, these: readonly number[]): void {
    const now = { ranMs: time.ranMs(), forwardAt: time.forwardAt() };
    for (const id of these) repositories.outbox.replay(id, now);
    time.keep(tx);
    tx.afterCommit(() => {
      for (const id of these) if (inFlight.has(id)) replayed.add(id);
      changed();
      look();
    });
  }

  return {
    start() {
      running = true;
      look();
      pullForward.start();
    },
    offer(row) {
      changed();
      if (!running) return;
      if (inFlight.size >= MAX_IN_FLIGHT) backlog = true;
      else if (!inFlight.has(row.id)) send(row);
    },
    async replay(id) {
      await writer.write((tx) => replayThese(tx, [findDelivery(repositories, id).id]));
      return deliveryEntry(reads, findDelivery(reads, id), time);
    },
    async replayDead() {
      const newest = reads.outbox.newestDead();
      let count = 0;
      for (let after = 0; after < newest;) {
        const from = after;
        const ids = await writer.write((tx) => {
          const page = repositories.outbox.listDead(from, newest, REPLAYED_AT_ONCE);
          replayThese(tx, page);
          return page;
        });
        count += ids.length;
        after = ids.length < REPLAYED_AT_ONCE ? newest : (ids.at(-1) ?? newest);
      }
      return count;
    },
    async test() {
      if (settings.current().callback_url === '') {
        throw new StationError('conflict', 'There is nowhere to send it: set callback_url first.');
      }
      if (tests.size >= MAX_TESTS) {
        throw new StationError('conflict', `${MAX_TESTS} tests wait for the receiver already: wait for one of them.`);
      }
      const id = `msg_test_${Buffer.from(ids.bytes(9)).toString('base64url')}`;
      const attempt = sender.send({ id, payload: JSON.stringify(ABOUT_NOTHING) });
      tests.add(attempt);
      const sent = await attempt.sent;
      tests.delete(attempt);
      changed();
      const error = errorOf(sent);
      return {
        id,
        state: error === null ? 'delivered' : 'failed',
        url: sent.url,
        method: sent.method,
        payload: ABOUT_NOTHING,
        status: sent.answer?.status ?? null,
        error,
        milliseconds: sent.milliseconds,
      };
    },
    look,
    idle: () => inFlight.size === unrecorded,
    stop() {
      running = false;
      timer?.cancel();
      pullForward.stop();
      for (const attempt of [...inFlight.values(), ...tests]) attempt.giveUp();
    },
  };
}

/** Null: the receiver has taken it. */
function errorOf({ answer, failure }: Sent): string | null {
  if (failure !== null || answer === undefined) return failure;
  if (isTaken(answer.status)) return null;
  const isRedirect = answer.status >= 300 && answer.status < 400 && answer.headers['location'] !== undefined;
  return `The receiver answered ${answer.status}.${isRedirect ? ' Other addresses are not followed: set that one.' : ''}`;
}

/** What is kept of an attempt for people. */
function exchangeOf({ request, answer, milliseconds }: Sent): { exchange?: AttemptExchange } {
  if (request === undefined) return {};
  const { method, url, headers } = request;
  return {
    exchange: {
      milliseconds,
      request: { method, url, headers: withoutSecrets(headers) },
      answer:
        answer === undefined
          ? null
          : {
              headers: withoutSecrets(answer.headers),
              body: textOf(answer.headers, answer.body, answer.isWhole),
              whole: answer.isWhole,
            },
    },
  };
}
