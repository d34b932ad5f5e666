import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLES, RUN_BY } from './exampleRig.ts';

test('every example is in the table of the README and is run by a test', () => {
  const table = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
  const programs = readdirSync(EXAMPLES).filter((file) => /\.(?:sh|py|mjs)$/.test(file));
  expect(programs.filter((file) => !table.includes(file))).toEqual([]);
  // Other suites cover these: turboContract.test.ts and test/erp.
  const elsewhere = ['turbo.py', 'tryton.mjs'];
  const tried: string[] = Object.values(RUN_BY).flat();
  expect(programs.filter((file) => !elsewhere.includes(file) && !tried.includes(file))).toEqual([]);
  expect(tried.filter((file) => !programs.includes(file))).toEqual([]);
});
