import { nameKey } from '../text/nameKey.ts';
import { createPace, type InParts } from '../station/inParts.ts';
import { pathOf } from './cells/codes.ts';
import { plainText } from './cells/texts.ts';
import type { TableField } from './fields.ts';
import { MAX_PATH_CHARACTERS, MAX_PLACE_PATHS } from './tableLimits.ts';
import type { MappedColumns } from './types.ts';

/** Maximum number of paths to ask about. */
const MAX_ASKED = 20;

/** Places to which several paths of a file lead. `keys` are the `nameKey`s of the places, and `paths` are the paths to ask about. */
export type SharedPlaces = { keys: ReadonlySet<string>; paths: readonly string[] };

/**
 * Finds places that several paths end with, such as `WH/Stock/A-1-1` and `WH2/Stock/A-1-1`, or that the file names with and without a path.
 * Ignores full names of places, and places whose paths are all in `placePaths`.
 */
export function* findSharedPlaces(
  { body, fields }: Pick<MappedColumns, 'body' | 'fields'>,
  field: TableField,
  { isPlace, placePaths }: { isPlace(text: string): boolean; placePaths: readonly string[] },
): InParts<SharedPlaces> {
  const pace = createPace();
  const column = fields.get(field);
  const byPlace = new Map<string, Map<string, string>>();
  const plain = new Set<string>();
  for (const { cells, isHidden } of column === undefined ? [] : body) {
    if (pace.isDue()) yield* pace.rest();
    const text = plainText(cells[column ?? 0]);
    const found = text.ok && !text.isQuoted && !isHidden ? pathOf(text.value, isPlace) : undefined;
    if (found === undefined && text.ok && !isHidden) plain.add(nameKey(text.value));
    if (found === undefined) continue;
    const paths = byPlace.get(nameKey(found.place)) ?? new Map<string, string>();
    byPlace.set(nameKey(found.place), paths.set(nameKey(found.path), found.path));
  }
  const known = new Set(placePaths.map(nameKey));
  const shared = [...byPlace].filter(
    ([place, paths]) => (paths.size > 1 || plain.has(place)) && [...paths.keys()].some((path) => !known.has(path)),
  );
  const paths = new Map<string, string>();
  for (const [, each] of shared) {
    const added = [...each].filter(([key]) => !known.has(key) && !paths.has(key));
    const fits = [...each.values()].every((path) => path.length <= MAX_PATH_CHARACTERS);
    // Do not ask about paths that an answer cannot contain.
    if (!fits || known.size + paths.size + added.length > MAX_PLACE_PATHS) continue;
    for (const [key, path] of each) paths.set(key, path);
  }
  return { keys: new Set(shared.map(([key]) => key)), paths: [...paths.values()].slice(0, MAX_ASKED) };
}
