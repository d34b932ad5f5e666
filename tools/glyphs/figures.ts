import type { RawGlyph } from './rawGlyph.ts';

const ROUND = '035689';
const FIGURES = '0123456789';

/**
 * Aligns figures to one baseline and one width. Otherwise, because of rounding, a round figure may reach a pixel below the baseline or be a
 * pixel wider than others.
 */
export function levelFigures(glyphs: Map<number, RawGlyph>): Map<number, RawGlyph> {
  const isLevel = listGlyphs(glyphs, ROUND).every(([, glyph]) => reachesBelow(glyph));
  const figures = listGlyphs(glyphs, FIGURES);
  const advance = Math.max(...figures.map(([, glyph]) => glyph.advance));
  const levelled = figures.map(([code, glyph]): [number, RawGlyph] => [
    code,
    { ...(isLevel ? glyph : cutBelow(glyph)), advance },
  ]);
  return new Map([...glyphs, ...levelled]);
}

function listGlyphs(glyphs: Map<number, RawGlyph>, figures: string): [code: number, RawGlyph][] {
  return Array.from(figures).flatMap((figure) => {
    const code = figure.charCodeAt(0);
    const glyph = glyphs.get(code);
    return glyph === undefined ? [] : [[code, glyph]];
  });
}

function reachesBelow({ top, width, height, isInk }: RawGlyph): boolean {
  for (let y = Math.max(0, -top); y < height; y++) {
    for (let x = 0; x < width; x++) if (isInk(x, y)) return true;
  }
  return false;
}

function cutBelow(glyph: RawGlyph): RawGlyph {
  return { ...glyph, isInk: (x, y) => y < -glyph.top && glyph.isInk(x, y) };
}
