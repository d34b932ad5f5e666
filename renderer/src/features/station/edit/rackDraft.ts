import { MAX_COLUMNS, MAX_SHELVES } from '#shared/lib/places/mapLimits.ts';
import type { NewRack, Rack, RackChange, StationMap } from '#shared/api/map.ts';
import * as texts from '../../../words/texts.ts';

/** A rack as entered in the dialog. New shelves have no id yet, so shelves are identified by `key`. */
export type RackDraft = {
  name: string;
  note: string;
  columns: number;
  shelves: readonly { key: string; id?: string; name: string }[];
};

export function draftOf({ name, note, columns, shelves }: Rack): RackDraft {
  return { name, note, columns, shelves: shelves.map((shelf) => ({ key: shelf.id, ...shelf })) };
}

/** Returns a new rack with the next free letter and the usual number of shelves. */
export function newDraft(map: StationMap): RackDraft {
  const taken = new Set(map.racks.map((rack) => rack.name.trim().toUpperCase()));
  const letter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('').find((each) => !taken.has(each)) ?? '';
  const shelves = [3, 2, 1].map((number) => ({ key: `new ${number}`, name: `${letter}-${number}` }));
  return { name: letter, note: '', columns: map.racks.at(-1)?.columns ?? 4, shelves };
}

/** Explains why the rack cannot be saved. Returns an empty text if it can be saved. */
export function problemOf({ name, columns, shelves }: RackDraft): string {
  if (name.trim() === '') return texts.map.rackNameless;
  if (columns < 1 || columns > MAX_COLUMNS) return texts.map.columnLimit(MAX_COLUMNS);
  if (shelves.length > MAX_SHELVES) return texts.map.shelfLimit(MAX_SHELVES);
  return shelves.some((shelf) => shelf.name.trim() === '') ? texts.map.shelfNameless : '';
}

export function toNewRack({ name, note, columns, shelves }: RackDraft): NewRack {
  return { name: name.trim(), note: note.trim(), columns, shelves: shelves.map((shelf) => shelf.name.trim()) };
}

export function toRackChange({ name, note, columns, shelves }: RackDraft): RackChange {
  return {
    name: name.trim(),
    note: note.trim(),
    columns,
    shelves: shelves.map(({ id, name: shelf }) =>
      id === undefined ? { name: shelf.trim() } : { id, name: shelf.trim() },
    ),
  };
}

/**
 * Renames the shelves of a renamed rack, if their names begin with the rack's old name or the last word of that name.
 */
export function renamedShelves(shelves: RackDraft['shelves'], from: string, to: string): RackDraft['shelves'] {
  const prefixes = [
    [from.trim(), to.trim()],
    [lastWord(from), lastWord(to)],
  ] as const;
  return shelves.map((shelf) => {
    const [before, after] = prefixes.find(([prefix]) => prefix !== '' && shelf.name.startsWith(`${prefix}-`)) ?? [];
    return before === undefined || after === undefined
      ? shelf
      : { ...shelf, name: `${after}${shelf.name.slice(before.length)}` };
  });
}

/** Returns the part of a rack's name that names of places begin with: `A` for `Rack A`. */
export function lastWord(name: string): string {
  return name.trim().split(/\s+/).at(-1) ?? '';
}

/** Returns text with the names of the rack's places, so that the person can check the draft. */
export function placesPreview({ columns, shelves }: RackDraft): string {
  const [first, ...others] = shelves.map((shelf) => shelf.name.trim()).filter((name) => name !== '');
  if (first === undefined || columns < 1 || columns > MAX_COLUMNS) return '';
  const last = others.at(-1);
  const row = (shelf: string): [string, string] => [`${shelf}-1`, `${shelf}-${columns}`];
  return texts.map.placesPreview(columns * (others.length + 1), row(first), last === undefined ? undefined : row(last));
}
