import type { Db } from '../db.ts';
import { changeEachSecret } from '../secretRows.ts';
import { statements } from './statements.ts';

/** The data key under a passphrase. `keyId`: of the data key; `salt`: base64. */
export type WrappedKey = { keyId: string; salt: string; sealed: string };

/** Sealed values over all tables, and what opens them on another machine. */
export function secretRows(db: Db) {
  const wrapped = statements(db).meta('wrapped_key');
  /** Overwrites the former row: backups copy pages, with what was removed from them. */
  function withoutTraces(change: () => void): void {
    db.pragma('secure_delete = ON');
    try {
      change();
    } finally {
      db.pragma('secure_delete = OFF');
    }
  }
  return {
    findWrapped: (): WrappedKey | undefined => wrapped.getJson() as WrappedKey | undefined,
    saveWrapped: (key: WrappedKey): void => withoutTraces(() => wrapped.set(JSON.stringify(key))),
    removeWrapped: (): void => withoutTraces(wrapped.remove),
    /** Each with its place. */
    list(): { place: string; stored: string }[] {
      const found: { place: string; stored: string }[] = [];
      changeEachSecret(db, (_name, place, stored) => {
        found.push({ place, stored });
        return stored;
      });
      return found;
    },
    /** `change` gets the place of each, and what is stored there, and returns what will be. */
    changeEach: (change: (place: string, stored: string) => string): void =>
      changeEachSecret(db, (_name, place, stored) => change(place, stored)),
  };
}
