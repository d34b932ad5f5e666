import { createStore, type StoreApi } from 'zustand/vanilla';
import { applyEphemera, applyFacts } from '#shared/api/reducer.ts';
import type { Alert } from '#shared/api/alert.ts';
import type { Device } from '#shared/api/device.ts';
import type { KioskScreen } from '#shared/api/kiosk.ts';
import type { Fact, Station } from '#shared/api/station.ts';
import type { Snapshot } from './api.ts';
import { createCounter, type ConcernCounts } from './conditions.ts';
import { changesBetween } from './deviceChanges.ts';
import type { StreamNews } from './followed.ts';
import { createPacedWatchers, type NextFrame } from './pacedWatchers.ts';
import { listPlaces, updatePlaces, type NamedDevice } from './places.ts';
import { keepSame } from './sameParts.ts';
import type { StreamMessage } from './stream.ts';

export type Connection = { kind: 'connecting' } | { kind: 'live' } | { kind: 'lost'; sinceAt: number };

export type StationState = {
  /** As last heard; null before the first snapshot. */
  station: Station | null;
  /** Every device by its name, in the order a person expects. It changes only with names and devices. */
  places: readonly NamedDevice[];
  /** DeviceIDs with an open alert of a low battery. It changes only with alerts. */
  lowBatteries: ReadonlySet<string>;
  connection: Connection;
  /** `unknown` until the station has answered for the first time. */
  session: 'unknown' | 'signedIn' | 'signedOut';
  /** Whether this browser is a kiosk, and who signs in there; undefined until the station has said it. */
  kiosk: KioskScreen | undefined;
  /** How far this machine's clock is ahead of the station's. */
  clockSkewMs: number;
  /** The station is of another version than this page. */
  outdated: boolean;
  /** The newest press of an idle device, and when by the station's clock; undefined before the first. */
  pressed: Pressed | undefined;
  /** How many snapshots were taken: what is no part of them is asked for again after each. */
  snapshots: number;
  /** What was told last. */
  told: readonly StreamNews[];
};

export type Pressed = { deviceid: string; at: string };

export type StationStore = StoreApi<StationState> & {
  /** Calls `changed` when this device changes, comes or goes, and for no other; answers what ends it. */
  watchDevice(deviceid: string, changed: () => void): () => void;
  /** The figures above the map; the same object as long as none of them changes. */
  counts(): ConcernCounts;
};

const NO_DEVICES: readonly Device[] = [];
const NO_BATTERIES: ReadonlySet<string> = new Set();
const EMPTY: StationState = {
  station: null,
  places: [],
  lowBatteries: NO_BATTERIES,
  connection: { kind: 'connecting' },
  session: 'unknown',
  kiosk: { kiosk: null, people: [] },
  clockSkewMs: 0,
  outdated: false,
  pressed: undefined,
  snapshots: 0,
  told: [],
};

/** The window's copy of the station. With `nextFrame`, those who watch many devices hear of them over several frames. */
export function createStationStore(initial: Partial<StationState> = {}, nextFrame?: NextFrame): StationStore {
  const store = createStore<StationState>()(() => ({
    ...EMPTY,
    ...initial,
    places: listPlaces(devicesOf(initial.station ?? null)),
    lowBatteries: lowBatteriesOf(initial.station?.alerts ?? []),
  }));
  const watchers = createPacedWatchers(nextFrame);
  const count = createCounter();
  store.subscribe(({ station }, before) => {
    if (station === before.station) return;
    watchers.tell(changesBetween(devicesOf(before.station), devicesOf(station)).map(({ deviceid }) => deviceid));
  });
  return {
    ...store,
    watchDevice: watchers.watch,
    counts() {
      const { station, lowBatteries } = store.getState();
      return count(devicesOf(station), lowBatteries);
    },
  };
}

/** Replaces the state with a snapshot. Unchanged parts keep their identity. */
export function takeSnapshot(store: StationStore, { station, clockSkewMs }: Snapshot): void {
  const before = store.getState();
  const next = before.station === null ? station : keepSame(before.station, station);
  store.setState({
    station: next,
    clockSkewMs,
    places: placesAfter(before, next),
    lowBatteries: lowBatteriesAfter(before, next),
    session: 'signedIn',
    snapshots: before.snapshots + 1,
  });
}

/** Applies what the stream said, in one step however much it was. Facts that the station already contains do nothing. */
export function applyMessages(store: StationStore, messages: readonly StreamMessage[]): void {
  const before = store.getState();
  if (before.station === null) return;
  const facts = newFacts(before, messages);
  const told: readonly StreamNews[] = messages.some(tellsDeliveries) ? [...facts, { type: 'deliveries' }] : facts;
  const news = told.length === 0 ? {} : { told };
  const station = messages.reduce(applyMessage, before.station);
  if (station === before.station) {
    if (told.length > 0) store.setState(news);
    return;
  }
  store.setState({
    station,
    places: placesAfter(before, station),
    lowBatteries: lowBatteriesAfter(before, station),
    pressed: pressedAfter(before, facts),
    ...news,
  });
}

function tellsDeliveries(message: StreamMessage): boolean {
  return message.kind === 'ephemera' && message.ephemera.deliveries === true;
}

/** What was told that the station does not contain already. */
function newFacts({ station }: StationState, messages: readonly StreamMessage[]): readonly Fact[] {
  const known = station?.revision ?? 0;
  return messages.flatMap((message) => (message.kind === 'facts' && message.revision > known ? message.facts : []));
}

function pressedAfter({ pressed }: StationState, facts: readonly Fact[]): Pressed | undefined {
  const press = facts.findLast(({ type }) => type === 'device.pressed' || type === 'device.called');
  if (press?.type !== 'device.pressed' && press?.type !== 'device.called') return pressed;
  return { deviceid: press.deviceid, at: press.at };
}

function applyMessage(station: Station, message: StreamMessage): Station {
  if (message.kind === 'facts') return applyFacts(station, message.facts, message.revision);
  if (message.kind === 'ephemera') return applyEphemera(station, message.ephemera);
  return station;
}

function placesAfter(before: StationState, { devices }: Station): readonly NamedDevice[] {
  return updatePlaces(before.places, changesBetween(devicesOf(before.station), devices), devices);
}

function lowBatteriesAfter(before: StationState, { alerts }: Station): ReadonlySet<string> {
  return before.station?.alerts === alerts ? before.lowBatteries : lowBatteriesOf(alerts);
}

function devicesOf(station: Station | null): readonly Device[] {
  return station?.devices ?? NO_DEVICES;
}

/** Forgets the station: somebody signed out. */
export function forgetStation(store: StationStore): void {
  const { kiosk, outdated, snapshots } = store.getState();
  // What was asked for before answers nobody any more.
  store.setState({ ...EMPTY, kiosk, outdated, snapshots: snapshots + 1, session: 'signedOut' });
}

/** DeviceIDs of those whose battery is low. */
function lowBatteriesOf(alerts: readonly Alert[]): ReadonlySet<string> {
  return new Set(alerts.filter(({ kind }) => kind === 'battery_low').flatMap(({ deviceid }) => deviceid ?? []));
}
