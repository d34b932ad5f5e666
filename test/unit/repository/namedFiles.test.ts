import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SOURCES = '{bench,electron,packages,renderer,shared,test,tools}/**/*.{ts,tsx,mjs}';

/** Matches calls to `join` with a base and quoted names. */
const JOINED = /join\(\s*(ROOT|import\.meta\.dirname)\s*,((?:\s*'[^']+'\s*,?)+)\s*\)/g;
const PROGRAM = /\.(ts|tsx|mjs|py|sh|sql)$/;

type Named = { by: string; file: string };

/** Lists the programs that a source names by path, which the compiler does not check. */
function programsNamed(by: string, source: string): Named[] {
  return [...source.matchAll(JOINED)].flatMap(([, base, list = '']) => {
    const names = [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
    const file = join(base === 'ROOT' ? '.' : dirname(by), ...names);
    return PROGRAM.test(file) ? [{ by, file }] : [];
  });
}

test('every program that a source names by path exists', () => {
  const named = globSync(SOURCES, { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'dist' })
    .map((file) => file.replaceAll('\\', '/'))
    .flatMap((file) => programsNamed(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
});
