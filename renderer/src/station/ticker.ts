/** A clock that ticks only while somebody watches. */
export type Ticker = {
  /** Calls `tick` now and then; answers what ends it. */
  subscribe(tick: () => void): () => void;
};

/** Ticks every `periodMs` milliseconds, one timer for all who watch. */
export function createTicker(periodMs: number): Ticker {
  const watchers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    subscribe(tick) {
      watchers.add(tick);
      timer ??= setInterval(() => {
        for (const watcher of watchers) watcher();
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
