/**
 * Two times that a wrong wall clock cannot disturb, for deliveries that are retried for days. Immutable; each clock reading creates a new
 * object. See docs/decisions/0006.
 */
export type RunningTime = {
  /** How long stations have run on this data folder, in milliseconds. Never an overestimate. */
  ranMs: number;
  /** How far forward time is ahead of the monotonic clock, in milliseconds. Forward time is wall time that never goes backwards. */
  leadMs: number;
  /** Monotonic time of the clock reading. */
  readMs: number;
  /** Wall time minus monotonic time, for detecting jumps. */
  offsetMs: number;
};

/** The part stored on disk. `savedAt` is wall time in epoch milliseconds. */
export type SavedTime = { ranMs: number; forwardAt: number; savedAt: number };

export type ClockReading = { wallAt: number; monotonicMs: number };

/** Clocks are read at least every minute. A longer gap means that the machine was asleep, so the station did not run. */
export const MAX_GAP_MS = 120_000;
/** Smaller steps of the wall clock count as drift, not as jumps. */
const JUMP_MS = 1_000;

/** Continues from the time saved by the previous run. `notBefore` is the lower limit of forward time if nothing was saved. */
export function resume(saved: SavedTime | undefined, now: ClockReading, notBefore: number): RunningTime {
  const { wallAt, monotonicMs } = now;
  const clocks = { readMs: monotonicMs, offsetMs: wallAt - monotonicMs };
  if (saved === undefined) return { ranMs: 0, leadMs: Math.max(wallAt, notBefore) - monotonicMs, ...clocks };
  const { ranMs, forwardAt, savedAt } = saved;
  return { ranMs, leadMs: forwardAt + Math.max(0, wallAt - savedAt) - monotonicMs, ...clocks };
}

/** Returns the forward time at the clock reading, in epoch milliseconds. */
export function forwardAt({ leadMs, readMs }: RunningTime): number {
  return leadMs + readMs;
}

export function advance(time: RunningTime, { wallAt, monotonicMs }: ClockReading): RunningTime {
  const passedMs = monotonicMs - time.readMs;
  const offsetMs = wallAt - monotonicMs;
  const jumpMs = offsetMs - time.offsetMs;
  const hasJumped = Math.abs(jumpMs) >= JUMP_MS;
  return {
    ranMs: time.ranMs + (passedMs <= MAX_GAP_MS ? passedMs : 0),
    leadMs: time.leadMs + (hasJumped ? Math.max(0, jumpMs) : 0),
    readMs: monotonicMs,
    offsetMs: hasJumped ? offsetMs : time.offsetMs,
  };
}

/** Converts forward time to wall time. */
export function toWall({ leadMs, offsetMs }: RunningTime, at: number): number {
  const aheadMs = leadMs - offsetMs;
  return Math.abs(aheadMs) < JUMP_MS ? at : Math.round(at - aheadMs);
}
