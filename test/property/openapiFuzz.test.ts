import { afterAll, expect, test } from 'vitest';
import { NEVER, RARELY_TAKEN } from './requests/pools.ts';
import { operationIds, runRequests } from './requests/run.ts';
import { createShares } from './requests/shares.ts';

/**
 * FUZZ_REQUESTS is the number of requests (five hundred per station), FUZZ_FIRST_SEED the first seed. FUZZ_SEED runs only the five hundred
 * requests of this seed, and FUZZ_SHARES prints the statuses of the answers.
 */
const { FUZZ_REQUESTS = '500', FUZZ_FIRST_SEED, FUZZ_SEED, FUZZ_SHARES } = process.env;

const OF_A_STATION = 500;
const SEEDS =
  FUZZ_SEED === undefined
    ? Array.from(
        { length: Math.ceil(Number(FUZZ_REQUESTS) / OF_A_STATION) },
        (_, at) => Number(FUZZ_FIRST_SEED ?? 1) + at,
      )
    : [Number(FUZZ_SEED)];

/** Whether coverage is checked. Fewer requests do not cover everything, and other seeds may not either. */
const IS_ENOUGH = FUZZ_FIRST_SEED === undefined && SEEDS.length * OF_A_STATION >= 5_000;

const shares = createShares();

afterAll(() => {
  if (FUZZ_SHARES !== undefined) console.log(shares.table());
});

test.each(SEEDS)('requests never break the station, and a refused request changes nothing (seed %i)', async (seed) => {
  await expect(runRequests(seed, OF_A_STATION, shares.add)).resolves.toBeUndefined();
});

/**
 * Maximum number of operations that may never succeed, because they need an id that happens to be valid. Each new endpoint changes the
 * requests of all seeds.
 */
const LUCKLESS = 14;

test.runIf(IS_ENOUGH)('nearly every operation has succeeded, and every kind of mistake was refused', () => {
  const ids = operationIds().filter((id) => !NEVER.has(id) && !RARELY_TAKEN.has(id));
  const idle = ids.filter((id) => !shares.has(id, 2));
  expect(idle.slice(LUCKLESS), idle.join()).toEqual([]);
  expect(shares.mistakes().filter((mistake) => !shares.has(mistake, 4))).toEqual([]);
});
