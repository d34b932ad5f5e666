import type { TablesOf } from '../../core.ts';
import { type Alarm, createAlarm } from '../../scheduling/alarm.ts';
import { type OutboxRow, webhookId } from '../../db/repositories/outboxRow.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { CallbackFamily } from '#shared/lib/connections/callbackFamilies.ts';
import { eventHeaders, messageOf } from '../../domain/callbacks/callbackRequest.ts';
import type { Clock, Ids, Log } from '../../ports.ts';
import type { RunningClock } from '../base/index.ts';
import {
  type BrokerWaiting,
  giveUpAll,
  nothingWaiting,
  PAGE,
  refuse,
  release,
  rewind,
  startOver,
  takeDue,
  takeNew,
  takeNext,
  takePage,
} from './brokerWaiting.ts';
import { endDamaged, isDamaged, recordAttempt } from './recordAttempt.ts';
import type { ReceiverWatch } from './receiverWatch.ts';

/** Maximum number of callbacks published at the same time, each for a different device. */
const MAX_IN_FLIGHT = 64;
/** Delay before retrying after a disk error. */
const STORAGE_RETRY_MS = 5_000;

/**
 * Response from the broker, or `lost` if the connection ended before the broker answered. `error` is the reason why the broker refused the
 * message, or null if the broker accepted it.
 */
export type Published = { url: string; error: string | null } | 'lost';
/** Publishes a callback over a connection. Never rejects. */
export type PublishCallback = (callback: {
  family: CallbackFamily;
  payload: string;
  userProperties: Readonly<Record<string, string>>;
}) => Promise<Published>;

/** Attempt fields for a broker, which returns no HTTP status and cannot be paused. */
const NO_ANSWER = { resumedRanMs: Number.NEGATIVE_INFINITY, status: undefined, retryAfter: undefined } as const;

type Parts = {
  repositories: TablesOf<'callbacks'>;
  reads: TablesOf<'callbacks'>;
  writer: Writer;
  clock: Clock;
  time: Pick<RunningClock, 'ranMs' | 'forwardAt' | 'keep'>;
  ids: Pick<Ids, 'fraction'>;
  log: Log;
  receiver: Pick<ReceiverWatch, 'attempted'>;
  /** Called when a row was added or changed. */
  changed: () => void;
};

type Queue = Parts & {
  waiting: BrokerWaiting;
  /** Publishes over the current connection. Undefined while the broker is disconnected. */
  publish: PublishCallback | undefined;
  /** Fires when the next refused delivery is due. */
  alarm: Alarm;
  /** Reads one page per turn of the event loop, because most waiting callbacks may be held up by refused ones. */
  reader: Alarm;
};

/**
 * Publishes callbacks to the MQTT broker while it is connected, oldest first and one at a time per device. A refused callback delays only
 * later callbacks of the same device, so that their order is kept. Without a connection, all callbacks wait.
 */
export function createBrokerQueue(parts: Parts) {
  const { clock, reads, changed } = parts;
  const waiting = nothingWaiting();
  const queue: Queue = {
    ...parts,
    waiting,
    publish: undefined,
    alarm: createAlarm(clock, () => resume(queue)),
    reader: createAlarm(clock, () => readOn(queue)),
  };

  return {
    /** Accepts a row that was just committed. */
    offer(row: OutboxRow, device: string): void {
      changed();
      if (queue.publish !== undefined && takeNew(waiting, row, device)) fill(queue);
    },
    /** Starts publishing over a new connection. */
    connected(by: PublishCallback): void {
      queue.publish = by;
      startOver(waiting);
      fill(queue);
    },
    disconnected(): void {
      queue.publish = undefined;
      giveUpAll(waiting);
    },
    /** Publishes deliveries that were made due again. */
    replayed(ids: readonly number[]): void {
      if (ids.length === 0) return;
      startOver(waiting);
      fill(queue);
    },
    /**
     * Returns the number of devices, and of callbacks without a device, that are waiting because the broker refused their oldest callback.
     */
    refusedCount: (): number => waiting.refused.size,
    /** Sends all waiting callbacks now, including refused ones. Returns the number of waiting callbacks. */
    sendWaiting(): number {
      startOver(waiting);
      fill(queue);
      return reads.outbox.of('mqtt').countPending();
    },
    idle: (): boolean => waiting.inFlight.size === 0 && waiting.unrecorded.size === 0,
    stop(): void {
      queue.publish = undefined;
      queue.alarm.stop();
      queue.reader.stop();
    },
  };
}

export type BrokerQueue = ReturnType<typeof createBrokerQueue>;

