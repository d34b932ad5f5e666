import { useEffect } from 'react';

/** Opens and closes the search by Ctrl+K, or Cmd+K on a Mac. Separate from the search, which is loaded later. */
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
