import { nameKey } from './nameKey.ts';

/** Maximum number of characters in a text for each character in its key. There can be several, for example with separate accents. */
const MAX_GROWTH = 3;

/** Finds the part of a text that matches another text by the rules for names. Returns undefined if there is no match. */
export function foundPart(text: string, wanted: string): { start: number; end: number } | undefined {
  const key = nameKey(wanted);
  if (key === '' || !nameKey(text).includes(key)) return undefined;
  const lower = text.toLowerCase();
  const start = lower.length === text.length ? lower.indexOf(key) : -1;
  if (start >= 0) return { start, end: start + key.length };
  // Case conversion changes the length of some letters, so compare part by part.
  for (let from = 0; from < text.length; from += 1) {
    const longest = Math.min(text.length, from + key.length * MAX_GROWTH);
    for (let end = from + 1; end <= longest; end += 1) {
      const part = text.slice(from, end);
      if (nameKey(part) === key && part.trimStart() === part) return { start: from, end };
    }
  }
  return undefined;
}
