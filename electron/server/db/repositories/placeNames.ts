import { nameKey } from '#shared/lib/nameKey.ts';
import { firstMatches } from '../../domain/firstMatches.ts';
import { isInsideWord } from '../../domain/textIndex.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

/** A searchable name (as `nameKey`) of an alias or, without `aliasId`, of a device by its label. */
type PlaceName = { key: string; aliasId: number | null; deviceId: string };

/** All names in natural order. `starts`: position of each in `text`. */
type Sorted = { mark: string | undefined; names: PlaceName[]; text: string; starts: Uint32Array };

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** `isFinal`: no later match changes what was found. */
type Judged = { found: PlaceName | undefined; isFinal: boolean };

/** Judges the next name that contains the text, in natural order. */
type Judge = (so: Judged | undefined, name: PlaceName) => Judged;

const NONE: Sorted = { mark: undefined, names: [], text: '', starts: new Uint32Array() };

/** Cached searches until a name changes: far more than one launch makes. */
const MAX_REMEMBERED = 20_000;
/** From this number of searches on, one pass for all costs less. */
const MANY = 20;

/**
 * Finds aliases and labels by a part of their names. Keeps the sorted names in memory as one text, so that the first
 * match is the first in natural order; a mark on disk tells whether they are current. The first search after a change
 * reloads them. Caches results, since searching 100,000 names takes milliseconds, most of them for a single digit.
 */
export function placeNameRows(db: Db) {
  const { list, meta } = statements(db);
  const mark = meta('place_names');
  const all = list<[], PlaceName>(
    `SELECT name_key AS key, id AS aliasId, device_id AS deviceId FROM location_aliases
     UNION ALL SELECT label_key, NULL, device_id FROM devices WHERE label_key <> ''`,
  );
  let sorted = NONE;
  let clears: (() => void)[] = [];

  function current(): Sorted {
    const now = mark.get();
    if (now !== sorted.mark || now === undefined) {
      sorted = sort(all(), sorted.names, now);
      for (const clear of clears) clear();
    }
    return sorted;
  }

  /** Undefined: the match spans two names. */
  function nameAt({ names, starts }: Sorted, at: number, { length }: string): PlaceName | undefined {
    const index = lastNotAbove(starts, at);
    const name = names[index];
    return name !== undefined && at + length <= (starts[index] ?? 0) + name.key.length ? name : undefined;
  }

  /** `onlyWhole`: ignores matches that begin or end inside a word or number, most of which are found for a single digit. */
  function finder(judge: Judge, { onlyWhole }: { onlyWhole: boolean }) {
    const remembered = new Map<string, PlaceName | undefined>();
    clears = [...clears, () => remembered.clear()];

    function judgeAt(names: Sorted, at: number, key: string, so: Judged | undefined): Judged | undefined {
      // Before looking up the name, which costs more.
      if (onlyWhole && (isInsideWord(names.text, at) || isInsideWord(names.text, at + key.length))) return so;
      const name = nameAt(names, at, key);
      return name === undefined ? so : judge(so, name);
    }

    function search(names: Sorted, key: string): PlaceName | undefined {
      const { text } = names;
      let judged: Judged | undefined;
      for (let at = text.indexOf(key); at !== -1 && judged?.isFinal !== true; at = text.indexOf(key, at + 1)) {
        judged = judgeAt(names, at, key, judged);
      }
      return judged?.found;
    }

    function remember(key: string, found: PlaceName | undefined): PlaceName | undefined {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, found);
      return found;
    }

    return {
      /** Searches many texts in one pass, and caches the results for `find`. */
      searchAll(texts: readonly string[]): void {
        const keys = new Set(texts.map(nameKey).filter((key) => key !== ''));
        if (keys.size < MANY) return;
        const names = current();
        const unknown = new Set([...keys].filter((key) => !remembered.has(key)));
        if (unknown.size < MANY) return;
        const judged = new Map<string, Judged>();
        firstMatches(names.text, unknown, (at, key) => {
          const now = judgeAt(names, at, key, judged.get(key));
          if (now !== undefined) judged.set(key, now);
          return now?.isFinal === true;
        });
        for (const key of unknown) remember(key, judged.get(key)?.found);
      },
      find(text: string): PlaceName | undefined {
        const key = nameKey(text);
        if (key === '') return undefined;
        const names = current();
        if (remembered.has(key)) return remembered.get(key);
        return remember(key, search(names, key));
      },
    };
  }

  return {
    /** The first name in natural order that contains a text, ignoring case; an alias before an equal label. */
    firstWith: finder((_so, found) => ({ found, isFinal: true }), { onlyWhole: false }),
    /** The first name that contains a text as whole words and numbers. Undefined if several devices have such names. */
    onlyWith: finder(
      (so, name) => {
        if (so?.found === undefined) return { found: name, isFinal: false };
        return so.found.deviceId === name.deviceId ? so : { found: undefined, isFinal: true };
      },
      { onlyWhole: true },
    ),
  };
}

/** `before`: the previously sorted names: nearly sorted input takes a tenth of the time. */
function sort(found: readonly PlaceName[], before: readonly PlaceName[], mark: string | undefined): Sorted {
  const unsorted = new Map(found.map((name) => [ownerOf(name), name]));
  const names: PlaceName[] = [];
  for (const { aliasId, deviceId } of before) {
    const owner = ownerOf({ aliasId, deviceId });
    const name = unsorted.get(owner);
    if (name !== undefined && unsorted.delete(owner)) names.push(name);
  }
  for (const name of [...unsorted.values()].sort(inOrder)) names.push(name);
  names.sort(inOrder);
  const starts = new Uint32Array(names.length);
  let length = 0;
  for (const [index, { key }] of names.entries()) {
    starts[index] = length;
    length += key.length + 1;
  }
  return { mark, names, text: names.map(({ key }) => key).join('\n'), starts };
}

function ownerOf({ aliasId, deviceId }: Pick<PlaceName, 'aliasId' | 'deviceId'>): number | string {
  return aliasId ?? deviceId;
}

function inOrder(a: PlaceName, b: PlaceName): number {
  const byName = natural.compare(a.key, b.key);
  if (byName !== 0) return byName;
  if (a.aliasId !== null && b.aliasId !== null) return a.aliasId - b.aliasId;
  if (a.aliasId === null && b.aliasId === null) return a.deviceId < b.deviceId ? -1 : 1;
  return a.aliasId === null ? 1 : -1;
}

/** Index of the last of these ascending numbers that is at most `limit`. */
function lastNotAbove(numbers: Uint32Array, limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
