import { buildPage } from './builds.ts';
import { runDesktop } from './desktop.ts';

/** `--desktop` as the first argument opens the window where there can be one; else, and without it, the station runs headless. */
export async function launch(root: string): Promise<void> {
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
  await import('./main.ts');
}
