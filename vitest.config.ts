import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { temporaryFolder } from './test/helpers/files/memoryFolder.ts';
import { COMPILED } from './test/helpers/spawnStation.ts';
import { KINDS, kindOf, tierOf, type TestKind, type Tier } from './test/tiers.ts';

// For this process too, which makes the data folder that all others copy. Workers start from it, so they import what an
// earlier run has compiled.
const env = { ...temporaryFolder(), ...COMPILED };
Object.assign(process.env, env);

makeClient();

/** Writes the generated part of the client, which is not committed, if it is missing or older than what it is made of. */
function makeClient(): void {
  const changedAt = (file: string): number =>
    statSync(join(import.meta.dirname, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ['resources/openapi/whole.json', 'tools/client.ts'].map(changedAt);
  if (changedAt('packages/client/operations.ts') > Math.max(...sources)) return;
  execFileSync(process.execPath, ['tools/client.ts'], { cwd: import.meta.dirname });
}

const FILES = globSync('test/**/*.test.{ts,tsx}', { cwd: import.meta.dirname }).map((file) =>
  file.replaceAll('\\', '/'),
);

/** Node itself imports what needs no more than its types stripped: the station then works in two thirds of the time. */
const NATIVE = { viteModuleRunner: false, nodeLoader: false };
const TEMPLATE = ['test/helpers/screens/template.ts'];
/** The second tier also starts stations as processes. */
const STATION = [...TEMPLATE, 'test/helpers/buildStation.ts'];
const PAGE_SETUP = ['test/renderer/beforeEachFile.ts'];

const HOW = {
  // They change nothing outside of themselves, so the files of one worker share what they import.
  pure: { isolate: false, experimental: NATIVE },
  // Each test has its own station. Importing the server again for each file takes longer than most tests.
  whole: { isolate: false, experimental: NATIVE, globalSetup: TEMPLATE },
  // Importing React and the page again for each file takes longer than most tests.
  pages: { isolate: false, environment: 'happy-dom', setupFiles: PAGE_SETUP },
  alone: { setupFiles: PAGE_SETUP, globalSetup: TEMPLATE },
  // Processes that are killed, on a machine where others run: they wait for states, and need time.
  programs: { experimental: NATIVE, globalSetup: TEMPLATE, testTimeout: 300_000 },
} as const satisfies Record<TestKind, object>;

function project(tier: Tier, kind: TestKind): TestProjectConfiguration[] {
  const include = FILES.filter((file) => tierOf(file) === tier && kindOf(file) === kind);
  if (include.length === 0) return [];
  const how = HOW[kind];
  const setup = tier === 'rest' && 'globalSetup' in how ? { globalSetup: STATION } : {};
  return [{ extends: true, test: { name: `${tier}-${kind}`, include, ...how, ...setup } }];
}

/** The tests that need npm only: `--project 'core-*'` is npm test. The others: vitest.shells.config.ts. */
export default defineConfig({
  test: {
    // Three on two cores: a worker often waits for a process or a socket.
    maxWorkers: 3,
    // For test/helpers/heap.ts: a flag that is set later breaks V8.
    execArgv: ['--expose-gc'],
    // Limits end a test that hangs. A busy machine can take twenty times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './test/helpers/slowestFiles.ts'],
    env,
    projects: (['core', 'rest'] as const).flatMap((tier) => KINDS.flatMap((kind) => project(tier, kind))),
  },
});
