/** A place where an article may be. `available` is null if it is not counted. */
export type ChoosablePlace = { available: number | null; isEmpty: boolean };

/**
 * The place for this many pieces, of places in the order of priority: the first whose stock covers them, else the first that is not counted,
 * else the first with anything, else the first. Undefined without places. Contract, section 20.
 */
export function choosePlace<Place extends ChoosablePlace>(places: readonly Place[], needed: number): Place | undefined {
  const rankOf = ({ available, isEmpty }: Place): number => {
    if (available === null) return isEmpty ? NOTHING : NOT_COUNTED;
    if (available <= 0) return NOTHING;
    return available >= needed ? COVERS : LESS;
  };
  return places.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

const COVERS = 0;
const NOT_COUNTED = 1;
const LESS = 2;
const NOTHING = 3;
