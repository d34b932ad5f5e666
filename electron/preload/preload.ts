import { contextBridge, ipcRenderer } from 'electron';

const VERSION = '--pickstation-version=';
/** The same words as in electron/main/scanners.ts: a sandboxed script imports nothing. */
const CHOOSE = 'pickstation:choose-scanner';
const CHOSEN = 'pickstation:chosen-scanner';
/** The same word as in electron/main/window.ts. */
const SHOW_WINDOW = 'pickstation:show-window';
/** The same words as in electron/main/printing.ts. */
const PRINTERS = 'pickstation:printers';
const PRINT = 'pickstation:print';

// The shell tells the page only this: that there is a shell, which one it is, and which scanners and printers can be
// chosen.
contextBridge.exposeInMainWorld('pickstation', {
  desktop: true,
  version: process.argv.find((argument) => argument.startsWith(VERSION))?.slice(VERSION.length) ?? '',
  /** Calls `choose` with the devices when the page has asked for one. Returns a function that stops this. */
  hearScannerChoice(choose: (choices: unknown) => void): () => void {
    const listener = (_event: unknown, choices: unknown): void => choose(choices);
    ipcRenderer.on(CHOOSE, listener);
    return () => ipcRenderer.off(CHOOSE, listener);
  },
  /** A person clicked a notification. */
  showWindow: (): void => ipcRenderer.send(SHOW_WINDOW),
  /** An empty id cancels the choice. */
  chooseScanner(id: string): void {
    ipcRenderer.send(CHOSEN, id);
  },
  /** The printers of this computer. */
  printers: (): Promise<unknown> => ipcRenderer.invoke(PRINTERS),
  /** Prints the page without a dialog. Resolves to `printed`, or to the reason for a failure. */
  print: (job: unknown): Promise<unknown> => ipcRenderer.invoke(PRINT, job),
});
