/** Returns a key that is equal for names that differ only in case, in the encoding of accents, or in surrounding spaces. */
export function nameKey(name: string): string {
  // Convert to upper case and then to lower case, so that ß equals SS and both lowercase sigmas (σ, ς) are equal.
  return name.normalize('NFC').trim().toUpperCase().toLowerCase().normalize('NFC');
}

/**
 * Returns a key that is equal for place names that differ only in case or blanks, even inside the name, because spellings differ between
 * files.
 */
export function placeKey(name: string): string {
  return nameKey(name).replaceAll(/\s+/gu, '');
}
