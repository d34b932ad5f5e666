// Plain JavaScript, so that an old Node can report its version instead of a syntax error.
import module from 'node:module';
import { join } from 'node:path';
import v8 from 'node:v8';

const NEEDED_MAJOR = 24;
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', '..');

const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED_MAJOR) {
  process.stderr.write(
    `Pickstation runs on Node ${NEEDED_MAJOR}; this is ${process.versions.node}. Start it with npm start or npm run serve, which include it.\n`,
  );
  process.exitCode = 1;
} else {
  // Collect garbage as soon as the heap has grown by 40 %. By default, V8 lets it grow several times as much, which takes 100 MB under
  // load.
  v8.setFlagsFromString('--heap-growing-percent=40');
  // Disable Maglev, V8's fast optimizing compiler: it takes up to 30 MB, which the C library never returns, and makes nothing faster.
  v8.setFlagsFromString('--no-maglev');
  // Otherwise, after a burst of work, V8 allocates most objects in its old space and collects garbage so often that commands and presses
  // take 20 % longer.
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
  // Use Node's compile cache, which halves the time of the next start.
  const compiled = join(root, 'dist', 'compile-cache');
  module.enableCompileCache?.(compiled);
  const { launch } = await import('./launch.ts');
  await launch(root, compiled);
  module.flushCompileCache?.();
}
