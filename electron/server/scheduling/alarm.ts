import type { Clock, Timer } from '../ports.ts';

/**
 * Longest delay of a timer, because longer delays would overflow. The owner checks the time whenever the alarm runs, because the wall clock
 * may have changed in the meantime.
 */
const MAX_MS = 3_600_000;

/** Creates an alarm that calls `run`. `lateMs` is how long after the planned time the alarm runs, for example because the machine slept. */
export function createAlarm(clock: Clock, run: (lateMs: number) => void) {
  let timer: Timer | undefined;
  let dueMs = 0;
  let isStopped = false;

  function ring(): void {
    timer = undefined;
    run(clock.monotonic() - dueMs);
  }

  function set(delayMs: number): void {
    if (isStopped) return;
    cancel();
    dueMs = clock.monotonic() + delayMs;
    if (delayMs < Number.POSITIVE_INFINITY) timer = clock.setTimer(delayMs, ring);
  }

  function cancel(): void {
    timer?.cancel();
    timer = undefined;
  }

  return {
    /** Sets the alarm to `ms` from now, replacing an earlier time. With `Infinity`, the alarm never runs. */
    in: (ms: number): void => set(clamped(ms)),
    /** Sets the alarm to `ms` from now, unless it is already set to an earlier time. */
    within(ms: number): void {
      const delayMs = clamped(ms);
      if (timer === undefined || clock.monotonic() + delayMs < dueMs) set(delayMs);
    },
    isSet: (): boolean => timer !== undefined,
    cancel,
    /** Cancels the alarm. Later calls have no effect. */
    stop(): void {
      isStopped = true;
      cancel();
    },
  };
}

/** A timer that its owner sets repeatedly. */
export type Alarm = ReturnType<typeof createAlarm>;

function clamped(ms: number): number {
  return ms === Number.POSITIVE_INFINITY ? ms : Math.min(Math.max(ms, 0), MAX_MS);
}
