import { assert as assertWithSeed, configureGlobal, type Parameters } from 'fast-check';

/**
 * Seeds of the property tests. PROPERTY_SEED replaces the seed of `npm test`: with `2,3,4`, each property runs with each of these seeds.
 */
const SEEDS = (process.env.PROPERTY_SEED ?? '1').split(',').map(Number);

configureGlobal({ seed: SEEDS[0] ?? 1 });

// The `assert` below replaces fast-check's.
export * from 'fast-check';

/** Runs fast-check's `assert` for each seed. A failure prints the seed, so that it can be reproduced. */
export const assert = ((property: never, params?: Parameters<never>): void | Promise<void> =>
  SEEDS.reduce<void | Promise<void>>((before, seed) => {
    const check = (): void | Promise<void> => assertWithSeed(property, { ...params, seed });
    return before === undefined ? check() : before.then(check);
  }, undefined)) as typeof assertWithSeed;
