import type { Rack } from '#shared/api/map.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import { findLabeledCell } from '#shared/lib/places/placeLabel.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { lastWord, type RackDraft } from './rackDraft.ts';

/**
 * Returns the places whose names would no longer fit the shelves of a changed rack, with the names that would. `names` are the names of
 * all places.
 */
export function placesToRename(
  racks: readonly Rack[],
  rack: Rack,
  draft: RackDraft,
  names: readonly string[],
): PlaceRename[] {
  const shelves = new Map(rack.shelves.map(({ id, name }) => [id, name.trim()]));
  const after = new Map(draft.shelves.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name.trim()]])));
  const [short, shortAfter] = [lastWord(rack.name), lastWord(draft.name)];
  const once = new Map(names.map((name) => [nameKey(name), name]));
  return [...once.values()].flatMap((from): PlaceRename[] => {
    const cell = findLabeledCell(racks, from);
    const before = cell === undefined ? undefined : shelves.get(cell.shelf);
    const shelf = cell === undefined ? undefined : after.get(cell.shelf);
    if (before === undefined || shelf === undefined || shelf === '') return [];
    const spellings = [
      [before, shelf],
      [`${short}-${before}`, `${shortAfter}-${shelf}`],
    ] as const;
    const [prefix, becomes] = spellings.find(([start]) => nameKey(from).startsWith(nameKey(`${start}-`))) ?? [];
    if (prefix === undefined || becomes === undefined || prefix === becomes) return [];
    return [{ from, to: `${becomes}${from.slice(prefix.length)}` }];
  });
}
