import type { TablesOf } from '../../core.ts';
import { type Alarm, createAlarm } from '../../scheduling/alarm.ts';
import { webhookId, type OutboxRow } from '../../db/repositories/outboxRow.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { askedWaitMs, isTaken } from '../../domain/callbacks/deliverySchedule.ts';
import type { Clock, Ids, Log } from '../../ports.ts';
import { TransientMap } from '../../transientMap.ts';
import type { RunningClock } from '../base/index.ts';
import type { CallbackTarget } from './types.ts';
import { createPullForward, type PullForward } from './pullForward.ts';
import type { ReceiverWatch } from './receiverWatch.ts';
import { endDamaged, isDamaged, recordAttempt } from './recordAttempt.ts';
import { type Attempt, type CallbackSender, errorOf, exchangeOf, type SendResult } from './sender.ts';

/** Maximum number of deliveries in flight, and so of sockets that a slow receiver can occupy. */
const MAX_IN_FLIGHT = 64;
/**
 * Retries are sent early only while fewer deliveries than this are in flight. The slots up to `MAX_IN_FLIGHT` stay free for new deliveries.
 */
const MAX_BESIDE_NEW = 48;
/** Number of due rows to read at a time, in addition to rows in flight, which each query returns again. */
const LOOKED_AHEAD = 512;
/** Delay before retrying after a disk error. */
const STORAGE_RETRY_MS = 5_000;

/** Placeholder attempt for a damaged delivery, which is never sent. */
const NO_ATTEMPT: Pick<Attempt, 'giveUp'> = { giveUp: () => undefined };

type Parts = {
  repositories: TablesOf<'callbacks'>;
  reads: TablesOf<'callbacks'>;
  writer: Writer;
  sender: CallbackSender;
  clock: Clock;
  time: Pick<RunningClock, 'ranMs' | 'forwardAt' | 'keep'>;
  ids: Ids;
  log: Log;
  target: Pick<CallbackTarget, 'receiver' | 'destination' | 'held' | 'resumedRanMs'>;
  watch: Pick<ReceiverWatch, 'attempted' | 'isSet'>;
  /** Returns why nothing can be sent now, or undefined if sending is allowed. */
  held: () => string | undefined;
  /** Called when a row was added or changed. */
  changed: () => void;
};

type Context = Parts & {
  inFlight: TransientMap<Pick<Attempt, 'giveUp'>>;
  /** Fires when the next row is due. */
  alarm: Alarm;
  pullForward: PullForward;
  isRunning: boolean;
  wasHeld: boolean;
  /** Ids that were due at the last query and have not been sent yet. */
  due: number[];
  /** Whether more due rows may be waiting, so that another query is needed when a delivery ends. */
  hasBacklog: boolean;
  /** Rows that were replayed while in flight. They are due again when the current attempt ends. */
  replayedInFlight: Set<number>;
  /** Number of sent rows whose result is not on disk yet. */
  unrecorded: number;
};

/** Sends the outbox rows of one receiver at least once, each in a separate request, until they are delivered or dead. */
export function createDispatcher(parts: Parts) {
  const inFlight = new TransientMap<Pick<Attempt, 'giveUp'>>();
  const context: Context = {
    ...parts,
    inFlight,
    alarm: createAlarm(parts.clock, () => look(context)),
    pullForward: createPullForward({
      ...parts,
      hasRoom: () => inFlight.size < MAX_BESIDE_NEW && !isHeld(context),
      isQuiet: () => inFlight.size === 0 && parts.watch.isSet() && !isHeld(context),
      isUnderWay: (id) => inFlight.has(id),
      send: (row) => send(context, row),
    }),
    isRunning: false,
    wasHeld: false,
    due: [],
    hasBacklog: false,
    replayedInFlight: new Set(),
    unrecorded: 0,
  };
  return {
    start: () => start(context),
    offer: (row: OutboxRow) => offer(context, row),
    replayed: (ids: readonly number[]) => replayed(context, ids),
    sendWaiting: () => sendWaiting(context),
    reconsider: () => reconsider(context),
    look: () => look(context),
    idle: () => idle(context),
    stop: () => stop(context),
  };
}

function start(context: Context): void {
  context.isRunning = true;
  look(context);
  context.pullForward.start();
}

/** Stops sending and aborts deliveries in flight, which stay pending. */
function stop(context: Context): void {
  context.isRunning = false;
  context.alarm.stop();
  context.pullForward.stop();
  for (const attempt of context.inFlight.values()) attempt.giveUp();
}

function idle({ inFlight, unrecorded }: Context): boolean {
  return inFlight.size === unrecorded;
}

/** Sends a row that was just committed if there is room. Otherwise, the query for due rows finds it later. */
function offer(context: Context, row: OutboxRow): void {
  context.changed();
  if (!context.isRunning || isHeld(context)) return;
  if (context.inFlight.size >= MAX_IN_FLIGHT) context.hasBacklog = true;
  else if (!context.inFlight.has(row.id)) send(context, row);
}

/** Queries due rows, for example after the machine was asleep. */
function look(context: Context): void {
  guarded(context, lookNow);
}

/** Whether sending is held. Rows that become due while sending is held stay due. */
function isHeld(context: Context): boolean {
  if (context.held() === undefined) return false;
  context.wasHeld = true;
  return true;
}

