import { createAlarm } from '../../alarm.ts';
import type { OutboxRow } from '../../db/repositories/outbox.ts';
import { webhookId } from '../../db/repositories/outbox.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { CallbackFamily } from '#shared/api/settings.ts';
import { eventHeaders, messageOf } from '../../domain/callbackRequest.ts';
import type { Clock, Ids, Log } from '../../ports.ts';
import type { StationClock } from '../base/index.ts';
import { endDamaged, isDamaged, recordAttempt } from './recordAttempt.ts';
import type { ReceiverWatch } from './receiverWatch.ts';

/** Published at once, each of another device. */
const MAX_IN_FLIGHT = 64;
/** Waiting deliveries held in memory. */
const PAGE = 512;
/** Wait after a disk error. */
const STORAGE_RETRY_MS = 5_000;

/** How the broker answered. `lost`: the connection ended first. Otherwise `error` says why it refused; null: it took the message. */
export type Published = { url: string; error: string | null } | 'lost';
/** Publishes a callback over a connection. Never rejects. */
export type PublishCallback = (callback: {
  family: CallbackFamily;
  payload: string;
  userProperties: Readonly<Record<string, string>>;
}) => Promise<Published>;

/** A broker answers without a status, and is never paused. */
const NO_ANSWER = { resumedRanMs: Number.NEGATIVE_INFINITY, status: undefined, retryAfter: undefined } as const;

type Waiting = { id: number; line: string; row?: OutboxRow };

/**
 * Callbacks for the MQTT broker, while it is connected: oldest first, one at a time per device, so that the order holds even if
 * the broker refuses one. A refused callback holds up its own device only. Without a connection they wait, however long.
 */
