import { compareLabels } from '../text/locale.ts';
import type { StationMap } from '../../api/map.ts';

/**
 * Returns the rank of each placed device on a walk along all racks in their order. Each rack is walked shelf by shelf from the top: the
 * first shelf from left to right, the next from right to left, and so on. See the contract, section 16.
 */
export function walkRanks({ racks, places }: Pick<StationMap, 'racks' | 'places'>): Map<string, number> {
  const onShelf = Map.groupBy(places, ({ shelf }) => shelf);
  const walked = racks.flatMap(({ shelves }) =>
    shelves.flatMap(({ id }, index) => {
      const direction = index % 2 === 0 ? 1 : -1;
      return (onShelf.get(id) ?? []).toSorted((a, b) => direction * (a.column - b.column));
    }),
  );
  return new Map(walked.map(({ deviceid }, rank) => [deviceid, rank]));
}

/** Compares the names of places that have no device. */
export const byName = (a: string, b: string): number => compareLabels(a || LAST, b || LAST);

/** A text that sorts after all labels. */
const LAST = '\uffff';

/**
 * Returns a function that compares devices by rank. Devices without a rank come last, sorted by label, and those without a label at the
 * very end.
 */
export function byWalk(ranks: ReadonlyMap<string, number>) {
  const rankOf = (deviceId: string) => ranks.get(deviceId) ?? Number.POSITIVE_INFINITY;
  return (a: { deviceId: string; label: string }, b: { deviceId: string; label: string }): number => {
    if (a.deviceId === b.deviceId) return 0;
    const [first, second] = [rankOf(a.deviceId), rankOf(b.deviceId)];
    return first === second
      ? compareLabels(a.label || LAST, b.label || LAST) || (a.deviceId < b.deviceId ? -1 : 1)
      : first - second;
  };
}
