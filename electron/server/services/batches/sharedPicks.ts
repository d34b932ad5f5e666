import type { Repositories } from '../../db/repositories.ts';
import type { Target } from '../devices/index.ts';

/** A place to pick from. `target` is undefined if no device serves the place. */
type PickPlace = { target: Target | undefined; location: string; place: string | null; picker: string | null };

/** Returns a function that inserts a pick, or finds the pick that was inserted for the same key, and returns its id. */
export function insertSharedPicks(batches: Repositories['batches'], batchId: number) {
  const known = new Map<string, number>();
  return (key: readonly unknown[], placeOf: () => PickPlace): number => {
    const text = JSON.stringify(key);
    const found = known.get(text);
    if (found !== undefined) return found;
    const { target, location, place, picker } = placeOf();
    const id = batches.insertPick({
      batchId,
      deviceId: target?.deviceId ?? null,
      target: target?.target ?? 'device',
      alias: target?.alias ?? '',
      location,
      place,
      picker,
    });
    known.set(text, id);
    return id;
  };
}
