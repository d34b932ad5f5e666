import { contextBridge, ipcRenderer } from 'electron';

const VERSION = '--pickstation-version=';
/** Same names as in electron/main/scanners.ts, because a sandboxed script cannot import. */
const CHOOSE = 'pickstation:choose-scanner';
const CHOSEN = 'pickstation:chosen-scanner';
/** Same name as in electron/main/window.ts. */
const SHOW_WINDOW = 'pickstation:show-window';
/** Same names as in electron/main/printing.ts. */
const PRINTERS = 'pickstation:printers';
const PRINT = 'pickstation:print';

// Everything that the shell exposes to the page: that there is a shell, its version, and the scanners and printers to choose from.
contextBridge.exposeInMainWorld('pickstation', {
  desktop: true,
  version: process.argv.find((argument) => argument.startsWith(VERSION))?.slice(VERSION.length) ?? '',
  /**
   * Whenever the page has requested a device, calls `choose` with the devices that the user can choose from. Returns a function that
   * unsubscribes.
   */
  handleScannerChoice(choose: (choices: unknown) => void): () => void {
    const listener = (_event: unknown, choices: unknown): void => choose(choices);
    ipcRenderer.on(CHOOSE, listener);
    return () => ipcRenderer.off(CHOOSE, listener);
  },
  /** Shows the window. Call when a person clicks a notification. */
  showWindow: (): void => ipcRenderer.send(SHOW_WINDOW),
  /** Chooses a scanner. An empty id cancels the choice. */
  chooseScanner(id: string): void {
    ipcRenderer.send(CHOSEN, id);
  },
  /** Returns the printers of this computer. */
  printers: (): Promise<unknown> => ipcRenderer.invoke(PRINTERS),
  /** Prints the page without a dialog. Resolves to `printed`, or to the reason for a failure. */
  print: (job: unknown): Promise<unknown> => ipcRenderer.invoke(PRINT, job),
});
