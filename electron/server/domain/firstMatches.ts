/** Letters that differ only above these bits share a column of the table; each match is compared with the text again. */
const LETTERS = 64;
/** Characters of words in one pass over the text: limits the table to 16 MB. */
const MAX_CHARACTERS = 64_000;

/**
 * Finds many words in a long text in one pass over it (Aho-Corasick): searching a thousand words one by one takes a thousand passes.
 * `isValid`: whether a match at this position counts. Returns the position of the first that does, by word.
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
  const { next, ends, shorter } = tableOf(words);
  let left = words.length;
  for (let at = 0, state = 0; at < text.length && left > 0; at += 1) {
    state = next[state * LETTERS + (text.charCodeAt(at) % LETTERS)] ?? 0;
    for (let node = ends[state] === undefined ? (shorter[state] ?? 0) : state; node !== 0; node = shorter[node] ?? 0) {
      for (const word of ends[node] ?? []) {
        const start = at + 1 - word.length;
        if (found.has(word) || !text.startsWith(word, start) || !isValid(start, word)) continue;
        found.set(word, start);
        left -= 1;
      }
    }
  }
}

/** `next`: the state after each letter. `ends`: words that end at a state. `shorter`: the longest shorter state that ends a word. */
function tableOf(words: readonly string[]): { next: Int32Array; ends: (string[] | undefined)[]; shorter: Int32Array } {
  const size = words.reduce((sum, word) => sum + word.length, 1);
  const next = new Int32Array(size * LETTERS);
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
  const shorter = new Int32Array(states);
  /** The longest state that is an end of this one. */
  const fallback = new Int32Array(states);
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
      shorter[child] = ends[other] === undefined ? (shorter[other] ?? 0) : other;
      queue.push(child);
    }
  }
  return { next, ends, shorter };
}
