import type { Size } from './labelSheets.ts';

const MM_A_POINT = 25.4 / 72;
const LARGEST_PT = 44;
/** Smaller than this a word is rather broken. */
const WHOLE_PT = 10;
const MIN_PT = 7;
const LINE_HEIGHT = 1.22;
const MAX_LINES = 3;

/** Widths of bold letters, in heights of the font; a little more than they are, so that no line breaks that was counted as one. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[iIjl.,:;'|!()[\]]/, 0.36],
  [/[frt\-/ ]/, 0.48],
  [/[mM]/, 1],
  [/[wW@%&]/, 1.12],
  [/[A-Z]/, 0.78],
  [/[a-z0-9]/, 0.67],
];
/** What is not Latin may be as wide as it is high. */
const OTHER_WIDTH = 1.1;
const SPACE_WIDTH = 0.36;

/** The size, in points, in which a name stands in a box as large as can be; what is too long even for the least is cut there. */
export function namePoints(name: string, { width, height }: Size): number {
  const words = name.split(/\s+/).map(widthOf);
  const longest = Math.max(...words);
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

/** A word that is longer than a line goes on in the next one. */
function countLines(words: readonly number[], width: number): number {
  let lines = 1;
  let used = 0;
  for (const word of words) {
    const after = used === 0 ? word : used + SPACE_WIDTH + word;
    if (after <= width) {
      used = after;
      continue;
    }
    const own = Math.ceil(word / width);
    lines += used === 0 ? own - 1 : own;
    used = word - (own - 1) * width;
  }
  return lines;
}

function widthOf(word: string): number {
  // An accent makes no letter wider.
  const letters = Array.from(word.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  return letters.reduce((sum, letter) => sum + (WIDTHS.find(([some]) => some.test(letter))?.[1] ?? other(letter)), 0);
}

/** The rest of Latin is as wide as its kin. */
function other(letter: string): number {
  return /\p{Script=Latin}/u.test(letter) ? 0.85 : OTHER_WIDTH;
}
