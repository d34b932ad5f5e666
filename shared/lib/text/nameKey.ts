/** Returns a key that is equal for names that differ only in case, in the encoding of accents, or in surrounding spaces. */
export function nameKey(name: string): string {
  // Convert to both cases, which also unifies ß with SS and the two forms of the small sigma.
  return name.normalize('NFC').trim().toUpperCase().toLowerCase().normalize('NFC');
}

/**
 * Returns a key that is equal for place names that differ only in case or blanks, even inside the name, because spellings differ between
 * files.
 */
export function placeKey(name: string): string {
  return nameKey(name).replaceAll(/\s+/gu, '');
}
