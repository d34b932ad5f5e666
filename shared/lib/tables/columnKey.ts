/** A key that ignores case, spaces, punctuation and accents of a column name. */
export function columnKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
