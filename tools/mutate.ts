/**
 * Finds lines that can be broken without a failing test. Breaks one place in a copy of the repository, runs the tests that import the
 * broken file, nearest first, and prints the mutants that survive. docs/testing.md explains the result.
 *
 * node tools/mutate.ts [--count 20] [--seed 1] [--only electron/server/http] [--tests 40] [--least-killed 70]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { seededFraction } from '../test/helpers/seeded.ts';
import { mutated, mutationsOf, type Mutation } from './mutate/mutations.ts';
import { importersOf, nearestTests, type Sources } from './mutate/nearestTests.ts';

const FOLDERS = ['domain', 'services', 'turbo', 'http']
  .map((name) => `electron/server/${name}/`)
  .concat('renderer/src/station/');
/** Files of documents and descriptions, whose tests compare texts rather than behavior. */
const LEFT_OUT = /\/(openapi|reference)\//;
/**
 * Time limit for the tests of a mutant, in milliseconds. A mutant that never ends counts as caught, because the whole suite would not end
 * either.
 */
const TIMEOUT_MS = 240_000;
/** Number of tests to run first. They are the most likely to fail. */
const FIRST_TESTS = 6;

type Mutant = Mutation & { file: string; line: number; source: string };
type Outcome = 'killed' | 'survived' | 'timed out' | 'unclear';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    tests: { type: 'string', default: '40' },
    'least-killed': { type: 'string', default: '0' },
  },
});

/** Test files that pass on the unchanged sources. */
const sound = new Set<string>();
const sources = readSources();
const importers = importersOf(sources);
const copy = copyRepository();
process.once('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }));
// On interruption, exit so that the copy is removed and tests are stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const mutants = choose(allMutants(values.only), Number(values.count), Number(values.seed));
const survivors: Mutant[] = [];
let assessed = 0;
for (const mutant of mutants) {
  const outcome = await check(mutant);
  if (outcome === 'survived') survivors.push(mutant);
  // A mutant does not count if its test also fails without it.
  if (outcome !== 'unclear') assessed += 1;
  process.stdout.write(`${outcome.padEnd(9)} ${inWords(mutant)}\n`);
}
const noticed = assessed - survivors.length;
const percent = assessed === 0 ? 0 : Math.floor((noticed / assessed) * 100);
process.stdout.write(`\nSeed ${values.seed}: ${noticed} of ${assessed} mutants were noticed (${percent} %).\n`);
if (survivors.length > 0)
  process.stdout.write(`Survivors:\n${survivors.map((each) => `  ${inWords(each)}\n`).join('')}`);
if (percent < Number(values['least-killed'])) {
  process.stdout.write(`At least ${values['least-killed']} % must be noticed.\n`);
  process.exitCode = 1;
}

function tracked(): string[] {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
}

function readSources(): Sources {
  const paths = tracked().filter((path) => /^(electron|shared|renderer|test|tools)\/.*\.tsx?$/.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Copies the tracked files. If the run is killed, no broken line is left in the work tree. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  for (const path of tracked()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function allMutants(only: string): Mutant[] {
  return [...sources].flatMap(([file, source]) => {
    const isMeant = FOLDERS.some((folder) => file.startsWith(folder)) && !LEFT_OUT.test(file) && file.startsWith(only);
    if (!isMeant) return [];
    return mutationsOf(file, source).map((mutation) => ({
      ...mutation,
      file,
      source,
      line: source.slice(0, mutation.start).split('\n').length,
    }));
  });
}

/** Chooses different mutants at random. The same seed and sources always lead to the same choice. */
function choose(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const fraction = seededFraction(seed);
  const left = [...mutants];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(fraction() * left.length), 1),
  ).flat();
}

async function check(mutant: Mutant): Promise<Outcome> {
  const path = join(copy, mutant.file);
  const tests = nearestTests(mutant.file, sources, importers)
    .filter((test) => !/^test\/(shells|browser|desktop)\//.test(test))
    .slice(0, Number(values.tests));
  for (const batch of [tests.slice(0, FIRST_TESTS), tests.slice(FIRST_TESTS)]) {
    writeFileSync(path, mutated(mutant.source, mutant));
    const result = batch.length === 0 ? [] : await failingTests(batch);
    writeFileSync(path, mutant.source);
    if (result === 'timed out') return 'timed out';
    const [failed] = result;
    if (failed !== undefined) return (await isSound(failed)) ? 'killed' : 'unclear';
  }
  return 'survived';
}

/** Whether a test passes without a mutant. If it does not, its failure with a mutant means nothing. */
async function isSound(test: string): Promise<boolean> {
  if (!sound.has(test) && (await failingTests([test])).length === 0) sound.add(test);
  return sound.has(test);
}

/** Runs test files up to the first failure. Resolves to the paths of the failing ones, from the root. */
async function failingTests(files: readonly string[]): Promise<string[] | 'timed out'> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const status = await runVitest(['run', '--bail=1', '--reporter=json', `--outputFile=${report}`, ...files]);
  if (status === 'timed out') return 'timed out';
  if (status === 0) return [];
  // If a file failed before its first test, there is no report.
  if (!existsSync(report)) return files.slice(0, 1);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string }[];
  };
  const failed = testResults.filter((each) => each.status === 'failed').map((each) => relative(copy, each.name));
  return failed.length > 0 ? failed : files.slice(0, 1);
}

/** Runs vitest in a separate process group, which is killed as a whole, because a worker in an endless loop would outlive vitest. */
async function runVitest(args: readonly string[]): Promise<number | null | 'timed out'> {
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, ...args], { cwd: copy, stdio: 'ignore', detached: true });
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  let hasTimedOut = false;
  const timer = setTimeout(() => {
    hasTimedOut = true;
    end();
  }, TIMEOUT_MS);
  process.prependOnceListener('exit', end);
  await once(child, 'exit');
  process.off('exit', end);
  clearTimeout(timer);
  return hasTimedOut ? 'timed out' : child.exitCode;
}

function inWords({ file, line, kind, source, start, end, replacement }: Mutant): string {
  const before = source.slice(start, end).replaceAll(/\s+/g, ' ');
  const shortened = before.length > 60 ? `${before.slice(0, 57)}...` : before;
  return `${file}:${line} ${kind}: ${shortened} → ${replacement === '' ? '(nothing)' : replacement}`;
}
