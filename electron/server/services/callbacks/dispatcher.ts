import type { Delivery } from '#shared/api/callback.ts';
import { type Alarm, createAlarm } from '../../alarm.ts';
import { webhookId, type OutboxRow } from '../../db/repositories/outbox.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { afterAttempt, askedWaitMs, isTaken } from '../../domain/deliverySchedule.ts';
import type { Clock, Ids, Log } from '../../ports.ts';
import { bind, type In, type StationClock } from '../base/index.ts';
import { deliveryEntry, findDelivery } from './deliveries.ts';
import { createPullForward, type PullForward } from './pullForward.ts';
import type { ReceiverWatch } from './receiverWatch.ts';
import { type Attempt, type CallbackSender, errorOf, exchangeOf, type SendResult } from './sender.ts';

/** Deliveries under way at once: the number of sockets that a slow receiver can hold. */
const MAX_IN_FLIGHT = 64;
/** Limit for waiting deliveries that are pulled forward, so that new ones leave at once. */
const MAX_BESIDE_NEW = 48;
/** Due rows read at once: each look reads those under way again. */
const LOOKED_AHEAD = 512;
/** Rows replayed in one use-case, which bounds how long it holds the loop. */
const REPLAYED_AT_ONCE = 1_000;
/** Wait after a disk error. */
const STORAGE_RETRY_MS = 5_000;

/** Sends what the outbox owes: at least once, each row by itself, until it is delivered or dead. */
export type Dispatcher = {
  start(): void;
  /** Takes a row that was just committed: sends it at once if there is room, else finds it later by its due time. */
  offer(row: OutboxRow): void;
  replay(id: string): Promise<Delivery>;
  /** Returns the number of dead deliveries that are pending again. */
  replayDead(): Promise<number>;
  /** Sends everything that waits now. Returns how much. */
  sendWaiting(): number;
  /** Looks for due rows: the machine may have slept. */
  look(): void;
  idle(): boolean;
  /** Aborts deliveries under way. They stay pending. */
  stop(): void;
};

type Parts = {
  repositories: Pick<Repositories, 'outbox'>;
  reads: Pick<Repositories, 'outbox'>;
  writer: Writer;
  sender: CallbackSender;
  clock: Clock;
  time: Pick<StationClock, 'ranMs' | 'forwardAt' | 'toWall' | 'keep'>;
  ids: Ids;
  log: Log;
  receiver: Pick<ReceiverWatch, 'heard'>;
  /** Call when a row was added or changed. */
  changed: () => void;
};

type Context = Parts & {
  inFlight: Map<number, Attempt>;
  /** Rings when the next row is due. */
  alarm: Alarm;
  pullForward: PullForward;
  isRunning: boolean;
  /** Ids that were due at the last look and were not sent since. */
  due: number[];
  /** Due rows may wait for room: look again when a delivery ends. */
  hasBacklog: boolean;
  /** Replayed while under way: due again as soon as that attempt has ended. */
  replayed: Set<number>;
  /** Sent, and waiting for the disk to record the result. */
  unrecorded: number;
};

type InDispatcher<K extends keyof Dispatcher> = In<Context, Dispatcher[K]>;

export function createDispatcher(parts: Parts): Dispatcher {
  const inFlight = new Map<number, Attempt>();
  const context: Context = {
    ...parts,
    inFlight,
    alarm: createAlarm(parts.clock, () => look(context)),
    pullForward: createPullForward({
      ...parts,
      hasRoom: () => inFlight.size < MAX_BESIDE_NEW,
      isUnderWay: (id) => inFlight.has(id),
      send: (row) => send(context, row),
    }),
    isRunning: false,
    due: [],
    hasBacklog: false,
    replayed: new Set(),
    unrecorded: 0,
  };
  return bind(context, { start, offer, replay, replayDead, sendWaiting, look, idle, stop });
}

const start: InDispatcher<'start'> = (context) => {
  context.isRunning = true;
  look(context);
  context.pullForward.start();
};

const stop: InDispatcher<'stop'> = (context) => {
  context.isRunning = false;
  context.alarm.stop();
  context.pullForward.stop();
  for (const attempt of context.inFlight.values()) attempt.giveUp();
};

const idle: InDispatcher<'idle'> = ({ inFlight, unrecorded }) => inFlight.size === unrecorded;

const offer: InDispatcher<'offer'> = (context, row) => {
  context.changed();
  if (!context.isRunning) return;
  if (context.inFlight.size >= MAX_IN_FLIGHT) context.hasBacklog = true;
  else if (!context.inFlight.has(row.id)) send(context, row);
};

const look: InDispatcher<'look'> = (context) => guarded(context, lookNow);

/** Logs a disk error and retries later. */
function guarded(context: Context, run: (context: Context) => void): void {
  if (!context.isRunning) return;
  try {
    run(context);
  } catch (error) {
    context.log.error({ err: error }, 'the deliveries that are due could not be read and are looked for again');
    context.alarm.in(STORAGE_RETRY_MS);
  }
}

function lookNow(context: Context): void {
  const { reads, time, inFlight, alarm } = context;
  alarm.cancel();
  // Rows under way are still due, so read that many more.
  const now = time.forwardAt();
  context.due = reads.outbox.listDue(now, inFlight.size + LOOKED_AHEAD).filter((id) => !inFlight.has(id));
  sendDue(context);
  context.hasBacklog = inFlight.size >= MAX_IN_FLIGHT;
  // Everything due is now sent or queued.
  const waiting = reads.outbox.earliestDueAfter(now);
  if (!context.hasBacklog && waiting !== null) wakeAt(context, waiting);
}

