import type { StripSegment } from './pixels.ts';

/** A range of LEDs. `start` is counted from 0. */
export type LedRange = { start: number; count: number };

/** A range of LEDs in one color, which is 0xRRGGBB. */
export type StripRange = LedRange & { color: number };

/**
 * Builds segment changes that color only these LEDs, in the format of WLED's JSON API. A pixel that also has other LEDs stays unchanged. In
 * segments with the ids in `cleared`, all other pixels become dark.
 */
export function segmentsOf(
  ranges: readonly StripRange[],
  segments: readonly StripSegment[],
  cleared: ReadonlySet<number>,
): { id: number; frz?: false; i: (number | string)[] }[] {
  const colors = new Map(ranges.flatMap((range) => ledsOf(range).map((led) => [led, range.color] as const)));
  return segments.flatMap(({ id, pixels }) => {
    const runs: { from: number; to: number; color: number }[] = [];
    for (const [index, leds] of pixels.entries()) {
      const [first = -1] = leds;
      const color = colors.get(first);
      if (color === undefined || leds.some((led) => colors.get(led) !== color)) continue;
      const last = runs.at(-1);
      if (last?.to === index && last.color === color) last.to += 1;
      else runs.push({ from: index, to: index + 1, color });
    }
    if (runs.length === 0 && !cleared.has(id)) return [];
    // WLED clears a segment that is not frozen before it colors single pixels.
    const thawed = cleared.has(id) ? ({ frz: false } as const) : {};
    return [{ id, ...thawed, i: runs.flatMap(({ from, to, color }) => [from, to, hexOf(color)]) }];
  });
}

/** The LEDs of a place as its segments show them. */
export type Coverage = {
  /** LEDs that the station can light. */
  lit: readonly number[];
  /** Other LEDs in the same pixels, which would shine too. If there are any, the place stays dark. */
  shared: readonly number[];
};

/** Returns what lighting these LEDs would do. */
export function coverageOf(ranges: readonly LedRange[], segments: readonly StripSegment[]): Coverage {
  const own = new Set(ranges.flatMap(ledsOf));
  const touched = new Set(
    segments.flatMap(({ pixels }) => pixels.filter((leds) => leds.some((led) => own.has(led))).flat()),
  );
  return { lit: [...own].filter((led) => touched.has(led)), shared: [...touched].filter((led) => !own.has(led)) };
}

export function ledsOf({ start, count }: LedRange): number[] {
  return Array.from({ length: count }, (_, at) => start + at);
}

/** Joins LEDs to ranges, in ascending order. */
export function rangesOfLeds(leds: Iterable<number>): LedRange[] {
  const ranges: { start: number; count: number }[] = [];
  for (const led of [...new Set(leds)].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.start + last.count === led) last.count += 1;
    else ranges.push({ start: led, count: 1 });
  }
  return ranges;
}

function hexOf(color: number): string {
  return color.toString(16).toUpperCase().padStart(6, '0');
}
