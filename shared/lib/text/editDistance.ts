/** Returns the number of letters to insert, delete or replace to turn one word into the other (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 0; row < from.length; row++) {
    const line = [row + 1];
    for (let at = 0; at < to.length; at++) {
      const change = (above[at] ?? 0) + Number(from[row] !== to[at]);
      line.push(Math.min(change, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}

/** Maximum number of edits between a name and a suggestion. */
const MAX_EDITS = 4;

/** Minimum length of a name for a suggestion. Shorter names resemble too many others. */
const LEAST_LETTERS = 2;

/**
 * Returns the most similar known name, ignoring case: one that contains the name or is contained in it, or else the one that needs the
 * fewest edits. Returns undefined if no name is similar enough.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  if (lower.length < LEAST_LETTERS || lower.length > 60) return undefined;
  const ranked = known
    .map((each) => ({ each, edits: editsBetween(lower, each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= Math.min(MAX_EDITS, Math.ceil(each.length / 2), Math.floor(lower.length / 2)))
    .toSorted((one, other) => one.edits - other.edits);
  return ranked[0]?.each;
}

function editsBetween(name: string, known: string): number {
  return name.includes(known) || known.includes(name) ? 0 : editDistance(name, known);
}
