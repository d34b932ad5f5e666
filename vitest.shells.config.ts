import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { tierOf } from './test/tiers.ts';

const FILES = globSync('test/{shells,browser,desktop,erp,brokers}/**/*.test.ts', { cwd: import.meta.dirname });

/** Real processes, one suite after the other: they measure what the system does, and share mounts, tracers and a browser. */
export default defineConfig({
  test: {
    include: FILES.map((file) => file.replaceAll('\\', '/')).filter((file) => tierOf(file) !== 'rest'),
    globalSetup: ['test/helpers/template.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A second is short for a page on a busy machine.
    expect: { poll: { timeout: 15_000 } },
  },
});
