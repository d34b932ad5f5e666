import { compareNames } from '#shared/lib/text/locale.ts';
import { type FleetAlert, type FleetStation, publishedInfoSchema } from '#shared/api/fleet.ts';
import { MAX_NAME_CHARACTERS } from '#shared/api/device.ts';
import { isStationId } from '#shared/api/mqtt.ts';
import type { Clock } from '../ports.ts';
import { newestAlerts } from './fleetAlerts.ts';
import { stationEntry, unreadableInfo } from './fleetEntry.ts';
import {
  type FleetLimits,
  instanceOf,
  parse,
  type KnownFleet,
  readDevice,
  readOrder,
  type Watched,
} from './fleetState.ts';
import { decodeLevel, isCommandLevel, PROTOCOL } from './topics.ts';
import { isObject } from './isObject.ts';

const LIMITS: FleetLimits = { stations: 2_000, states: 200_000 };
/** Maximum length of a message to parse, because parsing blocks the event loop. */
const MAX_TEXT = 1024 * 1024;
/** Maximum length of an encoded device id or order number in a topic. */
const MAX_LEVEL = 9_000;
/** Maximum number of unreadable topics to remember per station. */
const MAX_UNREADABLE = 10;
/**
 * How long a station has to restore its `info`, in milliseconds. Stations restore it at most once a minute. Then the `info` of the other
 * instance counts.
 */
const CLAIM_MS = 2 * 60_000;
/** Text that replaces a message that is too long. It is not valid JSON, so the message counts as unreadable. */
const TOO_LONG = '?';

const UNKNOWN = {
  availability: 'unknown',
  since: null,
  heardAt: null,
  info: undefined,
  instances: [],
  claim: undefined,
  protocol: null,
  problem: null,
  refusal: null,
  askedMs: undefined,
  isHeardAgain: true,
  counts: undefined,
} as const;

/** Message about a station. `isLive` is false for a retained message, and true for one that was just published. */
type FleetMessage = { topic: string; text: string; isLive: boolean };

/** Creates the picture of the fleet: keeps in memory, within limits, what the retained topics below a prefix say about stations. */
export function createFleetPicture(parts: {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  prefix: string;
  own: string;
  limits?: FleetLimits;
}) {
  const { clock, prefix, own, limits = LIMITS } = parts;
  const stations = new Map<string, Watched>();
  const picture: KnownFleet = { clock, prefix, own, limits, stations, states: 0, isFull: false };
  return {
    take: (message: FleetMessage) => take(picture, message),
    begin: () => begin(picture),
    removeNotHeard: () => removeNotHeard(picture),
    isReadable: (id: string): boolean => stations.get(id)?.info !== undefined,
    find: (id: string): Readonly<Watched> | undefined => stations.get(id),
    asked: (id: string) => asked(picture, id),
    /** Call when the broker has refused the subscription to a station's devices and orders. */
    refused(id: string, problem: string): void {
      const station = stations.get(id);
      if (station !== undefined) station.refusal = problem;
    },
    watched: (): Iterable<Watched> => settled(picture),
    /** Returns all stations, sorted by id. */
    listStations: (): FleetStation[] =>
      settled(picture)
        .toSorted((one, other) => compareNames(one.id, other.id))
        .map((station) => stationEntry(picture, station)),
    listAlerts: (): FleetAlert[] => newestAlerts(settled(picture)),
  };
}

export type FleetPicture = ReturnType<typeof createFleetPicture>;

/** Applies a message. Returns the id of the station in the topic, or undefined if the message was ignored. */
function take(picture: KnownFleet, { topic, text: received, isLive }: FleetMessage): string | undefined {
  const { clock, prefix, stations } = picture;
  if (!topic.startsWith(`${prefix}/`)) return undefined;
  const [id = '', noun = '', level, ...more] = topic.slice(prefix.length + 1).split('/');
  const isState = (noun === 'devices' || noun === 'orders') && level !== undefined && more.length === 0;
  const isOwnTopic = (noun === 'info' || noun === 'availability') && level === undefined;
  if (!isState && !isOwnTopic) return undefined;
  if (!isStationId(id) || (isState && level.length > MAX_LEVEL)) return undefined;
  // Only a non-empty `info` or `availability` adds a station.
  if ((isState || received === '') && !stations.has(id)) return undefined;
  const station = ensureStation(picture, id);
  if (station === undefined) return undefined;
  const text = received.length > MAX_TEXT ? TOO_LONG : received;
  station.isHeardAgain = true;
  if (isLive) station.heardAt = clock.now();
  if (isState) takeState(picture, station, noun, level, text);
  else if (noun === 'availability') takeAvailability(picture, station, text, isLive);
  else if (isLive && isForeign(station, text)) claim(picture, station, text);
  else takeInfo(picture, station, text);
  const isGone = text === '' && isOwnTopic && station.availability === 'unknown' && station.info === undefined;
  if (isGone) remove(picture, station);
  return id;
}

/** Call before connecting. The broker then sends the retained messages of all stations again. */
function begin(picture: KnownFleet): void {
  picture.isFull = false;
  for (const station of picture.stations.values()) station.isHeardAgain = false;
}

