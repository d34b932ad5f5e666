/** Equal for names of a place that differ only in case, in the encoding of accents, or in surrounding spaces. */
export function nameKey(name: string): string {
  // Both conversions: they also unify ß with SS, and the two small sigmas.
  return name.normalize('NFC').trim().toUpperCase().toLowerCase().normalize('NFC');
}
