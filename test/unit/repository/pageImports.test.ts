import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
const IMPORT = /^(?:import|export)\s+(?!type\b)[^;]*?\sfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Returns everything that a file loads, immediately or later, with its import chain. Libraries are listed by name. */
function loadedFrom(start: string): Map<string, string[]> {
  const loaded = new Map([[start, [start]]]);
  for (const [file, path] of loaded) {
    if (!existsSync(file) || !/\.tsx?$/.test(file)) continue;
    for (const [, from, alone, late] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const name = from ?? alone ?? late ?? '';
      const next = name.startsWith('#shared/')
        ? join(root, name.slice(1))
        : name.startsWith('.')
          ? join(dirname(file), name)
          : name;
      if (!loaded.has(next)) loaded.set(next, [...path, next]);
    }
  }
  return loaded;
}

test.for(['main.tsx', 'station/live/streamWorker.ts'])(
  'the page does not load zod, which evaluates code that the page policy refuses: %s',
  (entry) => {
    const loaded = loadedFrom(join(root, 'renderer/src', entry));
    expect(loaded.get('zod')).toBeUndefined();
    // Checks that the search works: it reaches libraries and dynamic imports.
    expect(loaded.size).toBeGreaterThan(entry === 'main.tsx' ? 150 : 3);
  },
);

test('the page works over plain HTTP: it uses no function that browsers have only over HTTPS', () => {
  const sources = globSync('renderer/src/**/*.{ts,tsx}', { cwd: root });
  const withHttpsOnly = sources.filter((file) =>
    /\bcrypto\.(?:randomUUID|subtle)\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(withHttpsOnly).toEqual([]);
  expect(sources.length).toBeGreaterThan(500);
});
