/** Maximum width of a bump that counts as a rounding artifact. The edge on which it sits must extend by `EDGE` pixels on each side. */
const WIDEST_NUB = 4;
const EDGE = 2;

export type Grid = { width: number; height: number; isInk: (x: number, y: number) => boolean };

/** Removes bumps of one pixel in height, which a curve leaves where it touches the next row or column. */
export function removeNubs(grid: Grid): Grid['isInk'] {
  const nubs = new Set<number>();
  const transposed: Grid = { width: grid.height, height: grid.width, isInk: (x, y) => grid.isInk(y, x) };
  for (const away of [-1, 1]) {
    for (const [x, y] of findNubs(grid, away)) nubs.add(y * grid.width + x);
    for (const [y, x] of findNubs(transposed, away)) nubs.add(y * grid.width + x);
  }
  return (x, y) => grid.isInk(x, y) && !nubs.has(y * grid.width + x);
}

function* findNubs({ width, height, isInk }: Grid, away: number): Generator<[x: number, y: number]> {
  const ink = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && isInk(x, y);
  for (let y = 0; y < height; y++) {
    for (let start = 0; start < width; start++) {
      if (!ink(start, y) || ink(start - 1, y)) continue;
      let end = start;
      while (ink(end + 1, y)) end++;
      const run = Array.from({ length: end - start + 1 + 2 * EDGE }, (_, step) => start - EDGE + step);
      const isBump = end - start < WIDEST_NUB && run.every((x) => ink(x, y - away) && !ink(x, y + away));
      if (isBump) for (let x = start; x <= end; x++) yield [x, y];
    }
  }
}
