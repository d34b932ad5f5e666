import { afterAll, expect, test } from 'vitest';
import { runSeed } from './model/run.ts';
import { PINNED_SEEDS } from './pinnedSeeds.ts';

/**
 * FUZZ_SEED: run only this seed; FUZZ_SEEDS: number of seeds; FUZZ_FIRST_SEED: the first one; FUZZ_MINUTES: start no
 * more seeds after this time. FUZZ_PICKS=0: nobody picks orders, as in some pinned seeds.
 */
const { FUZZ_SEED, FUZZ_SEEDS = '5', FUZZ_FIRST_SEED = '1', FUZZ_PICKS = '1', FUZZ_MINUTES } = process.env;

const pinned = FUZZ_SEED === undefined ? PINNED_SEEDS : [];
const seeds =
  FUZZ_SEED === undefined
    ? Array.from({ length: Number(FUZZ_SEEDS) }, (_, index) => Number(FUZZ_FIRST_SEED) + index)
    : [Number(FUZZ_SEED)];
const endMs = FUZZ_MINUTES === undefined ? Infinity : performance.now() + Number(FUZZ_MINUTES) * 60_000;
let done = 0;

afterAll(() => {
  if (FUZZ_MINUTES !== undefined)
    console.log(`${done} of ${seeds.length} seeds were run within ${FUZZ_MINUTES} minutes`);
});

test.each(pinned)('$caught (seed $seed)', async ({ seed, picks = true }) => {
  await expect(runSeed(seed, { picks })).resolves.toBeUndefined();
});

test.each(seeds)('the station always matches the oracle (seed %i)', async (seed) => {
  if (performance.now() > endMs) return;
  await expect(runSeed(seed, { picks: FUZZ_PICKS === '1' })).resolves.toBeUndefined();
  done += 1;
});
