import type { Db } from '../db.ts';
import { changeEachSecret } from '../secretRows.ts';
import { statements } from './statements.ts';

/** The data key, encrypted with a passphrase. `keyId` identifies the data key. `salt` is in base64. */
export type WrappedKey = { keyId: string; salt: string; sealed: string };

/** Reads and writes encrypted values in all tables, and the wrapped key that decrypts them on another machine. */
export function secretRows(db: Db) {
  const wrapped = statements(db).meta('wrapped_key');
  /** Overwrites the previous row, because backups copy pages including their deleted content. */
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
    /** Lists all encrypted values with their places. */
    list(): { place: string; stored: string }[] {
      const found: { place: string; stored: string }[] = [];
      changeEachSecret(db, (_name, place, stored) => {
        found.push({ place, stored });
        return stored;
      });
      return found;
    },
    /** Changes all encrypted values. `change` gets the place and the stored value, and returns the new value. */
    changeEach: (change: (place: string, stored: string) => string): void =>
      changeEachSecret(db, (_name, place, stored) => change(place, stored)),
  };
}
