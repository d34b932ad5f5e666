/** Work that is split into parts. The caller can do other work between two parts. */
export type InParts<T> = Generator<void, T, void>;

/** Runs all parts without pauses. */
export function whole<T>(work: InParts<T>): T {
  for (;;) {
    const part = work.next();
    if (part.done === true) return part.value;
  }
}

/** Milliseconds of work after which a part ends. */
const PART_MS = 1;

/** Tells when a part of work has taken long enough. */
export type Pace = {
  isDue(): boolean;
  /** Ends the part. */
  rest(): InParts<void>;
};

/**
 * Creates a pace for work whose steps take different times, such as rows with a few or thousands of cells. A count of steps cannot limit how
 * long a part takes.
 */
export function createPace(): Pace {
  let begunAt = performance.now();
  return {
    isDue: () => performance.now() - begunAt >= PART_MS,
    *rest() {
      yield;
      begunAt = performance.now();
    },
  };
}

/** Number of values to sort at once, and of comparisons after which a part ends even if they are fast. */
const SORTED_AT_ONCE = 16;
const MOST_COMPARISONS = 5_000;

/** Sorts like `toSorted`, keeping the order of equal values. */
export function* sortedInParts<T>(values: readonly T[], compare: (a: T, b: T) => number): InParts<T[]> {
  const pace = createPace();
  let comparisons = 0;
  const counted = (a: T, b: T): number => {
    comparisons += 1;
    return compare(a, b);
  };
  function* sort(from: number, to: number): InParts<T[]> {
    if (to - from <= SORTED_AT_ONCE) return values.slice(from, to).toSorted(counted);
    const half = Math.ceil((from + to) / 2);
    const first = yield* sort(from, half);
    const second = yield* sort(half, to);
    const merged: T[] = [];
    let [one, two] = [0, 0];
    while (one < first.length || two < second.length) {
      if (comparisons > MOST_COMPARISONS || pace.isDue()) {
        comparisons = 0;
        yield* pace.rest();
      }
      const [a, b] = [first[one], second[two]];
      const isFirst = a !== undefined && (b === undefined || counted(a, b) <= 0);
      const next = isFirst ? a : b;
      if (next === undefined) break;
      merged.push(next);
      if (isFirst) one += 1;
      else two += 1;
    }
    return merged;
  }
  return yield* sort(0, values.length);
}
