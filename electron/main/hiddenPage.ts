import type { BrowserWindow, WebContents } from 'electron';

const FREE_AFTER_MS = 60_000;

/**
 * The page answers whether nothing holds it, as a browser asks before it closes a tab. `renderer/src/ui/stayWhileHidden.ts`
 * knows the word.
 */
const ASK = `window.dispatchEvent(new CustomEvent('beforeunload', { cancelable: true, detail: 'hidden' }))`;

const freed = new WeakSet<WebContents>();

/** Whether the process of this page was ended because its window is hidden, which is no crash. */
export function isFreed(page: WebContents): boolean {
  return freed.has(page);
}

/**
 * Ends the process of the page once its window was hidden for a minute, and loads the page again when it is shown. A page
 * that has something unsaved, or does something for a person while it is hidden, keeps its process by `beforeunload`.
 * `isHidden`: nobody waits for its first frame.
 */
export function freeWhileHidden(window: BrowserWindow, isHidden: boolean): void {
  const { webContents } = window;
  let timer: NodeJS.Timeout | undefined;

  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void free().catch(wait), FREE_AFTER_MS).unref();
  }

  async function free(): Promise<void> {
    const isFree: unknown = await webContents.executeJavaScript(ASK);
    if (window.isDestroyed() || window.isVisible()) return;
    if (isFree !== true) return wait();
    freed.add(webContents);
    // Its storage, its address and where it was scrolled to are kept by this process.
    process.kill(webContents.getOSProcessId(), 'SIGKILL');
  }

  function wake(): void {
    clearTimeout(timer);
    if (freed.delete(webContents)) webContents.reload();
  }

  window.on('hide', wait);
  window.on('show', wake);
  window.on('restore', wake);
  window.once('closed', () => clearTimeout(timer));
  if (isHidden) wait();
}
