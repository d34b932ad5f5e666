import type { ArrangedMap, Place, Placed, Rack, StationMap, Zone } from '#shared/api/map.ts';
import { makeLabeledCell, whyNoCell } from '#shared/lib/places/placeLabel.ts';

/** Returns the number of columns of each shelf, by shelf id. */
export function columnsByShelf(racks: readonly Rack[]): Map<string, number> {
  return new Map(racks.flatMap((rack) => rack.shelves.map((shelf) => [shelf.id, rack.columns] as const)));
}

/** Replaces the racks of a map. Devices in deleted cells become unplaced, and zones lose deleted racks. */
export function withRacks(map: StationMap, racks: Rack[]): StationMap {
  const columns = columnsByShelf(racks);
  return {
    racks,
    places: map.places.filter(({ shelf, column }) => column < (columns.get(shelf) ?? 0)),
    zones: zonesOf(map.zones, racks),
  };
}

/** Removes deleted racks from zones. */
export function zonesOf(zones: readonly Zone[], racks: readonly Rack[]): Zone[] {
  const known = new Set(racks.map(({ id }) => id));
  return zones.map((zone) => ({ ...zone, racks: zone.racks.filter((id) => known.has(id)) }));
}

/** Returns the key for comparing zone names. */
export function zoneKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Puts a device into a cell. Another device in this cell moves to the first device's old place, or becomes unplaced if there is none. */
export function withPlace(map: StationMap, wanted: Place): StationMap {
  const old = map.places.find(({ deviceid }) => deviceid === wanted.deviceid);
  const other = map.places.find(({ shelf, column }) => shelf === wanted.shelf && column === wanted.column);
  const kept = map.places.filter((place) => place !== old && place !== other);
  if (other === undefined || other === old) return inOrder(map, [...kept, wanted]);
  const moved = old === undefined ? [] : [{ ...old, deviceid: other.deviceid }];
  return inOrder(map, [...kept, wanted, ...moved]);
}

export function withoutPlace(map: StationMap, deviceId: string): StationMap {
  return { ...map, places: map.places.filter(({ deviceid }) => deviceid !== deviceId) };
}

/** Returns devices whose place is different in `after`, with the new place, sorted by DeviceID. */
export function placedBetween(before: StationMap, after: StationMap): Placed[] {
  const old = new Map(before.places.map((place) => [place.deviceid, place]));
  const moved: Placed[] = [];
  for (const { deviceid, shelf, column } of after.places) {
    const was = old.get(deviceid);
    old.delete(deviceid);
    if (was?.shelf !== shelf || was.column !== column) moved.push({ deviceid, place: { shelf, column } });
  }
  for (const deviceid of old.keys()) moved.push({ deviceid, place: null });
  return moved.toSorted(byDeviceId);
}

/**
 * Places each unplaced device in the cell that its label names, if the cell is free and limits allow it. Creates missing racks and shelves.
 * Also creates the cells of places that wait for a device. Returns devices that were not placed, each with the reason.
 */
export function arranged(
  map: StationMap,
  { devices, waiting }: { devices: readonly { deviceId: string; label: string }[]; waiting: readonly string[] },
  newId: () => string,
): { map: StationMap; left: ArrangedMap['not_arranged'] } {
  const racks: Rack[] = structuredClone(map.racks);
  const places = [...map.places];
  const placed = new Set(places.map(({ deviceid }) => deviceid));
  const taken = new Map(places.map((place) => [cellOf(place), place.deviceid]));
  const left: ArrangedMap['not_arranged'] = [];
  for (const { deviceId, label } of devices) {
    if (placed.has(deviceId)) continue;
    const cell = makeLabeledCell(racks, label, newId);
    const other = cell === undefined ? undefined : taken.get(cellOf(cell));
    if (cell === undefined || other !== undefined) {
      const message =
        other === undefined
          ? whyNoCell(racks, label)
          : `${other} is already at "${label.trim()}". Give one of them another label.`;
      left.push({ deviceid: deviceId, label, message });
      continue;
    }
    taken.set(cellOf(cell), deviceId);
    placed.add(deviceId);
    places.push({ deviceid: deviceId, ...cell });
  }
  for (const name of waiting) makeLabeledCell(racks, name, newId);
  return { map: inOrder({ racks, zones: map.zones }, places), left };
}

export function cellOf({ shelf, column }: { shelf: string; column: number }): string {
  return `${column} ${shelf}`;
}

export function inOrder({ racks, zones }: Omit<StationMap, 'places'>, places: readonly Place[]): StationMap {
  return { racks, places: places.toSorted(byDeviceId), zones };
}

function byDeviceId(a: { deviceid: string }, b: { deviceid: string }): number {
  return a.deviceid < b.deviceid ? -1 : 1;
}
