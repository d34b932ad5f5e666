import { useEffect, useRef } from 'react';

/** Time in milliseconds after a change in which a press was meant for what was shown before. */
const SURPRISE_MS = 300;

/**
 * Returns a function that tells whether `shown` has just changed. An empty text means that nothing was shown. A second click of a double click must not act on the row that has moved
 * under the pointer.
 */
export function useSurprise(shown: string): () => boolean {
  const last = useRef({ shown, at: -Infinity });
  useEffect(() => {
    const before = last.current.shown;
    if (before !== shown) last.current = { shown, at: before === '' ? -Infinity : Date.now() };
  }, [shown]);
  return () => Date.now() - last.current.at < SURPRISE_MS;
}
