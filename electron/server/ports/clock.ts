/** A running timer. Canceling twice, or after it fired, does nothing. */
export type Timer = { cancel(): void };

/** Wall time for rows, and monotonic time for radio replies. */
export type Clock = {
  /** Milliseconds since 1970 UTC. May jump either way. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /** Calls `run` once after `delayMs` of monotonic time. A timer does not keep the process alive. */
  setTimer(delayMs: number, run: () => void): Timer;
  /** Notifies when the machine goes to sleep and wakes up, if the shell can detect it. Returns a function that unsubscribes. */
  onSleep(listener: (moment: SleepMoment) => void): () => void;
};

export type SleepMoment = 'suspend' | 'resume';