/** Sends as many of the due rows as there is room for. */
function sendDue(context: Context): void {
  const { inFlight, reads, time } = context;
  const now = time.forwardAt();
  while (inFlight.size < MAX_IN_FLIGHT) {
    const id = context.due.shift();
    if (id === undefined) return;
    // It may have been delivered since.
    const row = inFlight.has(id) ? undefined : reads.outbox.find(id);
    if (row !== undefined && row.next_attempt_at !== null && row.next_attempt_at <= now) send(context, row);
  }
}

/** `at`: forward time. */
function wakeAt({ alarm, time }: Context, at: number): void {
  alarm.within(at - time.forwardAt());
}

function send(context: Context, row: OutboxRow): void {
  const { sender, inFlight, log, clock, time } = context;
  const attempt = sender.send({ id: webhookId(row), payload: row.payload });
  inFlight.set(row.id, attempt);
  record(context, row, attempt).then(
    () => settled(context, row),
    (error: unknown) => {
      log.error({ err: error, delivery: row.id }, 'a delivery could not be recorded');
      // It stays in flight until then: the row is still due, and would be sent again at once.
      context.unrecorded += 1;
      clock.setTimer(STORAGE_RETRY_MS, () => {
        context.unrecorded -= 1;
        settled(context, row);
        wakeAt(context, time.forwardAt());
      });
    },
  );
}

function settled(context: Context, row: OutboxRow): void {
  const { inFlight, replayed, pullForward } = context;
  inFlight.delete(row.id);
  if (replayed.delete(row.id)) look(context);
  pullForward.goOn();
  if (!context.hasBacklog || inFlight.size >= MAX_IN_FLIGHT) return;
  guarded(context, () => {
    sendDue(context);
    if (inFlight.size < MAX_IN_FLIGHT) lookNow(context);
  });
}

async function record(context: Context, row: OutboxRow, attempt: Attempt): Promise<void> {
  const { writer, pullForward, clock, receiver } = context;
  const sent = await attempt.sent;
  // The stop aborted the attempt, not the receiver: the row stays pending.
  if (!context.isRunning) return;
  const hasTaken = sent.answer !== undefined && isTaken(sent.answer.status);
  receiver.heard({ error: errorOf(sent), status: sent.answer?.status ?? null });
  pullForward.answered(row.id, hasTaken, hasTaken ? 0 : askedWaitMs(sent.answer?.retryAfter, clock.now()));
  await writer.writeSoon((tx) => recordSent(context, tx, row, sent));
}

function recordSent(context: Context, tx: Transaction, row: OutboxRow, sent: SendResult): void {
  const { repositories, time, ids, changed } = context;
  const { status, retryAfter } = sent.answer ?? {};
  // It may have been replayed meanwhile.
  const { attempts: before, since_ran_ms: sinceRanMs } = repositories.outbox.find(row.id) ?? row;
  const attempts = before + 1;
  const ranMs = time.ranMs() - sinceRanMs;
  const outcome = afterAttempt({ status, attempts, now: tx.now, ranMs, retryAfter, fraction: ids.fraction() });
  time.keep(tx);
  const nextAttemptAt = outcome.kind === 'retry' ? time.forwardAt() + outcome.waitMs : null;
  repositories.outbox.record({
    id: row.id,
    state: outcome.kind === 'retry' ? 'pending' : outcome.kind,
    attempts,
    nextAttemptAt,
    attemptAt: tx.now,
    status: status ?? null,
    error: errorOf(sent),
    url: sent.url,
    ...exchangeOf(sent),
  });
  tx.afterCommit(changed);
  if (nextAttemptAt !== null) tx.afterCommit(() => wakeAt(context, nextAttemptAt));
}

const replay: InDispatcher<'replay'> = async (context, id) => {
  const { repositories, reads, writer, time } = context;
  await writer.write((tx) => replayThese(context, tx, [findDelivery(repositories, id).id]));
  return deliveryEntry(reads, findDelivery(reads, id), time);
};

const replayDead: InDispatcher<'replayDead'> = async (context) => {
  const { repositories, reads, writer } = context;
  const newest = reads.outbox.newestDead();
  let count = 0;
  for (let after = 0; after < newest;) {
    const from = after;
    const ids = await writer.write((tx) => {
      const page = repositories.outbox.listDead(from, newest, REPLAYED_AT_ONCE);
      replayThese(context, tx, page);
      return page;
    });
    count += ids.length;
    after = ids.length < REPLAYED_AT_ONCE ? newest : (ids.at(-1) ?? newest);
  }
  return count;
};

const sendWaiting: InDispatcher<'sendWaiting'> = ({ pullForward, reads }) => {
  pullForward.sendNow();
  return reads.outbox.countPending();
};

/** Within a use-case. */
function replayThese(context: Context, tx: Transaction, ids: readonly number[]): void {
  const { repositories, time, inFlight, replayed } = context;
  const now = { ranMs: time.ranMs(), forwardAt: time.forwardAt() };
  for (const id of ids) repositories.outbox.replay(id, now);
  time.keep(tx);
  tx.afterCommit(() => {
    for (const id of ids) if (inFlight.has(id)) replayed.add(id);
    context.changed();
    look(context);
  });
}
