import { createAlarm } from '../../alarm.ts';
import type { OutboxRow } from '../../db/repositories/outbox.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import { nextProbe, nextRecovery, recoveryAtStart, type RecoveryEvent } from '../../domain/receiverRecovery.ts';
import type { Clock, Log } from '../../ports.ts';
import type { RunningClock } from '../base/index.ts';
import type { CallbackTarget } from './types.ts';

/** Waiting deliveries read at once. */
const PAGE = 500;
/** Sent after each answer: its replacement, and one by which the window grows. Receivers set the pace, so this uses no background read queue. */
const SENT_AT_ONCE = 2;
/** Rows considered after each answer: some were sent meanwhile and are skipped. */
const LOOKED_AT_ONCE = 32;
/** Skip a probe if the delivery is due within this time anyway. */
const DUE_SOON_MS = 1_000;
const STORAGE_RETRY_MS = 5_000;

/**
 * Sends all waiting deliveries once the receiver is back: oldest first, one at a time per device. At the beginning of an outage, tries
 * the oldest one early. docs/decisions/0006
 */
export function createPullForward(parts: {
  target: Pick<CallbackTarget, 'receiver'>;
  repositories: Pick<Repositories, 'outbox'>;
  reads: Pick<Repositories, 'outbox'>;
  writer: Writer;
  clock: Clock;
  time: Pick<RunningClock, 'forwardAt'>;
  log: Log;
  hasRoom: () => boolean;
  /** Whether no delivery is in flight and sending is allowed. */
  isQuiet: () => boolean;
  isUnderWay: (id: number) => boolean;
  send: (row: OutboxRow) => void;
}) {
  const { target, repositories, reads, writer, clock, time, log } = parts;
  const owed = reads.outbox.of(target.receiver);
  let state = recoveryAtStart(owed.findRecovery(), time.forwardAt());
  /** Sent and not answered yet, with the device of each. */
  const pulled = new Map<number, string>();
  /** Read and not sent yet, oldest first. */
  let page: { id: number; device: string }[] = [];
  /** The next page begins behind this one. A recovery that failed continues there, so that one bad delivery blocks no other. */
  let after = 0;
  /** Those before that come last. */
  let hasSkipped = false;
  const alarm = createAlarm(clock, goOn);
  let running = false;

  function hear(event: RecoveryEvent): void {
    const before = state;
    state = nextRecovery(state, event);
    if (state.phase !== before.phase) {
      after = (page[0]?.id ?? after + 1) - 1;
      page = [];
      hasSkipped = after > 0;
    }
    const { phase, notBefore, failingSince } = state;
    const isRecovering = phase === 'recovering';
    const wasRecovering = before.phase === 'recovering';
    if (isRecovering === wasRecovering && notBefore === before.notBefore && failingSince === before.failingSince)
      return;
    writer
      .writeSoon(() => repositories.outbox.of(target.receiver).saveRecovery({ isRecovering, notBefore, failingSince }))
      .catch((error: unknown) => log.warn({ err: error }, 'that the receiver is back, or away again, was not saved'));
  }

  function readPage(): void {
    page = owed.listWaiting(after, PAGE);
    after = page.at(-1)?.id ?? after;
    if (page.length > 0 || !hasSkipped) return;
    hasSkipped = false;
    after = 0;
    readPage();
  }

  /** The oldest of a device that has none unanswered. */
  function takeFromPage(): { id: number; device: string } | undefined {
    const busy = new Set(pulled.values());
    const at = page.findIndex(({ device }) => device === '' || !busy.has(device));
    return at < 0 ? undefined : page.splice(at, 1)[0];
  }

  function sendSome(): void {
    const most = pulled.size + SENT_AT_ONCE;
    for (let looked = 0; looked < LOOKED_AT_ONCE; looked += 1) {
      if (pulled.size >= Math.min(most, state.window) || !parts.hasRoom()) return;
      if (page.length === 0) readPage();
      const next = takeFromPage();
      if (next === undefined) {
        if (pulled.size > 0) return;
        after = 0;
        return hear({ kind: 'drained' });
      }
      const row = parts.isUnderWay(next.id) ? undefined : reads.outbox.find(next.id);
      if (row === undefined || row.next_attempt_at === null) continue;
      pulled.set(next.id, next.device);
      parts.send(row);
    }
    alarm.in(0);
  }

  /** Tries the oldest delivery if no other is in flight: any attempt shows whether the receiver works. */
  function probe(): void {
    const at = nextProbe(state);
    if (at === null) return;
    const now = time.forwardAt();
    if (at > now) return alarm.in(at - now);
    if (!parts.isQuiet()) return;
    const [oldest] = owed.listWaiting(0, 1);
    const row = oldest === undefined ? undefined : reads.outbox.find(oldest.id);
    if (row === undefined || row.next_attempt_at === null) return;
    hear({ kind: 'probed', now });
    if (row.next_attempt_at - now > DUE_SOON_MS) parts.send(row);
  }

  function trying(run: () => void): void {
    try {
      run();
    } catch (error) {
      log.error({ err: error }, 'the deliveries that wait could not be read and are pulled forward later');
      alarm.in(STORAGE_RETRY_MS);
    }
  }

  /** Sends what is due. Call again when there is room. */
  function goOn(): void {
    if (!running) return;
    if (state.phase === 'failing') return trying(probe);
    if (state.phase !== 'recovering') return;
    const waitMs = state.notBefore - time.forwardAt();
    if (waitMs > 0) return alarm.in(waitMs);
    trying(sendSome);
  }

  return {
    /** Continues a recovery, or the probes of an outage, that the last stop interrupted. */
    start(): void {
      running = true;
      goOn();
    },
    /** An attempt was answered, or failed. `askedMs`: the receiver's `Retry-After`, or 0. */
    answered(id: number, isTaken: boolean, askedMs: number): void {
      pulled.delete(id);
      hear(isTaken ? { kind: 'taken' } : { kind: 'failed', askedMs, now: time.forwardAt() });
      goOn();
    },
    /** A damaged delivery ended without an attempt: it says nothing about the receiver. */
    dropped(id: number): void {
      pulled.delete(id);
      goOn();
    },
    /** Sends everything that waits now, whatever the receiver asked for, until it fails again. */
    sendNow(): void {
      hear({ kind: 'asked' });
      goOn();
    },
    goOn,
    stop(): void {
      running = false;
      alarm.stop();
    },
  };
}

export type PullForward = ReturnType<typeof createPullForward>;
