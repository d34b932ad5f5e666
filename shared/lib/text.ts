import { MAX_LINE_CHARACTERS } from '../screen/content.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text as one line of a screen: normalised, control characters as spaces, at most `limit` characters as a reader
 * counts them. Contract, section 4.
 */
export function cutLine(text: string, limit: number = MAX_LINE_CHARACTERS): string {
  // Most lines are short ASCII: nothing to normalise, one unit a character.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length <= limit ? text : text.slice(0, limit);
  const line = text.normalize('NFC').replace(/\p{Cc}/gu, ' ');
  if (line.length <= limit) return line;
  let cut = '';
  let count = 0;
  for (const { segment } of segmenter.segment(line)) {
    if (count === limit) break;
    cut += segment;
    count += 1;
  }
  return cut;
}
