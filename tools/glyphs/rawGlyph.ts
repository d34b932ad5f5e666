/**
 * A character in one size, uncropped. All numbers are pixels. `left` and `top`: offset from the pen on the baseline to the first pixel of
 * the box; a negative `top` is above the baseline.
 */
export type RawGlyph = {
  advance: number;
  left: number;
  top: number;
  width: number;
  height: number;
  isInk: (x: number, y: number) => boolean;
};
