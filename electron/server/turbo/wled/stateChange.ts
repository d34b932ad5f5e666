import type { BrightnessId } from './brightness.ts';
import type { StripSegment } from './pixels.ts';
import { segmentsOf, type StripRange } from './strip.ts';

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
