import { basename, dirname, join } from 'node:path';

/** Text of each source and test by its path from the root. */
export type Sources = ReadonlyMap<string, string>;

const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/**
 * The tests that import a file, directly or through others, nearest first: those that import it themselves, then by how
 * much their name and text share with the name of the file, then by the length of the way.
 */
export function nearestTests(
  file: string,
  sources: Sources,
  importers: ReadonlyMap<string, readonly string[]>,
): string[] {
  const distances = distancesFrom(file, importers);
  const words = wordsOf(file);
  const ranked = [...distances]
    .filter(([path]) => /\.test\.tsx?$/.test(path))
    .map(([path, distance]) => ({ path, rank: rankOf(path, sources.get(path) ?? '', { distance, words }) }));
  return ranked.toSorted((a, b) => b.rank - a.rank || a.path.localeCompare(b.path)).map(({ path }) => path);
}

/** Who imports each file. */
export function importersOf(sources: Sources): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, text] of sources)
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = resolve(path, specifier, sources);
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  return importers;
}

function resolve(from: string, specifier: string, sources: Sources): string | undefined {
  const path = specifier.startsWith('#shared/')
    ? specifier.slice(1)
    : specifier.startsWith('.')
      ? join(dirname(from), specifier)
      : undefined;
  if (path === undefined) return undefined;
  return [path, `${path}.ts`, `${path}.tsx`].find((candidate) => sources.has(candidate));
}

function distancesFrom(file: string, importers: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const distances = new Map([[file, 0]]);
  // A map yields what is added while it is read.
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

function wordsOf(path: string): string[] {
  const words =
    basename(path)
      .replace(/\.\w+$/, '')
      .match(/[A-Z]?[a-z]+/g) ?? [];
  return words.map((word) => word.toLowerCase().replace(/s$/, '')).filter((word) => word.length > 2);
}

function rankOf(path: string, text: string, { distance, words }: { distance: number; words: string[] }): number {
  const name = basename(path).toLowerCase();
  const lower = text.toLowerCase();
  const inName = words.filter((word) => name.includes(word)).length;
  const inText = words.reduce((sum, word) => sum + Math.min(lower.split(word).length - 1, 20), 0);
  return (distance === 1 ? 1_000 : 0) + inName * 100 + inText - distance;
}
