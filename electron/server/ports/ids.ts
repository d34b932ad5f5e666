/** Source of randomness: unguessable in production, seeded in tests. */
export type Ids = {
  uuid(): string;
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1): for jitter, never for secrets. */
  fraction(): number;
};
