import { globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { STATION_PROGRAM } from './spawnStation.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = dirname(STATION_PROGRAM);

const INPUT = {
  main: join(ROOT, 'electron', 'headless', 'main.ts'),
  copyProcess: join(ROOT, 'electron', 'server', 'copier', 'copyProcess.ts'),
};
/** Packages that are not bundled because they load more files from their folder. */
const EXTERNAL = ['better-sqlite3', '@napi-rs/canvas', '@serialport/bindings-cpp', 'swagger-ui-dist'];

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Bundles the station if the bundle is missing or older than the sources. Vitest calls this once, before all test files. */
export default async function buildStation(): Promise<void> {
  const sources = globSync(['{electron,shared}/**/*.ts', 'package-lock.json'], { cwd: ROOT }).map((file) =>
    join(ROOT, file),
  );
  if (changedAt(STATION_PROGRAM) > Math.max(...sources.map(changedAt))) return;
  mkdirSync(dirname(FOLDER), { recursive: true });
  // Build in a temporary folder, so that a parallel run always finds a complete program.
  const made = mkdtempSync(`${FOLDER}-`);
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node24',
      outDir: made,
      emptyOutDir: true,
      rolldownOptions: { input: INPUT, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
    },
    ssr: { noExternal: true, external: EXTERNAL },
  });
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(made, FOLDER);
}
