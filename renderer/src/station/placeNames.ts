import type { Cell, Rack, Shelf, StationMap } from '#shared/api/map.ts';
import * as texts from '../words/texts.ts';

/** Returns the names of each device's position by DeviceID, in lower case: its shelf, its rack, or both. */
export function placeNames({ racks, places }: StationMap): ReadonlyMap<string, readonly string[]> {
  const shelves = new Map<string, readonly string[]>();
  for (const { name: rack, shelves: own } of racks) {
    for (const { id, name } of own) {
      const names = [name, rack, texts.cells.rackTitle(rack), `${rack}-${name}`, `${rack} ${name}`];
      shelves.set(
        id,
        names.map((each) => each.toLowerCase()),
      );
    }
  }
  return new Map(places.map(({ deviceid, shelf }) => [deviceid, shelves.get(shelf) ?? []]));
}

/**
 * Whether the text refers to one of these names. A single letter matches only a rack with exactly that name, not every name that begins
 * with it.
 */
export function meansPlace(names: readonly string[] | undefined, wanted: string): boolean {
  return names?.some((name) => name === wanted || (wanted.length > 1 && name.startsWith(wanted))) ?? false;
}

export function findShelf(map: StationMap, id: string): { rack: Rack; shelf: Shelf } | undefined {
  for (const rack of map.racks) {
    const shelf = rack.shelves.find((candidate) => candidate.id === id);
    if (shelf !== undefined) return { rack, shelf };
  }
  return undefined;
}

/** Describes a cell in words, such as `rack A, shelf A-3, column 2`. */
export function cellWords(map: StationMap, { shelf: id, column }: Cell): string {
  const found = findShelf(map, id);
  return found === undefined ? texts.cells.goneShelf : texts.cells.cell(found.rack.name, found.shelf.name, column + 1);
}
