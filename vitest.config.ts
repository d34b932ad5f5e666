import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/shells/**', 'test/browser/**', 'node_modules/**'],
    // Two cores: more workers only wait for each other's fsync.
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
