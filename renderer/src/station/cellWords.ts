import type { Cell, Rack, Shelf, StationMap } from '#shared/api/map.ts';
import { texts } from '../ui/texts.ts';

export function findShelf(map: StationMap, id: string): { rack: Rack; shelf: Shelf } | undefined {
  for (const rack of map.racks) {
    const shelf = rack.shelves.find((candidate) => candidate.id === id);
    if (shelf !== undefined) return { rack, shelf };
  }
  return undefined;
}

/** A cell as a person finds it: `rack A, shelf A-3, column 2`. */
export function cellWords(map: StationMap, { shelf: id, column }: Cell): string {
  const found = findShelf(map, id);
  return found === undefined ? texts.map.goneShelf : texts.map.cell(found.rack.name, found.shelf.name, column + 1);
}
