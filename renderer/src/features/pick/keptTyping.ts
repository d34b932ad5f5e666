import type { Remembered } from '../../remembered.ts';

/**
 * Age in milliseconds above which what a person has typed is ignored and removed, because the person has left the shelf. An order can end while no
 * page shows it, so nothing else removes it.
 */
const KEPT_MS = 4 * 3_600_000;

const NAME = 'pickstation.numbers';

/** All that people have typed in this tab, by the name of the page. `at` is when it was stored, by this browser's clock. */
type Entries = Record<string, { at: number; typed: unknown }>;

/** Reads what was stored for this page in the last hours. Returns undefined if there is nothing. */
export function readTyping(storage: Remembered, page: string): unknown {
  return readEntries(storage)[page]?.typed;
}

/** Stores what was typed on this page, or removes it if `typed` is undefined. Removes all that is too old. */
export function keepTyping(storage: Remembered, page: string, typed: object | undefined): void {
  const { [page]: before, ...others } = readEntries(storage);
  if (before === undefined && typed === undefined) return;
  const entries = typed === undefined ? others : { ...others, [page]: { at: Date.now(), typed } };
  storage.set(NAME, Object.keys(entries).length === 0 ? null : JSON.stringify(entries));
}

function readEntries(storage: Remembered): Entries {
  try {
    // Safe cast: only `keepTyping` writes the value.
    const entries = JSON.parse(storage.get(NAME) ?? '{}') as Entries;
    const now = Date.now();
    // A clock that was set back must not keep an entry longer.
    return Object.fromEntries(Object.entries(entries).filter(([, { at }]) => Math.abs(now - at) < KEPT_MS));
  } catch {
    return {};
  }
}
