/** A key that ignores case, spaces, punctuation and accents of a column name. */
export function columnKey(name: string): string {
  if (name.length > MAX_NAME_CHARACTERS) return name;
  // Fast path with the same result: every cell is compared with the column names.
  if (ASCII.test(name)) return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Column names are shorter. Longer texts are not normalized, to save time. */
const MAX_NAME_CHARACTERS = 500;
const ASCII = /^[\0-\u007F]*$/;