/** Sends held deliveries if sending is allowed again, and probes a new address. Call after the settings changed. */
function reconsider(context: Context): void {
  if (context.wasHeld && !isHeld(context)) {
    context.wasHeld = false;
    look(context);
  }
  context.pullForward.proceed();
}

/** Calls `run` unless sending is stopped or held. Logs a disk error and retries later. */
function guarded(context: Context, run: (context: Context) => void): void {
  if (!context.isRunning || isHeld(context)) return;
  try {
    run(context);
  } catch (error) {
    context.log.error({ err: error }, 'could not read the due deliveries; will retry');
    context.alarm.in(STORAGE_RETRY_MS);
  }
}

function lookNow(context: Context): void {
  const { reads, target, time, inFlight, alarm } = context;
  alarm.cancel();
  // Rows in flight are still due, so raise the limit by their number.
  const now = time.forwardAt();
  context.due = reads.outbox
    .of(target.receiver)
    .listDue(now, inFlight.size + LOOKED_AHEAD)
    .filter((id) => !inFlight.has(id));
  sendDue(context);
  context.hasBacklog = inFlight.size >= MAX_IN_FLIGHT;
  // All due rows are now sent or queued.
  const waiting = reads.outbox.of(target.receiver).earliestDueAfter(now);
  if (!context.hasBacklog && waiting !== null) wakeAt(context, waiting);
}

/** Sends due rows until a limit is reached. */
function sendDue(context: Context): void {
  const { inFlight, reads, time } = context;
  const now = time.forwardAt();
  while (inFlight.size < MAX_IN_FLIGHT) {
    const id = context.due.shift();
    if (id === undefined) return;
    // Read the delivery again, because it may have been delivered since the query.
    const row = inFlight.has(id) ? undefined : reads.outbox.find(id);
    if (row !== undefined && row.next_attempt_at !== null && row.next_attempt_at <= now) send(context, row);
  }
}

/** Schedules a query for due rows. `at` is in forward time. */
function wakeAt({ alarm, time }: Context, at: number): void {
  alarm.within(at - time.forwardAt());
}

function send(context: Context, row: OutboxRow): void {
  const { sender, target, inFlight, log, clock, time } = context;
  const attempt = isDamaged(row)
    ? undefined
    : sender.send({ id: webhookId(row), payload: row.payload, event: row }, target);
  inFlight.set(row.id, attempt ?? NO_ATTEMPT);
  const recorded = attempt === undefined ? drop(context, row) : record(context, row, attempt);
  recorded.then(
    () => settled(context, row),
    (error: unknown) => {
      log.error({ err: error, delivery: row.id }, 'could not record a delivery');
      // Keep the row in flight until the result is stored. It is still due, and would otherwise be sent again immediately.
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
  const { inFlight, replayedInFlight, pullForward } = context;
  inFlight.delete(row.id);
  if (replayedInFlight.delete(row.id)) look(context);
  pullForward.proceed();
  if (!context.hasBacklog || inFlight.size >= MAX_IN_FLIGHT) return;
  guarded(context, () => {
    sendDue(context);
    if (inFlight.size < MAX_IN_FLIGHT) lookNow(context);
  });
}

async function drop(context: Context, row: OutboxRow): Promise<void> {
  const { writer, pullForward, changed } = context;
  await writer.writeSoon((tx) => {
    endDamaged(context, row);
    tx.afterCommit(changed);
  });
  pullForward.dropped(row.id);
}

async function record(context: Context, row: OutboxRow, attempt: Attempt): Promise<void> {
  const { writer, pullForward, clock, watch } = context;
  const sent = await attempt.sent;
  // The station is stopping and has aborted the attempt, so leave the row pending.
  if (!context.isRunning) return;
  const hasTaken = sent.answer !== undefined && isTaken(sent.answer.status);
  watch.attempted({ error: errorOf(sent), status: sent.answer?.status ?? null });
  pullForward.answered(row.id, hasTaken, hasTaken ? 0 : askedWaitMs(sent.answer?.retryAfter, clock.now()));
  await writer.writeSoon((tx) => recordSent(context, tx, row, sent));
}

function recordSent(context: Context, tx: Transaction, row: OutboxRow, sent: SendResult): void {
  const { status, retryAfter } = sent.answer ?? {};
  const { url } = sent;
  const nextAttemptAt = recordAttempt(context, tx, row, {
    resumedRanMs: context.target.resumedRanMs(),
    status,
    retryAfter,
    error: errorOf(sent),
    url,
    ...exchangeOf(sent),
  });
  tx.afterCommit(context.changed);
  if (nextAttemptAt !== null) tx.afterCommit(() => wakeAt(context, nextAttemptAt));
}

/** Sends rows that were made due again. Ignores rows of other receivers. */
function replayed(context: Context, ids: readonly number[]): void {
  const { inFlight } = context;
  for (const id of ids) if (inFlight.has(id)) context.replayedInFlight.add(id);
  look(context);
}

/** Sends all waiting callbacks now, and returns how many are waiting. */
function sendWaiting({ pullForward, reads, target }: Context): number {
  pullForward.sendNow();
  return reads.outbox.of(target.receiver).countPending();
}
