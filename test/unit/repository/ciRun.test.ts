import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

const SCRIPT = readFileSync(join(import.meta.dirname, '..', '..', '..', '.ci', 'run'), 'utf8');

/** Returns a function that runs .ci/run with fake sections, which only pass or fail. */
function createRun(): (failing: readonly string[], ...args: string[]) => { status: number | null; lines: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, '.ci'));
  const file = join(folder, '.ci', 'run');
  return (failing, ...args) => {
    const stubs = Array.from(SCRIPT.matchAll(/\nrun_(\w+)\(\)/g), ([, name = '']) =>
      failing.includes(name)
        ? `run_${name}() { \${FAILURE:-false}; echo "${name} ran on"; }`
        : `run_${name}() { echo "${name} ran"; }`,
    );
    writeFileSync(file, SCRIPT.replace('\nlast_time\n', `\n${stubs.join('\n')}\nlast_time\n`));
    const { status, stdout } = spawnSync('bash', [file, ...args], { encoding: 'utf8' });
    return { status, lines: stdout.trimEnd().split('\n') };
  };
}

test.skipIf(process.platform === 'win32')('the last line names every failed section, even a parallel one', () => {
  const run = createRun();
  const { status, lines } = run(['shells', 'erp']);
  expect({ status, last: lines.at(-1) }).toEqual({
    status: 1,
    last: 'FAILED: erp shells. Repeat it with: .ci/run erp shells',
  });
  expect(lines).toContain('brokers ran');
  expect(lines).not.toContain('browser ran');
  expect(run(['test'], 'test', 'browser').lines.at(-1)).toBe('FAILED: test. Repeat it with: .ci/run test');
});

test.skipIf(process.platform === 'win32')(
  'a failing section ends its lane, and parallel sections run to the end',
  () => {
    const run = createRun();
    const { status, lines } = run(['fuzz'], 'browser+properties,fuzz,requests', 'bench');
    expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last: 'FAILED: fuzz. Repeat it with: .ci/run fuzz' });
    expect(lines.filter((line) => / ran/.test(line))).toEqual(['browser ran', 'properties ran']);
  },
);

test.skipIf(process.platform === 'win32')(
  'a section that hangs is stopped, fails, and shows what it was running',
  () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('SECTION_SECONDS', '1');
    vi.stubEnv('FAILURE', 'sleep 987');
    const { status, lines } = createRun()(['soak'], 'desktop+frames,soak,requests');
    expect({ status, last: lines.at(-1) }).toEqual({ status: 1, last: 'FAILED: soak. Repeat it with: .ci/run soak' });
    expect(lines).toContain('soak still runs after 1 s. These are ended:');
    expect(lines.some((line) => /^ *\d+ +\d\d:\d\d sleep 987$/.test(line))).toBe(true);
    expect(lines.filter((line) => / ran/.test(line))).toEqual(['desktop ran', 'frames ran']);
  },
);

test.skipIf(process.platform === 'win32')(
  'the first line says how long the last successful run of all sections took',
  () => {
    const run = createRun();
    expect(run([]).lines[0]).toBe('No run of all sections is on record.');
    run(['lint']);
    run([], 'lint');
    const { status, lines } = run([]);
    expect(lines[0]).toMatch(/^All sections took 0 min \d+ s the last time \(test-output\/times-whole\.json\)\.$/);
    expect({ status, last: lines.at(-1) }).toMatchObject({
      status: 0,
      last: expect.stringMatching(/^17 sections passed, 0 failed/),
    });
  },
);
