/** Returns the JSON Pointer (RFC 6901) for these fields and indexes. The pointer to the whole document is empty. */
export function pointerOf(names: readonly PropertyKey[]): string {
  return names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
