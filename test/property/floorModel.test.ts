import { expect, test } from 'vitest';
import { openFloor } from './floor/floor.ts';
import { ASKED, MET } from './floor/shop.ts';

/** FLOOR_SEED is the first seed, FLOOR_SEEDS the number of seeds, and FLOOR_STEPS the number of steps per seed. */
const { FLOOR_SEED = '1', FLOOR_SEEDS = '5', FLOOR_STEPS = '90' } = process.env;
const SEEDS = Array.from({ length: Number(FLOOR_SEEDS) }, (_, index) => Number(FLOOR_SEED) + index);
const CHECK_EVERY = 3;
const BACK_UP_EVERY = 15;

const COUNTED = ['picked', 'put', 'complete', 'shared', 'moved', 'cuts', ...ASKED, ...MET] as const;
const totals = new Map<string, number>();

// Contract, sections 16, 20 and 21.
test.each(SEEDS)(
  'on a cart and at a wall, each piece is in one place and is reported once by callbacks and movements (seed %i)',
  // A campaign runs with the lowest priority, so it may take much longer.
  { timeout: process.env.FLOOR_SEEDS === undefined ? 120_000 : 3_600_000 },
  async (seed) => {
    const floor = await openFloor(seed);
    try {
      for (let step = 1; step <= Number(FLOOR_STEPS); step += 1) {
        await floor.step();
        if (step % CHECK_EVERY === 0) await floor.check();
        if (step % BACK_UP_EVERY === 0) await floor.backUp();
      }
      for (const name of COUNTED) totals.set(name, (totals.get(name) ?? 0) + floor.counts[name]);
    } catch (error) {
      throw new Error(`After: ${floor.done.slice(-25).join('\n')}`, { cause: error });
    } finally {
      await floor.stop();
    }
  },
);

test('the seeds cover hands, slots, complete slots, sums, moved pieces, kills, two people at one light, and each request of the oracle', () => {
  if (process.env.FLOOR_SEEDS !== undefined) console.log(totals);
  for (const name of COUNTED) expect(totals.get(name) ?? 0, name).toBeGreaterThan(0);
});
