import type { ImportCounts } from '#shared/api/imports.ts';
import type { LastImport } from '#shared/api/locationImport.ts';
import type { ImportTable } from '../types.ts';

/** Returns the last location import by any caller that changed something. Returns null if there is none or it was undone. */
export function lastLocationImport({ imports }: ImportTable): LastImport | null {
  const last = imports.lastOfLocations();
  if (last === undefined || last.state === 'undone') return null;
  const { id, at, by, counts } = last;
  return { id, at, by, counts: olderCounts(counts) };
}

/** Converts counts to the form of `/api/location-aliases/import/`. */
export function olderCounts({ new: added, changed, known, refused, left_out }: ImportCounts): LastImport['counts'] {
  return { new: added, changed, unchanged: known, refused: refused + left_out };
}
