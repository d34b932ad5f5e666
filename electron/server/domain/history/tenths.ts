/** Calculates the median of durations that are counted in tenths of a second. */
export type Tenths = {
  add(tenths: number, count: number): void;
  count(): number;
  /**
   * Returns the median in seconds, or null if there are no durations. For an even number of durations, this is the lower of the middle two.
   */
  median(): number | null;
};

export function createTenths(): Tenths {
  const counts = new Map<number, number>();
  let total = 0;
  return {
    add(tenths, count) {
      counts.set(tenths, (counts.get(tenths) ?? 0) + count);
      total += count;
    },
    count: () => total,
    median() {
      let left = Math.ceil(total / 2);
      for (const tenths of [...counts.keys()].toSorted((a, b) => a - b)) {
        left -= counts.get(tenths) ?? 0;
        if (left <= 0) return tenths / 10;
      }
      return null;
    },
  };
}
