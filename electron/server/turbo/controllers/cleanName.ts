const MAX_CHARACTERS = 60;

/** Shortens a name from the network and removes line breaks and invisible characters. Returns an empty text for invalid UTF-8. */
export function cleanName(text: string): string {
  // Ignore a name with a replacement character: its bytes were not UTF-8.
  if (text.includes('\uFFFD')) return '';
  return text
    .slice(0, MAX_CHARACTERS)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim();
}
