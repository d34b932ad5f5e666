import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES } from '#shared/api/routes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PRODUCT = ['electron', 'shared', 'renderer/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(join(ROOT, folder, file), 'utf8') })),
);

/**
 * The sound module, texts, uses of the word by orders and the window, previews that play it, frozen migrations, and the check of
 * restored rows, which lists only what earlier versions always wrote.
 */
const NOT_OF_THE_COMMAND =
  /^(?:shared\/sound|renderer\/src\/sound|renderer\/src\/words|electron\/server\/db\/(?:migrations|foreignSchema))|order|\/sounds\.ts|app\/search|features\/settings|protocol\/examples|preview|readRequest|CommandForm/i;

// Its schema and meaning, sending it to devices, comparing it, playing it on displays, its form and its queue row.
test('only a few files name a field of a command', () => {
  const naming = PRODUCT.filter(({ file, text }) => {
    return !NOT_OF_THE_COMMAND.test(file) && /\bsound\??:|\.sound\b|'sound'|\bsound,|, sound\b|\{ sound\b/.test(text);
  });
  expect(naming.length, naming.map(({ file }) => file).join('\n')).toBeLessThanOrEqual(13);
});

// Together with its schema and its use-case, an endpoint takes five files: docs/architecture.md, How to add.
test('only the table of routes, its definition and one file of the page name an endpoint', () => {
  const named = PRODUCT.map(({ file, text }) => ({
    file,
    names: new Set(Array.from(text.matchAll(/\b(?:call|pathOf|define)\(\s*'(\w+)'/g), ([, name]) => name)),
    paths: new Set(Array.from(text.matchAll(/'([^'\n]*\{[^'\n]*)'/g), ([, path]) => path)),
  }));
  const naming = Object.entries(ROUTES).map(([name, { path }]) => ({
    name,
    files: named
      .filter(({ file, names, paths }) => names.has(name) || file.endsWith('/routes.ts') || paths.has(path))
      .map(({ file }) => file),
  }));
  expect(naming.filter(({ files }) => files.length > 3)).toEqual([]);
  expect(naming.filter(({ files }) => files.length === 3).length).toBeGreaterThan(70);
});
