import { expect, test } from 'vitest';
import { soak } from './soak/run.ts';

/** SOAK runs a whole day in place of a quarter of an hour; SOAK_SEED says which. */
const { SOAK, SOAK_SEED = '1' } = process.env;

const seed = Number(SOAK_SEED);
const SHORT = { seed, minutes: 15, devices: 40, commands: 20, kills: 15 };
const DAY = { seed, minutes: 24 * 60, devices: 1_000, commands: 60, kills: 200 };

test('no press is lost and none is doubled, whatever is killed', { timeout: 1_200_000 }, async () => {
  const told = await soak(SOAK === undefined ? SHORT : DAY);
  if (SOAK !== undefined) console.log(`Seed ${seed}: ${JSON.stringify(told)}`);
  const least = SOAK === undefined ? { presses: 500, kills: 15 } : { presses: 100_000, kills: 200 };
  expect(told.presses).toBeGreaterThanOrEqual(least.presses);
  expect(told.stationKills).toBeGreaterThanOrEqual(least.kills);
  expect(told.turboKills).toBeGreaterThanOrEqual(least.kills);
});
