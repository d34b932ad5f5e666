import { useSyncExternalStore } from 'react';

const NARROW = '(max-width: 700px)';

/** Whether the window is as narrow as a phone, where the navigation rail becomes a bar. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(follow, () => window.matchMedia(NARROW).matches);
}

function follow(changed: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}
