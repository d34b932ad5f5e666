/** Distribution of many durations, without storing each of them. */
export type Times = {
  /** Adds a duration in whole milliseconds, 0 or more. */
  add(ms: number): void;
  count(): number;
  /**
   * Returns the duration that this fraction of all durations did not exceed (0.5 for the median), accurate to 0.5 %, or null if there are
   * none.
   */
  quantile(part: number): number | null;
};

/** Width of a bucket on a logarithmic scale. Each bucket is 1 % wider than the previous one. */
const STEP = Math.log(1.01);

/** Counts durations in buckets of 1 % width, so that even a thousand distributions of a million durations need little memory. */
export function createTimes(): Times {
  const counts = new Map<number, number>();
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  return {
    add(ms) {
      const step = ms < 1 ? -1 : Math.floor(Math.log(ms) / STEP);
      counts.set(step, (counts.get(step) ?? 0) + 1);
      count += 1;
      least = Math.min(least, ms);
      most = Math.max(most, ms);
    },
    count: () => count,
    quantile(part) {
      if (count === 0) return null;
      const wanted = Math.max(1, Math.ceil(part * count));
      if (wanted === 1) return least;
      if (wanted === count) return most;
      let seen = 0;
      for (const [step, there] of [...counts].toSorted(([a], [b]) => a - b)) {
        seen += there;
        if (seen < wanted) continue;
        const middle = step < 0 ? 0 : Math.exp((step + 0.5) * STEP);
        return Math.round(Math.min(most, Math.max(least, middle)));
      }
      return most;
    },
  };
}
