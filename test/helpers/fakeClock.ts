import type { Clock, SleepMoment } from '../../electron/server/ports.ts';

export type FakeClock = Clock & {
  /**
   * Advances the wall and monotonic clocks together, timer by timer. Waits until all registered probes are idle before
   * the first timer, after each timer and at the end. `advance(0)` only waits. Rejects if a timer throws.
   */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock forward or back, as after a sleep or a correction. Does not fire timers. */
  jump(ms: number): void;
  /** Passes time in which the program is busy and runs no timers. The next `advance` fires those that became due, late. */
  stall(ms: number): void;
  /** Reports that the machine is going to sleep or has woken up. */
  sleep(moment: SleepMoment): void;
  /** Registers a probe: a function that returns true if nothing is pending except timers. */
  whenIdle(idle: () => boolean, name?: string): void;
  /** Returns the number of pending timers. */
  timerCount(): number;
};

type Pending = { dueMs: number; run: () => void; cancelled: boolean };

/**
 * Number of consecutive event loop turns in which all probes must be idle, because work that starts in one turn may become visible only in
 * a later one.
 */
const QUIET_TURNS = 3;
/**
 * Number of turns after which waiting lets other processes run, because work that takes more turns runs in another process or in the
 * operating system.
 */
const TURNS_AT_ONCE = 200;
/** Real time after which waiting fails, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Creates a clock that moves only when advanced, starting at `startMs` (epoch milliseconds). Timers due at the same time fire in the order
 * of creation.
 */
export function createFakeClock(startMs: number): FakeClock {
  let wallMs = startMs;
  let monotonicMs = 0;
  let advancing = false;
  const timers: Pending[] = [];
  const sleepers = new Set<(moment: SleepMoment) => void>();
  const probes: { idle: () => boolean; name: string }[] = [];

  function insert(timer: Pending): void {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((timers[middle]?.dueMs ?? 0) <= timer.dueMs) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
  }

  function passTo(dueMs: number): void {
    wallMs += dueMs - monotonicMs;
    monotonicMs = dueMs;
  }

  async function settle(): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (let quiet = 0, turns = 0; quiet < QUIET_TURNS; turns += 1) {
      const isLong = turns >= TURNS_AT_ONCE;
      await new Promise((resolve) => (isLong ? setTimeout(resolve, 1) : setImmediate(resolve)));
      const busy = probes.find((probe) => !probe.idle());
      quiet = busy === undefined ? quiet + 1 : 0;
      if (busy !== undefined && performance.now() > giveUpAt) {
        throw new Error(`The fake clock waited ${PATIENCE_MS / 1_000} s, but "${busy.name}" did not become idle`);
      }
    }
  }

  return {
    now: () => wallMs,
    monotonic: () => monotonicMs,
    setTimer(delayMs, run) {
      const timer: Pending = { dueMs: monotonicMs + Math.max(0, delayMs), run, cancelled: false };
      insert(timer);
      return {
        cancel() {
          timer.cancelled = true;
          const at = timers.indexOf(timer);
          if (at !== -1) timers.splice(at, 1);
        },
      };
    },
    onSleep(listener) {
      sleepers.add(listener);
      return () => sleepers.delete(listener);
    },
    sleep(moment) {
      for (const listener of sleepers) listener(moment);
    },
    async advance(ms) {
      if (advancing) throw new Error('The fake clock is being advanced already: await the first advance');
      advancing = true;
      try {
        const targetMs = monotonicMs + ms;
        await settle();
        while (monotonicMs < targetMs || (timers[0]?.dueMs ?? Infinity) <= targetMs) {
          const next = (timers[0]?.dueMs ?? Infinity) <= targetMs ? timers.shift() : undefined;
          passTo(Math.max(monotonicMs, next?.dueMs ?? targetMs));
          if (next?.cancelled === false) next.run();
          await settle();
        }
      } finally {
        advancing = false;
      }
    },
    jump(ms) {
      wallMs += ms;
    },
    stall(ms) {
      passTo(monotonicMs + ms);
    },
    whenIdle(idle, name = 'a probe') {
      probes.push({ idle, name });
    },
    timerCount: () => timers.length,
  };
}
