import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import type { StationMap } from '#shared/api/map.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { type CareLimits, CARES, wantsCare } from '#shared/lib/devices/deviceCare.ts';
import { cellWords, type placeNames } from '../../station/placeNames.ts';
import type { NamedDevice } from '../../station/places.ts';
import * as texts from '../../words/texts.ts';

/** A device and its places, which are the parts of a row that rarely change. */
export type PlaceStanding = {
  /** The DeviceID. */
  key: string;
  /** The label, or the DeviceID if there is none. */
  name: string;
  /** Aliases of the device, which name other places that the device serves. */
  aliases: readonly LocationAlias[];
  /** The device's cell on the map, in words. Empty if it is not on the map. */
  cell: string;
  /** The slot of a cart or wall that the device serves instead of a place, in words. Empty if it serves none. */
  slot: string;
  /** The row's position when sorted by name. Devices without a label come last. */
  rank: number;
};

/** A place with its device and the limits beyond which a device needs attention. */
export type PlaceRow = PlaceStanding & { device: Device; limits: CareLimits };

export const FILTERS = ['all', ...CARES, 'noPlace', 'also'] as const;
export type PlaceFilter = (typeof FILTERS)[number];

type Given = {
  /** All devices, sorted by name. */
  places: readonly NamedDevice[];
  aliases: readonly LocationAlias[];
  map: StationMap;
  /** Slots of carts and walls, by DeviceID. */
  slots?: ReadonlyMap<string, { short: string }>;
};

const NO_ALIASES: readonly LocationAlias[] = [];

/** Returns the places of every device, sorted by name. */
export function listStandings({ places, aliases, map, slots }: Given): readonly PlaceStanding[] {
  const ofDevice = Map.groupBy(aliases, ({ deviceid }) => deviceid);
  const cells = new Map(map.places.map((cell) => [cell.deviceid, cell]));
  return places.map(({ deviceid, name }, rank) => {
    const cell = cells.get(deviceid);
    return {
      key: deviceid,
      name,
      aliases: ofDevice.get(deviceid) ?? NO_ALIASES,
      cell: cell === undefined ? '' : cellWords(map, cell),
      slot: slots?.get(deviceid)?.short ?? '',
      rank,
    };
  });
}

/**
 * Returns a row for each device, sorted by name. Copies field by field for speed, because up to ten thousand rows are
 * rebuilt each second.
 */
export function listPlaceRows(
  standings: readonly PlaceStanding[],
  devices: readonly Device[],
  limits: CareLimits,
): readonly PlaceRow[] {
  return standings.flatMap(({ key, name, aliases, cell, slot, rank }) => {
    const device = findDevice(devices, key);
    return device === undefined ? [] : [{ key, name, aliases, cell, slot, rank, device, limits }];
  });
}

/** Whether the device has a label or an alias, by which requests can address it. */
export function hasName({ device, aliases }: Pick<PlaceRow, 'device' | 'aliases'>): boolean {
  return device.locationoverride !== '' || aliases.length > 0;
}

export function isLeft({ device, aliases, slot, limits }: PlaceRow, filter: PlaceFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'also') return aliases.length > 0;
  if (filter === 'noPlace') return slot === '' && !hasName({ device, aliases });
  return wantsCare(device, filter, limits);
}

/** Counts the rows that match each filter. */
export function countFilters(rows: readonly PlaceRow[]): Readonly<Record<PlaceFilter, number>> {
  const counts = { all: 0, silent: 0, lowBattery: 0, weakSignal: 0, noPlace: 0, also: 0 };
  for (const row of rows) {
    for (const filter of FILTERS) counts[filter] += Number(isLeft(row, filter));
  }
  return counts;
}

/**
 * Returns the rows that contain every word of the search in a name, alias, map place, slot, DeviceID, turbo or
 * firmware.
 */
export function findPlaceRows(
  rows: readonly PlaceRow[],
  search: string,
  standing: ReturnType<typeof placeNames>,
): readonly PlaceRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ key, name, aliases, cell, slot, device }) => {
    const { turbo, firmware } = device;
    const parts = [
      key,
      name,
      ...aliases.flatMap((alias) => [alias.name, alias.deviceIs]),
      cell,
      slot,
      ...(standing.get(key) ?? []),
      turbo ?? '',
    ];
    const text = [...parts, texts.places.firmware(firmware)].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns how long the device had been running at `atMs` (epoch milliseconds), or null if that is unknown. */
export function uptimeMs({ up_since }: Device, atMs: number): number | null {
  return up_since === null ? null : atMs - Date.parse(up_since);
}
