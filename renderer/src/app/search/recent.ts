import type { Remembered } from '../../remembered.ts';
import type { PaletteEntry } from './useEntries.ts';

/** A chosen entry, with the data needed to list it again. `to` is the entry's address, or undefined for an action of the page. */
type Stored = Pick<PaletteEntry, 'id' | 'words' | 'hint' | 'kind'> & { to?: string };

const MAX_RECENT = 8;

/** Stores and lists the entries that a person chose most recently in this browser, newest first. */
export function recentChoices(person: string, storage: Remembered) {
  const key = `pickstation.recent.${person}`;

  function list(): readonly Stored[] {
    try {
      const stored: unknown = JSON.parse(storage.get(key) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isStored) : [];
    } catch {
      return [];
    }
  }

  return {
    list,
    add({ id, kind, to, ...entry }: PaletteEntry): void {
      const others = list().filter((other) => other.id !== id);
      const { words, hint } = entry.stored ?? entry;
      const chosen: Stored = { id, words, hint, kind, ...(to === undefined ? {} : { to }) };
      storage.set(key, JSON.stringify([chosen, ...others].slice(0, MAX_RECENT)));
    },
  };
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  const { id, words, hint, kind, to = '' } = value as Record<string, unknown>;
  return [id, words, hint, kind, to].every((text) => typeof text === 'string');
}
