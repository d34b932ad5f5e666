import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';

/** How well a field matches, best first. */
export const MATCH_RANKS = ['exact', 'prefix', 'word', 'inside'] as const;
export type MatchRank = 0 | 1 | 2 | 3;

/** Text fields that belong together, such as those of an item. `ref` is returned if one of them matches. */
export type Part<Ref> = { ref: Ref; fields: readonly string[] };

/** `field` is the index of the part's best matching field. */
export type Match<Ref> = { ref: Ref; field: number; rank: MatchRank };

/**
 * Characters that mark the beginning of a part and of a field. All texts of a key are stored in one string, because searching few long
 * strings is several times faster than searching many short ones.
 */
const PART = '\u0002';
const FIELD = '\u0001';
const PART_CODE = 2;
const FIELD_CODE = 1;

/** `starts` contains the position where each part begins. */
type Entry<Ref> = { text: string; refs: Ref[]; starts: number[] };

/** Stores texts in memory, and finds any part of them. Compares texts like names, and treats control characters as spaces. */
export function createTextIndex<Ref>() {
  const entries = new Map<string, Entry<Ref>>();
  let parts = 0;

  function remove(key: string): void {
    parts -= entries.get(key)?.refs.length ?? 0;
    entries.delete(key);
  }

  return {
    has: (key: string) => entries.has(key),
    size: () => entries.size,
    keys: () => [...entries.keys()],
    /** Total number of parts. */
    parts: () => parts,
    /** Replaces all parts of the key. If `added` is empty, removes the key. */
    set(key: string, added: readonly Part<Ref>[]): void {
      if (added.length === 0) return remove(key);
      parts += added.length - (entries.get(key)?.refs.length ?? 0);
      const texts = added.map(textOf);
      let length = 0;
      const starts = texts.map((text) => (length += text.length) - text.length);
      entries.set(key, { text: texts.join(''), refs: added.map(({ ref }) => ref), starts });
    },
    delete: remove,
    clear(): void {
      entries.clear();
      parts = 0;
    },
    /**
     * Returns at most `limit` matches of each rank, best first, then newest first, with one match per part. Texts can change between two
     * steps.
     */
    *find(wanted: string, limit: number): InParts<Match<Ref>[]> {
      const key = searchKey(wanted);
      const found = MATCH_RANKS.map(() => new Newest<Ref>(limit));
      const pace = createPace();
      if (key !== '') {
        for (const entry of entries.values()) {
          search(entry, key, found);
          if (pace.isDue()) yield* pace.rest();
        }
      }
      return found.flatMap((newest, rank) =>
        // Safe cast: there is one list per rank.
        newest.list().map(({ entry, at }) => ({ ...placeOf(entry, at), rank: rank as MatchRank })),
      );
    },
  };
}

export type TextIndex<Ref> = ReturnType<typeof createTextIndex<Ref>>;

/** Converts a text to the form in which texts are compared. */
export function searchKey(text: string): string {
  return nameKey(text.replace(/\p{Cc}/gu, ' '));
}

function textOf<Ref>({ fields }: Part<Ref>): string {
  return PART + fields.map((field) => FIELD + searchKey(field)).join('');
}

/** Adds each part that matches to the list of its best rank. */
function search<Ref>(entry: Entry<Ref>, wanted: string, found: readonly Newest<Ref>[]): void {
  const { text } = entry;
  let at = text.indexOf(wanted);
  while (at >= 0) {
    const next = text.indexOf(PART, at);
    const end = next < 0 ? text.length : next;
    let best = at;
    let rank = rankAt(text, at, wanted.length);
    for (at = text.indexOf(wanted, at + 1); at >= 0 && at < end; at = text.indexOf(wanted, at + 1)) {
      const other = rankAt(text, at, wanted.length);
      if (other >= rank) continue;
      best = at;
      rank = other;
    }
    found[rank]?.add(entry, best);
  }
}

function rankAt(text: string, at: number, length: number): MatchRank {
  if (text.charCodeAt(at - 1) !== FIELD_CODE) return beginsWord(text, at) ? 2 : 3;
  const after = at + length;
  const isWhole = after === text.length || text.charCodeAt(after) <= PART_CODE;
  return isWhole ? 0 : 1;
}

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]$/u;
const FIRST_WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]/u;

/** Whether a word or a number continues across this position of a lower-case text. */
export function isInsideWord(text: string, at: number): boolean {
  if (beginsWord(text, at)) return false;
  const code = text.charCodeAt(at);
  return code < 128 ? isWordCode(code) : FIRST_WORD_CHARACTER.test(text.slice(at, at + 2));
}

/** Whether the code is an ASCII digit or a lower-case ASCII letter. */
function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122);
}

function beginsWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  // Fast path for ASCII text, which is already in lower case.
  if (code < 128) return !isWordCode(code);
  return !WORD_CHARACTER.test(text.slice(Math.max(0, at - 2), at));
}

/** Returns the part and the field at this position. */
function placeOf<Ref>({ text, refs, starts }: Entry<Ref>, at: number): { ref: Ref; field: number } {
  const part = starts.findLastIndex((start) => start < at);
  let field = -1;
  for (let index = starts[part] ?? 0; index < at; index += 1) if (text.charCodeAt(index) === FIELD_CODE) field += 1;
  // Safe cast: every text begins with a part, and each part has a ref.
  return { ref: refs[part] as Ref, field };
}

/** Keeps the last `limit` positions, because later positions are newer. */
class Newest<Ref> {
  readonly #limit: number;
  readonly #kept: { entry: Entry<Ref>; at: number }[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(entry: Entry<Ref>, at: number): void {
    this.#kept[this.#count % this.#limit] = { entry, at };
    this.#count += 1;
  }

  list(): { entry: Entry<Ref>; at: number }[] {
    const next = this.#count <= this.#limit ? 0 : this.#count % this.#limit;
    return [...this.#kept.slice(next), ...this.#kept.slice(0, next)].toReversed();
  }
}
