import { compareLabels } from '../text/locale.ts';
import type { Cell, Rack } from '../../api/map.ts';
import { MAX_COLUMNS, MAX_RACKS, MAX_SHELVES } from './mapLimits.ts';
import { placeKey } from '../text/nameKey.ts';

/** The position in a label: A-3-2 means rack A, its shelf A-3, and the second column from the left. */
type LabeledPlace = { rack: string; shelf: string; column: number };

const PLACE_LABEL = /^([^\s-]+)-([^\s-]+)-(\d{1,3})$/;

function readPlaceLabel(label: string): LabeledPlace | undefined {
  const [, rack, shelf, number] = PLACE_LABEL.exec(label.trim()) ?? [];
  if (rack === undefined || shelf === undefined) return undefined;
  const column = Number(number) - 1;
  return column < 0 || column >= MAX_COLUMNS ? undefined : { rack, shelf, column };
}

/** A shelf on the map and a column that it may not have yet. */
type OnShelf = { rack: Rack; shelf: Rack['shelves'][number]; column: number };

const SHELF_LABEL = /^(.+)-(\d{1,3})$/;

/**
 * Finds the existing shelf to which a label refers: by rack and shelf, or else by the whole name of a shelf, such as Bench-2 on the shelf
 * Bench.
 */
function findOnShelf(racks: readonly Rack[], label: string): OnShelf | undefined {
  const place = readPlaceLabel(label);
  const rack = place === undefined ? undefined : findRack(racks, place);
  const shelf = place === undefined || rack === undefined ? undefined : findShelf(rack, place);
  if (place !== undefined && rack !== undefined && shelf !== undefined) return { rack, shelf, column: place.column };
  const [, name, number] = SHELF_LABEL.exec(label.trim()) ?? [];
  const column = Number(number) - 1;
  if (name === undefined || column < 0 || column >= MAX_COLUMNS) return undefined;
  const found = racks.flatMap((each) =>
    each.shelves.filter((other) => isNamed(other.name, name)).map((named) => ({ rack: each, shelf: named, column })),
  );
  // If several shelves have this name, it is unknown which rack is meant.
  return found.length === 1 ? found[0] : undefined;
}

/** Finds the existing cell to which a label refers. */
export function findLabeledCell(racks: readonly Rack[], label: string): Cell | undefined {
  const found = findOnShelf(racks, label);
  return found === undefined || found.column >= found.rack.columns
    ? undefined
    : { shelf: found.shelf.id, column: found.column };
}

/** Whether `makeLabeledCell` can find or create the cell of this label, apart from the limits of the map. */
export function isPlaceLabel(racks: readonly Rack[], label: string): boolean {
  return readPlaceLabel(label) !== undefined || findOnShelf(racks, label) !== undefined;
}

/**
 * Returns the cell to which a label refers, and adds missing parts to `racks`. Returns undefined if the label does not refer to a cell, or
 * if the map has reached its limits.
 */
export function makeLabeledCell(racks: Rack[], label: string, newId: () => string): Cell | undefined {
  const found = findOnShelf(racks, label);
  if (found !== undefined) {
    found.rack.columns = Math.max(found.rack.columns, found.column + 1);
    return { shelf: found.shelf.id, column: found.column };
  }
  const place = readPlaceLabel(label);
  if (place === undefined) return undefined;
  const rack = findRack(racks, place);
  const isFull = rack === undefined ? racks.length >= MAX_RACKS : rack.shelves.length >= MAX_SHELVES;
  if (isFull) return undefined;
  const home = rack ?? addRack(racks, `Rack ${place.rack}`, newId());
  const { id } = addShelf(home, `${place.rack}-${place.shelf}`, newId());
  home.columns = Math.max(home.columns, place.column + 1);
  return { shelf: id, column: place.column };
}

/** Explains why `makeLabeledCell` found no cell, and what the user can do. */
export function whyNoCell(racks: readonly Rack[], label: string): string {
  const text = label.trim();
  if (text === '') return 'It has no label. Give it one such as A-3-2: rack, shelf and place.';
  const number = PLACE_LABEL.exec(text)?.[3];
  if (number === undefined) return `"${text}" names no place. Give it a label such as A-3-2: rack, shelf and place.`;
  const place = readPlaceLabel(text);
  if (place === undefined) return `"${text}" names place ${number}, and a shelf has the places 1 to ${MAX_COLUMNS}.`;
  const rack = findRack(racks, place);
  if (rack === undefined) return `"${text}" needs a new rack, and the map already has ${MAX_RACKS}. Remove one.`;
  return `"${text}" needs a new shelf, and ${rack.name} already has ${MAX_SHELVES}. Remove one.`;
}

function findRack(racks: readonly Rack[], { rack }: LabeledPlace): Rack | undefined {
  return racks.find(({ name }) => isNamed(name, rack, `Rack ${rack}`));
}

function findShelf({ shelves }: Rack, { rack, shelf }: LabeledPlace): Rack['shelves'][number] | undefined {
  return shelves.find(({ name }) => isNamed(name, `${rack}-${shelf}`, shelf));
}

export function isNamed(name: string, ...names: string[]): boolean {
  return names.some((candidate) => placeKey(candidate) === placeKey(name));
}

/** Adds a rack in the order of names. */
export function addRack(racks: Rack[], name: string, id: string): Rack {
  const rack: Rack = { id, name, note: '', columns: 1, shelves: [] };
  const next = racks.findIndex((other) => compareLabels(other.name, name) > 0);
  racks.splice(next < 0 ? racks.length : next, 0, rack);
  return rack;
}

/** Adds a shelf. Shelves are numbered from the floor, so the highest number is at the top. */
export function addShelf(rack: Rack, name: string, id: string): Rack['shelves'][number] {
  const shelf = { id, name };
  const below = rack.shelves.findIndex((other) => compareLabels(other.name, name) < 0);
  rack.shelves.splice(below < 0 ? rack.shelves.length : below, 0, shelf);
  return shelf;
}
