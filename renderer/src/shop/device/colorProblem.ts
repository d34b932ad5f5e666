import { COLOR_NAMES, parseColor } from '#shared/led/color.ts';
import { editDistance } from '#shared/lib/text/editDistance.ts';
import * as texts from '../../words/texts.ts';

/** Explains that the text is not a color, and suggests the closest name. Returns an empty text if the text is a color or blank. */
export function colorProblem(typed: string): string {
  const word = typed.trim();
  return word === '' || parseColor(word) !== undefined ? '' : texts.form.noColor(word, closestName(word.toLowerCase()));
}

const NAMES = COLOR_NAMES.filter((name) => name.length > 2);

function closestName(word: string): string {
  return NAMES.reduce((best, name) => (editDistance(word, name) < editDistance(word, best) ? name : best), 'red');
}
