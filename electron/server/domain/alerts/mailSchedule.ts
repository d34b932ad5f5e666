const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Maximum number of e-mails per hour. At this limit, one e-mail reports everything that has accumulated. */
export const MAILS_AN_HOUR = 12;

/**
 * Delays after the first, second and later consecutive failures; the last delay repeats. Greylisting servers accept an e-mail only after
 * some minutes.
 */
const RETRY_WAITS_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;

/** Returns the milliseconds until the next attempt, after this many consecutive failures. */
export function mailRetryMs(failures: number): number {
  return RETRY_WAITS_MS[Math.min(failures, RETRY_WAITS_MS.length) - 1] ?? 0;
}

/** Returns the milliseconds until the next e-mail may be sent. `sentAt` lists when previous e-mails were sent, oldest first. */
export function mailWaitMs(sentAt: readonly number[], now: number): number {
  const oldest = sentOfHour(sentAt, now).at(-MAILS_AN_HOUR);
  return oldest === undefined ? 0 : oldest + HOUR - now;
}

/** Keeps the times within the last hour. Drops times in the future, which come from a wrong clock. */
export function sentOfHour(sentAt: readonly number[], now: number): number[] {
  return sentAt.filter((at) => at <= now && now - at < HOUR);
}
