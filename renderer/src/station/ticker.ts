import type { NextFrame } from './live/pacedWatchers.ts';

/** A clock that ticks only while there are subscribers. */
export type Ticker = {
  /** Calls `tick` once per period. Returns a function that unsubscribes. */
  subscribe(tick: () => void): () => void;
};

/** Maximum number of subscribers that are called per frame, if `nextFrame` is used. */
const WATCHERS_PER_FRAME = 400;

/**
 * Creates a clock that ticks every `periodMs` milliseconds, with one timer for all subscribers. With `nextFrame`, the
 * calls of many subscribers are spread over several frames.
 */
export function createTicker(periodMs: number, nextFrame?: NextFrame): Ticker {
  const watchers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let due: (() => void)[] = [];

  function schedule(): void {
    const now = nextFrame === undefined ? due : due.slice(0, WATCHERS_PER_FRAME);
    due = due.slice(now.length);
    for (const watcher of now) if (watchers.has(watcher)) watcher();
    if (due.length > 0) nextFrame?.(schedule);
  }

  return {
    subscribe(tick) {
      watchers.add(tick);
      timer ??= setInterval(() => {
        if (due.length > 0) return;
        due = [...watchers];
        schedule();
      }, periodMs);
      return () => {
        watchers.delete(tick);
        if (watchers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
