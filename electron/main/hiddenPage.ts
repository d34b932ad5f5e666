import type { BrowserWindow, WebContents } from 'electron';

const FREE_AFTER_MS = 60_000;

/**
 * Script that asks the page whether its process may be ended, by dispatching the event that browsers send before they close a tab.
 * `renderer/src/app/frame/stayWhileHidden.ts` reads the detail `hidden`.
 */
const ASK = `window.dispatchEvent(new CustomEvent('beforeunload', { cancelable: true, detail: 'hidden' }))`;

const freed = new WeakSet<WebContents>();

/** Whether the process of this page was ended on purpose because its window is hidden, rather than by a crash. */
export function isFreed(page: WebContents): boolean {
  return freed.has(page);
}

/**
 * Ends the process of the page when its window has been hidden for a minute, and reloads the page when the window is shown. A page with
 * unsaved input or work in progress prevents this with `beforeunload`. `isHidden` tells whether the window starts hidden.
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
    // Killing the page's process loses nothing: the main process keeps its session storage, address and scroll position.
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
