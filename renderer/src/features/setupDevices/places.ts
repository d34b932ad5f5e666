import type { LocationAlias } from '#shared/api/alias.ts';
import type { Cell, MapReplacement, Rack, StationMap } from '#shared/api/map.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { findLabeledCell, makeLabeledCell } from '#shared/lib/places/placeLabel.ts';
import type { NamedDevice } from '../../station/places.ts';

/**
 * What occupies a place: `labels` are the devices that have it as their label, `cell` is the device in its cell on the
 * map, and `alias` is an alias with its name.
 */
export type Holders = { labels: readonly string[]; cell: string | undefined; alias: LocationAlias | undefined };

/** Lookup of the places that are taken. */
export type TakenPlaces = {
  /** Returns what occupies a place, apart from the device `self`. */
  of(place: string, self: string): Holders;
  isTaken(place: string): boolean;
};

type Known = { places: readonly NamedDevice[]; aliases: readonly LocationAlias[]; map: StationMap };

export function takenPlaces({ places, aliases, map }: Known): TakenPlaces {
  const labels = new Map<string, string[]>();
  for (const { deviceid, name } of places) {
    if (name === deviceid) continue;
    const key = nameKey(name);
    labels.set(key, [...(labels.get(key) ?? []), deviceid]);
  }
  const names = new Map(aliases.map((alias) => [nameKey(alias.name), alias]));
  const cells = new Map(map.places.map((place) => [cellKey(place), place.deviceid]));

  function of(place: string, self: string): Holders {
    const cell = findLabeledCell(map.racks, place);
    const there = cell === undefined ? undefined : cells.get(cellKey(cell));
    return {
      labels: (labels.get(nameKey(place)) ?? []).filter((deviceid) => deviceid !== self),
      cell: there === self ? undefined : there,
      alias: names.get(nameKey(place)),
    };
  }

  return { of, isTaken: (place) => !isFree(of(place, '')) };
}

export function isFree({ labels, cell, alias }: Holders): boolean {
  return labels.length === 0 && cell === undefined && alias === undefined;
}

/** Returns the first free place after `last`, wrapping around. Returns undefined if all are taken. */
export function nextPlace(
  places: readonly string[],
  last: string,
  isTaken: (place: string) => boolean,
): string | undefined {
  const from = last === '' ? 0 : places.findIndex((place) => nameKey(place) === nameKey(last)) + 1;
  return [...places.slice(from), ...places.slice(0, from)].find((place) => !isTaken(place));
}

/**
 * Returns the name of the first free cell of the map after the place `last`, in map order, wrapping around. Returns
 * undefined if there is none.
 */
export function nextOnMap(
  { racks, places }: Pick<StationMap, 'places' | 'racks'>,
  last: string,
  isTaken: (place: string) => boolean,
): string | undefined {
  const occupied = new Set(places.map(cellKey));
  const cells = racks.flatMap((rack) =>
    rack.shelves.flatMap((shelf) =>
      Array.from({ length: rack.columns }, (_, column) => ({ rack, name: shelf.name, shelf: shelf.id, column })),
    ),
  );
  const before = last === '' ? undefined : findLabeledCell(racks, last);
  const from = before === undefined ? 0 : cells.findIndex((cell) => cellKey(cell) === cellKey(before)) + 1;
  for (const cell of [...cells.slice(from), ...cells.slice(0, from)]) {
    if (occupied.has(cellKey(cell))) continue;
    const place = namesOf(cell).find((name) => {
      const found = findLabeledCell(racks, name);
      return found !== undefined && cellKey(found) === cellKey(cell);
    });
    if (place !== undefined && !isTaken(place)) return place;
  }
  return undefined;
}

/** Returns the labels that can name a cell: by its shelf, or by its rack and shelf. */
function namesOf({ rack, name, column }: { rack: Rack; name: string; column: number }): string[] {
  const place = `${name.trim()}-${column + 1}`;
  return [place, `${rack.name.replace(/^rack\s+/i, '').trim()}-${place}`];
}

/**
 * Returns the map with a cell for each of these places. Returns undefined if it already has all of them, or if the
 * places do not name cells.
 */
export function withCellsFor(map: StationMap, places: readonly string[]): MapReplacement | undefined {
  const racks: Rack[] = structuredClone(map.racks);
  let count = 0;
  for (const place of places) makeLabeledCell(racks, place, () => `${NEW} ${(count += 1)}`);
  const isWider = racks.some(({ id, columns }) => columns !== map.racks.find((rack) => rack.id === id)?.columns);
  if (!isWider && count === 0) return undefined;
  const wanted = racks.map(({ id, shelves, ...rack }) => ({
    ...rack,
    ...idOf(id),
    shelves: shelves.map(({ id: shelf, name }) => ({ ...idOf(shelf), name })),
  }));
  return { racks: wanted, places: map.places };
}

/** Prefix of temporary ids, which the station replaces. It contains a space, unlike the station's ids. */
const NEW = 'new rack';

function idOf(id: string): { id?: string } {
  return id.startsWith(NEW) ? {} : { id };
}

function cellKey({ shelf, column }: Cell): string {
  return `${column} ${shelf}`;
}
