import { useEffect } from 'react';

/** Ctrl+K, on a Mac Cmd+K, opens and closes the search. It is heard before the search itself is loaded. */
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
