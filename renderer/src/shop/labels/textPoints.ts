import type { Size } from '../../kit/print/labelCode.ts';

const MM_A_POINT = 25.4 / 72;
const LARGEST_PT = 44;
/** Size in points below which words are broken instead of shrinking the text further. */
const WHOLE_PT = 10;
const MIN_PT = 7;
const LINE_HEIGHT = 1.22;
const MAX_LINES = 3;

/**
 * Widths of bold letters, as multiples of the font size. The values are slightly too large, so that a line never
 * breaks unexpectedly.
 */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[iIjl.,:;'|!()[\]]/, 0.36],
  [/[frt\-/ ]/, 0.48],
  [/[mM]/, 1],
  [/[wW@%&]/, 1.12],
  [/[A-Z]/, 0.78],
  [/[a-z0-9]/, 0.67],
];
/** Width of letters of other scripts, which can be as wide as they are high. */
const OTHER_WIDTH = 1.1;
const SPACE_WIDTH = 0.36;

/** Returns the largest size in points at which a text fits the box, or 7 if none does. */
export function textPoints(text: string, { width, height }: Size): number {
  const words = text.split(/\s+/).map(measureWord);
  const longest = Math.max(...words.map(({ width: wide }) => wide));
  const fits = (points: number): boolean => {
    const letter = points * MM_A_POINT;
    const lines = countLines(words, width / letter);
    return lines <= MAX_LINES && lines * LINE_HEIGHT * letter <= height;
  };
  for (let points = LARGEST_PT; points >= WHOLE_PT; points -= 1) {
    if (longest * points * MM_A_POINT <= width && fits(points)) return points;
  }
  for (let points = LARGEST_PT; points > MIN_PT; points -= 1) {
    if (fits(points)) return points;
  }
  return MIN_PT;
}

/**
 * Counts the lines of a text, breaking words that are longer than a line. A letter that does not fit begins the next
 * line, so the rest of the previous line stays empty.
 */
function countLines(words: readonly Word[], width: number): number {
  let lines = 1;
  let used = 0;
  for (const word of words) {
    const after = used === 0 ? word.width : used + SPACE_WIDTH + word.width;
    if (after <= width) {
      used = after;
      continue;
    }
    const filled = word.width <= width ? width : Math.max(width - word.widest, word.widest);
    const own = Math.ceil(word.width / filled);
    lines += used === 0 ? own - 1 : own;
    used = word.width - (own - 1) * filled;
  }
  return lines;
}

/** Width of a word and of its widest letter, as multiples of the font size. */
type Word = { width: number; widest: number };

function measureWord(word: string): Word {
  // Accents do not make a letter wider.
  const letters = Array.from(word.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  const widths = letters.map((letter) => WIDTHS.find(([some]) => some.test(letter))?.[1] ?? other(letter));
  return { width: widths.reduce((sum, width) => sum + width, 0), widest: Math.max(0, ...widths) };
}

/**
 * Returns the width of a letter that is not in the table. Accented Latin letters are about as wide as their base
 * letters.
 */
function other(letter: string): number {
  return /\p{Script=Latin}/u.test(letter) ? 0.85 : OTHER_WIDTH;
}
