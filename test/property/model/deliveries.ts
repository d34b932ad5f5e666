import { isDeepStrictEqual } from 'node:util';
import type { Receiver, Received, ReceiverReply } from '../../helpers/servers/receiver.ts';
import type { DiskOutboxRow } from './disk.ts';
import { same } from './snapshot.ts';

type Attempt = {
  id: string;
  atMono: number;
  status: number;
  /** Whether the station may have missed something since the previous attempt. */ spoiled: boolean;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Waits between attempts (contract, section 9). Up to 10 % of jitter is added to each. */
const WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE, 120 * MINUTE];
const SLACK_MS = 2 * SECOND;
/** Time after the beginning of an outage in which early attempts are made. */
const PROBED_MS = 10 * MINUTE;

/** The callbacks that the receiver got, with monotonic times. */
export class ModelDeliveries {
  private readonly receiver: Receiver;
  private readonly attempts: Attempt[] = [];
  private reply: ReceiverReply = 200;
  private spoiled = new Set<string>();

  constructor(receiver: Receiver, monotonic: () => number) {
    this.receiver = receiver;
    receiver.reply((request) => {
      const id = String(request.headers['webhook-id']);
      const { reply } = this;
      const status = typeof reply === 'object' ? reply.status : reply === 'hang' ? 0 : reply;
      this.attempts.push({ id, atMono: monotonic(), status, spoiled: !this.spoiled.has(id) });
      this.spoiled.add(id);
      return reply;
    });
  }

  get url(): string {
    return this.receiver.url;
  }

  /** Sets the answer from now on. */
  answer(reply: ReceiverReply): void {
    this.reply = reply;
  }

  /**
   * Must be called if the station was stopped, had no callback address, or had its clock set forward. The waits in progress are then not
   * checked.
   */
  disturb(): void {
    this.spoiled = new Set();
  }

  /** Checks that the receiver got every callback and nothing else, each under one id, unchanged, and at the right times. */
  check(outbox: readonly DiskOutboxRow[]): void {
    const rows = new Map(outbox.map((row) => [`msg_${row.run_mark}_${row.id}`, row]));
    for (const request of this.receiver.requests) {
      const id = String(request.headers['webhook-id']);
      const row = rows.get(id);
      if (row === undefined) throw new Error(`The receiver was sent ${id}, which is in no outbox`);
      checkRequest(request, row.payload);
    }
    const attempts = Map.groupBy(this.attempts, (attempt) => attempt.id);
    for (const [id, row] of rows) {
      if (row.state !== 'delivered') throw new Error(`${id} is ${row.state}`);
      if (row.history_id === null) throw new Error(`${id} tells nothing that is in history`);
      const heard = attempts.get(id) ?? [];
      checkAttempts(id, heard, { areAll: heard.length === row.attempts, all: this.attempts });
    }
  }
}

function isTaken(status: number): boolean {
  return status >= 200 && status <= 299;
}

/**
 * Returns whether the receiver accepted a delivery between these moments, or earlier while the remaining deliveries were already waiting.
 * Three failures in a row end a recovery.
 */
function isRecovering(all: readonly Attempt[], fromMono: number, toMono: number): boolean {
  const taken = all.findLast(({ status, atMono }) => isTaken(status) && atMono <= toMono);
  if (taken === undefined || taken.atMono >= fromMono) return taken !== undefined;
  const failures = all.filter(({ atMono }) => atMono > taken.atMono && atMono < toMono);
  const isWaiting = ({ id, status, atMono }: Attempt) =>
    atMono <= taken.atMono &&
    !isTaken(status) &&
    all.every((other) => other.id !== id || other.atMono <= atMono || other.atMono >= fromMono);
  return failures.length < 3 && all.some(isWaiting);
}

/** Returns whether an attempt at this time can be an early one, because it is in the first ten minutes of an outage. */
function isProbe(all: readonly Attempt[], atMono: number): boolean {
  const taken = all.findLast(({ status, atMono: at }) => isTaken(status) && at < atMono)?.atMono ?? -Infinity;
  const failed = all.find(({ status, atMono: at }) => !isTaken(status) && at > taken && at < atMono);
  return failed !== undefined && atMono - failed.atMono <= PROBED_MS + SLACK_MS;
}

