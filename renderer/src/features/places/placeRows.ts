import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import type { StationMap } from '#shared/api/map.ts';
import type { GoodsPlace } from '#shared/api/place.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { type CareLimits, CARES, wantsCare } from '#shared/lib/devices/deviceCare.ts';
import { compareLabels } from '#shared/lib/text/locale.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { cellWords, type placeNames } from '../../station/placeNames.ts';
import type { NamedDevice } from '../../station/places.ts';
import * as texts from '../../words/texts.ts';

/** A device and its places, or a place without a device: the parts of a row that rarely change. */
export type PlaceStanding = {
  /** The DeviceID, or `place` and the name of a place without a device. */
  key: string;
  /** The label, or the DeviceID if there is none. */
  name: string;
  /** The place, if it waits for its device. */
  waiting: GoodsPlace | undefined;
  /** Aliases of the device, which name other places that the device serves. */
  aliases: readonly LocationAlias[];
  /** The cell on the map, in words. Empty if it is not on the map. */
  cell: string;
  /** The slot of a cart or wall that the device serves instead of a place, in words. Empty if it serves none. */
  slot: string;
  /** The row's position when sorted by name. Devices without a label come last. */
  rank: number;
};

/** A place with its device and the limits beyond which a device needs attention. */
export type PlaceRow = PlaceStanding & { waiting: undefined; device: Device; limits: CareLimits };
/** A place that waits for its device. */
export type WaitingRow = PlaceStanding & { waiting: GoodsPlace };
export type AnyPlaceRow = PlaceRow | WaitingRow;

export const FILTERS = ['all', ...CARES, 'noPlace', 'also', 'waiting'] as const;
export type PlaceFilter = (typeof FILTERS)[number];

type Given = {
  /** All devices, sorted by name. */
  places: readonly NamedDevice[];
  aliases: readonly LocationAlias[];
  map: StationMap;
  /** Places without a light. */
  dark?: readonly GoodsPlace[];
  /** Slots of carts and walls, by DeviceID. */
  slots?: ReadonlyMap<string, { short: string }>;
};

const NO_ALIASES: readonly LocationAlias[] = [];

/** Returns the places of every device and the places that wait for a device, sorted by name. */
export function listStandings({ places, aliases, map, dark = [], slots }: Given): readonly PlaceStanding[] {
  const ofDevice = Map.groupBy(aliases, ({ deviceid }) => deviceid);
  const cells = new Map(map.places.map((cell) => [cell.deviceid, cell]));
  const standings = places.map(({ deviceid, name }, rank): PlaceStanding => {
    const cell = cells.get(deviceid);
    return {
      key: deviceid,
      name,
      waiting: undefined,
      aliases: ofDevice.get(deviceid) ?? NO_ALIASES,
      cell: cell === undefined ? '' : cellWords(map, cell),
      slot: slots?.get(deviceid)?.short ?? '',
      rank,
    };
  });
  if (dark.length === 0) return standings;
  // The list of places without a light may be older than the labels and aliases.
  const lit = new Set([...places, ...aliases].map(({ name }) => nameKey(name)));
  const waiting = dark.flatMap((place): PlaceStanding[] => {
    const { name, cell } = place;
    if (lit.has(nameKey(name))) return [];
    const said = cell === null ? '' : cellWords(map, cell);
    return [{ key: `place ${name}`, name, waiting: place, aliases: NO_ALIASES, cell: said, slot: '', rank: 0 }];
  });
  return [...standings, ...waiting].toSorted(byName).map((standing, rank) => ({ ...standing, rank }));
}

function byName(a: PlaceStanding, b: PlaceStanding): number {
  return Number(a.name === a.key) - Number(b.name === b.key) || compareLabels(a.name, b.name);
}

/**
 * Returns a row for each device and each place that waits for one, sorted by name. Copies field by field for speed, because up to
 * ten thousand rows are rebuilt each second.
 */
export function listPlaceRows(
  standings: readonly PlaceStanding[],
  devices: readonly Device[],
  limits: CareLimits,
): readonly AnyPlaceRow[] {
  return standings.flatMap((standing): AnyPlaceRow[] => {
    if (isWaiting(standing)) return [standing];
    const { key, name, aliases, cell, slot, rank } = standing;
    const device = findDevice(devices, key);
    return device === undefined ? [] : [{ key, name, waiting: undefined, aliases, cell, slot, rank, device, limits }];
  });
}

/** Whether a row is that of a place that waits for its device. */
export function isWaiting(row: PlaceStanding): row is WaitingRow {
  return row.waiting !== undefined;
}

export function hasDevice(row: AnyPlaceRow): row is PlaceRow {
  return row.waiting === undefined;
}

/** Whether the device has a label or an alias, by which requests can address it. */
export function hasName({ device, aliases }: Pick<PlaceRow, 'device' | 'aliases'>): boolean {
  return device.locationoverride !== '' || aliases.length > 0;
}

export function isLeft(row: AnyPlaceRow, filter: PlaceFilter): boolean {
  if (filter === 'all') return true;
  if (isWaiting(row) || filter === 'waiting') return isWaiting(row) && filter === 'waiting';
  const { device, aliases, slot, limits } = row;
  if (filter === 'also') return aliases.length > 0;
  if (filter === 'noPlace') return slot === '' && !hasName({ device, aliases });
  return wantsCare(device, filter, limits);
}

/** Counts the rows that match each filter. */
export function countFilters(rows: readonly AnyPlaceRow[]): Readonly<Record<PlaceFilter, number>> {
  const counts = { all: 0, silent: 0, lowBattery: 0, weakSignal: 0, noPlace: 0, also: 0, waiting: 0 };
  for (const row of rows) {
    for (const filter of FILTERS) counts[filter] += Number(isLeft(row, filter));
  }
  return counts;
}

/**
 * Returns the rows that contain every word of the search in a name, alias, map place, slot, DeviceID, turbo, firmware, note or article.
 */
export function findPlaceRows(
  rows: readonly AnyPlaceRow[],
  search: string,
  standing: ReturnType<typeof placeNames>,
): readonly AnyPlaceRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = partsOf(row, standing).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function partsOf(row: AnyPlaceRow, standing: ReturnType<typeof placeNames>): string[] {
  const { key, name, aliases, cell, slot } = row;
  if (isWaiting(row)) {
    const { note, articles } = row.waiting;
    return [name, cell, note, texts.places.waitsForDevice, ...articles.map(articleText)];
  }
  const { turbo, firmware } = row.device;
  const named = aliases.flatMap((alias) => [alias.name, alias.deviceIs]);
  const firmwareText = texts.places.firmware(firmware);
  return [key, name, ...named, cell, slot, ...(standing.get(key) ?? []), turbo ?? '', firmwareText];
}

/** Returns an article of a place in words: its SKU and name. */
export function articleText({ sku, name }: GoodsPlace['articles'][number]): string {
  return name === '' || name === sku ? sku : `${sku} ${name}`;
}

/** Returns how long the device had been running at `atMs` (epoch milliseconds), or null if that is unknown. */
export function uptimeMs({ up_since }: Device, atMs: number): number | null {
  return up_since === null ? null : atMs - Date.parse(up_since);
}
