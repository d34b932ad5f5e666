/** The JSON Pointer (RFC 6901) of a value, from the fields and indexes that lead to it; empty: the whole document. */
export function pointerOf(names: readonly PropertyKey[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
