import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frozenDocument, operations } from './documents.ts';

const ELECTRON = join(import.meta.dirname, '..', '..', 'electron');

test('no table of the station beside its definition names an endpoint', () => {
  const files = readdirSync(ELECTRON, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => [file, readFileSync(join(ELECTRON, file), 'utf8')] as const);
  const naming = operations(frozenDocument()).map(({ method, path }) => ({
    route: `${method} ${path}`,
    files: texts.filter(([, text]) => text.includes(`'${method} ${path}'`)).map(([file]) => file),
  }));
  expect(naming.filter((each) => each.files.length > 1)).toEqual([]);
  // Routes of the query string and of the documents are composed.
  expect(naming.filter((each) => each.files.length === 1).length).toBeGreaterThan(120);
});
