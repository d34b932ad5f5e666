import type { FleetAlert, FleetStation } from '#shared/api/fleet.ts';
import { tellable, toldInfoSchema } from '#shared/api/fleet.ts';
import { MAX_NAME_CHARACTERS } from '#shared/api/device.ts';
import { isStationId } from '#shared/api/mqtt.ts';
import type { Clock } from '../ports.ts';
import {
  type Counts,
  type DeviceState,
  isObject,
  type OrderEntry,
  parse,
  readDevice,
  readOrder,
  type Watched,
} from './fleetState.ts';
import { newestAlerts } from './fleetAlerts.ts';
import { decodeLevel, isCommandLevel } from './topics.ts';

/** Bounds the memory: what is beyond is not shown. `states`: devices and orders of all stations together. */
const LIMITS = { stations: 2_000, states: 200_000 };
/** Longest message that is read: reading holds everything else up. */
const MAX_TEXT = 1024 * 1024;
/** Longest id of a device or order; what is encoded takes more. */
const MAX_LEVEL = 9_000;
/** The only version of the topics that is read. */
const PROTOCOL = 1;
/** Time for the broker to deliver the state of a station, and for new devices to be told. */
const DELIVERY_MS = 10_000;

/** The stations below a prefix, as their retained topics tell. In memory, bounded. */
export function createFleetPicture(parts: {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  prefix: string;
  own: string;
  limits?: typeof LIMITS;
}) {
  const { clock, prefix, own, limits = LIMITS } = parts;
  const stations = new Map<string, Watched>();
  let states = 0;
  let isFull = false;

  function stationOf(id: string): Watched | undefined {
    const known = stations.get(id);
    if (known !== undefined) return known;
    if (stations.size >= limits.stations) {
      isFull = true;
      return undefined;
    }
    const added: Watched = { id, ...UNKNOWN, unreadable: new Set(), devices: new Map(), orders: new Map() };
    stations.set(id, added);
    return added;
  }

  function forgetStates(station: Watched): void {
    states -= station.devices.size + station.orders.size;
    station.devices.clear();
    station.orders.clear();
    station.unreadable.clear();
    station.counts = undefined;
    station.askedMs = undefined;
  }

  function remove(station: Watched): void {
    forgetStates(station);
    stations.delete(station.id);
  }

  function takeAvailability(station: Watched, text: string, isLive: boolean): void {
    const told = text === 'online' || text === 'offline' ? text : 'unknown';
    // Of a station that went away before, nobody knows when.
    if (isLive) station.since = clock.now();
    else if (told !== station.availability) station.since = null;
    station.availability = told;
  }

  function takeInfo(station: Watched, text: string): void {
    const told = parse(text);
    const protocol = isObject(told) && Number.isSafeInteger(told['protocol']) ? Number(told['protocol']) : null;
    const read = protocol === PROTOCOL ? toldInfoSchema.safeParse(told).data : undefined;
    station.protocol = protocol;
    station.info = read;
    station.counts = undefined;
    if (read !== undefined) station.problem = null;
    else {
      forgetStates(station);
      station.problem = protocol === null ? NO_STATION : otherVersion(protocol);
    }
  }

  /** Keeps a state by its id; undefined: it is gone. */
  function put<T>(kept: Map<string, T>, id: string, state: T | undefined): void {
    states -= kept.has(id) ? 1 : 0;
    kept.delete(id);
    if (state === undefined || states >= limits.states) {
      isFull ||= state !== undefined;
      return;
    }
    kept.set(id, state);
    states += 1;
  }

  function takeState(station: Watched, noun: string, level: string, text: string): void {
    const id = decodeLevel(level);
    if (id === undefined) return;
    const isDevice = noun === 'devices';
    if (id.length > MAX_NAME_CHARACTERS) return;
    if (isCommandLevel(level)) return;
    const state = text === '' ? undefined : isDevice ? readDevice(id, text) : readOrder(text);
    const topic = `${noun}/${level}`;
    if (text === '' || state !== undefined) station.unreadable.delete(topic);
    else if (station.unreadable.size < MAX_NAMED) station.unreadable.add(topic);
    if (isDevice) put(station.devices, id, state as DeviceState | undefined);
    else put(station.orders, id, state as OrderEntry | undefined);
    station.counts = undefined;
  }

  function countsOf(station: Watched): Counts {
    station.counts ??= count(station);
    return station.counts;
  }

  function problemOf(station: Watched): string | null {
    const { problem, refusal, unreadable, info, askedMs, devices } = station;
    if (problem !== null) return problem;
    if (info === undefined) return NO_INFO;
    if (refusal !== null) return refusal;
    const [first] = unreadable;
    if (first !== undefined) return `Its topic ${tellable(first)} cannot be read, and is left out.`;
    if (isFull) return full(limits);
    const isDue = askedMs !== undefined && clock.monotonic() - askedMs > DELIVERY_MS;
    if (isDue && devices.size < info.devices) return missing(devices.size, info.devices);
    return null;
  }

  return {
    /** Takes a message. Returns the id of its station. */
    take({ topic, text: told, isLive }: { topic: string; text: string; isLive: boolean }): string | undefined {
      if (!topic.startsWith(`${prefix}/`)) return undefined;
      const [id = '', noun = '', level, ...more] = topic.slice(prefix.length + 1).split('/');
      const isState = (noun === 'devices' || noun === 'orders') && level !== undefined && more.length === 0;
      const isOwnTopic = (noun === 'info' || noun === 'availability') && level === undefined;
      if (!isState && !isOwnTopic) return undefined;
      if (!isStationId(id) || (isState && level.length > MAX_LEVEL)) return undefined;
      // What is gone makes nothing known.
      if ((isState || told === '') && !stations.has(id)) return undefined;
      const station = stationOf(id);
      if (station === undefined) return undefined;
      const text = told.length > MAX_TEXT ? TOO_LONG : told;
      station.isHeardAgain = true;
      if (isLive) station.heardAt = clock.now();
      if (isState) takeState(station, noun, level, text);
      else if (noun === 'availability') takeAvailability(station, text, isLive);
      else takeInfo(station, text);
      const isGone = text === '' && isOwnTopic && station.availability === 'unknown' && station.info === undefined;
      if (isGone) remove(station);
      return id;
    },
    /** A connection begins: the broker tells again of each station that it knows. */
    begin(): void {
      isFull = false;
      for (const station of stations.values()) station.isHeardAgain = false;
    },
    /** It told of all: the others are gone. */
    toldAll(): void {
      for (const station of stations.values()) if (!station.isHeardAgain) remove(station);
    },
    isReadable: (id: string): boolean => stations.get(id)?.info !== undefined,
    find: (id: string): Readonly<Watched> | undefined => stations.get(id),
    /** Its devices and orders follow. */
    asked(id: string): void {
      const station = stations.get(id);
      if (station === undefined) return;
      forgetStates(station);
      station.refusal = null;
      station.askedMs = clock.monotonic();
    },
    refused(id: string, problem: string): void {
      const station = stations.get(id);
      if (station !== undefined) station.refusal = problem;
    },
    watched: (): Iterable<Watched> => stations.values(),
    listStations: (): FleetStation[] =>
      [...stations.values()]
        .toSorted((one, other) => names.compare(one.id, other.id))
        .map((station) => ({
          ...listed(station),
          ...countsOf(station),
          own: station.id === own,
          problem: problemOf(station),
        })),
    listAlerts: (): FleetAlert[] => newestAlerts(stations.values()),
  };
}

