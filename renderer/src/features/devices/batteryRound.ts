import type { StationMap } from '#shared/api/map.ts';
import { texts } from '../../ui/texts.ts';
import type { DeviceRow } from './deviceRows.ts';

/** A device whose battery is to be changed, and where one finds it. */
export type Stop = { row: DeviceRow; where: string };

/** The stops before one rack, or those that are not on the map. */
export type Round = { key: string; title: string; stops: readonly Stop[] };

/** Whether it belongs on the list: its battery is known to be this low, or it is silent and those are wanted too. */
export function isToChange({ device }: DeviceRow, upToPercent: number, withSilent: boolean): boolean {
  return (device.battery !== null && device.battery <= upToPercent) || (withSilent && !device.online);
}

/**
 * These devices as one walks past them: rack after rack, in each from left to right and at each column from top to bottom;
 * last what is not on the map, by name.
 */
export function sortByWalkingOrder(rows: readonly DeviceRow[], { racks, places }: StationMap): readonly Round[] {
  const byId = new Map(rows.map((row) => [row.key, row]));
  const byShelf = Map.groupBy(places, ({ shelf }) => shelf);
  const onMap = new Set<string>();
  const rounds = racks.flatMap((rack): Round[] => {
    const stops = rack.shelves.flatMap((shelf) => {
      return (byShelf.get(shelf.id) ?? []).flatMap(({ deviceid, column }) => {
        const row = byId.get(deviceid);
        return row === undefined ? [] : [{ row, column, where: texts.devices.shopping.where(shelf.name, column + 1) }];
      });
    });
    for (const { row } of stops) onMap.add(row.key);
    if (stops.length === 0) return [];
    // Sorting keeps what is equal in its order: the shelves from top to bottom.
    const walked = stops.toSorted((a, b) => a.column - b.column);
    return [{ key: rack.id, title: texts.map.rackTitle(rack.name), stops: walked }];
  });
  const others = rows.filter(({ key }) => !onMap.has(key)).toSorted((a, b) => a.rank - b.rank);
  if (others.length === 0) return rounds;
  return [
    ...rounds,
    { key: '', title: texts.devices.shopping.offMap, stops: others.map((row) => ({ row, where: '' })) },
  ];
}
