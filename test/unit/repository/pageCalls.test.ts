import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CALLS = join(import.meta.dirname, '..', '..', '..', 'renderer', 'src', 'station', 'calls');
/** Matches a property whose value is a function that only calls one operation. */
const FORWARDS = /(\w+): (?:async )?\([^=]*(?:=[^>=][^=]*)*\)(?:: [^=]+)? =>\s*(?:await )?(?:done\()?call\(\s*'(\w+)'/g;

test('the page has no calls that only forward to an operation: components call operations by their names', () => {
  const files = readdirSync(CALLS).map((file) => readFileSync(join(CALLS, file), 'utf8'));
  expect(files.join('\n')).toContain("call('changeOrder', ");
  expect(files.flatMap((text) => Array.from(text.matchAll(FORWARDS), ([, name]) => name))).toEqual([]);
});
