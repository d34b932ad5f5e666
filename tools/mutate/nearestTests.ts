import { basename, dirname, join } from 'node:path';

/** Texts of all source and test files, by path from the root. */
export type Sources = ReadonlyMap<string, string>;

const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** Rank of a direct import. It exceeds the rank of all shared words together. */
const DIRECT = 10;
/** Rank for each word that occurs in the names of both file and test. All words that their texts share add at most 1. */
const IN_NAME = 0.3;

/**
 * Returns the tests that import a file, directly or indirectly, nearest first: first those that import it directly, then by shared words.
 * Rare words count more, so that the test of one header is found among hundreds of tests that start the whole station.
 */
export function nearestTests(
  file: string,
  sources: Sources,
  importers: ReadonlyMap<string, readonly string[]>,
): string[] {
  const distances = distancesFrom(file, importers);
  const tests = [...distances.keys()].filter((path) => /\.test\.tsx?$/.test(path));
  const wordsByTest = new Map(tests.map((path) => [path, wordsOf(path, sources)]));
  const weight = weightsOf([...wordsByTest.values()]);
  const [words, nameWords] = [wordsOf(file, sources), wordsIn(nameOf(file))];
  const ranks = new Map(
    [...wordsByTest].map(([path, ofTest]) => {
      const inName = shared(nameWords, wordsIn(nameOf(path))).length;
      const likeness = sum(shared(ofTest, words), weight) / Math.sqrt(sum(ofTest, weight) * sum(words, weight) || 1);
      return [path, (distances.get(path) === 1 ? DIRECT : 0) + inName * IN_NAME + likeness] as const;
    }),
  );
  return tests.toSorted((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0) || a.localeCompare(b));
}

/** Returns the files that import each file. */
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
  // Iterating over a map also yields entries that are added during the iteration.
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

function nameOf(path: string): string {
  return basename(path).replace(/(\.test)?\.\w+$/, '');
}

function wordsOf(path: string, sources: Sources): Set<string> {
  return wordsIn(`${nameOf(path)} ${sources.get(path) ?? ''}`);
}

function wordsIn(text: string): Set<string> {
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return new Set(words.map((word) => word.toLowerCase().replace(/s$/, '')).filter((word) => word.length > 2));
}

/** Returns the weight of each word: the square of its inverse document frequency. */
function weightsOf(tests: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of tests) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, Math.log(tests.length / count) ** 2]));
}

function shared(words: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...words].filter((word) => others.has(word));
}

function sum(words: Iterable<string>, weight: ReadonlyMap<string, number>): number {
  return [...words].reduce((total, word) => total + (weight.get(word) ?? 0), 0);
}
