/** Maximum number of characters of a name to split. */
const MAX_NAME_CHARACTERS = 80;
/** Minimum number of characters of the parts of a compound. */
const MIN_PART = 3;

/** Returns the words in a text. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Returns a text in lower case and without accents. */
export function withoutAccents(text: string): string {
  return text.normalize('NFKD').toLowerCase().replaceAll('ß', 'ss').replaceAll('ł', 'l').replaceAll(/\p{M}/gu, '');
}

/**
 * Returns the words of a column name in lower case, without accents. `QtyShipped` has two words. So does the compound `Stornomenge` if its parts
 * are known. Returns no words for a long name.
 */
export function wordsOfName(name: string, isKnown: (word: string) => boolean): string[] {
  if (name.length > MAX_NAME_CHARACTERS) return [];
  return withoutAccents(name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => (isKnown(word) ? [word] : (partsOf(word, isKnown) ?? [word])));
}

/** Splits a compound into two known words. The first one may end in a linking `s`. */
function partsOf(word: string, isKnown: (word: string) => boolean): string[] | undefined {
  for (let at = word.length - MIN_PART; at >= MIN_PART; at -= 1) {
    const rest = word.slice(at);
    if (!isKnown(rest)) continue;
    const first = [word.slice(0, at), word.slice(0, at).replace(/s$/, '')].find(isKnown);
    if (first !== undefined) return [first, rest];
  }
  return undefined;
}
