/** A line of the palette. */
export type PaletteEntry = {
  id: string;
  words: string;
  hint: string;
  /** What it is found by beside its words and its hint, in lower case. */
  also?: string;
  kind: 'page' | 'device' | 'order' | 'sequence' | 'action';
  run(): void;
};

/** More lines than these nobody reads, and each costs time to draw. */
const MAX_ENTRIES = 20;

/**
 * The entries that match what is typed, best first: every typed word begins a word of the entry, in the order typed before
 * any other; else each is somewhere in it. Among equals the recent ones come first, then the order given. Nothing typed:
 * the recent ones, then the first of all.
 */
export function findEntries(
  entries: readonly PaletteEntry[],
  typed: string,
  recent: readonly string[],
): readonly PaletteEntry[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { entry: PaletteEntry; score: number; age: number; place: number }[] = [];
  for (const [place, entry] of entries.entries()) {
    const score = wanted.length === 0 ? 0 : scoreOf(entry, wanted);
    if (score === undefined) continue;
    const age = recent.indexOf(entry.id);
    found.push({ entry, score, age: age < 0 ? recent.length : age, place });
  }
  return found
    .toSorted((a, b) => a.score - b.score || a.age - b.age || a.place - b.place)
    .slice(0, MAX_ENTRIES)
    .map(({ entry }) => entry);
}

/** Lower is better; undefined: no match. */
function scoreOf({ words, hint, also = '' }: PaletteEntry, wanted: readonly string[]): number | undefined {
  const name = words.toLowerCase();
  if (name === wanted.join(' ')) return 0;
  const text = `${name} ${hint.toLowerCase()}`;
  if (name.startsWith(wanted.join(' '))) return 1;
  if (wanted.every((word) => beginsAWord(name, word))) return 2;
  if (wanted.every((word) => beginsAWord(`${text} ${also}`, word))) return 3;
  return wanted.every((word) => text.includes(word)) ? 4 : undefined;
}

function beginsAWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}
