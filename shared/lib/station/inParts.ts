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

/** Number of values to sort or merge per step. Each needs one comparison. */
const SORTED_AT_ONCE = 500;

/** Sorts like `toSorted`, keeping the order of equal values. */
export function* sortedInParts<T>(values: readonly T[], compare: (a: T, b: T) => number): InParts<T[]> {
  if (values.length <= SORTED_AT_ONCE) return values.toSorted(compare);
  const half = Math.ceil(values.length / 2);
  yield;
  const first = yield* sortedInParts(values.slice(0, half), compare);
  yield;
  const second = yield* sortedInParts(values.slice(half), compare);
  const merged: T[] = [];
  let [one, two] = [0, 0];
  while (one < first.length || two < second.length) {
    if (merged.length % SORTED_AT_ONCE === 0) yield;
    const [a, b] = [first[one], second[two]];
    const isFirst = a !== undefined && (b === undefined || compare(a, b) <= 0);
    const next = isFirst ? a : b;
    if (next === undefined) break;
    merged.push(next);
    if (isFirst) one += 1;
    else two += 1;
  }
  return merged;
}
