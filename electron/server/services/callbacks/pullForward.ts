import type { TablesOf } from '../../core.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { OutboxRow } from '../../db/repositories/outboxRow.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import {
  nextProbe,
  nextRecovery,
  recoveryAtStart,
  type RecoveryEvent,
} from '../../domain/callbacks/receiverRecovery.ts';
import type { Clock, Log } from '../../ports.ts';
import type { RunningClock } from '../base/index.ts';
import type { CallbackTarget } from './types.ts';

/** Number of waiting deliveries to read at a time. */
const PAGE = 500;
/**
 * Number of deliveries to send after each answer: one replaces the answered delivery, the other grows the window. Receivers set the pace,
 * so this does not use the background read queue.
 */
const SENT_AT_ONCE = 2;
/** Number of rows to consider after each answer. Rows that have been sent in the meantime are skipped. */
const LOOKED_AT_ONCE = 32;
/** A probe is skipped if the delivery is due within this time anyway. */
const DUE_SOON_MS = 1_000;
const STORAGE_RETRY_MS = 5_000;

type PullForwardParts = {
  target: Pick<CallbackTarget, 'receiver'>;
  repositories: TablesOf<'callbacks'>;
  reads: TablesOf<'callbacks'>;
  writer: Writer;
  clock: Clock;
  time: Pick<RunningClock, 'forwardAt'>;
  log: Log;
  hasRoom: () => boolean;
  /** Whether sending is allowed and no delivery is in flight. */
  isQuiet: () => boolean;
  isUnderWay: (id: number) => boolean;
  send: (row: OutboxRow) => void;
};

/** State shared by the functions that handle a receiver's recovery. */
type PullForwardContext = PullForwardParts & {
  owed: ReturnType<Repositories['outbox']['of']>;
  state: ReturnType<typeof recoveryAtStart>;
  /** Ids of deliveries in flight that were sent early, with the device of each. */
  pulled: Map<number, string>;
  /** Deliveries that were read but not sent yet, oldest first. */
  page: { id: number; device: string }[];
  /** The next page begins after this id. A new recovery continues there, so that one bad delivery does not block the others. */
  after: number;
  /** Whether earlier deliveries were skipped. They are sent last. */
  hasSkipped: boolean;
  alarm: ReturnType<typeof createAlarm>;
  running: boolean;
};

/**
 * Sends all waiting deliveries once the receiver is back, oldest first and one at a time per device. At the beginning of an outage, retries
 * the oldest delivery early. See docs/decisions/0006.
 */
export function createPullForward(parts: PullForwardParts) {
  const { target, repositories, reads, writer, clock, time, log } = parts;
  const owed = reads.outbox.of(target.receiver);
  const context: PullForwardContext = {
    target,
    repositories,
    reads,
    writer,
    clock,
    time,
    log,
    hasRoom: parts.hasRoom,
    isUnderWay: parts.isUnderWay,
    send: parts.send,
    isQuiet: parts.isQuiet,
    owed,
    state: recoveryAtStart(owed.findRecovery(), time.forwardAt()),
    pulled: new Map<number, string>(),
    page: [],
    after: 0,
    hasSkipped: false,
    alarm: createAlarm(clock, () => proceed(context)),
    running: false,
  };
  return {
    start: () => start(context),
    answered: (id: number, isTaken: boolean, askedMs: number) => answered(context, id, isTaken, askedMs),
    dropped: (id: number) => dropped(context, id),
    sendNow: () => sendNow(context),
    proceed: () => proceed(context),
    stop: () => stop(context),
  };
}

export type PullForward = ReturnType<typeof createPullForward>;

/** Resumes a recovery, or the probes of an outage, after a restart. */
function start(context: PullForwardContext): void {
  context.running = true;
  proceed(context);
}

/** Handles the answer to an attempt, or its failure. `askedMs` is the wait that the receiver requested with `Retry-After`, or 0. */
function answered(context: PullForwardContext, id: number, isTaken: boolean, askedMs: number): void {
  const { pulled, time } = context;
  pulled.delete(id);
  apply(context, isTaken ? { kind: 'taken' } : { kind: 'failed', askedMs, now: time.forwardAt() });
  proceed(context);
}

/** Handles a damaged delivery that ended without an attempt, which shows nothing about the receiver. */
function dropped(context: PullForwardContext, id: number): void {
  const { pulled } = context;
  pulled.delete(id);
  proceed(context);
}

