import type { Place, Placed, Rack, StationMap, Zone } from '#shared/api/map.ts';
import { MAX_COLUMNS, MAX_RACKS, MAX_SHELVES } from '#shared/lib/mapLimits.ts';

/** Number of columns of each shelf, by its id. */
export function columnsByShelf(racks: readonly Rack[]): Map<string, number> {
  return new Map(racks.flatMap((rack) => rack.shelves.map((shelf) => [shelf.id, rack.columns] as const)));
}

/** The map with these racks. Devices on deleted cells become unplaced; zones lose deleted racks. */
export function withRacks(map: StationMap, racks: Rack[]): StationMap {
  const columns = columnsByShelf(racks);
  return {
    racks,
    places: map.places.filter(({ shelf, column }) => column < (columns.get(shelf) ?? 0)),
    zones: zonesOf(map.zones, racks),
  };
}

/** The zones without deleted racks. */
export function zonesOf(zones: readonly Zone[], racks: readonly Rack[]): Zone[] {
  const known = new Set(racks.map(({ id }) => id));
  return zones.map((zone) => ({ ...zone, racks: zone.racks.filter((id) => known.has(id)) }));
}

/** Key by which two zone names are equal. */
export function zoneKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Puts a device into a cell. A device already there swaps to its old place, or becomes unplaced. */
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

/** Devices whose place differs in `after`, with the new place. Sorted by DeviceID. */
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

/** A-3-2: rack A, its shelf A-3, the second place from the left. */
const PLACE_LABEL = /^([^\s-]+)-([^\s-]+)-(\d{1,3})$/;

/**
 * Places each unplaced device where its label says, if the cell is free and limits allow; creates missing racks and
 * shelves. Devices without a place label stay unplaced.
 */
export function arranged(
  map: StationMap,
  devices: readonly { deviceId: string; label: string }[],
  newId: () => string,
): StationMap {
  const racks: Rack[] = structuredClone(map.racks);
  const places = [...map.places];
  const placed = new Set(places.map(({ deviceid }) => deviceid));
  const taken = new Set(places.map(cellOf));
  for (const { deviceId, label } of devices) {
    const [, rackName, shelfPart, number] = PLACE_LABEL.exec(label.trim()) ?? [];
    if (placed.has(deviceId) || rackName === undefined || shelfPart === undefined) continue;
    const column = Number(number) - 1;
    if (column < 0 || column >= MAX_COLUMNS) continue;
    const shelfName = `${rackName}-${shelfPart}`;
    const rack = racks.find(({ name }) => isNamed(name, rackName, `Rack ${rackName}`));
    const shelf = rack?.shelves.find(({ name }) => isNamed(name, shelfName, shelfPart));
    if (rack === undefined ? racks.length >= MAX_RACKS : shelf === undefined && rack.shelves.length >= MAX_SHELVES) {
      continue;
    }
    const home = rack ?? addRack(racks, `Rack ${rackName}`, newId());
    const place = { deviceid: deviceId, shelf: (shelf ?? addShelf(home, shelfName, newId())).id, column };
    if (taken.has(cellOf(place))) continue;
    home.columns = Math.max(home.columns, column + 1);
    taken.add(cellOf(place));
    placed.add(deviceId);
    places.push(place);
  }
  return inOrder({ racks, zones: map.zones }, places);
}

function isNamed(name: string, ...names: string[]): boolean {
  return names.some((candidate) => candidate.toLowerCase() === name.toLowerCase());
}

function addRack(racks: Rack[], name: string, id: string): Rack {
  const rack: Rack = { id, name, note: '', columns: 1, shelves: [] };
  const next = racks.findIndex((other) => compareNames(other.name, name) > 0);
  racks.splice(next < 0 ? racks.length : next, 0, rack);
  return rack;
}

/** Shelves count from the floor: the highest number is at the top. */
function addShelf(rack: Rack, name: string, id: string): Rack['shelves'][number] {
  const shelf = { id, name };
  const below = rack.shelves.findIndex((other) => compareNames(other.name, name) < 0);
  rack.shelves.splice(below < 0 ? rack.shelves.length : below, 0, shelf);
  return shelf;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
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
