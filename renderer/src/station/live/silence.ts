export type TimePorts = {
  now(): number;
  /** Calls `run` after `delayMs`. Returns a function that cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
};

/** The station sends a comment every 15 s. After this long without one, the connection counts as lost. */
export const SILENCE_MS = 40_000;

/**
 * Interval between checks of the limit. A single timer is not enough: timers stop while a laptop sleeps, but the wall
 * clock does not.
 */
const LOOK_EVERY_MS = 5_000;

/** Calls `tooLong` if nothing was heard for longer than the limit, including the time while the machine slept. */
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

  /** Call when something was heard. From now on, silence of `limitMs` is too long. */
  restart(limitMs: number): void {
    this.#heardAt = this.#ports.now();
    this.#lookedAt = this.#heardAt;
    this.#leftMs = limitMs;
    if (this.#cancel === undefined) this.#wait();
  }

  /** Checks now, for example after sleep. */
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

  /** Counts the elapsed time: at least `leastMs`, even if the wall clock was set back. */
  #pass(leastMs: number): void {
    this.end();
    const now = this.#ports.now();
    this.#leftMs -= Math.max(leastMs, now - this.#lookedAt);
    this.#lookedAt = now;
    if (this.#leftMs > 0) this.#wait();
    else this.#tooLong(this.#heardAt);
  }
}
