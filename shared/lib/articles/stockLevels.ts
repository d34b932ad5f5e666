/**
 * What is known about the stock at a place. `on_hand` is null if the stock has not been counted, and `minimum` is null if there is none.
 */
type PlaceStock = { on_hand: number | null; minimum: number | null };

/** Whether a place is at or below its minimum. */
export function isLow({ on_hand: pieces, minimum }: PlaceStock): boolean {
  return pieces !== null && minimum !== null && pieces <= minimum;
}

/** Whether a place is at or below its minimum, or has a minimum but has never been counted. */
export function isToReorder(place: PlaceStock): boolean {
  return place.minimum !== null && (place.on_hand === null || isLow(place));
}

/** Returns the stock as a fraction of the minimum, or infinity if nobody has counted the stock. */
function restOf({ on_hand: pieces, minimum }: PlaceStock): number {
  if (pieces === null) return Number.POSITIVE_INFINITY;
  return pieces <= 0 ? 0 : pieces / Math.max(1, minimum ?? 1);
}

/** Sorts places, with the emptiest relative to their minimum first and those that nobody has counted last. */
export function byUrgency<Place extends PlaceStock>(places: readonly Place[]): Place[] {
  const rests = places.map((place) => ({ place, rest: restOf(place) }));
  // Compare for equality first, because the difference of two infinite numbers is NaN.
  return rests.toSorted((a, b) => (a.rest === b.rest ? 0 : a.rest - b.rest)).map(({ place }) => place);
}

/** Whether a place has a negative stock, so that it has to be counted. */
export function isNegative({ on_hand: pieces }: Pick<PlaceStock, 'on_hand'>): boolean {
  return pieces !== null && pieces < 0;
}
