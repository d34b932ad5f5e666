import type { Clock } from '../../ports.ts';

/** Interval at which the watch runs. Every interval, the event loop has delivered everything that had arrived before the interval. */
const TICK_MS = 10;
/** Delays up to this do not count. */
const SLACK_MS = 20;
/** How long to watch after an event. The rules for presses compare times that are at most this far apart. */
const WATCH_MS = 300;

/**
 * Measures how late the event loop delivers data. A program that was busy for a moment gets everything that arrived meanwhile at once, and
 * the data itself has no time of arrival. Watches only for a moment after `watch`, because an idle station should not wake up.
 */
export function createLoopWatch(clock: Pick<Clock, 'monotonic' | 'setTimer'>) {
  let isWatching = false;
  let watchedMs = 0;
  let lastMs = 0;
  /** The tick before the last. What is delivered now has arrived after it. */
  let beforeMs = 0;

  function tick(): void {
    beforeMs = lastMs;
    lastMs = clock.monotonic();
    isWatching = lastMs - watchedMs < WATCH_MS || lastMs - beforeMs > TICK_MS + SLACK_MS;
    if (isWatching) clock.setTimer(TICK_MS, tick);
  }

  return {
    /** Watches for the next moment. Call when data was delivered whose distance to the next data matters. */
    watch(): void {
      watchedMs = clock.monotonic();
      if (isWatching) return;
      isWatching = true;
      lastMs = beforeMs = watchedMs;
      clock.setTimer(TICK_MS, tick);
    },
    /** Returns for how many milliseconds the data that is delivered now can have waited; 0 if the loop was not noticeably late. */
    waitedMs(): number {
      const waitedMs = isWatching ? clock.monotonic() - beforeMs : 0;
      return waitedMs > 2 * TICK_MS + SLACK_MS ? waitedMs : 0;
    },
  };
}
