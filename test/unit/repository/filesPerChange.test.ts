import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES } from '#shared/api/routes.ts';
import { BARE_CONTENT, type CommandContent } from '#shared/lib/requests/deviceRequest.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PRODUCT = ['electron', 'shared', 'renderer/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(join(ROOT, folder, file), 'utf8') })),
);

/** Fields of a command: what it shows, lights and plays. */
const FIELDS = Object.keys({
  ...BARE_CONTENT,
  lines: [],
  color: '',
  seconds: 0,
} satisfies CommandContent);
/**
 * Minimum number of fields in a file that lists them, so that a new field must be added there. A file with fewer fields only uses some of
 * them.
 */
const LISTED = 6;
const MAX_LISTING_FILES = 28;

/**
 * Matches files that never change for a new field: texts, frozen migrations, and the check of restored rows, which lists only what earlier
 * versions always wrote.
 */
const NEVER_CHANGED_FOR_A_FIELD = /^renderer\/src\/words\/|^electron\/server\/db\/(?:migrations|foreignSchema)/;

function namesField(text: string, field: string): boolean {
  return new RegExp(`\\b${field}\\??:|\\.${field}\\b|'${field}'|\\b${field},|, ${field}\\b|\\{ ${field}\\b`).test(text);
}

// Its schema and meaning, pictures of it, sending it to devices, comparing it, its form on the page and its queue row.
test('a new field of a command is added in only a few files', () => {
  const listing = PRODUCT.filter(
    ({ file, text }) =>
      !NEVER_CHANGED_FOR_A_FIELD.test(file) && FIELDS.filter((field) => namesField(text, field)).length >= LISTED,
  ).map(({ file }) => file);
  expect(listing.length, listing.join('\n')).toBeLessThanOrEqual(MAX_LISTING_FILES);
  expect(listing).toContain('shared/lib/requests/deviceRequest.ts');
});

test.each(FIELDS)('finds %s in the files that define and send it', (field) => {
  const naming = PRODUCT.filter(({ text }) => namesField(text, field)).map(({ file }) => file);
  expect(naming).toEqual(
    expect.arrayContaining([
      'shared/lib/requests/deviceRequest.ts',
      'electron/server/turbo/frames/protocol/messages.ts',
    ]),
  );
});

// Together with its schema and its use-case, an endpoint takes four files: docs/architecture.md, How to add. The page calls it by its name.
test('an endpoint is named only in the table of routes, its definition and at most one call that does more than send a request', () => {
  const rowsOf = (file: string, text: string) =>
    file.startsWith('shared/api/routes/') ? Array.from(text.matchAll(/^  (\w+):/gm), ([, name]) => name) : [];
  const named = PRODUCT.map(({ file, text }) => ({
    file,
    names: new Set([
      ...Array.from(text.matchAll(/\b(?:call|pathOf|define)\(\s*'(\w+)'/g), ([, name]) => name),
      ...rowsOf(file, text),
    ]),
    paths: new Set(Array.from(text.matchAll(/'([^'\n]*\{[^'\n]*)'/g), ([, path]) => path)),
  }));
  const naming = Object.entries(ROUTES).map(([name, { path }]) => ({
    name,
    files: named.filter(({ names, paths }) => names.has(name) || paths.has(path)).map(({ file }) => file),
  }));
  expect(naming.filter(({ files }) => files.length > 3)).toEqual([]);
  expect(naming.filter(({ files }) => files.length === 2).length).toBeGreaterThan(200);
});