/**
 * Checks the times of one delivery's attempts. `all` contains the attempts of every delivery, because each accepted attempt brings waiting
 * deliveries forward.
 */
function checkAttempts(
  id: string,
  attempts: readonly Attempt[],
  { areAll, all }: { areAll: boolean; all: readonly Attempt[] },
): void {
  if (!attempts.some(({ status }) => isTaken(status))) {
    throw new Error(`${id} is said to be delivered, and the receiver never took it`);
  }
  // Attempts that were cut off do not count. Attempts to a different address count, but this receiver does not see them.
  let isCertain = areAll;
  for (const [index, attempt] of attempts.entries()) {
    const before = attempts[index - 1];
    if (before === undefined) continue;
    isCertain &&= !attempt.spoiled;
    if (attempt.spoiled) continue;
    if (isTaken(before.status)) throw new Error(`${id} is sent again though it was taken`);
    const waitedMs = attempt.atMono - before.atMono;
    const isPulled = isRecovering(all, before.atMono, attempt.atMono);
    if (isPulled && waitedMs >= (before.status === 503 ? RETRY_AFTER_S * SECOND : 0)) {
      isCertain = false;
      continue;
    }
    // An attempt that was cut off is repeated immediately.
    const leastMs = before.spoiled ? 0 : (before.status === 503 ? RETRY_AFTER_S : 1) * SECOND;
    // An early attempt can directly follow a scheduled one, but not another early one.
    const sinceOther = attempt.atMono - (attempts[index - 2]?.atMono ?? -Infinity);
    const isApart = waitedMs >= leastMs || (before.status !== 503 && sinceOther >= PROBE_LEAST_MS);
    if (isProbe(all, attempt.atMono) && isApart) {
      isCertain = false;
      continue;
    }
    const possible = isCertain ? [WAITS_MS[index - 1] ?? 0] : WAITS_MS;
    // Early attempts leave the schedule unchanged.
    const since = isCertain ? [before] : attempts.slice(0, index);
    const isOnTime = ({ atMono, status }: Attempt): boolean =>
      possible.some((waitMs) => isWait(attempt.atMono - atMono, waitMs, status));
    if (since.some(isOnTime)) continue;
    throw new Error(`Attempt ${index + 1} of ${id} came after ${waitedMs} ms: ${JSON.stringify(attempts)}`);
  }
}

function isWait(waitedMs: number, waitMs: number, status: number): boolean {
  const leastMs = status === 503 ? Math.max(waitMs, RETRY_AFTER_S * SECOND) : waitMs;
  return waitedMs >= leastMs && waitedMs <= Math.max(leastMs, waitMs * 1.1) + SLACK_MS;
}

/** The shortest time between two early attempts. */
const PROBE_LEAST_MS = 4 * SECOND;

/** The Retry-After value of a receiver that answers 503, in seconds. */
export const RETRY_AFTER_S = 40;

/** Returns a callback address with placeholders, one of them unknown. The station sometimes uses such an address. */
export function templateOf(url: string): string {
  return `${url}{acknack}/{nonce}/?at={location}&d={deviceid}&n={qty}&x={other}`;
}

function checkRequest(request: Received, payload: string): void {
  const { acknack, deviceid, location, nonce, qty } = JSON.parse(payload) as Record<
    string,
    string | number | undefined
  >;
  const said = (value: string | number | undefined) => encodeURIComponent(String(value ?? ''));
  const url = `/${said(acknack)}/${said(nonce)}/?at=${said(location)}&d=${said(deviceid)}&n=${said(qty)}&x=`;
  const { method, body } = request;
  if (method === 'GET') return same('A callback', request.url, url);
  if (method === 'POST' && isDeepStrictEqual(JSON.parse(body), JSON.parse(payload))) return;
  throw new Error(`The receiver was sent ${method} ${body} for ${payload}`);
}
