export type TimePorts = {
  now(): number;
  /** Calls `run` after `delayMs`. Returns a function that cancels the call. */
  setTimer(delayMs: number, run: () => void): () => void;
};

/** Time in milliseconds without a message after which the connection counts as lost. The station sends a comment every 15 s. */
export const SILENCE_MS = 40_000;

/**
 * Interval in milliseconds between checks of the limit. A single timer is not enough, because timers stop while a
 * laptop sleeps, but the wall clock does not.
 */
const LOOK_EVERY_MS = 5_000;

/** Calls `tooLong` if nothing was received for longer than the limit, including time in which the machine slept. */
export class Silence {
  readonly #ports: TimePorts;
  readonly #tooLong: (lastHeardAt: number) => void;
  #heardAt = 0;
  #leftMs = 0;
  #lookedAt = 0;
  #cancel: (() => void) | undefined;

  constructor(ports: TimePorts, tooLong: (lastHeardAt: number) => void) {
    this.#ports = ports;
    this.#tooLong = tooLong;
  }

  /** Must be called whenever something was received. From now on, silence of `limitMs` is too long. */
  restart(limitMs: number): void {
    this.#heardAt = this.#ports.now();
    this.#lookedAt = this.#heardAt;
    this.#leftMs = limitMs;
    if (this.#cancel === undefined) this.#wait();
  }

  /** Checks the limit now, for example after sleep. */
  look(): void {
    if (this.#cancel !== undefined) this.#pass(0);
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(): void {
    const waitMs = Math.min(LOOK_EVERY_MS, this.#leftMs);
    this.#cancel = this.#ports.setTimer(waitMs, () => this.#pass(this.#ports.now() < this.#lookedAt ? waitMs : 0));
  }

  /** Counts the elapsed time. At least `leastMs` are counted, in case the wall clock was set back. */
  #pass(leastMs: number): void {
    this.end();
    const now = this.#ports.now();
    this.#leftMs -= Math.max(leastMs, now - this.#lookedAt);
    this.#lookedAt = now;
    if (this.#leftMs > 0) this.#wait();
    else this.#tooLong(this.#heardAt);
  }
}
