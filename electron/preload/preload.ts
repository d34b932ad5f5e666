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

// All that the page learns from the shell: that it runs in one, which, and which scanners and printers there are to choose from.
contextBridge.exposeInMainWorld('pickstation', {
  desktop: true,
  version: process.argv.find((argument) => argument.startsWith(VERSION))?.slice(VERSION.length) ?? '',
  /** Calls `choose` with the devices when the page asked for one. Answers what ends it. */
  hearScannerChoice(choose: (choices: unknown) => void): () => void {
    const listener = (_event: unknown, choices: unknown): void => choose(choices);
    ipcRenderer.on(CHOOSE, listener);
    return () => ipcRenderer.off(CHOOSE, listener);
  },
  /** A person clicked a notification. */
  showWindow: (): void => ipcRenderer.send(SHOW_WINDOW),
  /** An empty id: none. */
  chooseScanner(id: string): void {
    ipcRenderer.send(CHOSEN, id);
  },
  /** The printers of this computer. */
  printers: (): Promise<unknown> => ipcRenderer.invoke(PRINTERS),
  /** Prints the page without a dialog. Answers `printed`, or why not. */
  print: (job: unknown): Promise<unknown> => ipcRenderer.invoke(PRINT, job),
});
