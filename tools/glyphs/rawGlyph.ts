/**
 * Character in one size, with its margins. All numbers are pixels. `left` and `top` are the offset from the pen on the baseline to the
 * first pixel of the box. `top` is negative above the baseline.
 */
export type RawGlyph = {
  advance: number;
  left: number;
  top: number;
  width: number;
  height: number;
  isInk: (x: number, y: number) => boolean;
};