/** Removes the stations without a retained message. Call when the broker has sent all of them. */
function removeNotHeard(picture: KnownFleet): void {
  for (const station of picture.stations.values()) if (!station.isHeardAgain) remove(picture, station);
}

/** Forgets a station's devices and orders. Call before subscribing to them, because the broker then sends all of them. */
function asked(picture: KnownFleet, id: string): void {
  const station = picture.stations.get(id);
  if (station === undefined) return;
  forgetStates(picture, station);
  station.refusal = null;
  station.askedMs = picture.clock.monotonic();
}

/** Finds or adds a station. Returns undefined if there are already too many stations. */
function ensureStation(picture: KnownFleet, id: string): Watched | undefined {
  const { stations, limits } = picture;
  const known = stations.get(id);
  if (known !== undefined) return known;
  if (stations.size >= limits.stations) {
    picture.isFull = true;
    return undefined;
  }
  const added: Watched = { id, ...UNKNOWN, unreadable: new Set(), devices: new Map(), orders: new Map() };
  stations.set(id, added);
  return added;
}

function takeAvailability({ clock }: KnownFleet, station: Watched, text: string, isLive: boolean): void {
  const availability = text === 'online' || text === 'offline' ? text : 'unknown';
  // A retained message does not say when the station connected or left, so the time is unknown.
  if (isLive) station.since = clock.now();
  else if (availability !== station.availability) station.since = null;
  station.availability = availability;
}

/** Whether another instance wrote this `info` while the station was online. A station that restarts is offline in between. */
function isForeign({ availability, instances }: Watched, text: string): boolean {
  const isKnown = (instances[0] ?? '') !== '';
  return availability === 'online' && isKnown && !instances.includes(instanceOf(parse(text)));
}

/** Holds the `info` of another instance, so that the station has time to restore its own. */
function claim({ clock }: KnownFleet, station: Watched, text: string): void {
  const instance = instanceOf(parse(text));
  const isSame = station.claim?.instance === instance;
  station.claim = { instance, text, sinceMs: (isSame ? station.claim?.sinceMs : undefined) ?? clock.monotonic() };
}

/** Returns all stations. Accepts the `info` of other instances that the stations have not replaced in time. */
function settled(picture: KnownFleet): Watched[] {
  const all = [...picture.stations.values()];
  for (const station of all) {
    if (station.claim !== undefined && picture.clock.monotonic() - station.claim.sinceMs > CLAIM_MS)
      takeInfo(picture, station, station.claim.text);
  }
  return all;
}

function takeInfo(picture: KnownFleet, station: Watched, text: string): void {
  const info = parse(text);
  const protocol = isObject(info) && Number.isSafeInteger(info['protocol']) ? Number(info['protocol']) : null;
  const read = protocol === PROTOCOL ? publishedInfoSchema.safeParse(info).data : undefined;
  const instance = instanceOf(info);
  // Keep the previous instance too, because the station may still restore its topic.
  station.instances = station.instances.includes(instance) ? [instance] : [instance, ...station.instances.slice(0, 1)];
  station.claim = undefined;
  station.protocol = protocol;
  station.info = read;
  station.counts = undefined;
  if (read !== undefined) station.problem = null;
  else {
    forgetStates(picture, station);
    station.problem = unreadableInfo(protocol);
  }
}

function takeState(
  picture: KnownFleet,
  station: Watched,
  noun: 'devices' | 'orders',
  level: string,
  text: string,
): void {
  const id = decodeLevel(level);
  if (id === undefined || id.length > MAX_NAME_CHARACTERS || isCommandLevel(level)) return;
  const isRead =
    noun === 'devices'
      ? put(picture, station.devices, id, text, (state) => readDevice(id, state))
      : put(picture, station.orders, id, text, readOrder);
  const topic = `${noun}/${level}`;
  if (isRead) station.unreadable.delete(topic);
  else if (station.unreadable.size < MAX_UNREADABLE) station.unreadable.add(topic);
  station.counts = undefined;
}

/** Replaces the state of a device or order. An empty or unreadable text removes the state. Returns false if the text is unreadable. */
function put<T>(
  picture: KnownFleet,
  kept: Map<string, T>,
  id: string,
  text: string,
  read: (text: string) => T | undefined,
): boolean {
  const state = text === '' ? undefined : read(text);
  picture.states -= kept.has(id) ? 1 : 0;
  kept.delete(id);
  if (state === undefined) return text === '';
  if (picture.states >= picture.limits.states) {
    picture.isFull = true;
    return true;
  }
  kept.set(id, state);
  picture.states += 1;
  return true;
}

function remove(picture: KnownFleet, station: Watched): void {
  forgetStates(picture, station);
  picture.stations.delete(station.id);
}

function forgetStates(picture: KnownFleet, station: Watched): void {
  picture.states -= station.devices.size + station.orders.size;
  station.devices.clear();
  station.orders.clear();
  station.unreadable.clear();
  station.counts = undefined;
  station.askedMs = undefined;
}
