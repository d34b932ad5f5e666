import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './test/helpers/memoryFolder.ts';

// For this process too, which makes the data folder that all others copy.
const env = temporaryFolder();
Object.assign(process.env, env);

/** Everything that needs npm alone. What needs root, strace, Python, curl or a browser: vitest.shells.config.ts. */
export default defineConfig({
  test: {
    exclude: [
      'test/shells/privileged/**',
      'test/shells/examples.test.ts',
      'test/shells/pythonTurbo.test.ts',
      'test/browser/**',
      'test/desktop/**',
      'node_modules/**',
    ],
    // Two cores: more workers only wait for each other's fsync.
    maxWorkers: 2,
    testTimeout: 30_000,
    env,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/{unit,golden}/**/*.test.ts'],
          // They change nothing outside of themselves, so the files of one worker share what they import.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/{unit,golden}/**/*.test.ts'],
          globalSetup: ['test/helpers/template.ts'],
        },
      },
    ],
  },
});
