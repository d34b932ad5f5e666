import { defineConfig } from 'vitest/config';

/** Everything that needs npm alone. What needs root, strace, Python, curl or a browser: vitest.shells.config.ts. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: [
      'test/shells/privileged/**',
      'test/shells/examples.test.ts',
      'test/shells/pythonTurbo.test.ts',
      'test/browser/**',
      'test/desktop/**',
      'node_modules/**',
    ],
    globalSetup: ['test/helpers/template.ts'],
    // Two cores: more workers only wait for each other's fsync.
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
