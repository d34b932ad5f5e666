import type { Clock, Timer } from '../ports.ts';

/** Longest delay. The owner checks the time when its alarm runs: the wall clock may change meanwhile, and longer delays overflow. */
const MAX_MS = 3_600_000;

/** `lateMs`: how much later than planned it runs, such as after the machine has slept. */
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
    /** Runs in `ms` instead of at the previously set time; `Infinity`: never. */
    in: (ms: number): void => set(clamped(ms)),
    /** Runs in `ms` at the latest: an earlier time stays set. */
    within(ms: number): void {
      const delayMs = clamped(ms);
      if (timer === undefined || clock.monotonic() + delayMs < dueMs) set(delayMs);
    },
    isSet: (): boolean => timer !== undefined,
    cancel,
    /** Cancels it, and ignores later settings. */
    stop(): void {
      isStopped = true;
      cancel();
    },
  };
}

/** A timer that its owner sets again and again. */
export type Alarm = ReturnType<typeof createAlarm>;

function clamped(ms: number): number {
  return ms === Number.POSITIVE_INFINITY ? ms : Math.min(Math.max(ms, 0), MAX_MS);
}
