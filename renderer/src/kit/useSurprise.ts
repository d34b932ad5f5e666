import { useEffect, useRef } from 'react';

/** Milliseconds after a change during which a press is still meant for what was shown before. */
const SURPRISE_MS = 300;

/**
 * Returns a function that tells whether `shown` has just changed. An empty text means that nothing was shown. Without this, the second
 * click of a double click would act on the row that has moved under the pointer.
 */
export function useSurprise(shown: string): () => boolean {
  const last = useRef({ shown, at: -Infinity });
  useEffect(() => {
    const before = last.current.shown;
    if (before !== shown) last.current = { shown, at: before === '' ? -Infinity : Date.now() };
  }, [shown]);
  return () => Date.now() - last.current.at < SURPRISE_MS;
}
