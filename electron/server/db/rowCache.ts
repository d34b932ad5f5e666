import { TransientMap } from '../transientMap.ts';

/**
 * Caches rows that nearly every command and press needs. Only repositories over the writing connection use it, and each caches only rows
 * that no other repository changes. The writer clears it when SQLite rolls back.
 */
export class RowCache {
  readonly #limit: number;
  readonly #kinds: KeptRows<string | number, object>[] = [];

  /** `limit` is the number of rows to keep per kind, or 0 for connections that only read. */
  constructor(limit = 0) {
    this.#limit = limit;
  }

  rows<Key extends string | number, Row extends object>(): KeptRows<Key, Row> {
    const kept = new KeptRows<Key, Row>(this.#limit);
    this.#kinds.push(kept);
    return kept;
  }

  clear(): void {
    for (const kept of this.#kinds) kept.clear();
  }
}

export class KeptRows<Key extends string | number, Row extends object> {
  readonly #limit: number;
  readonly #rows = new TransientMap<Row, Key>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key);
  }

  /** Caches a row and returns it. Empties a full cache first; rows in use are cached again when they are next read. */
  keep<Kept extends Row | undefined>(key: Key, row: Kept): Kept {
    if (this.#limit === 0 || row === undefined) return row;
    if (this.#rows.size >= this.#limit) this.#rows.clear();
    this.#rows.set(key, row);
    return row;
  }

  delete(key: Key): void {
    this.#rows.delete(key);
  }

  clear(): void {
    this.#rows.clear();
  }
}
