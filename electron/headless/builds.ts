import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = { made: ['dist/renderer/index.html'], from: ['renderer', 'shared', 'vite.config.ts'] };
const DOCUMENTS = {
  made: ['dist/openapi/Whole.json'],
  from: ['electron/server/http', 'shared', 'package.json', 'tools/openapi.ts'],
};
const SHELL = {
  made: ['dist/main/main.js', 'dist/preload/preload.cjs'],
  from: ['electron', 'shared', 'package.json', 'electron.vite.config.ts'],
};

/**
 * Builds the page and the OpenAPI documents if they are missing or older than their sources. Without a page the station still serves its
 * API, and it makes documents that were not built.
 */
export function buildPage(root: string): void {
  buildDocuments(root);
  if (!isStale(root, PAGE)) return;
  process.stdout.write('Building the page ...\n');
  if (!build(root, 'vite/bin/vite.js'))
    process.stderr.write('The page could not be built. The API works without it.\n');
}

/** Builds the shell and the page if one of them is missing or older than its sources. Returns whether there is a shell to start. */
export function buildDesktop(root: string): boolean {
  if (isStale(root, SHELL)) {
    process.stdout.write('Building the window ...\n');
    build(root, 'electron-vite/bin/electron-vite.js');
    buildDocuments(root);
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

function buildDocuments(root: string): void {
  if (isStale(root, DOCUMENTS)) run(root, join(root, 'tools', 'openapi.ts'));
}

function build(root: string, tool: string): boolean {
  return run(root, join(root, 'node_modules', tool), 'build', '--logLevel', 'warn');
}

function run(root: string, program: string, ...args: readonly string[]): boolean {
  if (!existsSync(program)) return false;
  return spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}
