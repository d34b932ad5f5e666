import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Device } from '#shared/api/device.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { deniedWords, type Right } from '#shared/api/rights.ts';
import type { CanvasBoxes } from '../shop/screen/canvasBoxes.ts';
import type { Api } from './calls/api.ts';
import type { ConcernCounts } from './conditions.ts';
import type { PersonalOutbox } from './outbox/startOutbox.ts';
import type { Queries } from './queries.ts';
import type { WindowSession } from './session.ts';
import type { StationState, StationStore } from './live/store.ts';
import type { Ticker } from './ticker.ts';

/** Services that all parts of the page share. */
export type StationContext = {
  store: StationStore;
  api: Api;
  session: WindowSession;
  ticker: Ticker;
  boxes: CanvasBoxes;
  queries: Queries;
  outbox: PersonalOutbox;
};

const Context = createContext<StationContext | null>(null);

export const StationProvider = Context.Provider;

export function useStationContext(): StationContext {
  const context = use(Context);
  if (context === null) throw new Error('A part of the window was drawn outside its StationProvider.');
  return context;
}

/** Returns the selected part of the store. The component rerenders when that part changes. */
export function useStationState<T>(select: (state: StationState) => T): T {
  return useStore(useStationContext().store, select);
}

/** Whether the signed-in person currently has this right. */
export function useRight(right: Right): boolean {
  return useStationState(({ station }) => station?.user.rights.includes(right) ?? false);
}

/** Returns the kiosk that this browser is, or null if it is not a kiosk or this is not known yet. */
export function useKiosk(): { id: string; name: string } | null {
  return useStationState(({ kiosk }) => kiosk?.kiosk ?? null);
}

/** Returns whether this person sees only the Pick page. At a kiosk, this is the case for everybody except admins. */
export function useIsLocked(): boolean {
  return useStationState(
    ({ kiosk, station }) =>
      station !== null && (kiosk?.kiosk ?? null) !== null && !station.user.rights.includes('manage_people'),
  );
}

/**
 * Returns a function that explains, in a sentence, why this person lacks a right. The function returns undefined if
 * the person has the right, or if rights are not loaded yet.
 */
export function useDenials(): (right: Right) => string | undefined {
  const rights = useStationState(({ station }) => station?.user.rights);
  const scope = useStationState(({ station }) => station?.user.scope);
  return useCallback(
    (right) =>
      rights === undefined || scope === undefined || rights.includes(right) ? undefined : deniedWords(right, scope),
    [rights, scope],
  );
}

/** Returns one device. The component rerenders only when that device changes. */
export function useDevice(deviceid: string): Device | undefined {
  const { store } = useStationContext();
  const watch = useCallback((changed: () => void) => store.watchDevice(deviceid, changed), [store, deviceid]);
  return useSyncExternalStore(watch, () => {
    const { station } = store.getState();
    return station === null ? undefined : findDevice(station.devices, deviceid);
  });
}

/** Returns the current figures above the map. */
export function useCounts(): ConcernCounts {
  const { store } = useStationContext();
  return useSyncExternalStore(store.subscribe, store.counts);
}

export function useLowBattery(deviceid: string): boolean {
  return useStationState(({ lowBatteries }) => lowBatteries.has(deviceid));
}
