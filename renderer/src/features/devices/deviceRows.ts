import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import type { StationMap } from '#shared/api/map.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { type Care, type CareLimits, CARES, firstCare, wantsCare } from '#shared/lib/deviceCare.ts';
import { cellWords, type placeNames } from '../../station/placeNames.ts';
import type { NamedDevice } from '../../station/places.ts';
import type { TableSort } from '../../kit/list/DataTable.tsx';
import * as texts from '../../words/texts.ts';

/** The places of a device, which seldom change. */
export type DeviceStanding = {
  /** The DeviceID. */
  key: string;
  /** What people call it. */
  name: string;
  aliases: readonly string[];
  /** Where it hangs; empty where it is not on the map. */
  cell: string;
  /** Its turn by name: devices without a label come last. */
  rank: number;
};

/** A device with its places and the problems that need care. */
export type DeviceTableRow = DeviceStanding & { device: Device; limits: CareLimits };

export const COLUMNS = ['care', 'place', 'battery', 'signal', 'seen', 'firmware', 'turbo', 'uptime'] as const;
export type DeviceSort = TableSort<(typeof COLUMNS)[number]>;

export const FILTERS = ['all', ...CARES, 'noPlace'] as const;
export type DeviceFilter = (typeof FILTERS)[number];

type Given = {
  /** Every device in the order of names. */
  places: readonly NamedDevice[];
  aliases: readonly LocationAlias[];
  map: StationMap;
};

const NO_ALIASES: readonly string[] = [];

/** The places of every device, sorted by name. */
export function listStandings({ places, aliases, map }: Given): readonly DeviceStanding[] {
  const names = Map.groupBy(aliases, ({ deviceid }) => deviceid);
  const cells = new Map(map.places.map((cell) => [cell.deviceid, cell]));
  return places.map(({ deviceid, name }, rank) => {
    const cell = cells.get(deviceid);
    return {
      key: deviceid,
      name,
      aliases: names.get(deviceid)?.map((alias) => alias.name) ?? NO_ALIASES,
      cell: cell === undefined ? '' : cellWords(map, cell),
      rank,
    };
  });
}

/** Every device with its places, sorted by name. Copies field by field, because ten thousand rows are rebuilt each second. */
export function listDevices(
  standings: readonly DeviceStanding[],
  devices: readonly Device[],
  limits: CareLimits,
): readonly DeviceTableRow[] {
  return standings.flatMap(({ key, name, aliases, cell, rank }) => {
    const device = findDevice(devices, key);
    return device === undefined ? [] : [{ key, name, aliases, cell, rank, device, limits }];
  });
}

/** Whether the filter leaves it. */
export function isLeft({ device, aliases, cell, limits }: DeviceTableRow, filter: DeviceFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'noPlace') return device.locationoverride === '' && aliases.length === 0 && cell === '';
  return wantsCare(device, filter, limits);
}

/** How many devices each filter leaves. */
export function countFilters(rows: readonly DeviceTableRow[]): Readonly<Record<DeviceFilter, number>> {
  const counts = { all: 0, silent: 0, lowBattery: 0, weakSignal: 0, noPlace: 0 };
  for (const row of rows) {
    for (const filter of FILTERS) counts[filter] += Number(isLeft(row, filter));
  }
  return counts;
}

/** The rows that contain every word in a name, alias, map place, DeviceID, turbo or firmware. */
export function findDeviceRows(
  rows: readonly DeviceTableRow[],
  search: string,
  standing: ReturnType<typeof placeNames>,
): readonly DeviceTableRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ key, name, aliases, cell, device }) => {
    const { turbo, firmware } = device;
    const parts = [key, name, ...aliases, cell, ...(standing.get(key) ?? []), turbo ?? ''];
    const text = [...parts, texts.devices.firmware(firmware)].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** In the order of a column; what is equal there by name. Where care is asked for first, the worst of each kind comes first. */
export function sortDevices(
  rows: readonly DeviceTableRow[],
  { by, descending }: DeviceSort,
): readonly DeviceTableRow[] {
  const sign = descending ? -1 : 1;
  const keyOf = SORT_KEYS[by];
  // Each key is made once: making two for each comparison takes most of the time of a large table.
  return rows
    .map((row) => ({ row, keys: keyOf(row) }))
    .toSorted((a, b) => sign * compareKeys(a.keys, b.keys) || a.row.rank - b.row.rank)
    .map(({ row }) => row);
}

type Key = number | string | null;

/** How long a device had been on at a time in epoch milliseconds. */
export function uptimeMs({ up_since }: Device, atMs: number): number | null {
  return up_since === null ? null : atMs - Date.parse(up_since);
}

/** What is not known comes last; a silent device that was never heard too. */
const SORT_KEYS: Record<DeviceSort['by'], (row: DeviceTableRow) => readonly Key[]> = {
  care: ({ device, limits }) => {
    const care = firstCare(device, limits);
    return care === undefined ? [CARES.length] : [CARES.indexOf(care), WORST_FIRST[care](device)];
  },
  place: ({ rank }) => [rank],
  battery: ({ device }) => [device.battery, device.voltage],
  signal: ({ device }) => [device.rssi],
  seen: ({ device }) => [device.online ? 1 : 0, device.last_seen],
  firmware: ({ device }) => [device.firmware],
  turbo: ({ device }) => [device.turbo],
  uptime: ({ device }) => [device.online ? uptimeMs(device, 0) : null],
};

const WORST_FIRST: Record<Care, (device: Device) => Key> = {
  silent: ({ last_seen }) => last_seen,
  lowBattery: ({ battery }) => battery,
  weakSignal: ({ rssi }) => rssi,
};

function compareKeys(a: readonly Key[], b: readonly Key[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const left = a[index] ?? null;
    const right = b[index] ?? null;
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return 0;
}
