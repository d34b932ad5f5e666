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
  // Collect garbage before there is half as much of it as there is living data. By itself V8 waits for three times as much,
  // which is 100 MB under load.
  v8.setFlagsFromString('--heap-growing-percent=40');
  // V8's quicker optimizing compiler takes up to 30 MB, which the C library then keeps, and makes nothing faster.
  v8.setFlagsFromString('--no-maglev');
  // After a burst of work V8 would create most objects in its old space, and collect garbage so often that commands and
  // presses take a fifth more time.
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
  // Keeps Node's compile cache: the next start takes half the time.
  const compiled = join(root, 'dist', 'compile-cache');
  module.enableCompileCache?.(compiled);
  const { launch } = await import('./launch.ts');
  await launch(root, compiled);
  module.flushCompileCache?.();
}
