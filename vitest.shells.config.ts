import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { tierOf } from './test/tiers.ts';

const FILES = globSync('test/{shells,browser,desktop,erp,brokers}/**/*.test.ts', { cwd: import.meta.dirname });

/** Real processes, one suite after the other: they measure what the system does, and share mounts, tracers and a browser. */
export default defineConfig({
  test: {
    include: FILES.map((file) => file.replaceAll('\\', '/')).filter((file) => tierOf(file) !== 'rest'),
    globalSetup: ['test/helpers/screens/template.ts', 'test/helpers/buildStation.ts'],
    fileParallelism: false,
    // Limits end a test that hangs. A busy machine can take twenty times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
