import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = { made: ['dist/renderer/index.html'], from: ['renderer', 'shared', 'vite.config.ts'] };
const SHELL = {
  made: ['dist/main/main.js', 'dist/preload/preload.cjs'],
  from: ['electron', 'shared', 'package.json', 'electron.vite.config.ts'],
};

/** Builds the page if it is missing or older than its sources. Without a page the station still serves its API. */
export function buildPage(root: string): void {
  if (!isStale(root, PAGE)) return;
  process.stdout.write('Building the page ...\n');
  if (!run(root, 'vite/bin/vite.js')) process.stderr.write('The page could not be built. The API works without it.\n');
}

/** Builds the shell and the page if one of them is missing or older than its sources. Returns whether there is a shell to start. */
export function buildDesktop(root: string): boolean {
  if (isStale(root, SHELL)) {
    process.stdout.write('Building the window ...\n');
    run(root, 'electron-vite/bin/electron-vite.js');
  } else buildPage(root);
  return !isStale(root, SHELL);
}

/** Whether a build result is missing or older than its sources. Returns false if the sources do not exist. */
function isStale(root: string, { made, from }: { made: string[]; from: string[] }): boolean {
  const results = made.map((name) => join(root, name));
  if (!results.every((path) => existsSync(path))) return true;
  const sources = from.map((name) => join(root, name));
  if (!sources.every((path) => existsSync(path))) return false;
  return Math.min(...results.map((path) => statSync(path).mtimeMs)) < Math.max(...sources.map(newest));
}

/** Returns the latest modification time of a file, or of anything in a folder, in epoch milliseconds. */
function newest(path: string): number {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), status.mtimeMs);
}

function run(root: string, tool: string): boolean {
  const program = join(root, 'node_modules', tool);
  if (!existsSync(program)) return false;
  const args = [program, 'build', '--logLevel', 'warn'];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}
