import { buildPage } from './builds.ts';
import { runDesktop } from './desktop.ts';

/**
 * `--desktop` as the first argument opens the window where there can be one; else, and without it, the station runs headless.
 * `compiled`: where what Node makes of the sources is kept.
 */
export async function launch(root: string, compiled: string): Promise<void> {
  const { argv } = process;
  if (argv[2] === '--desktop') {
    argv.splice(2, 1);
    const wantsHelp = argv.includes('--help') || argv.includes('-h');
    const why = wantsHelp ? undefined : await runDesktop(root, argv.slice(2));
    if (why === undefined && !wantsHelp) return;
    if (why !== undefined) {
      process.stdout.write(`No window: ${why}. Running headless: open the address below in a browser.\n`);
    }
    // Of the window alone.
    process.argv = argv.filter((argument) => argument !== '--devtools');
  }
  buildPage(root);
  // For the processes that the station starts.
  process.env['NODE_COMPILE_CACHE'] ??= compiled;
  await import('./main.ts');
}