export function createBrokerQueue(parts: {
  repositories: Pick<Repositories, 'outbox'>;
  reads: Pick<Repositories, 'outbox'>;
  writer: Writer;
  clock: Clock;
  time: Pick<StationClock, 'ranMs' | 'forwardAt' | 'keep'>;
  ids: Pick<Ids, 'fraction'>;
  log: Log;
  receiver: Pick<ReceiverWatch, 'heard'>;
  /** Call when a row was added or changed. */
  changed: () => void;
}) {
  const { reads, writer, clock, time, log, receiver, changed } = parts;
  let publish: PublishCallback | undefined;
  /** Refused deliveries that are due, the next one last. */
  let retries: Waiting[] = [];
  /** Read and not published yet, oldest first. */
  let page: Waiting[] = [];
  /** The next page begins behind this one. */
  let after = 0;
  /** No delivery waits behind `page`. */
  let isAtEnd = false;
  /** Published and not answered, by id, and their lines. */
  const inFlight = new Set<number>();
  const busy = new Set<string>();
  /** Answered, and waiting for the disk to record it. */
  const unrecorded = new Set<number>();
  /** Devices of which a delivery was refused: that delivery, when it is due, forward time, and the oldest that is held up with it. */
  const refused = new Map<string, { id: number; dueAt: number; oldest: number }>();
  const alarm = createAlarm(clock, resume);
  /** One page in each turn: most of what waits may be behind refused deliveries. */
  const reader = createAlarm(clock, readOn);

  /** Starts over with the oldest. */
  function rewind(to: number): void {
    // What was read and waits on the page is read again.
    after = Math.min(after, to, (page[0]?.id ?? Infinity) - 1);
    page = [];
    isAtEnd = false;
  }

  function readPage(): void {
    const rows = reads.outbox.of('mqtt').listWaiting(after, PAGE);
    after = rows.at(-1)?.id ?? after;
    isAtEnd = rows.length < PAGE;
    const waiting = rows.map(({ id, device }) => ({ id, line: lineOf(id, device) }));
    page = withoutHeldUp(waiting.filter(({ id }) => !inFlight.has(id) && !unrecorded.has(id)));
  }

  /** Leaves out what waits for a refused one, and notes from where it is to be read again once that is over. */
  function withoutHeldUp(waiting: readonly Waiting[]): Waiting[] {
    return waiting.filter(({ id, line }) => {
      const held = refused.get(line);
      if (held !== undefined) held.oldest = Math.min(held.oldest, id);
      return held === undefined;
    });
  }

  function refuse(line: string, id: number, dueAt: number): void {
    // A replayed one may be older than the one that was refused.
    refused.set(line, { id, dueAt, oldest: Math.min(id, refused.get(line)?.oldest ?? id) });
  }

  /** The oldest of a device that has none unanswered. */
  function takeNext(): Waiting | undefined {
    const due = retries.pop();
    if (due !== undefined) return due;
    const at = page.findIndex(({ line }) => !busy.has(line));
    return at < 0 ? undefined : page.splice(at, 1)[0];
  }

  function fill(): void {
    trying(() => {
      while (inFlight.size < MAX_IN_FLIGHT) {
        const next = publish === undefined ? undefined : takeNext();
        if (publish === undefined || next === undefined) break;
        const row = next.row ?? reads.outbox.find(next.id);
        if (row === undefined || row.next_attempt_at === null) release(next.line);
        else if (isDamaged(row)) drop(row, next.line);
        else send(publish, row, next.line);
      }
      if (publish !== undefined && page.length === 0 && !isAtEnd) reader.within(0);
    });
  }

  function readOn(): void {
    if (publish === undefined || page.length > 0 || isAtEnd) return;
    trying(() => {
      readPage();
      fill();
    });
  }

  function trying(run: () => void): void {
    try {
      run();
    } catch (error) {
      log.error({ err: error }, 'the callbacks for the broker could not be read and are looked for again');
      rewind(0);
      alarm.within(STORAGE_RETRY_MS);
    }
  }

  function send(by: PublishCallback, row: OutboxRow, line: string): void {
    inFlight.add(row.id);
    busy.add(line);
    const { family, payload } = row;
    const id = webhookId(row);
    const userProperties = { 'webhook-id': id, ...eventHeaders(row) };
    void by({ family, payload: messageOf({ id, payload, event: row }), userProperties }).then((published) => {
      // Meanwhile another connection sends it again.
      if (by !== publish) return;
      inFlight.delete(row.id);
      busy.delete(line);
      if (published === 'lost') return;
      answered(row, line, published);
      fill();
    });
  }

  function answered(row: OutboxRow, line: string, { url, error }: Exclude<Published, 'lost'>): void {
    unrecorded.add(row.id);
    receiver.heard({ error, status: null });
    if (error !== null) {
      refuse(line, row.id, Number.POSITIVE_INFINITY);
      page = withoutHeldUp(page);
    }
    recordSoon(row, line, (tx) => recordAttempt(parts, tx, row, { ...NO_ANSWER, error, url }));
  }

  function drop(row: OutboxRow, line: string): void {
    unrecorded.add(row.id);
    recordSoon(row, line, () => {
      endDamaged(parts, row);
      return null;
    });
  }

  /** `write`: returns when the next attempt is due, forward time; null: never. */
  function recordSoon(row: OutboxRow, line: string, write: (tx: Transaction) => number | null): void {
    writer
      .writeSoon((tx) => {
        const nextAttemptAt = write(tx);
        tx.afterCommit(() => recorded(row.id, line, nextAttemptAt));
      })
      .catch((failure: unknown) => {
        log.error({ err: failure, delivery: row.id }, 'a delivery to the broker could not be recorded');
        // It is still due, and sent again once the disk may work again.
        clock.setTimer(STORAGE_RETRY_MS, () => recorded(row.id, line, time.forwardAt()));
      });
  }

  /** `nextAttemptAt`: null if the delivery is over. */
  function recorded(id: number, line: string, nextAttemptAt: number | null): void {
    unrecorded.delete(id);
    changed();
    if (nextAttemptAt !== null) {
      refuse(line, id, nextAttemptAt);
      return alarm.within(nextAttemptAt - time.forwardAt());
    }
    if (release(line)) fill();
  }

  /** What a refused one held up may leave. Returns whether there was one. */
  function release(line: string): boolean {
    const held = refused.get(line);
    if (held === undefined) return false;
    refused.delete(line);
    rewind(held.oldest - 1);
    return true;
  }

  /** Tries the refused deliveries that are due. What waits behind one is only looked for once it is over. */
  function resume(): void {
    const now = time.forwardAt();
    let nextAt = Number.POSITIVE_INFINITY;
    const due: Waiting[] = [];
    for (const [line, { id, dueAt }] of refused) {
      if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
      else if (!busy.has(line) && !unrecorded.has(id)) due.push({ id, line });
    }
    retries = due.toReversed();
    if (Number.isFinite(nextAt)) alarm.within(nextAt - now);
    fill();
  }

  /** Everything that waits is tried again, oldest first. */
  function startOver(): void {
    for (const [line, { dueAt }] of refused) if (Number.isFinite(dueAt)) refused.delete(line);
    retries = [];
    rewind(0);
    fill();
  }

  return {
    /** Takes a row that was just committed. */
    offer(row: OutboxRow, device: string): void {
      changed();
      if (publish === undefined || !isAtEnd || refused.has(lineOf(row.id, device))) return;
      after = row.id;
      if (page.length < PAGE) page.push({ id: row.id, line: lineOf(row.id, device), row });
      else rewind((page[0]?.id ?? row.id) - 1);
      fill();
    },
    /** A connection is ready. */
    connected(by: PublishCallback): void {
      publish = by;
      startOver();
    },
    /** Whatever is under way waits for the next connection. */
    disconnected(): void {
      publish = undefined;
      inFlight.clear();
      busy.clear();
      rewind(0);
    },
    /** These are due again. */
    replayed(ids: readonly number[]): void {
      if (ids.length > 0) startOver();
    },
    /** Number of devices and orders whose oldest callback was refused. */
    refusedCount: (): number => refused.size,
    /** Tries the refused ones too. Returns how much waits. */
    sendWaiting(): number {
      startOver();
      return reads.outbox.of('mqtt').countPending();
    },
    idle: (): boolean => inFlight.size === 0 && unrecorded.size === 0,
    stop(): void {
      publish = undefined;
      alarm.stop();
      reader.stop();
    },
  };
}

export type BrokerQueue = ReturnType<typeof createBrokerQueue>;

/** What has to leave in order: the callbacks of one device. Others stand alone. */
function lineOf(id: number, device: string): string {
  return device === '' ? `#${id}` : device;
}
