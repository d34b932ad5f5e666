import type { PlaceRule } from '#shared/lib/places/placeRules.ts';

/** A place where an article may be. `available` is null if the place is not counted, and `priority` is null if the list order applies. */
export type ChoosablePlace = { available: number | null; isEmpty: boolean; priority: number | null };

/** How to choose a place: the setting `place_rule`, and a comparison that sorts places by walking order. */
export type PlaceOrder<Place> = { rule: PlaceRule; byWalk: (one: Place, other: Place) => number };

/** The chosen place. `isLacking` is true if no place has any pieces. */
export type ChosenPlace<Place> = { place: Place; isLacking: boolean };

/**
 * Chooses a place for this many pieces: one whose stock suffices, otherwise one that is not counted, otherwise one with any pieces. Among
 * equals, the rule decides, then the walking order. If no place has pieces, returns the first one in the list. Returns undefined if
 * `places` is empty. Contract, section 20.
 */
export function choosePlace<Place extends ChoosablePlace>(
  places: readonly Place[],
  needed: number,
  { rule, byWalk }: PlaceOrder<Place>,
): ChosenPlace<Place> | undefined {
  const ranks = places.map((place) => rankOf(place, needed));
  const best = Math.min(...ranks);
  const group = places.flatMap((place, index) => (ranks[index] === best ? [{ place, index }] : []));
  const [first] = group;
  if (first === undefined) return undefined;
  if (best === NOTHING) return { place: first.place, isLacking: true };
  const compare = best === COVERS && rule === 'emptiest' ? byStock : byPriority;
  const [chosen = first] = group.toSorted((one, other) => compare(one, other) || byWalk(one.place, other.place));
  return { place: chosen.place, isLacking: false };
}

const COVERS = 0;
const NOT_COUNTED = 1;
const LESS = 2;
const NOTHING = 3;

function rankOf({ available, isEmpty }: ChoosablePlace, needed: number): number {
  if (available === null) return isEmpty ? NOTHING : NOT_COUNTED;
  if (available <= 0) return NOTHING;
  return available >= needed ? COVERS : LESS;
}

/** A place and its position in the list. */
type Listed = { place: ChoosablePlace; index: number };

function byStock({ place: one }: Listed, { place: other }: Listed): number {
  return (one.available ?? 0) - (other.available ?? 0);
}

/** Compares by priority. Places without a priority come last, in list order. */
function byPriority(one: Listed, other: Listed): number {
  const [first, second] = [one.place.priority, other.place.priority];
  if (first === null && second === null) return one.index - other.index;
  return first === second ? 0 : (first ?? LAST) - (second ?? LAST);
}

const LAST = Number.POSITIVE_INFINITY;
