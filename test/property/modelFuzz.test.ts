import { afterAll, expect, test } from 'vitest';
import { runSeed } from './model/run.ts';
import type { LineCases } from './model/lines.ts';

/**
 * FUZZ_SEED runs only this seed. FUZZ_SEEDS is the number of seeds, FUZZ_FIRST_SEED the first seed. After FUZZ_MINUTES, no further seed is
 * started. To narrow a failure: with FUZZ_PICKS=0, nobody picks orders, and with FUZZ_MEETS=0, pages have no current lines.
 * FUZZ_CASES=1 prints the counts of special presses and rearranged devices.
 */
const { FUZZ_SEED, FUZZ_SEEDS = '6', FUZZ_FIRST_SEED = '1', FUZZ_MINUTES, FUZZ_CASES } = process.env;
const { FUZZ_PICKS = '1', FUZZ_MEETS = FUZZ_PICKS } = process.env;

const seeds =
  FUZZ_SEED === undefined
    ? Array.from({ length: Number(FUZZ_SEEDS) }, (_, index) => Number(FUZZ_FIRST_SEED) + index)
    : [Number(FUZZ_SEED)];
const endMs = FUZZ_MINUTES === undefined ? Infinity : performance.now() + Number(FUZZ_MINUTES) * 60_000;
let done = 0;
const cases: Partial<LineCases> = {};

afterAll(() => {
  if (FUZZ_CASES !== undefined) console.log(JSON.stringify(cases));
  if (FUZZ_MINUTES !== undefined)
    console.log(`${done} of ${seeds.length} seeds were run within ${FUZZ_MINUTES} minutes`);
});

test.each(seeds)('the station always matches the oracle (seed %i)', async (seed) => {
  if (performance.now() > endMs) return;
  const found = await runSeed(seed, { picks: FUZZ_PICKS === '1', meets: FUZZ_MEETS === '1' });
  for (const [name, count] of Object.entries(found) as [keyof LineCases, number][])
    cases[name] = (cases[name] ?? 0) + count;
  done += 1;
});

test('the seeds contain enough early, held and late presses on lines', () => {
  const { bounce = 0, early = 0, dark = 0, held = 0, late = 0, otherBase = 0, moved = 0, others = 0 } = cases;
  const often = [bounce, early, dark, late, moved];
  // Fewer seeds may miss the rare cases.
  const least = Math.min(
    done < 5 ? Infinity : Math.min(...often),
    done < 30 ? Infinity : Math.min(held, otherBase, others),
  );
  expect(least, JSON.stringify(cases)).toBeGreaterThan(0);
});
