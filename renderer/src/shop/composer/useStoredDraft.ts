import { useCallback, useMemo, useSyncExternalStore } from 'react';

const CHANGED = 'pickstation:draft';
const PREFIX = 'pickstation.draft.';

/**
 * Returns the unsent input with this name, and a function that sets it; undefined removes the input. The input is
 * stored for the browser tab, so that it survives closing the panel, signing out, reloading, and an offline station.
 * `parse` validates the stored value, which an older page may have written. `T` must be plain data.
 */
export function useStoredDraft<T>(name: string, parse: (kept: unknown) => T): [T, (next: T | undefined) => void] {
  const text = useSyncExternalStore(subscribe, () => read(name));
  const draft = useMemo(() => parse(decode(text)), [parse, text]);
  const set = useCallback((next: T | undefined) => write(name, next), [name]);
  return [draft, set];
}

function subscribe(handle: () => void): () => void {
  window.addEventListener(CHANGED, handle);
  return () => window.removeEventListener(CHANGED, handle);
}

function read(name: string): string | null {
  return window.sessionStorage.getItem(PREFIX + name);
}

function write(name: string, draft: unknown): void {
  if (draft === undefined) window.sessionStorage.removeItem(PREFIX + name);
  else window.sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  window.dispatchEvent(new Event(CHANGED));
}

function decode(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
