import type { Match } from './textIndex.ts';

/** A match, with the key of the thing that it found. Each thing is listed once, with its best match. */
export type Candidate<Kind extends string, Ref> = Match<Ref> & { kind: Kind; thing: string };

/** Number of matches of each kind that are listed even if other kinds have better matches, so that 500 orders cannot hide a device. */
export const LEAST_OF_KIND = 8;

/** Selects the best matches, at most `limit`. Equal matches are sorted by `kinds`, then keep their original order. */
export function bestMatches<Kind extends string, Ref>(
  candidates: readonly Candidate<Kind, Ref>[],
  { kinds, limit }: { kinds: readonly Kind[]; limit: number },
): Candidate<Kind, Ref>[] {
  const sorted = candidates.toSorted((a, b) => a.rank - b.rank || kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const things = new Map<string, Candidate<Kind, Ref>>();
  for (const each of sorted) {
    const thing = `${each.kind} ${each.thing}`;
    if (!things.has(thing)) things.set(thing, each);
  }
  const best = [...things.values()];
  const counts = new Map<Kind, number>();
  const kept = new Set<Candidate<Kind, Ref>>();
  for (const each of best) {
    const count = (counts.get(each.kind) ?? 0) + 1;
    counts.set(each.kind, count);
    if (count <= LEAST_OF_KIND) kept.add(each);
  }
  for (const each of best) if (kept.size < limit) kept.add(each);
  return best.filter((each) => kept.has(each)).slice(0, limit);
}
