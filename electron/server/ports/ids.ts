/** Source of randomness: unguessable in production, seeded in tests. */
export type Ids = {
  uuid(): string;
  /** Returns `length` random bytes. */
  bytes(length: number): Uint8Array;
  /** Returns a number that is uniform in [0, 1), for jitter but never for secrets. */
  fraction(): number;
};
