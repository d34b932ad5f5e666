import type { Cell, Rack, StationMap } from '#shared/api/map.ts';
import { addRack, addShelf, isNamed } from '#shared/lib/places/placeLabel.ts';
import { MAX_RACKS, MAX_SHELVES } from '#shared/lib/places/mapLimits.ts';
import type { MapPosition } from '#shared/lib/tables/places.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { withRacks } from './stationMap.ts';

/** What was created for a cell: a rack, a shelf, and further columns of an existing rack. Null for what already existed. */
export type MadeCell = {
  rack: { id: string; name: string } | null;
  shelf: { id: string; name: string; rack: string } | null;
  columns: { rack: string; before: number; after: number } | null;
};

/** A cell and what was created for it, or why there is none. */
export type PositionedCell = { cell: Cell; made: MadeCell | null } | { problem: string };

/**
 * Returns the cell at a position, and adds missing parts to `racks`. `now` is the device's current cell, which wins if it matches, because
 * several racks can have the same name.
 */
export function makeCellAt(
  racks: Rack[],
  position: MapPosition,
  newId: () => string,
  now: Cell | undefined,
): PositionedCell {
  const { rack: rackName, shelf: shelfName } = position;
  const column = position.column - 1;
  const short = rackName.replace(/^rack\s+/i, '');
  const named = closest(racks, rackName, [rackName, `Rack ${rackName}`, short]);
  const shelves = named.flatMap((rack) =>
    closest(rack.shelves, shelfName, [shelfName, `${short}-${shelfName}`]).map((shelf) => ({ rack, shelf })),
  );
  const own = shelves.find(
    ({ rack, shelf }) => shelf.id === now?.shelf && column === now.column && column < rack.columns,
  );
  const [found = own, ...others] = own === undefined ? shelves : [own];
  if (others.length > 0 || (found === undefined && named.length > 1))
    return {
      problem: `Several racks or shelves match ${rackName}, shelf ${shelfName}, so the position is left out. Give each its own name.`,
    };
  if (found !== undefined) {
    const columns = widened(found.rack, column);
    return {
      cell: { shelf: found.shelf.id, column },
      made: columns === null ? null : { rack: null, shelf: null, columns },
    };
  }
  const [only] = named;
  if (only === undefined && racks.length >= MAX_RACKS)
    return { problem: `The map already has ${MAX_RACKS} racks, so the position is left out. Remove one.` };
  if (only !== undefined && only.shelves.length >= MAX_SHELVES)
    return { problem: `${only.name} already has ${MAX_SHELVES} shelves, so the position is left out. Remove one.` };
  const rack = only ?? addRack(racks, rackName, newId());
  const { id, name } = addShelf(rack, shelfName, newId());
  const columns = widened(rack, column);
  return {
    cell: { shelf: id, column },
    made: {
      rack: only === undefined ? { id: rack.id, name: rack.name } : null,
      shelf: { id, name, rack: rack.id },
      columns: only === undefined ? null : columns,
    },
  };
}

/** Returns sentences that say what was created. */
export function describeMade(racks: readonly Rack[], { rack, shelf, columns }: MadeCell): string {
  const nameOf = (id: string): string => racks.find((each) => each.id === id)?.name ?? '';
  return [
    rack === null ? '' : `Creates the rack ${rack.name} with the shelf ${shelf?.name ?? ''}.`,
    rack !== null || shelf === null ? '' : `Creates the shelf ${shelf.name} in the rack ${nameOf(shelf.rack)}.`,
    columns === null ? '' : `The rack ${nameOf(columns.rack)} gets ${columns.after} columns.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** Names the rack, the shelf and the column of a cell for people, or returns undefined if the shelf does not exist. */
export function positionAt(racks: readonly Rack[], { shelf, column }: Cell): MapPosition | undefined {
  for (const rack of racks) {
    const found = rack.shelves.find(({ id }) => id === shelf);
    if (found !== undefined) return { rack: rack.name, shelf: found.name, column: column + 1 };
  }
  return undefined;
}

export function positionText({ rack, shelf, column }: MapPosition): string {
  return `${rack}, shelf ${shelf}, column ${column}`;
}

/** Removes what was created for a cell, unless it was changed or has a device. */
export function withoutMade(map: StationMap, { rack: made, shelf, columns }: MadeCell): StationMap {
  const used = new Set(map.places.map((place) => place.shelf));
  const racks = map.racks.flatMap((rack) => {
    const shelves = rack.shelves.filter(
      (each) => each.id !== shelf?.id || each.name !== shelf.name || used.has(each.id),
    );
    if (rack.id === made?.id && rack.name === made.name && rack.note === '' && shelves.length === 0) return [];
    if (rack.id !== columns?.rack || rack.columns !== columns.after) return [{ ...rack, shelves }];
    const ids = new Set(shelves.map(({ id }) => id));
    const last = Math.max(-1, ...map.places.filter((place) => ids.has(place.shelf)).map(({ column }) => column));
    return [{ ...rack, shelves, columns: Math.max(columns.before, last + 1) }];
  });
  return withRacks(map, racks);
}

/** Creates again what `withoutMade` removed, with the same ids. Returns why not, or an empty string. */
export function makeAgain(racks: Rack[], { rack: made, shelf, columns }: MadeCell): string {
  const find = (id: string): Rack | undefined => racks.find((each) => each.id === id);
  if (made !== null && find(made.id) === undefined) {
    if (racks.some(({ name }) => nameKey(name) === nameKey(made.name)))
      return `The rack ${made.name} was created again since.`;
    addRack(racks, made.name, made.id);
  }
  if (shelf !== null && !racks.some(({ shelves }) => shelves.some(({ id }) => id === shelf.id))) {
    const rack = find(shelf.rack);
    if (rack === undefined) return `The rack of the shelf ${shelf.name} was removed since.`;
    addShelf(rack, shelf.name, shelf.id);
  }
  const wide = columns === null ? undefined : find(columns.rack);
  if (wide !== undefined && columns !== null) wide.columns = Math.max(wide.columns, columns.after);
  return '';
}

/** Makes a rack as wide as a column needs. Returns the change, or null if it is wide enough. */
function widened(rack: Rack, column: number): MadeCell['columns'] {
  const before = rack.columns;
  if (column < before) return null;
  rack.columns = column + 1;
  return { rack: rack.id, before, after: rack.columns };
}

/** Returns the elements with this name or, if there are none, with one of the similar names. */
function closest<T extends { name: string }>(
  all: readonly T[],
  name: string,
  similar: readonly string[],
): readonly T[] {
  const same = all.filter((each) => nameKey(each.name) === nameKey(name));
  return same.length > 0 ? same : all.filter((each) => isNamed(each.name, ...similar));
}
