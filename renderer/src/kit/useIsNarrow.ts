import { useCallback, useSyncExternalStore } from 'react';

/** Media query for phones, where the navigation rail becomes a bar. */
const NARROW = '(max-width: 700px)';

/** Whether the window is as narrow as a phone, or matches another media query. */
export function useIsNarrow(query = NARROW): boolean {
  const follow = useCallback(
    (changed: () => void): (() => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(follow, () => window.matchMedia(query).matches);
}
