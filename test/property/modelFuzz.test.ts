import { expect, test } from 'vitest';
import { runSeed } from './model/run.ts';

const only = process.env['FUZZ_SEED'];
const count = Number(process.env['FUZZ_SEEDS'] ?? 100);
const first = Number(process.env['FUZZ_FIRST_SEED'] ?? 1);
const seeds = only === undefined ? Array.from({ length: count }, (_, index) => first + index) : [Number(only)];

test.each(seeds)('whatever happens, the station is what the oracle says (seed %i)', async (seed) => {
  await expect(runSeed(seed)).resolves.toBeUndefined();
});
