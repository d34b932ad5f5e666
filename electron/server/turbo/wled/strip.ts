/** A range of LEDs in one color. `start` is counted from 0, and `color` is 0xRRGGBB. */
export type StripRange = { start: number; count: number; color: number };

/** A part of the strip with its own effect: LEDs from `start` up to but not including `stop`. */
export type StripSegment = { id: number; start: number; stop: number };

/** Builds segment changes that color only these LEDs, in the format of WLED's JSON API. */
export function segmentsOf(
  ranges: readonly StripRange[],
  segments: readonly StripSegment[],
): { id: number; i: (number | string)[] }[] {
  const joined = joinRanges(ranges);
  return segments.flatMap(({ id, start, stop }) => {
    const colors = joined.flatMap((range) => {
      const from = Math.max(range.start, start);
      const to = Math.min(range.start + range.count, stop);
      // WLED counts LEDs from the start of the segment.
      return from < to ? [from - start, to - start, hexOf(range.color)] : [];
    });
    return colors.length === 0 ? [] : [{ id, i: colors }];
  });
}

/** Counts the LEDs in this range that belong to one of the segments. */
export function ledsWithin(
  { start, count }: Pick<StripRange, 'start' | 'count'>,
  segments: readonly StripSegment[],
): number {
  return segments.reduce((sum, segment) => {
    const from = Math.max(start, segment.start);
    return sum + Math.max(0, Math.min(start + count, segment.stop) - from);
  }, 0);
}

/** Joins neighboring ranges of the same color. */
function joinRanges(ranges: readonly StripRange[]): StripRange[] {
  const joined: StripRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && last.color === range.color && last.start + last.count === range.start) {
      joined[joined.length - 1] = { ...last, count: last.count + range.count };
    } else {
      joined.push(range);
    }
  }
  return joined;
}

function hexOf(color: number): string {
  return color.toString(16).toUpperCase().padStart(6, '0');
}
