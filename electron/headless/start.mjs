// Plain JavaScript, so that any Node can say what is wrong before it meets syntax that it does not know.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

const NEEDED_MAJOR = 24;
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', '..');

/** The newest change below a file or folder, epoch milliseconds. */
function newest(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), status.mtimeMs);
}

/** Builds the page where it is missing or older than its sources. A station without a page still serves its API. */
function buildPage() {
  const page = join(root, 'dist', 'renderer', 'index.html');
  const sources = ['renderer', 'shared', 'vite.config.ts']
    .map((name) => join(root, name))
    .filter((path) => existsSync(path));
  if (sources.length < 3) return;
  if (existsSync(page) && statSync(page).mtimeMs >= Math.max(...sources.map(newest))) return;
  process.stdout.write('Building the page ...\n');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const result = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) process.stderr.write('The page could not be built; the API works without it.\n');
}

const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED_MAJOR) {
  process.stderr.write(
    `Pickstation runs on Node ${NEEDED_MAJOR}; this is ${process.versions.node}. Start it by npm start or npm run serve, which bring their own.\n`,
  );
  process.exitCode = 1;
} else {
  const desktop = process.argv[2] === '--desktop';
  if (desktop) {
    process.argv.splice(2, 1);
    process.stdout.write('There is no desktop window yet: running headless. Open the address below in a browser.\n');
  }
  buildPage();
  // What Node made of the sources is kept: the next start takes half the time.
  module.enableCompileCache?.(join(root, 'dist', 'compile-cache'));
  await import('./main.ts');
  module.flushCompileCache?.();
}
