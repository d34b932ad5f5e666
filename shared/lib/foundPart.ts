import { nameKey } from './nameKey.ts';

/** A character is written with at most so many that its key does not have, such as accents on their own. */
const MAX_GROWTH = 3;

/** Where a text contains another as names are compared; undefined: nowhere. */
export function foundPart(text: string, wanted: string): { start: number; end: number } | undefined {
  const key = nameKey(wanted);
  if (key === '' || !nameKey(text).includes(key)) return undefined;
  const lower = text.toLowerCase();
  const start = lower.length === text.length ? lower.indexOf(key) : -1;
  if (start >= 0) return { start, end: start + key.length };
  // Some letters get longer or shorter when their case changes: compare part by part.
  for (let from = 0; from < text.length; from += 1) {
    const longest = Math.min(text.length, from + key.length * MAX_GROWTH);
    for (let end = from + 1; end <= longest; end += 1) {
      const part = text.slice(from, end);
      if (nameKey(part) === key && part.trimStart() === part) return { start: from, end };
    }
  }
  return undefined;
}