/** Sends all waiting callbacks now, until one fails. Ignores a later time that the receiver requested. */
function sendNow(context: PullForwardContext): void {
  apply(context, { kind: 'asked' });
  proceed(context);
}

function stop(context: PullForwardContext): void {
  const { alarm } = context;
  context.running = false;
  alarm.stop();
}

function apply(context: PullForwardContext, event: RecoveryEvent): void {
  const { writer, repositories, target, log } = context;
  const before = context.state;
  context.state = nextRecovery(context.state, event);
  if (context.state.phase !== before.phase) {
    context.after = (context.page[0]?.id ?? context.after + 1) - 1;
    context.page = [];
    context.hasSkipped = context.after > 0;
  }
  const { phase, notBefore, failingSince } = context.state;
  const isRecovering = phase === 'recovering';
  const wasRecovering = before.phase === 'recovering';
  if (isRecovering === wasRecovering && notBefore === before.notBefore && failingSince === before.failingSince) return;
  writer
    .writeSoon(() => repositories.outbox.of(target.receiver).saveRecovery({ isRecovering, notBefore, failingSince }))
    .catch((error: unknown) => log.warn({ err: error }, 'could not save whether the receiver is available'));
}

function readPage(context: PullForwardContext): void {
  const { owed } = context;
  context.page = owed.listWaiting(context.after, PAGE);
  context.after = context.page.at(-1)?.id ?? context.after;
  if (context.page.length > 0 || !context.hasSkipped) return;
  context.hasSkipped = false;
  context.after = 0;
  readPage(context);
}

/** Takes the oldest delivery whose device has no other delivery in flight. */
function takeFromPage(context: PullForwardContext): { id: number; device: string } | undefined {
  const { pulled } = context;
  const busy = new Set(pulled.values());
  const at = context.page.findIndex(({ device }) => device === '' || !busy.has(device));
  return at < 0 ? undefined : context.page.splice(at, 1)[0];
}

function sendSome(context: PullForwardContext): void {
  const { pulled, reads, alarm } = context;
  const most = pulled.size + SENT_AT_ONCE;
  for (let looked = 0; looked < LOOKED_AT_ONCE; looked += 1) {
    if (pulled.size >= Math.min(most, context.state.window) || !context.hasRoom()) return;
    if (context.page.length === 0) readPage(context);
    const next = takeFromPage(context);
    if (next === undefined) {
      if (pulled.size > 0) return;
      context.after = 0;
      return apply(context, { kind: 'drained' });
    }
    const row = context.isUnderWay(next.id) ? undefined : reads.outbox.find(next.id);
    if (row === undefined || row.next_attempt_at === null) continue;
    pulled.set(next.id, next.device);
    context.send(row);
  }
  alarm.in(0);
}

/** Sends the oldest delivery if none is in flight, because any attempt shows whether the receiver works. */
function probe(context: PullForwardContext): void {
  const { time, alarm, owed, reads } = context;
  const at = nextProbe(context.state);
  if (at === null) return;
  const now = time.forwardAt();
  if (at > now) return alarm.in(at - now);
  if (!context.isQuiet()) return;
  const [oldest] = owed.listWaiting(0, 1);
  const row = oldest === undefined ? undefined : reads.outbox.find(oldest.id);
  if (row === undefined || row.next_attempt_at === null) return;
  apply(context, { kind: 'probed', now });
  if (row.next_attempt_at - now > DUE_SOON_MS) context.send(row);
}

function trying({ log, alarm }: PullForwardContext, run: () => void): void {
  try {
    run();
  } catch (error) {
    log.error({ err: error }, 'could not read the waiting deliveries; they are sent later');
    alarm.in(STORAGE_RETRY_MS);
  }
}

/** Sends a probe during an outage, and waiting deliveries during a recovery, limited by the window. */
function proceed(context: PullForwardContext): void {
  const { time, alarm } = context;
  if (!context.running) return;
  if (context.state.phase === 'failing') return trying(context, () => probe(context));
  if (context.state.phase !== 'recovering') return;
  const waitMs = context.state.notBefore - time.forwardAt();
  if (waitMs > 0) return alarm.in(waitMs);
  trying(context, () => sendSome(context));
}
