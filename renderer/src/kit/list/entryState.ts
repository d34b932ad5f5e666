import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** State of lists in the browser's history entry. Back and reload restore it, but links do not contain it. */
type EntryState = {
  chosen?: readonly string[];
  scroll?: Readonly<Record<string, number>>;
  /** For each list, the row whose link was followed. */
  row?: Readonly<Record<string, KeptRow>>;
};

export type KeptRow = { key: string; control: string };

export function readEntry(): EntryState {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null ? state : {};
}

export function writeEntry(change: EntryState): void {
  try {
    window.history.replaceState({ ...readEntry(), ...change }, '');
  } catch {
    // Ignore the error: browsers limit the frequency and size of history entries, and in that case nothing is stored.
  }
}

/** Time in milliseconds without scrolling after which the position is stored. */
const REST_MS = 100;

/**
 * Stores the scroll position of a list in the history entry, and restores it once there are rows. `name`
 * distinguishes the lists of one page.
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
        // The current history entry already belongs to a different page.
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
