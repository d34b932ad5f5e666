import { useEffect } from 'react';

/** Toggles the search with Ctrl+K, or Cmd+K on a Mac. This hook is in a separate file because the search itself is loaded later. */
export function useSearchKey(isOn: boolean, toggle: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      toggle();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn, toggle]);
}
