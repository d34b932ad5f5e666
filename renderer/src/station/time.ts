import { useSyncExternalStore } from 'react';
import { shopClock } from '../words/shopClock.ts';
import { useStationContext } from './context.ts';

/**
 * Returns a text that depends on the station's time in epoch milliseconds. Calls `make` four times per second, and
 * rerenders only when the text changes.
 */
export function useTimed(make: (stationNow: number) => string): string {
  const { ticker, store } = useStationContext();
  return useSyncExternalStore(ticker.subscribe, () => make(Date.now() - store.getState().clockSkewMs));
}

/** Returns when the current day began in the shop, in epoch milliseconds. Rerenders when the day changes. */
export function useDayStart(): number {
  return Number(useTimed((now) => String(shopClock().startOfDay(now))));
}

/** Formats the time left, such as `0:52`, `1:04:00` or `3 d`. The result is never negative. */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} d`;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Formats elapsed time, such as `3 s`, `12 min`, `5 h` or `2 d`. */
export function formatAgo(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
