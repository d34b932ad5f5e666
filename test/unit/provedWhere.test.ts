import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

/** Names of all files of tests, without their ends. */
const TESTS = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => basename(file).replace(/\.test\.tsx?$/, ''));

/** The rows of the tables in a page, as their cells. */
function rowsOf(page: string): string[][] {
  const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
  const cells = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').slice(1, -1));
  return cells.filter(([first = '']) => !/^[\s-]*$/.test(first)).slice(1);
}

test.each(['docs/security.md', 'test/contract/lines/README.md'])(
  'each row of %s names tests that there are',
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
