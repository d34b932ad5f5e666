import { compareNames } from '#shared/lib/text/locale.ts';
import type { FleetFound, FleetStation } from '#shared/api/fleet.ts';
import { foundPart } from '#shared/lib/text/foundPart.ts';

/** What can be wrong with a station, most urgent first. `well` means that nothing is wrong. */
const NEEDS = ['problem', 'away', 'callbacks', 'attention', 'offline', 'batteries', 'well'] as const;
export type FleetNeed = (typeof NEEDS)[number];
export const FILTERS = ['all', 'care', 'away'] as const;
export type FleetFilter = (typeof FILTERS)[number];
export type FleetRow = { key: string; need: FleetNeed; station: FleetStation };

/** Returns a row for each station, most urgent first. */
export function fleetRows(stations: readonly FleetStation[]): readonly FleetRow[] {
  return stations
    .map((station) => ({ key: station.station, need: needOf(station), station }))
    .toSorted(
      (one, other) =>
        NEEDS.indexOf(one.need) - NEEDS.indexOf(other.need) || compareNames(one.station.station, other.station.station),
    );
}

function needOf({ problem, version, availability, failing_receivers, orders, devices }: FleetStation): FleetNeed {
  if (problem !== null && (version === '' || availability === 'online')) return 'problem';
  if (availability !== 'online') return 'away';
  if (failing_receivers.length > 0) return 'callbacks';
  if (orders.attention > 0) return 'attention';
  if (devices.offline > 0) return 'offline';
  return devices.batteries_low > 0 ? 'batteries' : 'well';
}

const isAway = ({ station }: FleetRow): boolean => station.availability !== 'online';
const LEFT: Readonly<Record<FleetFilter, (row: FleetRow) => boolean>> = {
  all: () => true,
  care: ({ need }) => need !== 'well',
  away: isAway,
};

export function isLeft(row: FleetRow, filter: FleetFilter): boolean {
  return LEFT[filter](row);
}

export function countFilters(rows: readonly FleetRow[]): Readonly<Record<FleetFilter, number>> {
  const count = (filter: FleetFilter): number => rows.filter((row) => isLeft(row, filter)).length;
  return { all: rows.length, care: count('care'), away: count('away') };
}

/** A search result: a station whose name matches, or something in a station. */
export type FleetHit = Omit<FleetFound, 'matched'> & { key: string; matched: FleetFound['matched'] | 'station' };

/** Returns the stations whose name or id contains the text, followed by the results from all stations. */
export function fleetHits(rows: readonly FleetRow[], found: readonly FleetFound[], wanted: string): FleetHit[] {
  const named = rows
    .filter(({ station: { station, name } }) => [station, name].some((each) => foundPart(each, wanted) !== undefined))
    .map(({ station: { station, name, url, availability } }): FleetHit => {
      const online = availability === 'online';
      return { key: `station ${station}`, station, name, url, online, text: station, matched: 'station' };
    });
  return [
    ...named,
    ...found.map((each) => ({ ...each, key: `${each.station} ${each.order_number ?? ''} ${each.deviceid ?? ''}` })),
  ];
}
