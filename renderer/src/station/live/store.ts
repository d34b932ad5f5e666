import { createStore, type StoreApi } from 'zustand/vanilla';
import { applyEphemera, applyFacts } from '#shared/api/reducer.ts';
import type { Alert } from '#shared/api/alert.ts';
import type { Device } from '#shared/api/device.ts';
import type { KioskScreen } from '#shared/api/kiosk.ts';
import type { Fact, Station } from '#shared/api/station.ts';
import type { Snapshot } from '../calls/api.ts';
import { createCounter, type ConcernCounts } from '../conditions.ts';
import { setShopZone } from '../../words/shopClock.ts';
import { changesBetween } from '../deviceChanges.ts';
import type { StreamNews } from './followed.ts';
import { createPacedWatchers, type NextFrame } from './pacedWatchers.ts';
import { listPlaces, updatePlaces, type NamedDevice } from '../places.ts';
import { keepSame } from './sameParts.ts';
import type { StreamMessage } from './stream.ts';

export type Connection = { kind: 'connecting' } | { kind: 'live' } | { kind: 'lost'; sinceAt: number };

export type StationState = {
  /** The last known state of the station, or null before the first snapshot. */
  station: Station | null;
  /** All devices in natural order of their names. The array changes only when a name or the set of devices changes. */
  places: readonly NamedDevice[];
  /** DeviceIDs with an open low-battery alert. The set changes only with alerts. */
  lowBatteries: ReadonlySet<string>;
  connection: Connection;
  /** `unknown` until the station has answered once. */
  session: 'unknown' | 'signedIn' | 'signedOut';
  /** Tells whether this browser is a kiosk, and who can sign in there. Undefined until the station has answered. */
  kiosk: KioskScreen | undefined;
  /** Number of milliseconds by which this machine's clock is ahead of the station's. */
  clockSkewMs: number;
  /** Whether the station has a different version than this page. */
  outdated: boolean;
  /** The last press of an idle device, with its time according to the station's clock, or undefined if there is none yet. */
  pressed: Pressed | undefined;
  /** Number of loaded snapshots. After each snapshot, queries are read again. */
  snapshots: number;
  /** The facts and other changes of the latest update from the stream. */
  told: readonly StreamNews[];
};

export type Pressed = { deviceid: string; at: string };

export type StationStore = StoreApi<StationState> & {
  /** Calls `changed` whenever this device is changed, added or removed. Returns a function that stops watching. */
  watchDevice(deviceid: string, changed: () => void): () => void;
  /** Returns the figures above the map. Returns the same object until one of the figures changes. */
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

/** Creates the page's copy of the station's state. With `nextFrame`, changes to many devices are spread over several frames. */
export function createStationStore(initial: Partial<StationState> = {}, nextFrame?: NextFrame): StationStore {
  if (initial.station) setShopZone(initial.station.time_zone);
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
    watchers.notify(changesBetween(devicesOf(before.station), devicesOf(station)).map(({ deviceid }) => deviceid));
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
  // Before the state, because texts that are drawn again use the zone.
  setShopZone(station.time_zone);
  store.setState({
    station: next,
    clockSkewMs,
    places: placesAfter(before, next),
    lowBatteries: lowBatteriesAfter(before, next),
    session: 'signedIn',
    snapshots: before.snapshots + 1,
  });
}

/** Applies all messages in one update of the store. Skips facts that the snapshot already contains. */
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

/** Returns the facts that are newer than the station's state in the store. */
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

/** Clears the station's state after a sign-out. */
export function forgetStation(store: StationStore): void {
  const { kiosk, outdated, snapshots } = store.getState();
  store.setState({ ...EMPTY, kiosk, outdated, snapshots: snapshots + 1, session: 'signedOut' });
}

/** Returns the DeviceIDs that have a low-battery alert. */
function lowBatteriesOf(alerts: readonly Alert[]): ReadonlySet<string> {
  return new Set(alerts.filter(({ kind }) => kind === 'battery_low').flatMap(({ deviceid }) => deviceid ?? []));
}
