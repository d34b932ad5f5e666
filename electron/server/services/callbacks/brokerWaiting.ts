import type { OutboxRow } from '../../db/repositories/outboxRow.ts';

/** Waiting deliveries held in memory. */
export const PAGE = 512;

/** A waiting delivery. `line`: deliveries of one line leave in order, one at a time. */
export type Waiting = { id: number; line: string; row?: OutboxRow };

/** The state of a line whose delivery was refused: that delivery, its forward due time, and the oldest delivery behind it. */
type Refused = { id: number; dueAt: number; oldest: number };

/** Deliveries that wait for the broker, and the position of the next page. Only the functions of this file change it. */
export type BrokerWaiting = {
  /** Refused deliveries that are due, next one last. */
  retries: Waiting[];
  /** Deliveries that were read and not published yet, oldest first. */
  page: Waiting[];
  /** Id after which the next page begins. */
  after: number;
  /** Whether no delivery waits behind `page`. */
  isAtEnd: boolean;
  /** Ids of published deliveries without an answer, and their lines. */
  inFlight: Set<number>;
  busy: Set<string>;
  /** Answered deliveries whose result is not on disk yet. */
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

/** Returns the line of a callback: its device, or a separate line without a device. */
export function lineOf(id: number, device: string): string {
  return device === '' ? `#${id}` : device;
}

/** Reads the deliveries after `to` again. */
export function rewind(waiting: BrokerWaiting, to: number): void {
  // Drop the page that was read ahead; its rows are read again.
  waiting.after = Math.min(waiting.after, to, (waiting.page[0]?.id ?? Infinity) - 1);
  waiting.page = [];
  waiting.isAtEnd = false;
}

/** Reads everything again from the oldest, and retries refused deliveries. */
export function startOver(waiting: BrokerWaiting): void {
  // Skip those with an infinite time: their result is being recorded.
  for (const [line, { dueAt }] of waiting.refused) if (Number.isFinite(dueAt)) waiting.refused.delete(line);
  waiting.retries = [];
  rewind(waiting, 0);
}

/** Call after the connection has ended: published deliveries without an answer wait for the next connection. */
export function giveUpAll(waiting: BrokerWaiting): void {
  waiting.inFlight.clear();
  waiting.busy.clear();
  rewind(waiting, 0);
}

/** Adds the rows that follow `after`. */
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

/** Adds a row that was just committed. False: it has to wait until it is read. */
export function takeNew(waiting: BrokerWaiting, row: OutboxRow, device: string): boolean {
  const { id } = row;
  const line = lineOf(id, device);
  if (!waiting.isAtEnd || waiting.refused.has(line)) return false;
  waiting.after = id;
  if (waiting.page.length < PAGE) waiting.page.push({ id, line, row });
  else rewind(waiting, (waiting.page[0]?.id ?? id) - 1);
  return true;
}

/** Takes a due retry, or else the oldest delivery of a line that has none in flight. */
export function takeNext(waiting: BrokerWaiting): Waiting | undefined {
  const due = waiting.retries.pop();
  if (due !== undefined) return due;
  const at = waiting.page.findIndex(({ line }) => !waiting.busy.has(line));
  return at < 0 ? undefined : waiting.page.splice(at, 1)[0];
}

/** Call when the broker refused a delivery: its line waits until `dueAt`, in forward time. */
export function refuse(waiting: BrokerWaiting, line: string, id: number, dueAt: number): void {
  // A replayed delivery may be older than the refused one.
  waiting.refused.set(line, { id, dueAt, oldest: Math.min(id, waiting.refused.get(line)?.oldest ?? id) });
  waiting.page = withoutHeldUp(waiting, waiting.page);
}

/** Ends the refusal of a line, so that deliveries behind it can leave. False: the line had none. */
export function release(waiting: BrokerWaiting, line: string): boolean {
  const held = waiting.refused.get(line);
  if (held === undefined) return false;
  waiting.refused.delete(line);
  rewind(waiting, held.oldest - 1);
  return true;
}

/**
 * Takes refused deliveries that are due at `now`, forward time, and returns when the next one is due. Deliveries behind a refused one are
 * read only once that one has ended.
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

/** Drops deliveries behind a refused one, and remembers from where to read them again. */
function withoutHeldUp(waiting: BrokerWaiting, among: readonly Waiting[]): Waiting[] {
  return among.filter(({ id, line }) => {
    const held = waiting.refused.get(line);
    if (held !== undefined) held.oldest = Math.min(held.oldest, id);
    return held === undefined;
  });
}
