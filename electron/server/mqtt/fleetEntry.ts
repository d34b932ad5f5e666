import { type FleetStation, printable } from '#shared/api/fleet.ts';
import type { Counts, FleetLimits, KnownFleet, Watched } from './fleetState.ts';
import { PROTOCOL } from './topics.ts';

/** How long the broker may take to send devices, in milliseconds. Devices that are still missing then are reported as a problem. */
const DELIVERY_MS = 10_000;

/** Converts a station to its form in the API. */
export function stationEntry(picture: KnownFleet, station: Watched): FleetStation {
  station.counts ??= count(station);
  return {
    ...listed(station),
    ...station.counts,
    own: station.id === picture.own,
    problem: problemOf(picture, station),
  };
}

/** Returns a sentence about why the information about this station is incomplete, or null if it is complete. */
function problemOf({ clock, isFull, limits }: KnownFleet, station: Watched): string | null {
  const { problem, refusal, unreadable, info, askedMs, devices } = station;
  if (problem !== null) return problem;
  if (info === undefined) return NO_INFO;
  if (refusal !== null) return refusal;
  const [first] = unreadable;
  if (first !== undefined) return `Its topic ${printable(first)} cannot be read, and is left out.`;
  if (isFull) return full(limits);
  const isDue = askedMs !== undefined && clock.monotonic() - askedMs > DELIVERY_MS;
  if (isDue && devices.size < info.devices) return missing(devices.size, info.devices);
  return null;
}

/** Returns a sentence about why a station's topic `info` cannot be used. `protocol` is the version in it, or null if it contains none. */
export function unreadableInfo(protocol: number | null): string {
  return protocol === null ? NO_STATION : otherVersion(protocol);
}

const NO_INFO = 'Its topic info is missing. It may not be a Pickstation.';
const NO_STATION = 'Its topic info cannot be read. It may not be a Pickstation.';
const full = ({ stations, states }: FleetLimits): string =>
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
  const publishedAt = info?.time ?? null;
  const heard = heardAt === null ? publishedAt : new Date(heardAt).toISOString();
  return {
    station: id,
    name: info?.name ?? '',
    version: info?.version ?? '',
    url: info?.url ?? '',
    protocol,
    availability,
    since: since === null ? publishedAt : new Date(since).toISOString(),
    last_heard: heard,
    picks_last_hour: info?.throughput?.picks_last_hour ?? null,
    failing_receivers: info?.failing_receivers ?? [],
    open_alerts: info?.open_alerts ?? 0,
  };
}
