import { afterAll, expect, test } from 'vitest';
import { loseAnswers, type Repeated } from './requests/lostAnswers.ts';

/**
 * LOST_ANSWERS is the number of successful calls (at least twenty per pair of stations), and FUZZ_FIRST_SEED the first seed. FUZZ_SEED runs
 * only this seed, and FUZZ_SHARES prints which calls were repeated.
 */
const { LOST_ANSWERS = '20', FUZZ_FIRST_SEED, FUZZ_SEED, FUZZ_SHARES } = process.env;

const OF_A_PAIR = 20;
const SEEDS =
  FUZZ_SEED === undefined
    ? Array.from({ length: Math.ceil(Number(LOST_ANSWERS) / OF_A_PAIR) }, (_, at) => Number(FUZZ_FIRST_SEED ?? 1) + at)
    : [Number(FUZZ_SEED)];

const repeated: Repeated[] = [];

afterAll(() => {
  if (FUZZ_SHARES === undefined) return;
  const taken = repeated.filter(({ status }) => status < 400);
  console.log(
    `${repeated.length} calls of ${new Set(repeated.map(({ operationId }) => operationId)).size} operations, ${taken.length} succeeded, ${repeated.filter(({ isReplayed }) => isReplayed).length} were replayed`,
  );
});

test.each(SEEDS)('a call whose answer was lost takes effect once when it is repeated (seed %i)', async (seed) => {
  const before = repeated.length;
  const replays = OF_A_PAIR / 4;
  await loseAnswers({ seed, count: OF_A_PAIR, replays, forgets: seed % 2 === 0 }, (each) => repeated.push(each));
  // Without stored answers the test would prove nothing.
  const replayed = repeated.slice(before).filter(({ status, isReplayed }) => status < 400 && isReplayed);
  expect(replayed.length).toBeGreaterThan(replays);
});
