/** Letters whose codes differ by a multiple of this share a column of the table, so each match is compared with the text. */
const LETTERS = 64;
/** Characters of words in one pass over the text: limits the table to 8 MB, and its states to 16 bits. */
const MAX_CHARACTERS = 64_000;

/**
 * Finds many words in a long text in one pass over it (Aho-Corasick): searching a thousand words one by one takes a thousand passes.
 * No word has more than 64,000 characters. `isValid`: whether a match at this position counts. Returns the position of the first match
 * that does, by word.
 */
export function firstMatches(
  text: string,
  words: ReadonlySet<string>,
  isValid: (at: number, word: string) => boolean,
): Map<string, number> {
  const found = new Map<string, number>();
  let some: string[] = [];
  let characters = 0;
  for (const word of words) {
    if (some.length > 0 && characters + word.length > MAX_CHARACTERS) {
      search(text, some, isValid, found);
      some = [];
      characters = 0;
    }
    some.push(word);
    characters += word.length;
  }
  if (some.length > 0) search(text, some, isValid, found);
  return found;
}

function search(
  text: string,
  words: readonly string[],
  isValid: (at: number, word: string) => boolean,
  found: Map<string, number>,
): void {
  const { next, ends, longest, shorter } = tableOf(words);
  let left = words.length;
  for (let at = 0, state = 0; at < text.length && left > 0; at += 1) {
    state = next[state * LETTERS + (text.charCodeAt(at) % LETTERS)] ?? 0;
    for (let node = longest[state] ?? 0; node !== 0; node = shorter[node] ?? 0) {
      for (const word of ends[node] ?? []) {
        const start = at + 1 - word.length;
        if (found.has(word) || !text.startsWith(word, start) || !isValid(start, word)) continue;
        found.set(word, start);
        left -= 1;
      }
    }
  }
}

type Table = {
  /** The state after each letter. */
  next: Uint16Array;
  /** The words that end at a state. */
  ends: (string[] | undefined)[];
  /** The state of the longest word that ends where this state ends, and of the longest one but itself; 0: none. */
  longest: Uint16Array;
  shorter: Uint16Array;
};

function tableOf(words: readonly string[]): Table {
  const size = words.reduce((sum, word) => sum + word.length, 1);
  const next = new Uint16Array(size * LETTERS);
  const ends = Array.from<string[] | undefined>({ length: size });
  let states = 1;
  for (const word of words) {
    let state = 0;
    for (let index = 0; index < word.length; index += 1) {
      const cell = state * LETTERS + (word.charCodeAt(index) % LETTERS);
      if (next[cell] === 0) next[cell] = states++;
      state = next[cell] ?? 0;
    }
    (ends[state] ??= []).push(word);
  }
  const longest = new Uint16Array(states);
  const shorter = new Uint16Array(states);
  /** The longest state that is an end of this one. */
  const fallback = new Uint16Array(states);
  const queue = [0];
  for (const state of queue) {
    const back = fallback[state] ?? 0;
    for (let letter = 0; letter < LETTERS; letter += 1) {
      const child = next[state * LETTERS + letter] ?? 0;
      const other = state === 0 ? 0 : (next[back * LETTERS + letter] ?? 0);
      if (child === 0) {
        next[state * LETTERS + letter] = other;
        continue;
      }
      fallback[child] = other;
      shorter[child] = longest[other] ?? 0;
      longest[child] = ends[child] === undefined ? (longest[other] ?? 0) : child;
      queue.push(child);
    }
  }
  return { next, ends, longest, shorter };
}
