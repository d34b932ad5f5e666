import type { OutboxRow } from '../../db/repositories/outbox.ts';

/** Waiting deliveries held in memory. */
export const PAGE = 512;

/** A delivery and its line: what has to leave in order, the callbacks of one device. */
export type Waiting = { id: number; line: string; row?: OutboxRow };

/** Of a line: the delivery that was refused, when it is due (forward time), and the oldest that is held up with it. */
type Refused = { id: number; dueAt: number; oldest: number };

/** What waits for the broker, and where the next page begins. Changed by the functions of this file only. */
export type BrokerWaiting = {
  /** Refused deliveries that are due, the next one last. */
  retries: Waiting[];
  /** Read and not published yet, oldest first. */
  page: Waiting[];
  /** The next page begins behind this one. */
  after: number;
  /** No delivery waits behind `page`. */
  isAtEnd: boolean;
  /** Published and not answered, by id, and their lines. */
  inFlight: Set<number>;
  busy: Set<string>;
  /** Answered, and waiting for the disk to record it. */
  unrecorded: Set<number>;
  refused: Map<string, Refused>;
};

export function nothingWaiting(): BrokerWaiting {
  return {
    retries: [],
    page: [],
    after: 0,
    isAtEnd: false,
    inFlight: new Set(),
    busy: new Set(),
    unrecorded: new Set(),
    refused: new Map(),
  };
}

/** Callbacks of one device leave in order. A callback without a device has its own line. */
export function lineOf(id: number, device: string): string {
  return device === '' ? `#${id}` : device;
}

/** What waits behind `to` is read again. */
export function rewind(waiting: BrokerWaiting, to: number): void {
  // What was read and waits on the page is read again.
  waiting.after = Math.min(waiting.after, to, (waiting.page[0]?.id ?? Infinity) - 1);
  waiting.page = [];
  waiting.isAtEnd = false;
}

/** Everything is read again from the oldest, and the refused deliveries are tried with it. */
export function startOver(waiting: BrokerWaiting): void {
  // One with an infinite time is being recorded.
  for (const [line, { dueAt }] of waiting.refused) if (Number.isFinite(dueAt)) waiting.refused.delete(line);
  waiting.retries = [];
  rewind(waiting, 0);
}

/** After the connection has ended: everything that was sent without an answer waits for the next connection. */
export function giveUpAll(waiting: BrokerWaiting): void {
  waiting.inFlight.clear();
  waiting.busy.clear();
  rewind(waiting, 0);
}

/** Takes the rows that follow `after`. */
export function takePage(waiting: BrokerWaiting, rows: readonly { id: number; device: string }[]): void {
  const { inFlight, unrecorded } = waiting;
  waiting.after = rows.at(-1)?.id ?? waiting.after;
  waiting.isAtEnd = rows.length < PAGE;
  const fresh = rows.filter(({ id }) => !inFlight.has(id) && !unrecorded.has(id));
  waiting.page = withoutHeldUp(
    waiting,
    fresh.map(({ id, device }) => ({ id, line: lineOf(id, device) })),
  );
}

/** A row that was just committed. False: it has to wait until it is read. */
export function takeNew(waiting: BrokerWaiting, row: OutboxRow, device: string): boolean {
  const { id } = row;
  const line = lineOf(id, device);
  if (!waiting.isAtEnd || waiting.refused.has(line)) return false;
  waiting.after = id;
  if (waiting.page.length < PAGE) waiting.page.push({ id, line, row });
  else rewind(waiting, (waiting.page[0]?.id ?? id) - 1);
  return true;
}

/** The oldest of a device that has none unanswered. */
export function takeNext(waiting: BrokerWaiting): Waiting | undefined {
  const due = waiting.retries.pop();
  if (due !== undefined) return due;
  const at = waiting.page.findIndex(({ line }) => !waiting.busy.has(line));
  return at < 0 ? undefined : waiting.page.splice(at, 1)[0];
}

/** The broker refused this one: its line waits until `dueAt`, forward time. */
export function refuse(waiting: BrokerWaiting, line: string, id: number, dueAt: number): void {
  // A replayed one may be older than the one that was refused.
  waiting.refused.set(line, { id, dueAt, oldest: Math.min(id, waiting.refused.get(line)?.oldest ?? id) });
  waiting.page = withoutHeldUp(waiting, waiting.page);
}

/** What a refused one held up may leave. Returns whether there was one. */
export function release(waiting: BrokerWaiting, line: string): boolean {
  const held = waiting.refused.get(line);
  if (held === undefined) return false;
  waiting.refused.delete(line);
  rewind(waiting, held.oldest - 1);
  return true;
}

/**
 * Takes the refused deliveries that are due at `now`, forward time. Returns when the next one is due. Deliveries that wait behind one are
 * only searched for once it has ended.
 */
export function takeDue(waiting: BrokerWaiting, now: number): number {
  let nextAt = Number.POSITIVE_INFINITY;
  const due: Waiting[] = [];
  for (const [line, { id, dueAt }] of waiting.refused) {
    if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
    else if (!waiting.busy.has(line) && !waiting.unrecorded.has(id)) due.push({ id, line });
  }
  waiting.retries = due.toReversed();
  return nextAt;
}

/** Leaves out deliveries that wait for a refused one, and notes where to read them again once that one has ended. */
function withoutHeldUp(waiting: BrokerWaiting, among: readonly Waiting[]): Waiting[] {
  return among.filter(({ id, line }) => {
    const held = waiting.refused.get(line);
    if (held !== undefined) held.oldest = Math.min(held.oldest, id);
    return held === undefined;
  });
}