/** Publishes up to MAX_IN_FLIGHT callbacks. */
function fill(queue: Queue): void {
  const { reads, waiting } = queue;
  trying(queue, () => {
    while (waiting.inFlight.size < MAX_IN_FLIGHT) {
      const next = queue.publish === undefined ? undefined : takeNext(waiting);
      if (queue.publish === undefined || next === undefined) break;
      const row = next.row ?? reads.outbox.find(next.id);
      if (row === undefined || row.next_attempt_at === null) release(waiting, next.line);
      else if (isDamaged(row)) drop(queue, row, next.line);
      else send(queue, queue.publish, row, next.line);
    }
    if (queue.publish !== undefined && waiting.page.length === 0 && !waiting.isAtEnd) queue.reader.within(0);
  });
}

function readOn(queue: Queue): void {
  const { reads, waiting, publish } = queue;
  if (publish === undefined || waiting.page.length > 0 || waiting.isAtEnd) return;
  trying(queue, () => {
    takePage(waiting, reads.outbox.of('mqtt').listWaiting(waiting.after, PAGE));
    fill(queue);
  });
}

function trying({ log, waiting, alarm }: Queue, run: () => void): void {
  try {
    run();
  } catch (error) {
    log.error({ err: error }, 'could not read the callbacks for the broker; will retry');
    rewind(waiting, 0);
    alarm.within(STORAGE_RETRY_MS);
  }
}

function send(queue: Queue, by: PublishCallback, row: OutboxRow, line: string): void {
  const { waiting, receiver } = queue;
  waiting.inFlight.add(row.id);
  waiting.busy.add(line);
  void by(callbackOf(row)).then((published) => {
    // If the connection has changed, the new one sends the callback again.
    if (by !== queue.publish) return;
    waiting.inFlight.delete(row.id);
    waiting.busy.delete(line);
    if (published === 'lost') return;
    waiting.unrecorded.add(row.id);
    const { url, error } = published;
    receiver.attempted({ error, status: null });
    if (error !== null) refuse(waiting, line, row.id, Number.POSITIVE_INFINITY);
    record(queue, row, line, (tx) => recordAttempt(queue, tx, row, { ...NO_ANSWER, error, url }));
    fill(queue);
  });
}

function drop(queue: Queue, row: OutboxRow, line: string): void {
  queue.waiting.unrecorded.add(row.id);
  record(queue, row, line, () => {
    endDamaged(queue, row);
    return null;
  });
}

/** Records the result of an attempt. `write` returns when the next attempt is due, in forward time, or null if there is none. */
function record(queue: Queue, row: OutboxRow, line: string, write: (tx: Transaction) => number | null): void {
  const { waiting, changed, alarm, time } = queue;
  recordSoon(queue, row.id, write, (nextAttemptAt) => {
    waiting.unrecorded.delete(row.id);
    changed();
    if (nextAttemptAt !== null) {
      refuse(waiting, line, row.id, nextAttemptAt);
      alarm.within(nextAttemptAt - time.forwardAt());
    } else if (release(waiting, line)) fill(queue);
  });
}

/** Retries the refused deliveries that are due. */
function resume(queue: Queue): void {
  const { waiting, time, alarm } = queue;
  const now = time.forwardAt();
  const nextAt = takeDue(waiting, now);
  if (Number.isFinite(nextAt)) alarm.within(nextAt - now);
  fill(queue);
}

function callbackOf(row: OutboxRow): Parameters<PublishCallback>[0] {
  const { family, payload } = row;
  const id = webhookId(row);
  const userProperties = { 'webhook-id': id, ...eventHeaders(row) };
  return { family, payload: messageOf({ id, payload, event: row }), userProperties };
}

/** Writes with a later commit, then calls `recorded` with the forward time of the next attempt, or with null if there is none. */
function recordSoon(
  { writer, clock, time, log }: { writer: Writer; clock: Clock; time: Pick<RunningClock, 'forwardAt'>; log: Log },
  delivery: number,
  write: (tx: Transaction) => number | null,
  recorded: (nextAttemptAt: number | null) => void,
): void {
  writer
    .writeSoon((tx) => {
      const nextAttemptAt = write(tx);
      tx.afterCommit(() => recorded(nextAttemptAt));
    })
    .catch((failure: unknown) => {
      log.error({ err: failure, delivery }, 'could not record a delivery to the broker');
      // The delivery is still due, so it is sent again after this delay.
      clock.setTimer(STORAGE_RETRY_MS, () => recorded(time.forwardAt()));
    });
}
