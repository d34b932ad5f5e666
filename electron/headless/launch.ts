import { buildPage } from './builds.ts';
import { runDesktop } from './desktop.ts';

/**
 * With `--desktop` as first argument, opens the window if possible; otherwise runs headless. `compiled`: folder of
 * Node's compile cache.
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
    // Only for the window.
    process.argv = argv.filter((argument) => argument !== '--devtools');
  }
  buildPage(root);
  // For the station's child processes.
  process.env['NODE_COMPILE_CACHE'] ??= compiled;
  await import('./main.ts');
}
