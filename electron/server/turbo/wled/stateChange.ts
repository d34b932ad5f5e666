import type { BrightnessId } from './brightness.ts';
import type { StripSegment } from './pixels.ts';
import { type LedRange, segmentsOf, type StripRange } from './strip.ts';
import { isIn } from './stripPlaces.ts';

/** Maximum number of runs of pixels in a request. These take up to 8 KB, and the smallest controllers can read 10 KB. */
const MAX_RUNS = 400;

/** Returns the first parts that fit into one request together with `before`, at least one if `before` is empty. */
export function fitting<Part>(
  parts: readonly Part[],
  rangesOf: (part: Part) => readonly LedRange[],
  segments: readonly StripSegment[],
  before: readonly LedRange[] = [],
): Part[] {
  let runs = runsIn(before, segments);
  const end = parts.findIndex((part, index) => {
    runs += runsIn(rangesOf(part), segments);
    return runs > MAX_RUNS && index + before.length > 0;
  });
  return end === -1 ? [...parts] : parts.slice(0, end);
}

/** Counts runs of pixels: one for each segment of each range. An offset can split one more run per segment. */
function runsIn(ranges: readonly LedRange[], segments: readonly StripSegment[]): number {
  return ranges.reduce((sum, range) => sum + segments.filter((segment) => isIn(segment, [range])).length, 0);
}

/**
 * Builds the body of one request that paints all these ranges. `brightness` contains the values to restore for the strip and its segments;
 * undefined values stay unchanged.
 */
export function stateChange(
  ranges: readonly StripRange[],
  segments: readonly StripSegment[],
  {
    isLit,
    cleared,
    brightness,
  }: { isLit: boolean; cleared: ReadonlySet<number>; brightness: ReadonlyMap<BrightnessId, number | undefined> },
): object {
  // Leave a strip that its owner switched off until something is lit.
  const on = isLit ? { on: true } : {};
  const bright = (id: BrightnessId): { bri?: number } => {
    const bri = brightness.get(id);
    return bri === undefined ? {} : { bri };
  };
  return {
    ...on,
    ...bright('strip'),
    tt: 0,
    seg: segmentsOf(ranges, segments, cleared).map((segment) => ({ ...segment, ...on, ...bright(segment.id) })),
  };
}
