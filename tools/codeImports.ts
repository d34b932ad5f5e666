import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Import of one file by another. Both paths are relative to the root. `isType` tells whether only types are imported. */
export type CodeImport = { from: string; to: string; isType: boolean };

const IMPORT =
  /^(?:import|export) (type )?[^'";]*?from '([.#][^']+)';$|^import '([.#][^']+)';$|import\('([.#][^']+)'\)/gm;

/** Lists the imports among the files of the station, the page and the shared code. */
export function listImports(): CodeImport[] {
  const files = ['electron', 'renderer/src', 'shared'].flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: ROOT }),
  );
  return files.toSorted().flatMap((path) => {
    const from = path.replaceAll('\\', '/');
    const source = readFileSync(join(ROOT, from), 'utf8');
    return [...source.matchAll(IMPORT)].map(([, type, fixed, bare, loaded]) => {
      const name = fixed ?? bare ?? loaded ?? '';
      const to = name.startsWith('#') ? name.slice(1) : join(dirname(from), name).replaceAll('\\', '/');
      return { from, to, isType: type !== undefined };
    });
  });
}

/** Returns groups of files that import each other in a cycle, each sorted. Includes type imports. */
export function findCycles(imports: readonly Pick<CodeImport, 'from' | 'to'>[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const reached = new Map([...next.keys()].map((file) => [file, reachableFrom(next, file)]));
  const cycles = [...reached]
    .filter(([file, others]) => others.has(file))
    .map(([file, others]) => [...others].filter((other) => reached.get(other)?.has(file) === true).toSorted());
  return [...new Map(cycles.map((files) => [files.join(' '), files])).values()];
}

function reachableFrom(next: ReadonlyMap<string, readonly Pick<CodeImport, 'to'>[]>, start: string): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const { to } of next.get(file) ?? []) {
      if (found.has(to)) continue;
      found.add(to);
      open.push(to);
    }
  }
  return found;
}
