import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../tools/lint/imports.ts';
import { LAYERS, PACKAGES, TABLE } from './importTable.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Returns the specifier by which a file imports another: `#shared/…` from outside `shared/`, otherwise a relative path. */
function specifierOf(file: string, path: string): string {
  if (path.startsWith('shared/') && !file.startsWith('shared/')) return `#${path}`;
  const way = relative(dirname(file), path);
  return way.startsWith('.') ? way : `./${way}`;
}

test.each(TABLE)('$file imports only what its row names', ({ file, may, mayType = '', packages = '' }) => {
  const allowed = (specifier: string, isType: boolean) => refusalOf(file, specifier, isType) === undefined;
  const layers = Object.entries(LAYERS).map(([name, path]) => ({ name, specifier: specifierOf(file, path) }));
  const named = (isType: boolean) =>
    layers.filter(({ specifier }) => allowed(specifier, isType)).map(({ name }) => name);
  expect(named(false)).toEqual(namesIn(may));
  expect(named(true).filter((name) => !namesIn(may).includes(name))).toEqual(namesIn(mayType));
  expect(namesIn(PACKAGES).filter((name) => allowed(name, false))).toEqual(namesIn(packages));
});

const namesIn = (text: string): string[] => text.split(' ').filter((name) => name !== '');

test('the styles of a feature do not use styles of other features', () => {
  const refused = globSync('renderer/src/**/*.css', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/composes:[^;]* from\s*'(\.[^']+)'/g)]
      .map(([, path = '']) => refusalOf(file, path, false))
      .filter((refusal) => refusal !== undefined),
  );
  expect(refused).toEqual([]);
});

test('every folder with code has a rule', () => {
  const files = ['shared', 'electron', 'renderer'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
  );
  const folders = new Set(files.filter((name) => /\.(ts|tsx|mjs)$/.test(name)).map((name) => dirname(name)));
  expect([...folders].filter((folder) => refusalOf(`${folder}/x.ts`, 'not-a-package', false) === undefined)).toEqual(
    [],
  );
});

/** The same import in every TypeScript form, one per line. */
const FORMS: readonly { code: string; rule: string | undefined }[] = [
  { code: "export * from '../services/base/index.ts';", rule: 'imports' },
  { code: "export { createBus } from '../services/base/index.ts';", rule: 'imports' },
  { code: "import type { Bus } from '../services/base/index.ts';", rule: 'imports' },
  { code: "export const bus1 = await import('../services/base/index.ts');", rule: 'imports' },
  { code: "export type Bus2 = import('../services/base/index.ts').Bus;", rule: 'imports' },
  { code: "export const bus3 = require('../services/base/index.ts');", rule: 'no-require-imports' },
  { code: "import './../services/base/index.ts';", rule: 'imports' },
  { code: "import '../domain/../services/base/index.ts';", rule: 'imports' },
  { code: "import '#shared/../electron/server/http/app.ts';", rule: 'imports' },
  { code: 'export const secret = process.env.SECRET;', rule: 'no-process-env' },
  { code: 'process.exit(1);', rule: 'no-process-exit' },
  { code: "export const table1: Readonly<Record<string, string>> = { a: 'b' };", rule: 'tables' },
  { code: "export const table2: Readonly<Record<'a', string>> = { a: 'b' };", rule: undefined },
  { code: 'export const table3: Record<string, string> = {};', rule: undefined },
  { code: "import '#shared/api/device.ts';", rule: undefined },
  { code: "export * from './commandQueue.ts';", rule: undefined },
];
const TYPES: typeof FORMS = [
  { code: "import { type Clock, other } from '../../ports.ts';", rule: 'imports' },
  { code: "export { Ids } from '../../ports.ts';", rule: 'imports' },
  { code: "export type { Log } from '../../ports.ts';", rule: undefined },
  { code: "import { type Timer } from '../../ports.ts';", rule: undefined },
];

test('the linter applies the table to every form of import, and refuses objects as tables of texts', () => {
  const tree = mkdtempSync(join(tmpdir(), 'pickstation-lint-'));
  try {
    const cases = { 'electron/server/domain/x.ts': FORMS, 'electron/server/services/orders/x.ts': TYPES };
    writeFileSync(
      join(tree, '.oxlintrc.json'),
      // Skip type-aware rules: they are slow and not under test.
      JSON.stringify({ extends: [join(ROOT, '.oxlintrc.json')], options: { typeAware: false } }),
    );
    for (const [file, lines] of Object.entries(cases)) {
      mkdirSync(join(tree, dirname(file)), { recursive: true });
      writeFileSync(join(tree, file), lines.map(({ code }) => `${code}\n`).join(''));
    }
    const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '-f', 'unix', '.'], {
      cwd: tree,
      encoding: 'utf8',
    });
    for (const [file, lines] of Object.entries(cases)) {
      for (const [at, { code, rule }] of lines.entries()) {
        const found = stdout.split('\n').filter((line) => line.startsWith(`${file}:${at + 1}:`));
        const rules = found
          .map((line) => /\((\S+?)\)\]$/.exec(line)?.[1])
          .filter((each) => each !== 'no-unused-vars' && each !== 'consistent-type-imports');
        expect({ code, rules }, stdout + stderr).toEqual({ code, rules: rule === undefined ? [] : [rule] });
      }
    }
  } finally {
    rmSync(tree, { recursive: true });
  }
});
