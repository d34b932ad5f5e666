/** A part of the strip with its own effect, as its owner set it up: LEDs from `start` up to but not including `stop`. */
export type SegmentShape = {
  id: number;
  start: number;
  stop: number;
  /** Whether pixels are counted from the end of the segment. */
  rev: boolean;
  /** Whether each pixel also shines at the other end of the segment. */
  mi: boolean;
  /** Number of LEDs of a pixel. */
  grp: number;
  /** Number of LEDs by which pixels are shifted. Those that leave the segment at its end enter at its start. */
  of: number;
};

/** A segment with the LEDs of each pixel, which is what one index in WLED's JSON API colors. */
export type StripSegment = { id: number; start: number; stop: number; pixels: readonly (readonly number[])[] };

/**
 * Lists the LEDs of each pixel of a segment without spacing, as WLED places them: until 0.15 in `Segment::setPixelColor`; since 16 in
 * `WS2812FX::blendSegment` (`isBlended`), which reverses groups differently.
 */
export function pixelsOf(segment: SegmentShape, isBlended: boolean): number[][] {
  const { start, stop, mi, grp, of } = segment;
  const length = stop - start;
  const groups = Math.ceil(length / grp);
  const count = mi ? Math.ceil(groups / 2) : groups;
  const ledAt = (position: number): number => start + ((position + of) % length);
  return Array.from({ length: count }, (_, index) => {
    const positions = isBlended ? blendedGroup(segment, index, count) : directGroup(segment, index);
    const inside = positions.filter((position) => position >= 0 && position < length);
    return [...new Set(inside.flatMap((at) => (mi ? [ledAt(at), ledAt(length - 1 - at)] : [ledAt(at)])))];
  });
}

function directGroup({ start, stop, rev, mi, grp }: SegmentShape, index: number): number[] {
  const first = index * grp;
  if (!rev) return Array.from({ length: grp }, (_, at) => first + at);
  const last = stop - start - 1;
  const end = mi ? Math.floor(last / 2) : last;
  return Array.from({ length: grp }, (_, at) => end - first - at);
}

function blendedGroup({ rev, grp }: SegmentShape, index: number, count: number): number[] {
  const first = (rev ? count - 1 - index : index) * grp;
  return Array.from({ length: grp }, (_, at) => first + at);
}
