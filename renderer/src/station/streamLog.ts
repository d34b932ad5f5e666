import type { RawMessage } from './stream.ts';

const MAX_ENTRIES = 2_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

type Entry = Extract<RawMessage, { kind: 'facts' | 'ephemera' }>;

/** The newest part of the stream, unbroken, so that who saw its beginning or any commit in it can go on from there. */
export class StreamLog {
  #entries: Entry[] = [];
  #characters = 0;
  /** The revision that the first entry follows; undefined where nobody can tell. */
  #from: number | undefined;
  #newest: number | undefined;

  /** The revision to go on from; undefined where there is none. */
  newest(): number | undefined {
    return this.#newest;
  }

  /** Forgets all; the next entry follows `from`. */
  restart(from: number | undefined): void {
    this.#entries = [];
    this.#characters = 0;
    this.#from = from;
    this.#newest = from;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#characters += entry.text.length;
    if (entry.kind === 'facts') this.#newest = entry.revision;
    if (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) this.#trim();
  }

  /** What came after `revision`, or undefined where it cannot be told without a gap. */
  since(revision: number): readonly RawMessage[] | undefined {
    if (revision === this.#from) return this.#entries;
    const seen = this.#entries.findLastIndex((entry) => entry.kind === 'facts' && entry.revision === revision);
    return seen < 0 ? undefined : this.#entries.slice(seen + 1);
  }

  /** Down to half of what is allowed, so that it is done seldom. */
  #trim(): void {
    let gone = 0;
    while (
      gone < this.#entries.length &&
      (this.#entries.length - gone > MAX_ENTRIES / 2 || this.#characters > MAX_CHARACTERS / 2)
    ) {
      const entry = this.#entries[gone];
      gone += 1;
      if (entry === undefined) break;
      this.#characters -= entry.text.length;
      // Who saw that revision did not see the conditions after it.
      this.#from = entry.kind === 'facts' ? entry.revision : undefined;
    }
    this.#entries = this.#entries.slice(gone);
  }
}
