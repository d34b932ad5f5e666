import { composeLetter } from './compose.ts';
import { cropRows, glyphToPicture, pictureToGlyph, readDrawn, readMarks, type Picture } from './drawn.ts';
import { stackFraction } from './fractions.ts';
import type { RawGlyph } from './rawGlyph.ts';
import { stretchGlyph, type StretchZone } from './stretch.ts';

type SmallSize = {
  size: number;
  /** File name of Terminus Bold, without the folder. */
  file: string;
  pitch: number;
  /** Minimum length of a horizontal run of ink that counts as a bar, in pixels. */
  minBar: number;
  /** Heights of capitals and lowercase letters above the baseline, and of tails below it, in rows: `from` in the bitmap, `to` as drawn. */
  from: Heights;
  to: Heights;
  /** File name of DejaVu Sans Condensed in a similar weight, for characters that Terminus lacks. */
  outlines: string;
};
type Heights = { capital: number; small: number; tail: number };

/** Sizes with capitals of 12 pixels (2.7 mm), and with 6 or 8 pixels per character. */
export const SMALL_SIZES: readonly SmallSize[] = [
  {
    size: 15,
    file: 'ter-u12b_unicode.pcf.gz',
    pitch: 6,
    minBar: 3,
    from: { capital: 8, small: 6, tail: 2 },
    to: { capital: 12, small: 9, tail: 3 },
    outlines: 'DejaVuSansCondensed.ttf',
  },
  {
    size: 16,
    file: 'ter-u16b_unicode.pcf.gz',
    pitch: 8,
    minBar: 4,
    from: { capital: 10, small: 7, tail: 4 },
    to: { capital: 12, small: 9, tail: 4 },
    outlines: 'DejaVuSansCondensed-Bold.ttf',
  },
];

const SMALL_LETTER = /\p{Lowercase_Letter}/u;
/** Characters that are always stretched to the height of the sheet: letters, figures and currency signs. */
const AS_CAPITAL = /[[\p{Letter}\p{Decimal_Number}\p{Currency_Symbol}]--[ªºⁿ]]/v;
/** Height relative to capitals up to which symbols are not made higher, so that a plus does not become a cross. */
const LOW_SIGN = 0.9;
const DOTLESS_J = 0x237;

/** Draws characters from a bitmap font at the height of the sheet. */
export function drawSmall(
  font: ReadonlyMap<number, RawGlyph>,
  size: SmallSize,
  codes: readonly number[],
): Map<number, RawGlyph> {
  const drawn = readDrawn(size.pitch);
  const marks = readMarks(size.pitch);
  const findBase = (code: number): Picture | undefined => {
    const glyph = font.get(code);
    if (code === DOTLESS_J) return dotless(findBase(0x6a), size);
    return drawn.get(code) ?? (glyph && fitHeight(code, glyph, size));
  };
  const findRaw = (code: number): Picture | undefined => {
    const glyph = font.get(code);
    return glyph && glyphToPicture(glyph);
  };
  return new Map(
    codes.flatMap((code) => {
      const picture =
        drawn.get(code) ??
        stackFraction(code, { capital: size.to.capital, findFigure: findRaw }) ??
        composeLetter(code, { marks, findBase }) ??
        findBase(code);
      return picture === undefined ? [] : [[code, pictureToGlyph(picture, size.pitch)] as const];
    }),
  );
}

function fitHeight(code: number, glyph: RawGlyph, size: SmallSize): Picture {
  const picture = glyphToPicture(glyph);
  const character = String.fromCodePoint(code);
  if (!AS_CAPITAL.test(character) && picture.rows.length <= size.from.capital * LOW_SIGN) {
    return { ...picture, top: Math.max(-size.to.capital, picture.top - riseOf(picture, size)) };
  }
  return cropRows(
    glyphToPicture(stretchGlyph(glyph, zonesOf(size, picture.top, SMALL_LETTER.test(character)), size.minBar)),
  );
}

/**
 * Returns the number of rows by which a symbol moves up when capitals become higher: all added rows for symbols at the top, none for
 * symbols on the baseline, and half for others.
 */
function riseOf({ top, rows }: Picture, { from, to }: SmallSize): number {
  const grown = to.capital - from.capital;
  const bottom = top + rows.length;
  if (bottom > 0 || (bottom === 0 && top >= -from.capital / 2)) return 0;
  return bottom <= -from.capital / 2 && top <= 1 - from.capital ? grown : Math.round(grown / 2);
}

function zonesOf({ from, to }: SmallSize, inkTop: number, isSmallLetter: boolean): StretchZone[] {
  const top = Math.min(-from.capital, inkTop);
  const below = { top: 0, bottom: from.tail, height: to.tail };
  if (!isSmallLetter) return [{ top, bottom: 0, height: to.capital }, below];
  const rise = { top, bottom: -from.small, height: to.capital - to.small - from.capital - top };
  return [rise, { top: -from.small, bottom: 0, height: to.small }, below];
}

function dotless(picture: Picture | undefined, { to }: SmallSize): Picture | undefined {
  return picture && { top: -to.small, rows: picture.rows.slice(-to.small - picture.top) };
}
