import type { BrowserWindow } from 'electron';

const FREE_AFTER_MS = 60_000;

/**
 * The page answers whether nothing holds it, as a browser asks before it closes a tab. `renderer/src/ui/stayWhileHidden.ts`
 * knows the word.
 */
const ASK = `window.dispatchEvent(new CustomEvent('beforeunload', { cancelable: true, detail: 'hidden' }))`;

/**
 * Ends the process of the page once its window was hidden for a minute, and loads the page again when it is shown. A page
 * that has something unsaved, or does something for a person while it is hidden, keeps its process by `beforeunload`.
 * `isHidden`: nobody waits for its first frame.
 */
export function freeWhileHidden(window: BrowserWindow, isHidden: boolean): { isFreed(): boolean } {
  const { webContents } = window;
  let timer: NodeJS.Timeout | undefined;
  let isFreed = false;

  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void free().catch(wait), FREE_AFTER_MS).unref();
  }

  async function free(): Promise<void> {
    const isFree: unknown = await webContents.executeJavaScript(ASK);
    if (window.isDestroyed() || window.isVisible()) return;
    if (isFree !== true) return wait();
    isFreed = true;
    // Its storage, its address and where it was scrolled to are kept by this process.
    process.kill(webContents.getOSProcessId(), 'SIGKILL');
  }

  function wake(): void {
    clearTimeout(timer);
    if (!isFreed) return;
    isFreed = false;
    webContents.reload();
  }

  window.on('hide', wait);
  window.on('show', wake);
  window.on('restore', wake);
  window.once('closed', () => clearTimeout(timer));
  if (isHidden) wait();
  return { isFreed: () => isFreed };
}
