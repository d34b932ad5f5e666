import { useSyncExternalStore } from 'react';
import { useStationContext } from './context.ts';
import type { NextFrame } from './pacedWatchers.ts';

/**
 * A text made of the station's time in epoch milliseconds; drawn again only when the text becomes another. `make` is called
 * four times a second.
 */
export function useTimed(make: (stationNow: number) => string): string {
  const { ticker, store } = useStationContext();
  return useSyncExternalStore(ticker.subscribe, () => make(Date.now() - store.getState().clockSkewMs));
}

/** Time left as a person reads it at a glance: `0:52`, `1:04:00`, `3 d`. Never negative. */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} d`;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** How long ago, coarsely: `3 s`, `12 min`, `5 h`, `2 d`. */
export function formatAgo(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** A clock that ticks only while somebody watches. */
export type Ticker = {
  /** Calls `tick` now and then; answers what ends it. */
  subscribe(tick: () => void): () => void;
};

/** So many watchers hear of a tick within one frame, where there are frames. */
const WATCHERS_PER_FRAME = 400;

/** Ticks every `periodMs` milliseconds, one timer for all who watch; with `nextFrame`, many hear of it over several frames. */
export function createTicker(periodMs: number, nextFrame?: NextFrame): Ticker {
  const watchers = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let due: (() => void)[] = [];

  function goOn(): void {
    const now = nextFrame === undefined ? due : due.slice(0, WATCHERS_PER_FRAME);
    due = due.slice(now.length);
    for (const watcher of now) if (watchers.has(watcher)) watcher();
    if (due.length > 0) nextFrame?.(goOn);
  }

  return {
    subscribe(tick) {
      watchers.add(tick);
      timer ??= setInterval(() => {
        if (due.length > 0) return;
        due = [...watchers];
        goOn();
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
