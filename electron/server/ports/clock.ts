/** A running timer. Canceling twice, or after it fired, does nothing. */
export type Timer = { cancel(): void };

/** Wall-clock time for stored times, and monotonic time for durations and timers. */
export type Clock = {
  /** Milliseconds since 1970 UTC. Can jump in either direction. */
  now(): number;
  /** Milliseconds since an arbitrary moment. Never decreases. */
  monotonic(): number;
  /** Calls `run` once after `delayMs` of monotonic time. A timer does not keep the process alive. */
  setTimer(delayMs: number, run: () => void): Timer;
  /**
   * Calls `listener` when the machine goes to sleep and when it wakes up, if the shell can detect that. Returns a function that
   * unsubscribes.
   */
  onSleep(listener: (moment: SleepMoment) => void): () => void;
};

export type SleepMoment = 'suspend' | 'resume';
