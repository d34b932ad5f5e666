import { graphemesOf } from '../lib/text/locale.ts';
import { drawnCodes } from './glyphs/drawnCodes.ts';
import { listCodes } from './sheet.ts';
import { sheetOf, type FigureSize, type TextSize } from './sheets.ts';

/** Code for a character that no sheet can contain, such as an emoji with several code points, or a letter with an unusual accent. */
export const NO_CODE = -1;

/** Text to draw: one code point per grapheme, or `NO_CODE` for a grapheme with several. */
export type Codes = readonly number[];

// Characters that are graphemes on their own. All others need the segmenter, which is a hundred times slower.
const PLAIN =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u20bf\u2100-\u23ff]*$/;
const ASCII = /^[\u0020-\u007e]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const SPACE = /^\s+$/u;
const NON_BREAKING_HYPHEN = 0x2011;
const HYPHEN = 0x2d;

/** Splits composed text (NFC) into graphemes. */
function splitCharacters(text: string): string[] {
  const composed = text.normalize('NFC');
  return PLAIN.test(composed) ? Array.from(composed) : [...graphemesOf(composed)];
}

/** Converts text to the code points to draw: composes it, replaces white space with spaces, and drops invisible characters. */
export function toCodes(text: string): number[] {
  return splitCharacters(text).flatMap(toCode);
}

function toCode(character: string): number[] {
  const first = character.codePointAt(0) ?? NO_CODE;
  if (character.length === 1 && first > 0x20 && first < 0x7f) return [first];
  const visible = character.replace(IGNORABLE, '');
  const code = visible.codePointAt(0);
  if (code === undefined) return [];
  if (SPACE.test(visible)) return [0x20];
  if (visible.length > (code > 0xffff ? 2 : 1)) return [NO_CODE];
  return [code === NON_BREAKING_HYPHEN ? HYPHEN : code];
}

// Computed on first use.
let drawn: ReadonlySet<number> | undefined;

/**
 * Returns the graphemes in a text that can be drawn only as a box, without duplicates. Considers all letters, including those that are not
 * loaded yet.
 */
export function unknownCharacters(text: string): string[] {
  if (ASCII.test(text)) return [];
  const known = (drawn ??= new Set(listCodes(drawnCodes)));
  const unknown = splitCharacters(text).filter((character) => toCode(character).some((code) => !known.has(code)));
  return [...new Set(unknown)];
}

/** Measures the width of a text in pixels, from its first pen position to its last. */
export function measureText(codes: Codes, size: TextSize | FigureSize): number {
  const sheet = sheetOf(size);
  let width = 0;
  for (const code of codes) width += (sheet.findGlyph(code) ?? sheet.missing).advance;
  return width;
}

/** Counts the characters without a glyph in this size. */
export function countMissing(codes: Codes, size: TextSize | FigureSize): number {
  const sheet = sheetOf(size);
  return codes.reduce((missing, code) => (sheet.findGlyph(code) === undefined ? missing + 1 : missing), 0);
}

/**
 * The bounds of a text's ink in pixels, to the right of the first pen position and below the baseline. Positions above the baseline are
 * negative.
 */
export type InkBox = { left: number; right: number; top: number; bottom: number };

/** Measures the ink of a text. Returns zeros if the text has no ink. */
export function measureInk(codes: Codes, size: TextSize | FigureSize): InkBox {
  const sheet = sheetOf(size);
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  let pen = 0;
  for (const code of codes) {
    const glyph = sheet.findGlyph(code) ?? sheet.missing;
    if (glyph.width > 0) {
      box.left = Math.min(box.left, pen + glyph.left);
      box.right = Math.max(box.right, pen + glyph.left + glyph.width);
      box.top = Math.min(box.top, glyph.top);
      box.bottom = Math.max(box.bottom, glyph.top + glyph.height);
    }
    pen += glyph.advance;
  }
  return box.right < box.left ? { left: 0, right: 0, top: 0, bottom: 0 } : box;
}

/** Cuts a text to a width in pixels, with an ellipsis. */
export function cutToWidth(codes: Codes, size: TextSize | FigureSize, width: number): Codes {
  if (measureText(codes, size) <= width) return codes;
  const ELLIPSIS = 0x2026;
  let kept = codes.length;
  while (kept > 0 && measureText([...codes.slice(0, kept), ELLIPSIS], size) > width) kept--;
  return [...codes.slice(0, kept), ELLIPSIS];
}
