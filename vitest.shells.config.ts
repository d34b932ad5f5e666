import { defineConfig } from 'vitest/config';
import { SLOW } from './vitest.config.ts';

/** Real processes, one suite after the other: they measure what the system does, and share mounts, tracers and a browser. */
export default defineConfig({
  test: {
    include: ['test/{shells,browser,desktop,erp,brokers}/**/*.test.ts', ...SLOW],
    globalSetup: ['test/helpers/template.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A second is short for a page on a busy machine.
    expect: { poll: { timeout: 15_000 } },
  },
});
