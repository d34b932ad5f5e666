import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** What lists keep in the entry of the browser's history: Back and reload restore it, and links do not carry it. */
type EntryState = { chosen?: readonly string[]; scroll?: Readonly<Record<string, number>> };

export function readEntry(): EntryState {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null ? state : {};
}

export function writeEntry(change: EntryState): void {
  try {
    window.history.replaceState({ ...readEntry(), ...change }, '');
  } catch {
    // The browser limits how often and how much is kept. Then it is not restored.
  }
}

/** Scrolling that rests this long is kept. */
const REST_MS = 100;

/**
 * Keeps how far a list is scrolled in the entry of the history, and restores it once there are rows. `name` tells lists of
 * one page apart.
 */
export function useKeptScroll(name: string, scroll: RefObject<HTMLElement | null>, hasRows: boolean): void {
  const isRestored = useRef(false);
  useLayoutEffect(() => {
    const box = scroll.current;
    if (isRestored.current || !hasRows || box === null) return;
    isRestored.current = true;
    const top = readEntry().scroll?.[name];
    if (top !== undefined) box.scrollTo({ top });
  }, [name, scroll, hasRows]);

  useEffect(() => {
    const box = scroll.current;
    if (box === null || !hasRows) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scrolled = () => {
      const { href } = window.location;
      clearTimeout(timer);
      timer = setTimeout(() => {
        // The entry of another address is not that of this scrolling.
        if (window.location.href !== href) return;
        writeEntry({ scroll: { ...readEntry().scroll, [name]: box.scrollTop } });
      }, REST_MS);
    };
    box.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      clearTimeout(timer);
      box.removeEventListener('scroll', scrolled);
    };
  }, [name, scroll, hasRows]);
}
