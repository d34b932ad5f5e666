import { useState, useSyncExternalStore } from 'react';
import type { Device } from '#shared/api/device.ts';
import { useStationContext } from '../../station/context.ts';
import type { StationStore } from '../../station/store.ts';
import type { Ticker } from '../../station/ticker.ts';

/** A long table that is sorted anew at each word of a thousand devices is neither read nor scrolled. */
const CALM_MS = 1_000;
const NONE: readonly Device[] = [];

/** Every device, renewed at most once a second: at once after a while of quiet. A single row follows its device by itself. */
export function useThrottledDevices(): readonly Device[] {
  const { store, ticker } = useStationContext();
  const [calm] = useState(() => throttledDevices(store, ticker, () => Date.now()));
  return useSyncExternalStore(calm.subscribe, calm.get);
}

/** `now`: epoch milliseconds; `ticker` calls a few times a second, and what waits is taken then. */
export function throttledDevices(store: StationStore, ticker: Pick<Ticker, 'subscribe'>, now: () => number) {
  const newest = () => store.getState().station?.devices ?? NONE;
  let taken = newest();
  let takenAt = Number.NEGATIVE_INFINITY;

  /** Whether there is something new and it is time for it. */
  function take(): boolean {
    const devices = newest();
    if (devices === taken) return false;
    // Who came or went is no figure that runs.
    const isDue = devices.length !== taken.length || Math.abs(now() - takenAt) >= CALM_MS;
    if (!isDue) return false;
    taken = devices;
    takenAt = now();
    return true;
  }

  return {
    get: () => taken,
    subscribe(changed: () => void): () => void {
      const look = () => {
        if (take()) changed();
      };
      take();
      const ends = [store.subscribe(look), ticker.subscribe(look)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
