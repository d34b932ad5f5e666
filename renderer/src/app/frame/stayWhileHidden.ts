/**
 * The desktop shell ends the process of a page whose window is hidden, unless the page holds it: `isNeeded` says whether it
 * does something for a person meanwhile. Returns what ends this.
 */
export function stayWhileHidden(isNeeded: () => boolean): () => void {
  function hold(event: Event): void {
    // As electron/main/hiddenPage.ts asks; a browser has no detail.
    if (event instanceof CustomEvent && event.detail === 'hidden' && isNeeded()) event.preventDefault();
  }
  window.addEventListener('beforeunload', hold);
  return () => window.removeEventListener('beforeunload', hold);
}
