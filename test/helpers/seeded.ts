import type { Ids } from '../../electron/server/ports.ts';

/** Creates a generator of uniform numbers in [0, 1), determined by the seed (mulberry32). */
export function seededFraction(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates reproducible ids and random bytes. */
export function seededIds(seed: number): Ids {
  const fraction = seededFraction(seed);
  return {
    uuid: () => `id-${fraction()}`,
    bytes: (length) => Uint8Array.from({ length }, () => Math.floor(fraction() * 256)),
    fraction,
  };
}
