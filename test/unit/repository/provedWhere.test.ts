import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** All test files under test/. */
const FILES = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.test\.tsx?$/.test(file));
/** Names of the test files, without folders and extensions. */
const TESTS = FILES.map((file) => basename(file).replace(/\.test\.tsx?$/, ''));

/** Returns the rows, split into cells, of the page's tables whose last column names tests. */
function rowsOf(page: string): string[][] {
  const tables = readFileSync(join(ROOT, page), 'utf8').split(/\n(?!\|)/);
  return tables.flatMap((table) => {
    const [head = '', , ...rows] = table.split('\n').filter((line) => line.startsWith('|'));
    return /(?:tests|proved in|attacked by[^|]*) *\|$/i.test(head)
      ? rows.map((line) => line.split('|').slice(1, -1))
      : [];
  });
}

test.each(['docs/security.md', 'docs/architecture.md', 'test/contract/lines/README.md'])(
  'each row of %s names tests that exist',
  (page) => {
    const rows = rowsOf(page);
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const named = [...(row.at(-1) ?? '').matchAll(/`(?:[a-z]+\/)*(\w+)(\*?)`/g)];
      expect(named.length, row[0]).toBeGreaterThan(0);
      for (const [, name = '', star] of named) {
        const found = TESTS.some((each) => (star === '' ? each === name : each.startsWith(name)));
        expect({ name, found }).toEqual({ name, found: true });
      }
    }
  },
);

test('docs/security.md names the folder of each test, unless it is test/integration', () => {
  const named = rowsOf('docs/security.md').flatMap((row) => [...(row.at(-1) ?? '').matchAll(/`([\w/]+)`/g)]);
  const missing = named.flatMap(([, name = '']) => {
    const [folder = '', own = ''] = name.includes('/') ? name.split('/') : ['integration', name];
    return FILES.some((file) => file.startsWith(`${folder}/`) && file.endsWith(`/${own}.test.ts`)) ? [] : [name];
  });
  expect(missing).toEqual([]);
});
