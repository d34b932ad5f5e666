const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays between attempts; the last one repeats. Contract, section 9. */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
] as const;

/** A delivery fails for good once the station has run this long since its creation: a weekend. */
export const GIVE_UP_AFTER_MS = 72 * HOUR;

/** Upper limit for the receiver's `Retry-After`. */
const MAX_RETRY_AFTER_MS = 4 * HOUR;

/** Adds up to a tenth to each delay, so that deliveries do not hit a recovered receiver all at once. */
const JITTER = 0.1;

export type DeliveryOutcome = { kind: 'delivered' } | { kind: 'retry'; waitMs: number } | { kind: 'dead' };

/**
 * Decides what follows an attempt. `dueInMs`: time until the scheduled attempt; above 0 for an early one, which leaves the schedule
 * unchanged. `attempts`: scheduled attempts so far, including this one unless it was early. `ranMs`: how long the station has run since
 * the creation; `now`: wall time, for a `retryAfter` date; `fraction` is uniform in [0, 1).
 */
export function afterAttempt(attempt: {
  status: number | undefined;
  attempts: number;
  dueInMs: number;
  now: number;
  ranMs: number;
  retryAfter: string | undefined;
  fraction: number;
}): DeliveryOutcome {
  const { status, attempts, now } = attempt;
  if (status !== undefined && isTaken(status)) return { kind: 'delivered' };
  const askedMs = askedWaitMs(attempt.retryAfter, now);
  if (attempt.dueInMs > 0) return { kind: 'retry', waitMs: Math.max(attempt.dueInMs, askedMs) };
  const leftMs = GIVE_UP_AFTER_MS - attempt.ranMs;
  if (leftMs <= 0 && attempts > RETRY_DELAYS_MS.length) return { kind: 'dead' };
  const delay = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1] ?? RETRY_DELAYS_MS[0];
  const jittered = Math.round(delay * (1 + JITTER * attempt.fraction));
  // The last attempt is made at the end of the period, not up to four hours before.
  const step = attempts > RETRY_DELAYS_MS.length ? Math.min(jittered, Math.max(leftMs, RETRY_DELAYS_MS[0])) : jittered;
  return { kind: 'retry', waitMs: Math.max(step, askedMs) };
}

/** Only 2xx means that the receiver has taken the callback. */
export function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Delay that a `Retry-After` header requests, as seconds or HTTP date, in milliseconds; 0 if missing or invalid. */
export function askedWaitMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : 0;
}
