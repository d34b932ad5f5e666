const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters as a reader counts them, and as the 26 of a line are counted. */
export function countCharacters(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter.segment(text.normalize('NFC'))) count += 1;
  return count;
}
