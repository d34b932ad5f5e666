/** A long array of an answer whose elements are made while it is written, a part at a time. */
export class LazyList<T> {
  /** Makes the parts anew at each call. */
  readonly parts: () => Iterable<readonly T[]>;

  constructor(parts: () => Iterable<readonly T[]>) {
    this.parts = parts;
  }
}
