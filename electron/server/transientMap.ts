/**
 * A map for thousands of short-lived entries. A Map or Set leaves its outgrown tables to the garbage collector as a chain: once the first
 * table is old, V8 keeps all of them, with all their contents, until it collects its whole heap. This map clears deleted entries, so that
 * those tables hold nothing large.
 */
export class TransientMap<Value extends object, Key = number> {
  readonly #entries = new Map<Key, { value: Value | undefined }>();

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, { value });
  }

  /** Deletes an entry. Returns whether there was one with this key. */
  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    entry.value = undefined;
    return this.#entries.delete(key);
  }

  clear(): void {
    for (const entry of this.#entries.values()) entry.value = undefined;
    this.#entries.clear();
  }

  /** Iterates over the values in insertion order. Entries can be deleted during the iteration. */
  *values(): Generator<Value> {
    for (const { value } of this.#entries.values()) if (value !== undefined) yield value;
  }
}
