import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES } from '#shared/api/routes.ts';
import { frozenDocument, operations } from './documents.ts';

const HTTP = join(import.meta.dirname, '..', '..', 'electron', 'server', 'http');

test('the routes are exactly the documented operations, each under its operationId', () => {
  const documented = operations(frozenDocument()).map(({ method, path, operation }) => [
    operation.operationId,
    `${method} ${path}`,
  ]);
  const known = Object.entries(ROUTES).map(([name, { method, path }]) => [name, `${method} ${path}`]);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(documented));
});

test('each operation is named in only one file in the HTTP server', () => {
  const files = readdirSync(HTTP, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => [file, readFileSync(join(HTTP, file), 'utf8')] as const);
  const naming = Object.keys(ROUTES).map((name) => ({
    name,
    files: texts.filter(([, text]) => text.includes(`'${name}'`)).map(([file]) => file),
  }));
  expect(naming.filter((each) => each.files.length > 1)).toEqual([]);
  // The operations that serve the OpenAPI documents are not in any file, because their names are composed.
  expect(naming.filter((each) => each.files.length === 1).length).toBeGreaterThan(120);
});
