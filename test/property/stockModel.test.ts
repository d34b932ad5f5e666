import { expect, test } from 'vitest';
import { createShop } from './stock/shop.ts';

/** STOCK_SEED is the first seed, STOCK_SEEDS the number of seeds, and STOCK_STEPS the number of steps per seed. */
const { STOCK_SEED = '1', STOCK_SEEDS = '3', STOCK_STEPS = '120' } = process.env;
const SEEDS = Array.from({ length: Number(STOCK_SEEDS) }, (_, index) => Number(STOCK_SEED) + index);
const CHECK_EVERY = 10;
/** The kinds of movements that occurred in all seeds together. */
const kinds = new Set<string>();

// Contract, section 20.
test.each(SEEDS)('the picked pieces equal the movements and the change in stock (seed %i)', async (seed) => {
  const shop = await createShop(seed);
  try {
    await shop.setUp();
    for (let step = 1; step <= Number(STOCK_STEPS); step += 1) {
      await shop.step();
      if (step % CHECK_EVERY === 0) await shop.check();
    }
    await shop.checkTold();
    const rows = shop.station.rows<{ kind: string }>('SELECT DISTINCT kind FROM movements');
    for (const { kind } of rows) kinds.add(kind);
  } catch (error) {
    throw new Error(`After: ${shop.done.slice(-30).join('; ')}`, { cause: error });
  } finally {
    await shop.stop();
  }
});

test('the seeds cover counts, picks and shorts', () => {
  expect([...kinds]).toEqual(expect.arrayContaining(['count', 'pick', 'short']));
});
