import type { OutboxRow } from '../../db/repositories/outboxRow.ts';

/** Maximum number of waiting deliveries in memory. */
export const PAGE = 512;

/** A waiting delivery. Deliveries with the same `line` are sent in order, one at a time. */
export type Waiting = { id: number; line: string; row?: OutboxRow };

/**
 * State of a line whose delivery the broker refused. `id` is the id of that delivery, `dueAt` is when it is due again in forward time, and
 * `oldest` is the id of the line's oldest delivery that has to wait.
 */
type Refused = { id: number; dueAt: number; oldest: number };

/** Deliveries that wait for the broker, and the position of the next page. Only functions in this file change this state. */
export type BrokerWaiting = {
  /** Refused deliveries that are due again. The last element is sent first. */
  retries: Waiting[];
  /** Deliveries that were read from the database but not published yet, oldest first. */
  page: Waiting[];
  /** The next page begins after this id. */
  after: number;
  /** Whether `page` is the last page. */
  isAtEnd: boolean;
  /** Ids and lines of published deliveries that the broker has not answered yet. */
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

/** Returns the line of a callback: its device or, without a device, a separate line. */
export function lineOf(id: number, device: string): string {
  return device === '' ? `#${id}` : device;
}

/** Moves the read position back, so that deliveries after id `to` are read again. */
export function rewind(waiting: BrokerWaiting, to: number): void {
  // Drop the page that was read ahead, because its rows will be read again.
  waiting.after = Math.min(waiting.after, to, (waiting.page[0]?.id ?? Infinity) - 1);
  waiting.page = [];
  waiting.isAtEnd = false;
}

/** Reads everything again, starting with the oldest delivery, and retries refused deliveries. */
export function startOver(waiting: BrokerWaiting): void {
  // Skip lines with an infinite due time, because their result is still being recorded.
  for (const [line, { dueAt }] of waiting.refused) if (Number.isFinite(dueAt)) waiting.refused.delete(line);
  waiting.retries = [];
  rewind(waiting, 0);
}

/** Handles the end of the connection. Published deliveries without an answer wait for the next connection. */
export function giveUpAll(waiting: BrokerWaiting): void {
  waiting.inFlight.clear();
  waiting.busy.clear();
  rewind(waiting, 0);
}

/** Stores the next page of rows, whose ids follow `waiting.after`, and advances the read position. */
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

/** Adds a row that was just committed. Returns false if the row has to be read from the database later. */
export function takeNew(waiting: BrokerWaiting, row: OutboxRow, device: string): boolean {
  const { id } = row;
  const line = lineOf(id, device);
  if (!waiting.isAtEnd || waiting.refused.has(line)) return false;
  waiting.after = id;
  if (waiting.page.length < PAGE) waiting.page.push({ id, line, row });
  else rewind(waiting, (waiting.page[0]?.id ?? id) - 1);
  return true;
}

/** Takes a refused delivery that is due again or, if there is none, the oldest delivery whose line has no other delivery in flight. */
export function takeNext(waiting: BrokerWaiting): Waiting | undefined {
  const due = waiting.retries.pop();
  if (due !== undefined) return due;
  const at = waiting.page.findIndex(({ line }) => !waiting.busy.has(line));
  return at < 0 ? undefined : waiting.page.splice(at, 1)[0];
}

/** Handles a delivery that the broker refused. The delivery's line waits until `dueAt`, in forward time. */
export function refuse(waiting: BrokerWaiting, line: string, id: number, dueAt: number): void {
  // Keep the older id, because a replayed delivery may be older than the refused one.
  waiting.refused.set(line, { id, dueAt, oldest: Math.min(id, waiting.refused.get(line)?.oldest ?? id) });
  waiting.page = withoutHeldUp(waiting, waiting.page);
}

/** Ends the wait of a line after a refusal, so that its later deliveries can be sent. Returns false if the line had no refused delivery. */
export function release(waiting: BrokerWaiting, line: string): boolean {
  const held = waiting.refused.get(line);
  if (held === undefined) return false;
  waiting.refused.delete(line);
  rewind(waiting, held.oldest - 1);
  return true;
}

/**
 * Takes refused deliveries that are due at `now`, in forward time, and returns when the next one is due. Later deliveries of the same line
 * are read only after the refused one has ended.
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

/** Drops deliveries of lines with a refused delivery, and remembers where to read them again. */
function withoutHeldUp(waiting: BrokerWaiting, among: readonly Waiting[]): Waiting[] {
  return among.filter(({ id, line }) => {
    const held = waiting.refused.get(line);
    if (held !== undefined) held.oldest = Math.min(held.oldest, id);
    return held === undefined;
  });
}
