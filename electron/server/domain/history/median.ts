const SECOND_MS = 1_000;

/** Calculates the exact median of many durations. Sorts only the durations within one second. */
export type Median = {
  add(ms: number): void;
  /**
   * Returns the median in milliseconds, or null if there are no durations. For an even number of durations, this is the mean of the middle
   * two.
   */
  result(): number | null;
};

export function createMedian(): Median {
  const bySecond = new Map<number, number[]>();
  let count = 0;

  /** Returns the duration at this index in sorted order. */
  function at(place: number): number {
    let left = place;
    for (const second of [...bySecond.keys()].toSorted((a, b) => a - b)) {
      const times = bySecond.get(second) ?? [];
      if (left < times.length) return Float64Array.from(times).sort()[left] ?? 0;
      left -= times.length;
    }
    return 0;
  }

  return {
    add(ms) {
      count += 1;
      const second = Math.floor(ms / SECOND_MS);
      const times = bySecond.get(second);
      if (times === undefined) bySecond.set(second, [ms]);
      else times.push(ms);
    },
    result: () => (count === 0 ? null : (at(Math.floor((count - 1) / 2)) + at(Math.floor(count / 2))) / 2),
  };
}
