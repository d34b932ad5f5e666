/**
 * Keeps the page running in a hidden desktop window while `isNeeded` returns true. Otherwise the desktop shell ends the page's process.
 * Returns a function that stops checking.
 */
export function stayWhileHidden(isNeeded: () => boolean): () => void {
  function hold(event: Event): void {
    // electron/main/hiddenPage.ts sends this event with a detail. A browser's own event has none.
    if (event instanceof CustomEvent && event.detail === 'hidden' && isNeeded()) event.preventDefault();
  }
  window.addEventListener('beforeunload', hold);
  return () => window.removeEventListener('beforeunload', hold);
}
