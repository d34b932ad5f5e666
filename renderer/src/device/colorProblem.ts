import { COLOR_NAMES, parseColor } from '#shared/led/color.ts';
import { texts } from '../ui/texts.ts';

/** Says that the text is not a color, and suggests the closest name. Empty if it is a color or blank. */
export function colorProblem(typed: string): string {
  const word = typed.trim();
  return word === '' || parseColor(word) !== undefined ? '' : texts.form.noColor(word, closestName(word.toLowerCase()));
}

const NAMES = COLOR_NAMES.filter((name) => name.length > 2);

function closestName(word: string): string {
  return NAMES.reduce((best, name) => (distance(word, name) < distance(word, best) ? name : best), 'red');
}

/** How many letters to add, drop or change make one word the other (Levenshtein). */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 0; row < from.length; row++) {
    const line = [row + 1];
    for (let at = 0; at < to.length; at++) {
      const change = (above[at] ?? 0) + Number(from[row] !== to[at]);
      line.push(Math.min(change, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
