import { expect, test } from 'vitest';
import { firstMatches } from '../../electron/server/domain/firstMatches.ts';
import * as fc from '../helpers/fastCheck.ts';

/** One search for each word. */
function searched(text: string, words: ReadonlySet<string>, isValid: (at: number, word: string) => boolean) {
  const found = new Map<string, number>();
  for (const word of words) {
    let at = text.indexOf(word);
    while (at !== -1 && !isValid(at, word)) at = text.indexOf(word, at + 1);
    if (at !== -1) found.set(word, at);
  }
  return found;
}

// Letters of which some share a column of the table: their codes differ by 64.
const letters = fc.constantFrom('a', 'b', '!', 'á', '\u{1F600}');
const text = fc.array(letters, { maxLength: 60 }).map((all) => all.join(''));
const word = fc.array(letters, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));

test('finds what one search for each word finds', () => {
  fc.assert(
    fc.property(text, fc.array(word, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (haystack, given, step) => {
      const words = new Set(given);
      const isValid = (at: number) => at % step === 0;
      expect(firstMatches(haystack, words, isValid)).toEqual(searched(haystack, words, isValid));
    }),
  );
});

test('finds words of more characters than one pass takes', () => {
  const words = Array.from({ length: 200 }, (_, index) => `${'x'.repeat(999)}${index}`);
  const found = firstMatches(words.toReversed().join('\n'), new Set(words), () => true);
  expect(found.size).toBe(200);
  expect(found.get(`${'x'.repeat(999)}199`)).toBe(0);
});
