/** What two names of a place have in common that differ in case, in how accents are written, or in spaces around them. */
export function nameKey(name: string): string {
  // Both ways: ß and SS, and the two small sigmas, are one.
  return name.normalize('NFC').trim().toUpperCase().toLowerCase().normalize('NFC');
}
