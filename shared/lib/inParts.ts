/** Work split into parts; the caller can do other work between two parts. */
export type InParts<T> = Generator<void, T, void>;

/** Runs all parts at once. */
export function whole<T>(work: InParts<T>): T {
  for (;;) {
    const part = work.next();
    if (part.done === true) return part.value;
  }
}
