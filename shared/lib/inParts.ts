/** Work in parts: whoever does it may do something else after each. */
export type InParts<T> = Generator<void, T, void>;

/** All parts at once. */
export function whole<T>(work: InParts<T>): T {
  for (;;) {
    const part = work.next();
    if (part.done === true) return part.value;
  }
}
