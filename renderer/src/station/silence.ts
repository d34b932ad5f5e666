export type TimePorts = {
  now(): number;
  /** Calls `run` after `delayMs`; answers what cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
};

/** The station sends a comment every 15 s: after this long without one, the connection is lost. */
export const SILENCE_MS = 40_000;

/** How often to check a limit: timers stop while a laptop sleeps, the wall clock does not. */
const LOOK_EVERY_MS = 5_000;

/** Calls `tooLong` when nothing was heard for longer than it was allowed, the time that the machine slept included. */
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

  /** Something was heard: from now on `limitMs` of silence are too long. */
  heard(limitMs: number): void {
    this.#heardAt = this.#ports.now();
    this.#lookedAt = this.#heardAt;
    this.#leftMs = limitMs;
    if (this.#cancel === undefined) this.#wait();
  }

  /** Looks now, as after a sleep. */
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

  /** `leastMs` passed even where the wall clock was set back. */
  #pass(leastMs: number): void {
    this.end();
    const now = this.#ports.now();
    this.#leftMs -= Math.max(leastMs, now - this.#lookedAt);
    this.#lookedAt = now;
    if (this.#leftMs > 0) this.#wait();
    else this.#tooLong(this.#heardAt);
  }
}
