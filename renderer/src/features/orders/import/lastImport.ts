import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { browserStorage } from '../../../ui/storage.ts';
import type { Imported } from './importOrders.ts';

const KEY = 'orders.lastImport';
const CHANGED = 'pickstation:lastImport';
/** What is older than a day is looked at, or worked at. */
const KEPT_MS = 86_400_000;

/**
 * What was imported last in this browser, as long as it can be taken back: in each of its tabs, after a reload and when the
 * browser was closed, for a day.
 */
export function useLastOrderImport(): [Imported | undefined, (next: Imported | undefined) => void] {
  const kept = useSyncExternalStore(subscribe, read);
  const last = useMemo(() => parse(kept), [kept]);
  const set = useCallback((next: Imported | undefined) => {
    browserStorage().set(KEY, next === undefined ? null : JSON.stringify(next));
    window.dispatchEvent(new Event(CHANGED));
  }, []);
  return [last, set];
}

function read(): string | null {
  return browserStorage().get(KEY);
}

function subscribe(hear: () => void): () => void {
  // The other tabs are told by the browser.
  window.addEventListener('storage', hear);
  window.addEventListener(CHANGED, hear);
  return () => {
    window.removeEventListener('storage', hear);
    window.removeEventListener(CHANGED, hear);
  };
}

function parse(kept: string | null): Imported | undefined {
  if (kept === null) return undefined;
  try {
    const { at, made, failed, left } = JSON.parse(kept) as Partial<Imported>;
    const isWhole = typeof at === 'string' && Array.isArray(made) && Array.isArray(failed) && typeof left === 'number';
    return isWhole && Date.now() - Date.parse(at) < KEPT_MS ? { at, made, failed, left } : undefined;
  } catch {
    return undefined;
  }
}
