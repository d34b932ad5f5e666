import { useEffect, useRef } from 'react';

/** Maximum time between two characters that a scanner types, in milliseconds. People type more slowly. */
export const BURST_MS = 60;

/** Returns the action of a key, or undefined if the key is not a shortcut. */
type ActionOf = (key: string) => (() => void) | undefined;

/**
 * Listens for one-character shortcuts on the whole page, except in elements for which `isElsewhere` returns true. A key takes effect
 * BURST_MS after it was pressed, and only if no other character was typed within BURST_MS before or after it. This way, a scanner that
 * types `A-3-2` triggers nothing.
 */
export function useSingleKeys(actionOf: ActionOf, isElsewhere: (target: Element) => boolean): void {
  const newest = useRef({ actionOf, isElsewhere });
  useEffect(() => {
    newest.current = { actionOf, isElsewhere };
  });

  useEffect(() => {
    let lastAt = -Infinity;
    let isAlone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    /** Counts every character, even if a scan handler stops its event. */
    function count(event: KeyboardEvent): void {
      if (!isCharacter(event)) return;
      clearTimeout(timer);
      isAlone = event.timeStamp - lastAt >= BURST_MS;
      lastAt = event.timeStamp;
    }

    function onKeyDown(event: KeyboardEvent): void {
      if (!isCharacter(event) || event.defaultPrevented) return;
      if (event.target instanceof Element && newest.current.isElsewhere(event.target)) return;
      const act = newest.current.actionOf(event.key);
      if (act === undefined) return;
      event.preventDefault();
      if (isAlone) timer = setTimeout(act, BURST_MS);
    }

    window.addEventListener('keydown', count, { capture: true });
    document.addEventListener('keydown', onKeyDown);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', count, { capture: true });
      document.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}
