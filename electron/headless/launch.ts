import { buildPage } from './builds.ts';
import { runDesktop } from './desktop.ts';

/** Options that are handled on the command line and open no window. */
const WITHOUT_WINDOW = /^(?:--help|-h|--check|--service(?:=.*)?)$/;

/** Options that do not need the page. */
const HELP = /^(?:--help|-h)$/;

/** Options that have no effect without a window. */
const OF_WINDOW = /^--(?:devtools|hidden|in-browser(?:=.*)?)$/;

/**
 * Starts the program. If the first argument is `--desktop`, opens the window if possible; otherwise runs headless. `compiled` is the folder
 * of Node's compile cache.
 */
export async function launch(root: string, compiled: string): Promise<void> {
  const { argv } = process;
  if (argv[2] === '--desktop') {
    argv.splice(2, 1);
    const isAnswered = argv.some((argument) => WITHOUT_WINDOW.test(argument));
    const why = isAnswered ? undefined : await runDesktop(root, argv.slice(2));
    if (why === undefined && !isAnswered) return;
    if (why !== undefined) {
      process.stdout.write(`No window: ${why}. Running headless: open the address below in a browser.\n`);
    }
    // Remove options that are only for the window.
    process.argv = argv.filter((argument) => !OF_WINDOW.test(argument));
  }
  if (!process.argv.some((argument) => HELP.test(argument))) buildPage(root);
  // The station's child processes use this cache, too.
  process.env['NODE_COMPILE_CACHE'] ??= compiled;
  await import('./main.ts');
}
