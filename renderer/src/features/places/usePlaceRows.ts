import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Device } from '#shared/api/device.ts';
import { useSlotsServed } from '../../shop/device/slotsServed.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import type { StationStore } from '../../station/live/store.ts';
import type { Ticker } from '../../station/ticker.ts';
import { useDarkPlaces } from '../../station/useDarkPlaces.ts';
import { type AnyPlaceRow, listPlaceRows, listStandings } from './placeRows.ts';

const NO_ALIASES: readonly never[] = [];
/** Limits until the real ones are loaded: 0 turns off the checks of battery and signal. */
const NO_LIMITS = { alert_battery_percent: 0, alert_weak_dbm: 0 };
const NO_MAP = { racks: [], places: [], zones: [] };

/** How often to read the places without a light again while the page is visible, in milliseconds. */
const DARK_EVERY_MS = 15_000;

/**
 * Returns a row for each device and, unless `areWaitingShown` is false, for each place that waits for one, sorted by name. Updates at most
 * once per second.
 */
export function usePlaceRows({ areWaitingShown = true } = {}): readonly AnyPlaceRow[] {
  const devices = useThrottledDevices();
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const limits = useStationState(({ station }) => station?.limits ?? NO_LIMITS);
  const slots = useSlotsServed();
  const dark = useDarkPlaces({ everyMs: DARK_EVERY_MS, isOn: areWaitingShown });
  const standings = useMemo(
    () => listStandings({ places, aliases, map, dark, slots }),
    [places, aliases, map, dark, slots],
  );
  return useMemo(() => listPlaceRows(standings, devices, limits), [standings, devices, limits]);
}

/**
 * Minimum time between updates in milliseconds. A table that is sorted again at each report from a thousand devices
 * would be unreadable.
 */
const CALM_MS = 1_000;
const NONE: readonly Device[] = [];

/**
 * Returns all devices, updated at most once per second. The first change after a quiet second applies immediately. Rows
 * follow their own device without this delay.
 */
function useThrottledDevices(): readonly Device[] {
  const { store, ticker } = useStationContext();
  const [calm] = useState(() => throttledDevices(store, ticker, () => Date.now()));
  return useSyncExternalStore(calm.subscribe, calm.get);
}

/**
 * Creates a store of devices that changes at most once per `CALM_MS`. `now` returns epoch milliseconds. `ticker` calls
 * its subscribers a few times per second, so that delayed updates are applied.
 */
function throttledDevices(store: StationStore, ticker: Pick<Ticker, 'subscribe'>, now: () => number) {
  const newest = () => store.getState().station?.devices ?? NONE;
  let taken = newest();
  let takenAt = Number.NEGATIVE_INFINITY;

  /** Applies the newest devices if an update is due. Returns whether it did. */
  function take(): boolean {
    const devices = newest();
    if (devices === taken) return false;
    // Show an added or removed device immediately.
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
