import { createStore, type StoreApi } from 'zustand/vanilla';
import { applyEphemera, applyFacts } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import type { Snapshot } from './api.ts';
import { listPlaces, type Place } from './places.ts';
import type { StreamMessage } from './stream.ts';

type Connection = { kind: 'connecting' } | { kind: 'live' } | { kind: 'lost'; sinceAt: number };

export type StationState = {
  /** As last heard; null before the first snapshot. */
  station: Station | null;
  /** Every device by its name, in the order a person expects. It changes only with names and devices. */
  places: readonly Place[];
  connection: Connection;
  /** `unknown` until the station has answered for the first time. */
  session: 'unknown' | 'signedIn' | 'signedOut';
  /** How far this machine's clock is ahead of the station's. */
  clockSkewMs: number;
};

export type StationStore = StoreApi<StationState>;

const EMPTY: StationState = {
  station: null,
  places: [],
  connection: { kind: 'connecting' },
  session: 'unknown',
  clockSkewMs: 0,
};

/** The window's copy of the station. Tiles subscribe to their own device. */
export function createStationStore(initial: Partial<StationState> = {}): StationStore {
  return createStore<StationState>()(() => ({
    ...EMPTY,
    ...initial,
    places: listPlaces(initial.station?.devices ?? []),
  }));
}

/** Starts anew from a snapshot. */
export function takeSnapshot(store: StationStore, { station, clockSkewMs }: Snapshot): void {
  store.setState({ station, clockSkewMs, places: listPlaces(station.devices), session: 'signedIn' });
}

/** Applies what the stream said, in one step however much it was. Facts that the station already contains do nothing. */
export function applyMessages(store: StationStore, messages: readonly StreamMessage[]): void {
  const { station, places } = store.getState();
  if (station === null) return;
  const next = messages.reduce(applyMessage, station);
  if (next === station) return;
  store.setState({ station: next, places: listPlaces(next.devices, { places, devices: station.devices }) });
}

function applyMessage(station: Station, message: StreamMessage): Station {
  if (message.kind === 'facts') return applyFacts(station, message.facts, message.revision);
  if (message.kind === 'ephemera') return applyEphemera(station, message.ephemera);
  return station;
}

/** Forgets the station: somebody signed out. */
export function forgetStation(store: StationStore): void {
  store.setState({ ...EMPTY, session: 'signedOut' });
}
