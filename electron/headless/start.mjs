// Plain JavaScript, so that any Node can say what is wrong before it meets syntax that it does not know.
import module from 'node:module';
import { join } from 'node:path';

const NEEDED_MAJOR = 24;
const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..', '..');

const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED_MAJOR) {
  process.stderr.write(
    `Pickstation runs on Node ${NEEDED_MAJOR}; this is ${process.versions.node}. Start it by npm start or npm run serve, which bring their own.\n`,
  );
  process.exitCode = 1;
} else {
  // What Node made of the sources is kept: the next start takes half the time.
  const compiled = join(root, 'dist', 'compile-cache');
  module.enableCompileCache?.(compiled);
  const { launch } = await import('./launch.ts');
  await launch(root, compiled);
  module.flushCompileCache?.();
}
