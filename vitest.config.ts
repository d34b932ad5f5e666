import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './test/helpers/memoryFolder.ts';

// For this process too, which makes the data folder that all others copy.
const env = temporaryFolder();
Object.assign(process.env, env);

const SERVED = 'test/{integration,contract,property}/**/*.test.ts';
/** They replace modules, or check what a page loads at first use, so each of these files has modules of its own. */
const ALONE = [
  'test/integration/backupRestoreKilled.test.ts',
  'test/renderer/{devicePanelSound,screenDrawing,screenSigns,soundWindow,stationMany}.test.tsx',
  'test/unit/updaterPolicy.test.ts',
];

/** They copy whole databases, start processes, send floods and mails, or draw every screen: `.ci/run shells` has the time. */
export const SLOW = [
  'test/integration/backupRestore.test.ts',
  'test/integration/backupSchedule.test.ts',
  'test/integration/backups.test.ts',
  'test/integration/backupsForeign.test.ts',
  'test/integration/dataLost.test.ts',
  'test/integration/eventsSlowReader.test.ts',
  'test/integration/faultsStart.test.ts',
  'test/integration/historyFind.test.ts',
  'test/integration/httpSlowAndHuge.test.ts',
  'test/integration/mailAlerts.test.ts',
  'test/property/screensSent.test.ts',
  'test/property/xml.test.ts',
  'test/unit/firmwareMemory.test.ts',
  'test/unit/regexLinear.test.ts',
  'test/unit/screenCodes.test.ts',
  'test/unit/screenCodesLayouts.test.ts',
  'test/unit/screenLayoutEvery.test.ts',
  'test/unit/screenSizes.test.ts',
  'test/unit/xmlRefused.test.ts',
];

/** Node itself imports what needs no more than its types stripped: the station then works in two thirds of the time. */
const NATIVE = { viteModuleRunner: false, nodeLoader: false };

/** Everything that needs npm alone. What needs root, strace, Python, curl, a browser or patience: vitest.shells.config.ts. */
export default defineConfig({
  test: {
    exclude: [
      'test/shells/privileged/**',
      'test/shells/examples.test.ts',
      'test/shells/snippets.test.ts',
      // Processes of their own for many backups: test/integration has what the station makes of them.
      'test/shells/backupProcess.test.ts',
      // Real processes killed again and again: the same is done within one process in test/integration.
      'test/shells/dataLost.test.ts',
      // A process for each check of a start: test/unit/quietPorts.test.ts has what it must not do.
      'test/shells/check.test.ts',
      'test/shells/folderKilled.test.ts',
      'test/shells/restoreKilled.test.ts',
      'test/shells/turboContract.test.ts',
      // A program in Python, and hardware whose hands take their time: test/integration has the same hardware without kills.
      'test/shells/mixedShopKilled.test.ts',
      // A cable of the system's own: test/integration installs boards behind a stream.
      'test/shells/boardInstalled.test.ts',
      // Hands at cables and radios with losses: each takes a quarter of a minute, most of which it waits.
      'test/shells/turboSim.test.ts',
      'test/shells/unplug.test.ts',
      'test/browser/**',
      'test/desktop/**',
      'node_modules/**',
    ],
    // Three on two cores: a worker often waits for a process or a socket.
    maxWorkers: 3,
    // For test/helpers/heap.ts: a flag that is set later breaks V8.
    execArgv: ['--expose-gc'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Many files run at once on two cores.
    expect: { poll: { timeout: 15_000 } },
    env,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/{unit,golden}/**/*.test.ts'],
          exclude: [...ALONE, ...SLOW],
          // They change nothing outside of themselves, so the files of one worker share what they import.
          isolate: false,
          experimental: NATIVE,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: [SERVED],
          exclude: [...ALONE, ...SLOW],
          globalSetup: ['test/helpers/template.ts'],
          // Each test has a station of its own; to import a server anew for each file takes longer than most of them.
          isolate: false,
          experimental: NATIVE,
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['test/renderer/**/*.test.{ts,tsx}'],
          exclude: ALONE,
          environment: 'happy-dom',
          setupFiles: ['test/renderer/beforeEachFile.ts'],
          // To import React and the page anew for each file takes longer than most of them.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          setupFiles: ['test/renderer/beforeEachFile.ts'],
          globalSetup: ['test/helpers/template.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: ['test/shells/**/*.test.ts'],
          globalSetup: ['test/helpers/template.ts'],
          experimental: NATIVE,
        },
      },
    ],
  },
});
