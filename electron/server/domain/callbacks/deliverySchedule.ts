const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays between attempts; the last delay repeats. Contract, section 9. */
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

/** An undelivered callback fails permanently once the station has run for this long. Long enough for a weekend. */
export const GIVE_UP_AFTER_MS = 72 * HOUR;

/** Upper limit for the receiver's `Retry-After`. */
const MAX_RETRY_AFTER_MS = 4 * HOUR;

/** Maximum jitter, as a fraction of the delay. Keeps deliveries from hitting a recovered receiver all at once. */
const JITTER = 0.1;

export type DeliveryOutcome = { kind: 'delivered' } | { kind: 'retry'; waitMs: number } | { kind: 'dead' };

/**
 * Decides what to do after a delivery attempt.
 * - `attempts` counts the scheduled attempts, including this one unless it was early.
 * - `dueInMs` is the time until the scheduled attempt. It is above 0 for an early attempt, which does not change the schedule.
 * - `now` is wall time, for a `retryAfter` date.
 * - `ranMs` is how long the station has run since the creation of the delivery.
 * - `fraction` is uniform in [0, 1).
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
  // Make the last attempt at the end of the period rather than up to four hours earlier.
  const step = attempts > RETRY_DELAYS_MS.length ? Math.min(jittered, Math.max(leftMs, RETRY_DELAYS_MS[0])) : jittered;
  return { kind: 'retry', waitMs: Math.max(step, askedMs) };
}

/** Whether the status means that the receiver has accepted the callback. Only 2xx does. */
export function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Returns the delay in milliseconds that a `Retry-After` header requests, in seconds or as an HTTP date; 0 if missing or invalid. */
export function askedWaitMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS) : 0;
}
