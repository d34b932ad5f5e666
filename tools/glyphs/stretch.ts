import type { RawGlyph } from './rawGlyph.ts';

/** Rows of a glyph from `top` to `bottom`, in pixels from the baseline, and the height that they should get. */
export type StretchZone = { top: number; bottom: number; height: number };

/**
 * Equal adjacent rows of a bitmap: `count` rows from `row`. `barWidth` is the length of their longest run of ink, which determines the cost
 * of adding rows.
 */
type Band = { row: number; count: number; barWidth: number };

const SHORT_BAR = 2;
const SHORT_BAR_COST = 3;
/** Cost of repeating a row of a bar. It exceeds the cost of any uneven distribution of other rows. */
const BAR_COST = 60;

/**
 * Makes a bitmap glyph higher, zone by zone from top to bottom. Repeats the rows of upright strokes evenly, but not the rows of bars, which
 * would become thicker. `minBar` is the minimum length of ink in a row of a bar.
 */
export function stretchGlyph(glyph: RawGlyph, zones: readonly StretchZone[], minBar: number): RawGlyph {
  const rows = zones.flatMap((zone) => chooseRows(glyph, zone, minBar));
  const below = zones.reduce((sum, { top, height }) => (top < 0 ? sum + height : sum), 0);
  const isInk = (x: number, y: number) => {
    const row = rows[y];
    return row !== undefined && isInkAt(glyph, x, row);
  };
  return { ...glyph, top: -below, height: rows.length, isInk };
}

function isInkAt(glyph: RawGlyph, x: number, row: number): boolean {
  const y = row - glyph.top;
  return y >= 0 && y < glyph.height && glyph.isInk(x, y);
}

function chooseRows(glyph: RawGlyph, { top, bottom, height }: StretchZone, minBar: number): number[] {
  const bands = listBands(glyph, top, bottom);
  const factor = height / (bottom - top);
  // The cheapest way to reach each number of rows with the bands so far.
  let cheapest = new Map<number, { cost: number; counts: number[] }>([[0, { cost: 0, counts: [] }]]);
  for (const band of bands) {
    const next: typeof cheapest = new Map();
    for (const [rows, { cost, counts }] of cheapest) {
      for (let count = band.count; rows + count <= height; count++) {
        const total = cost + costOf(band, count, factor, minBar);
        const known = next.get(rows + count);
        if (known === undefined || total < known.cost - 1e-9)
          next.set(rows + count, { cost: total, counts: [...counts, count] });
      }
    }
    cheapest = next;
  }
  const counts = cheapest.get(height)?.counts ?? [];
  return bands.flatMap((band, index) => Array.from({ length: counts[index] ?? 0 }, () => band.row));
}

function costOf({ count, barWidth }: Band, wanted: number, factor: number, minBar: number): number {
  const uneven = (wanted - count * factor) ** 2 / count;
  const added = wanted - count;
  if (count > 1 || barWidth < SHORT_BAR) return uneven;
  return uneven + added * (barWidth >= minBar ? BAR_COST : SHORT_BAR_COST);
}

function listBands(glyph: RawGlyph, top: number, bottom: number): Band[] {
  const bands: Band[] = [];
  let last: string | undefined;
  for (let row = top; row < bottom; row++) {
    const picture = Array.from({ length: glyph.width }, (_, x) => (isInkAt(glyph, x, row) ? '#' : '.')).join('');
    const band = bands.at(-1);
    if (band !== undefined && picture === last) {
      band.count++;
    } else {
      const barWidth = Math.max(0, ...Array.from(picture.matchAll(/#+/g), ([ink]) => ink.length));
      bands.push({ row, count: 1, barWidth });
    }
    last = picture;
  }
  return bands;
}
