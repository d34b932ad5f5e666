import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALONE, CORE, LATER, PROGRAMS, TIERS, tierOf } from '../../tiers.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FILES = globSync('test/**/*.test.{ts,tsx}', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
const SCRIPT = readFileSync(join(ROOT, '.ci', 'run'), 'utf8');

/** The section of .ci/run that runs each tier, and the text by which the script does so. */
const RUN_BY = {
  core: ['test', 'npm test\n'],
  rest: ['test', "'--project=rest-*'"],
  shells: ['shells', 'on_shells test/shells'],
  browser: ['browser', 'test/browser\n'],
  desktop: ['desktop', 'test/desktop\n'],
  brokers: ['brokers', 'test/brokers'],
  erp: ['erp', 'test/erp'],
} as const satisfies Record<(typeof TIERS)[number], readonly [string, string]>;

/** Returns the commands in a section's function. */
function commandsOf(section: string): string {
  const [, body = ''] = new RegExp(`\\nrun_${section}\\(\\) \\{(.*?\\})\\n`, 's').exec(SCRIPT) ?? [];
  return body;
}

test('each test file belongs to exactly one tier, and runs once in the configuration of that tier', async () => {
  const { default: withNpm } = await import('../../../vitest.config.ts');
  const { default: withMore } = await import('../../../vitest.shells.config.ts');
  const projects = (withNpm.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project ? [project.test ?? {}] : [],
  );
  const run = [
    ...projects.flatMap(({ name, include = [] }) =>
      include.map((file) => ({ file, tier: (typeof name === 'string' ? name : '').split('-')[0] ?? '' })),
    ),
    ...(withMore.test?.include ?? []).map((file) => ({ file, tier: tierOf(file) })),
  ];
  const byFile = (a: { file: string }, b: { file: string }) => (a.file < b.file ? -1 : 1);
  expect(run.toSorted(byFile)).toEqual(FILES.map((file) => ({ file, tier: tierOf(file) })).toSorted(byFile));
});

test('the lists of files contain only existing files, each once', () => {
  const core = Object.values(CORE)
    .flat()
    .flatMap((name) => FILES.find((file) => file.endsWith(`/${name}.test.ts`)) ?? name);
  for (const list of [core, ALONE, LATER, PROGRAMS]) {
    expect(list.filter((file, at) => list.indexOf(file) !== at || !FILES.includes(file))).toEqual([]);
  }
});

test('a folder without a tier is refused', () => {
  expect(() => tierOf('test/somewhere/new.test.ts')).toThrow('test/tiers.ts');
});

test.each(TIERS)('.ci/run runs the tier %s in a section that always runs', (tier) => {
  const [section, words] = RUN_BY[tier];
  const [, sections = ''] = /\nSECTIONS=\((.*)\)\n/.exec(SCRIPT) ?? [];
  expect(sections.split(/[ +,]/)).toContain(section);
  expect(`${commandsOf(section)}\n`).toContain(words.trimEnd());
});

/** Programs that every Debian has, or that are started only on other systems. */
const ALWAYS_THERE = new Set([
  'bash',
  'cp',
  'dpkg',
  'grep',
  'mkfifo',
  'sh',
  'stat',
  'stdbuf',
  'stty',
  'systemctl',
  'useradd',
]);

test('.ci/packages lists every program that tests and tools start', () => {
  const { ignoreBinaries } = JSON.parse(readFileSync(join(ROOT, 'knip.json'), 'utf8')) as { ignoreBinaries: string[] };
  const started = globSync('{test,bench,tools/packages}/**/*.ts', { cwd: ROOT }).flatMap((file) =>
    [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(
        /\b(?:spawn|spawnSync|execFile|execFileSync|promisify\(execFile\))\(\s*'([\w.-]+)'/g,
      ),
    ].map(([, program = '']) => program),
  );
  expect(started.length).toBeGreaterThan(20);
  const listed = readFileSync(join(ROOT, '.ci', 'packages'), 'utf8')
    .split('\n')
    .map((line) => line.split(/\s+/)[1]);
  const needed = new Set([...ignoreBinaries, ...started]);
  expect([...needed].filter((program) => !listed.includes(program) && !ALWAYS_THERE.has(program))).toEqual([]);
});