export type FleetPicture = ReturnType<typeof createFleetPicture>;

const names = new Intl.Collator('en', { numeric: true });
/** Topics that cannot be read, of one station. */
const MAX_NAMED = 10;

/** It cannot be read, like any other rubbish. */
const TOO_LONG = '?';

const UNKNOWN = {
  availability: 'unknown',
  since: null,
  heardAt: null,
  info: undefined,
  protocol: null,
  problem: null,
  refusal: null,
  askedMs: undefined,
  isHeardAgain: true,
  counts: undefined,
} as const;

const NO_INFO = 'Its topic info is missing. It may not be a Pickstation.';
const NO_STATION = 'Its topic info cannot be read. It may not be a Pickstation.';
const full = ({ stations, states }: typeof LIMITS): string =>
  `A fleet shows at most ${stations} stations with ${states} devices and orders. Delete old orders, or give groups of stations their own mqtt_prefix.`;
const otherVersion = (protocol: number): string =>
  `It speaks version ${protocol} of the topics, and this station reads version ${PROTOCOL}. Update the older one.`;
const missing = (known: number, all: number): string =>
  `The broker sent ${known} of its ${all} devices. At the broker, check the rights of this station and raise max_queued_messages.`;

function count({ devices, orders, info }: Watched): Counts {
  const threshold = info?.battery_percent ?? 0;
  const counts = {
    devices: { count: Math.max(devices.size, info?.devices ?? 0), lit: 0, offline: 0, batteries_low: 0 },
    orders: { open: 0, in_progress: 0, attention: 0 },
  };
  for (const { isLit, isOnline, battery } of devices.values()) {
    counts.devices.lit += Number(isLit);
    counts.devices.offline += Number(!isOnline);
    counts.devices.batteries_low += Number(threshold > 0 && battery !== null && battery <= threshold);
  }
  for (const { state, needsAttention } of orders.values()) {
    if (state === 'open' || state === 'in_progress') counts.orders[state] += 1;
    counts.orders.attention += Number(needsAttention);
  }
  return counts;
}

function listed({ id, info, protocol, availability, since, heardAt }: Watched) {
  const toldAt = info?.time ?? null;
  const heard = heardAt === null ? toldAt : new Date(heardAt).toISOString();
  return {
    station: id,
    name: info?.name ?? '',
    version: info?.version ?? '',
    url: info?.url ?? '',
    protocol,
    availability,
    since: since === null ? toldAt : new Date(since).toISOString(),
    last_heard: heard,
    picks_last_hour: info?.throughput?.picks_last_hour ?? null,
    failing_receivers: info?.failing_receivers ?? [],
    open_alerts: info?.open_alerts ?? 0,
  };
}
