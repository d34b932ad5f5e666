/** The median of times that are counted in tenths of a second. */
export type Tenths = {
  add(tenths: number, count: number): void;
  count(): number;
  /** Seconds; of an even number of times, the lower of the two in the middle. Null without any. */
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
