import { createContext, use } from 'react';
import { useStore } from 'zustand';
import { findDevice } from '#shared/api/reducer.ts';
import type { Device } from '#shared/api/device.ts';
import type { CanvasBoxes } from '../screen/canvasBoxes.ts';
import type { Api } from './api.ts';
import type { Session } from './session.ts';
import type { StationState, StationStore } from './store.ts';
import type { Ticker } from './ticker.ts';

/** What the parts of the window work with. */
export type StationContext = {
  store: StationStore;
  api: Api;
  session: Session;
  ticker: Ticker;
  boxes: CanvasBoxes;
};

const Context = createContext<StationContext | null>(null);

export const StationProvider = Context.Provider;

export function useStationContext(): StationContext {
  const context = use(Context);
  if (context === null) throw new Error('A part of the window was drawn outside its StationProvider.');
  return context;
}

/** A part of the store; the component draws again when that part changes. */
export function useStationState<T>(select: (state: StationState) => T): T {
  return useStore(useStationContext().store, select);
}

/** One device, as last heard. */
export function useDevice(deviceid: string): Device | undefined {
  return useStationState(({ station }) => (station === null ? undefined : findDevice(station.devices, deviceid)));
}
