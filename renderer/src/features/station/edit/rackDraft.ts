import type { NewRack, Rack, RackChange, StationMap } from '#shared/api/map.ts';
import * as texts from '../../../words/texts.ts';

/** A rack as it is typed. Shelves that are new have no id yet; `key` tells them apart meanwhile. */
export type RackDraft = {
  name: string;
  note: string;
  columns: number;
  shelves: readonly { key: string; id?: string; name: string }[];
};

export function draftOf({ name, note, columns, shelves }: Rack): RackDraft {
  return { name, note, columns, shelves: shelves.map((shelf) => ({ key: shelf.id, ...shelf })) };
}

/** The next letter, with shelves as most racks have. */
export function newDraft(map: StationMap): RackDraft {
  const taken = new Set(map.racks.map((rack) => rack.name.trim().toUpperCase()));
  const letter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('').find((each) => !taken.has(each)) ?? '';
  const shelves = [3, 2, 1].map((number) => ({ key: `new ${number}`, name: `${letter}-${number}` }));
  return { name: letter, note: '', columns: map.racks.at(-1)?.columns ?? 4, shelves };
}

/** Why it cannot be saved; empty where it can. */
export function problemOf({ name, shelves }: RackDraft): string {
  if (name.trim() === '') return texts.map.rackNameless;
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
