import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DISGUISES, TABLE, type Case } from './importTable.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** No folder allows this, so a folder that lets it pass has no rule at all. */
const CANARY = "import '../../../../../test/helpers/seeded.ts';";

const RULES = new Set([
  'no-restricted-imports',
  'no-require-imports',
  'consistent-type-imports',
  'no-process-env',
  'no-process-exit',
]);

function casesOfTable(): Case[] {
  return TABLE.flatMap(({ file, may, mayType, mayNot }) => {
    const value = (name: string, refused: boolean): Case => ({ file, code: `import { a } from '${name}';`, refused });
    const type = (name: string): Case => ({ file, code: `import type { A } from '${name}';`, refused: false });
    return [
      ...names(may).map((name) => value(name, false)),
      ...names(mayType).flatMap((name) => [type(name), value(name, true)]),
      ...names(mayNot).map((name) => value(name, true)),
    ];
  });
}

function names(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '');
}

/** Folders of the program that hold code. */
function codeFolders(): string[] {
  const files = ['shared', 'electron', 'renderer'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
  );
  const code = files.filter((name) => /\.(ts|tsx|mjs)$/.test(name));
  return [...new Set(code.map((name) => dirname(name).replaceAll('\\', '/')))];
}

/** Writes all cases into an empty tree, a line each, and lets the linter see them in one run. Answers `file:line` of what it refuses. */
function lint(tree: string): Set<string> {
  const config = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as { options?: object };
  // Types are of no interest here, and take time.
  delete config.options;
  writeFileSync(join(tree, '.oxlintrc.json'), JSON.stringify(config));
  for (const [file, ofFile] of Map.groupBy(cases, (one) => one.file)) {
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    // The same name twice would be an error of syntax.
    const lines = ofFile.map(({ code }, at) => code.replace(/\{ (type )?([aA]) \}/, `{ $2 as $2${at} }`));
    writeFileSync(join(tree, file), `${lines.join('\n')}\n`);
  }
  const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const result = spawnSync(process.execPath, [oxlint, '-f', 'unix', '.'], { cwd: tree, encoding: 'utf8' });
  const refused = result.stdout.split('\n').flatMap((line) => {
    const [, file, number, rule] = /^(.+?):(\d+):\d+: .*\((\S+?)\)\]$/.exec(line) ?? [];
    return file !== undefined && rule !== undefined && RULES.has(rule)
      ? [`${file.replaceAll('\\', '/')}:${number}`]
      : [];
  });
  if (refused.length === 0) throw new Error(`oxlint refused nothing: ${result.stdout}${result.stderr}`);
  return new Set(refused);
}

const canaries = codeFolders().map((name): Case => ({ file: `${name}/canary.ts`, code: CANARY, refused: true }));
const cases = [...casesOfTable(), ...DISGUISES, ...canaries];

let tree: string;
let refused: Set<string>;

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'pickstation-lint-'));
  refused = lint(tree);
});

afterAll(() => rmSync(tree, { recursive: true }));

for (const [file, ofFile] of Map.groupBy(cases, (one) => one.file)) {
  for (const [at, { code, refused: expected }] of ofFile.entries()) {
    test(`${file} ${expected ? 'may not' : 'may'} say ${code}`, () => {
      expect(refused.has(`${file}:${at + 1}`)).toBe(expected);
    });
  }
}
