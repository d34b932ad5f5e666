import type { Cell, Place, Rack, RackChange, StationMap, Zone, ZoneChange } from '#shared/api/map.ts';
import { isSame } from '../../../kit/isSame.ts';

/**
 * Pure functions that change the map in the same way as the station, so that the result can be drawn before the station has replied. Most
 * of them return the same map if nothing changes.
 */

/** Returns the cell of a device, or undefined if the device is unplaced. */
export function cellOf(map: StationMap, deviceid: string): Cell | undefined {
  const place = map.places.find((candidate) => candidate.deviceid === deviceid);
  return place === undefined ? undefined : { shelf: place.shelf, column: place.column };
}

export function deviceAt(map: StationMap, cell: Cell): string | undefined {
  return map.places.find(({ shelf, column }) => shelf === cell.shelf && column === cell.column)?.deviceid;
}

export function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  return a?.shelf === b?.shelf && a?.column === b?.column;
}

/**
 * Moves a device to a cell, or unplaces it. A device that is already in the cell moves to the old cell of the first
 * device, or becomes unplaced if the first device had none.
 */
export function withDeviceAt(map: StationMap, deviceid: string, cell: Cell | undefined): StationMap {
  const from = cellOf(map, deviceid);
  if (sameCell(from, cell)) return map;
  const displaced = cell === undefined ? undefined : deviceAt(map, cell);
  const places = map.places.filter((place) => place.deviceid !== deviceid && place.deviceid !== displaced);
  if (cell !== undefined) places.push({ deviceid, ...cell });
  if (displaced !== undefined && from !== undefined) places.push({ deviceid: displaced, ...from });
  return { ...map, places: inOrder(places) };
}

export function withRack(map: StationMap, rack: Rack, index: number): StationMap {
  const others = map.racks.filter(({ id }) => id !== rack.id);
  return onlyPossible({ ...map, racks: others.toSpliced(index, 0, rack) });
}

export function withoutRack(map: StationMap, id: string): StationMap {
  if (!map.racks.some((rack) => rack.id === id)) return map;
  return onlyPossible({ ...map, racks: map.racks.filter((rack) => rack.id !== id) });
}

/** Replaces a zone, or appends a new one. */
export function withZone(map: StationMap, zone: Zone): StationMap {
  const at = map.zones.findIndex(({ id }) => id === zone.id);
  return onlyPossible({ ...map, zones: at < 0 ? [...map.zones, zone] : map.zones.with(at, zone) });
}

export function withZoneChange(map: StationMap, id: string, { name, racks }: ZoneChange): StationMap {
  const zone = map.zones.find((each) => each.id === id);
  return zone === undefined ? map : withZone(map, { id, name: name ?? zone.name, racks: racks ?? zone.racks });
}

export function withoutZone(map: StationMap, id: string): StationMap {
  return map.zones.some((zone) => zone.id === id) ? { ...map, zones: map.zones.filter((zone) => zone.id !== id) } : map;
}

/** Changes a rack. `newId` returns a temporary id for each new shelf. */
export function withRackChange(map: StationMap, id: string, change: RackChange, newId: () => string): StationMap {
  const at = map.racks.findIndex((rack) => rack.id === id);
  const rack = map.racks[at];
  if (rack === undefined) return map;
  const changed: Rack = {
    id,
    name: change.name ?? rack.name,
    note: change.note ?? rack.note,
    columns: change.columns ?? rack.columns,
    shelves: change.shelves?.map((shelf) => ({ id: shelf.id ?? newId(), name: shelf.name })) ?? rack.shelves,
  };
  return withRack(map, changed, change.index ?? at);
}

/**
 * Reverts the changes between `before` and `after`, but not what others have changed since: leaves a rack, a zone or a
 * device unchanged if it differs from `after`. Returns `now` itself if nothing is left to revert.
 */
export function revertChanges(now: StationMap, before: StationMap, after: StationMap): StationMap {
  let racks = takeEachBack(now.racks, before.racks, after.racks);
  if (isSame(ids(now.racks), ids(after.racks)) && isSame(ids(before.racks).toSorted(), ids(racks).toSorted())) {
    racks = before.racks.flatMap(({ id }) => racks.find((rack) => rack.id === id) ?? []);
  }

  const moved = new Set<string>();
  for (const { deviceid } of [...before.places, ...after.places]) {
    const was = cellOf(after, deviceid);
    if (!sameCell(cellOf(before, deviceid), was) && sameCell(cellOf(now, deviceid), was)) moved.add(deviceid);
  }
  const kept = now.places.filter(({ deviceid }) => !moved.has(deviceid));
  const taken = new Set(kept.map(({ shelf, column }) => `${shelf}\n${column}`));
  const back = before.places.filter(
    ({ deviceid, shelf, column }) => moved.has(deviceid) && !taken.has(`${shelf}\n${column}`),
  );
  const zones = takeEachBack(now.zones, before.zones, after.zones);
  const result = onlyPossible({ racks, places: inOrder([...kept, ...back]), zones });
  return isSame(result, now) ? now : result;
}

function takeEachBack<T extends { id: string }>(now: T[], before: readonly T[], after: readonly T[]): T[] {
  let all = now;
  for (const one of after) {
    const earlier = before.find(({ id }) => id === one.id);
    const at = all.findIndex(({ id }) => id === one.id);
    const present = all[at];
    if (present === undefined || !isSame(present, one)) continue;
    if (earlier === undefined) all = all.toSpliced(at, 1);
    else if (!isSame(earlier, one)) all = all.with(at, earlier);
  }
  for (const [at, one] of before.entries()) {
    if (!all.some(({ id }) => id === one.id) && !after.some(({ id }) => id === one.id)) all = all.toSpliced(at, 0, one);
  }
  return all;
}

export function sameMap(a: StationMap, b: StationMap): boolean {
  return a === b || isSame(a, b);
}

/** Removes places on missing shelves or columns, and missing racks from zones. */
function onlyPossible(map: StationMap): StationMap {
  const columns = new Map(map.racks.flatMap((rack) => rack.shelves.map(({ id }) => [id, rack.columns])));
  const places = map.places.filter(({ shelf, column }) => column < (columns.get(shelf) ?? 0));
  const known = new Set(ids(map.racks));
  const zones = map.zones.map((zone) =>
    zone.racks.every((id) => known.has(id)) ? zone : { ...zone, racks: zone.racks.filter((id) => known.has(id)) },
  );
  const isSame = places.length === map.places.length && zones.every((zone, at) => zone === map.zones[at]);
  return isSame ? map : { ...map, places, zones };
}

/** Sorts places in the same way as the station. */
function inOrder(places: readonly Place[]): Place[] {
  return places.toSorted((a, b) => (a.deviceid < b.deviceid ? -1 : 1));
}

function ids(racks: readonly Rack[]): string[] {
  return racks.map(({ id }) => id);
}
