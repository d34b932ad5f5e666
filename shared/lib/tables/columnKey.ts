/** Returns a key for a column name that ignores case, spaces, punctuation and accents. */
export function columnKey(name: string): string {
  if (name.length > MAX_NAME_CHARACTERS) return name;
  // Fast path for ASCII, with the same result. This runs for every cell.
  if (ASCII.test(name)) return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the keys of a list of names, separated by semicolons. */
export function columnKeys(names: string): string[] {
  return names.split(';').map((name) => columnKey(name));
}

/** Returns the keys of a list of names, separated by semicolons, for lookups. */
export function columnKeySet(names: string): ReadonlySet<string> {
  return new Set(columnKeys(names));
}

/** Maximum number of characters to normalize, longer than any column name. Longer texts are not normalized, to save time. */
export const MAX_NAME_CHARACTERS = 200;
const ASCII = /^[\0-\u007F]*$/;
