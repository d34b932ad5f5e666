import { compareLabels } from '#shared/lib/text/locale.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { isInsideWord } from '../../domain/find/textIndex.ts';
import type { Db } from '../db.ts';
import { IS_SLOT } from './devices.ts';
import { statements } from './statements.ts';

/** The key (`nameKey`) of an alias or, if `aliasId` is null, of a device's label. */
type PlaceName = { key: string; aliasId: number | null; deviceId: string };

/** Finds aliases and labels that contain a text. */
export type PlaceNames = {
  /** Finds the first name, in natural order, that contains a text. Ignores case. An alias precedes an equal label. */
  firstWith(text: string): PlaceName | undefined;
  /**
   * Finds the first name that contains a text as whole words and numbers. Returns undefined if several devices have such names, or if the
   * text begins or ends with a separator.
   */
  onlyWith(text: string): PlaceName | undefined;
  /** Returns a version for many searches in one use-case. It reads all names in one query. */
  once(): PlaceNames;
};

/** Returns the names that contain a key. */
type Search = (key: string) => readonly PlaceName[];

export function placeNameRows(db: Db): PlaceNames {
  const { list } = statements(db);
  const all = list<[], PlaceName>(
    `SELECT name_key AS key, id AS aliasId, device_id AS deviceId FROM location_aliases
     UNION ALL SELECT label_key, NULL, device_id FROM devices WHERE label_key <> '' AND NOT ${IS_SLOT}`,
  );
  const containing = list<[filter: { key: string }], PlaceName>(
    `SELECT name_key AS key, id AS aliasId, device_id AS deviceId FROM location_aliases WHERE instr(name_key, :key) > 0
     UNION ALL SELECT label_key, NULL, device_id FROM devices
     WHERE label_key <> '' AND instr(label_key, :key) > 0 AND NOT ${IS_SLOT}`,
  );
  const once = (): PlaceNames => {
    let search: Search | undefined;
    return searchBy((key) => (search ??= searchIn(all()))(key), once);
  };
  return searchBy((key) => containing({ key }), once);
}

function searchBy(search: Search, once: () => PlaceNames): PlaceNames {
  const find = (text: string): { key: string; names: readonly PlaceName[] } => {
    const key = nameKey(text);
    return { key, names: key === '' ? [] : search(key) };
  };
  return {
    firstWith: (text) => firstOf(find(text).names),
    onlyWith(text) {
      if (isFragment(nameKey(text))) return undefined;
      const { key, names } = find(text);
      const whole = names.filter((name) => hasWhole(name.key, key));
      return whole.some(({ deviceId }) => deviceId !== whole[0]?.deviceId) ? undefined : firstOf(whole);
    },
    once,
  };
}

/** Searches all names as one long text, because this is several times faster than searching many short texts. */
function searchIn(names: readonly PlaceName[]): Search {
  const starts: number[] = [];
  let length = 0;
  for (const { key } of names) {
    starts.push(length);
    length += key.length + 1;
  }
  const text = names.map(({ key }) => key).join('\n');
  return (key) => {
    const found: PlaceName[] = [];
    for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
      const index = lastNotAbove(starts, at);
      const name = names[index];
      if (name === undefined || name === found.at(-1)) continue;
      // Skip a match that spans two names.
      if (at + key.length <= (starts[index] ?? 0) + name.key.length) found.push(name);
    }
    return found;
  };
}

/** Whether a text starts or ends between two words of a name, such as `-9` or `/`, or contains no word. */
function isFragment(key: string): boolean {
  return SEPARATOR.test(key.slice(0, 1)) || SEPARATOR.test(key.slice(-1)) || !/[\p{L}\p{N}]/u.test(key);
}

const SEPARATOR = /[\p{Pd}\p{Pc}\s/\\.,:;|+~*=<>]/u;

/** Whether a match neither starts nor ends inside a word or number. */
function hasWhole(name: string, key: string): boolean {
  for (let at = name.indexOf(key); at !== -1; at = name.indexOf(key, at + 1)) {
    if (!isInsideWord(name, at) && !isInsideWord(name, at + key.length)) return true;
  }
  return false;
}

function firstOf(names: readonly PlaceName[]): PlaceName | undefined {
  return names.reduce<PlaceName | undefined>(
    (first, name) => (first === undefined || inOrder(name, first) < 0 ? name : first),
    undefined,
  );
}

function inOrder(a: PlaceName, b: PlaceName): number {
  const byName = compareLabels(a.key, b.key);
  if (byName !== 0) return byName;
  if (a.aliasId !== null && b.aliasId !== null) return a.aliasId - b.aliasId;
  if (a.aliasId === null && b.aliasId === null) return a.deviceId < b.deviceId ? -1 : 1;
  return a.aliasId === null ? 1 : -1;
}

/** Returns the index of the last of these ascending numbers that is at most `limit`. */
function lastNotAbove(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
