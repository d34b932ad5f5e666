import { useEffect, useRef } from 'react';

/** Scanners type like keyboards, with less than this between two characters; people take longer. */
export const BURST_MS = 60;

/** Answers what a key does, or undefined where it is no shortcut. */
type ActionOf = (key: string) => (() => void) | undefined;

/**
 * Shortcuts of one character, wherever the focus is, except where `isElsewhere` says that keys belong to something else. A key
 * acts BURST_MS after it was pressed, and only if no other character came within BURST_MS before or after it: the code
 * `A-3-2` from a scanner is no shortcut.
 */
export function useSingleKeys(actionOf: ActionOf, isElsewhere: (target: Element) => boolean): void {
  const newest = useRef({ actionOf, isElsewhere });
  useEffect(() => {
    newest.current = { actionOf, isElsewhere };
  });

  useEffect(() => {
    let lastAt = -Infinity;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function hear(event: KeyboardEvent): void {
      const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isCharacter) return;
      clearTimeout(timer);
      const isAlone = event.timeStamp - lastAt >= BURST_MS;
      lastAt = event.timeStamp;
      if (event.defaultPrevented) return;
      if (event.target instanceof Element && newest.current.isElsewhere(event.target)) return;
      const act = newest.current.actionOf(event.key);
      if (act === undefined) return;
      event.preventDefault();
      if (isAlone) timer = setTimeout(act, BURST_MS);
    }

    document.addEventListener('keydown', hear);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', hear);
    };
  }, []);
}
