import { app, dialog, shell } from 'electron';
import type { OpenStation } from './openStation.ts';
import type { Shutdown } from './shutdown.ts';
import { words } from './words.ts';

/** Replaces the window: explains why there is none, and opens the page in the system's browser. */
export function offerBrowser(options: {
  here: OpenStation;
  shutdown: Shutdown;
  /** Why there is no window, from resources/packaging/linux/launcher.sh. Empty if the user requested the browser. */
  because: string;
  /** Whether to show nothing until the user starts the program again. */
  hidden: boolean;
}): void {
  const { here, shutdown, because, hidden } = options;
  let isAsking = false;

  async function ask(): Promise<void> {
    if (isAsking || shutdown.began) return;
    isAsking = true;
    const { response } = await dialog.showMessageBox({
      type: 'info',
      title: words.name,
      message: words.inBrowserTitle,
      detail: [
        words.inBrowser(here.url),
        ...words.whyInBrowser(because, process.execPath),
        ...(here.kind === 'own' ? words.firstPassword(here.started.generatedPassword) : []),
        words.inBrowserAgain,
      ].join('\n\n'),
      buttons: [words.openPage, words.close, words.quitName],
      defaultId: 0,
      cancelId: 1,
    });
    isAsking = false;
    if (response === 0) await shell.openExternal(here.url);
    else if (response === 2) shutdown.end();
  }

  // Event handlers cannot wait for the promise, so report failures here.
  const show = (): void =>
    void ask().catch((error: unknown) => process.stderr.write(`The page could not be opened: ${String(error)}\n`));
  app.on('second-instance', show);
  // Keep running without a window.
  app.on('window-all-closed', () => undefined);
  if (!hidden) show();
}
