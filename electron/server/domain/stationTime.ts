/**
 * Two times that a wrong wall clock cannot harm, for deliveries that retry for days. docs/decisions/0006
 * Immutable; each reading of the clocks makes the next one.
 */
export type StationTime = {
  /** How long stations have run on this data folder, in milliseconds. At most the truth. */
  ranMs: number;
  /** Forward time is the wall clock, but it never goes back: so many milliseconds ahead of the monotonic clock. */
  leadMs: number;
  /** Monotonic time of the reading. */
  readMs: number;
  /** Wall time minus monotonic time, as jumps are measured. */
  offsetMs: number;
};

/** What is on disk of it. `savedAt`: wall time, epoch milliseconds. */
export type SavedTime = { ranMs: number; forwardAt: number; savedAt: number };

export type ClockReading = { wallAt: number; monotonicMs: number };

/** The clocks are read at least every minute. After a longer gap the machine slept: the station did not run. */
export const MAX_GAP_MS = 120_000;
/** A smaller step of the wall clock is drift, not a jump. */
const JUMP_MS = 1_000;

/** `saved`: by the station that ran before. `notBefore`: where nothing is saved, forward time begins no earlier. */
export function resume(saved: SavedTime | undefined, now: ClockReading, notBefore: number): StationTime {
  const { wallAt, monotonicMs } = now;
  const clocks = { readMs: monotonicMs, offsetMs: wallAt - monotonicMs };
  if (saved === undefined) return { ranMs: 0, leadMs: Math.max(wallAt, notBefore) - monotonicMs, ...clocks };
  const { ranMs, forwardAt, savedAt } = saved;
  return { ranMs, leadMs: forwardAt + Math.max(0, wallAt - savedAt) - monotonicMs, ...clocks };
}

/** Forward time at the reading, epoch milliseconds. */
export function forwardAt({ leadMs, readMs }: StationTime): number {
  return leadMs + readMs;
}

export function advance(time: StationTime, { wallAt, monotonicMs }: ClockReading): StationTime {
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

/** What a moment of forward time is called by the wall clock. */
export function toWall({ leadMs, offsetMs }: StationTime, at: number): number {
  const aheadMs = leadMs - offsetMs;
  return Math.abs(aheadMs) < JUMP_MS ? at : Math.round(at - aheadMs);
}
