import { expect, test } from 'vitest';
import { soak } from './soak/run.ts';

/**
 * SOAK runs a whole day instead of a quarter of an hour. A run stops after SOAK_MINUTES of real time, but not before SOAK_LEAST minutes of
 * shop time. SOAK_SEED determines the accidents.
 */
const { SOAK, SOAK_SEED = '1', SOAK_MINUTES = '60', SOAK_LEAST = '15' } = process.env;

const seed = Number(SOAK_SEED);
const capMs = Number(SOAK_MINUTES) * 60_000;
const leastMinutes = Number(SOAK_LEAST);
const SHORT = { seed, leastMinutes, minutes: 15, devices: 40, commands: 20, kills: 15, capMs };
const DAY = { seed, leastMinutes, minutes: 24 * 60, devices: 1_000, commands: 60, kills: 200, capMs };

test(
  'no press is lost or duplicated when the station and the turbos are killed',
  { timeout: capMs + 900_000 },
  async () => {
    const plan = SOAK === undefined ? SHORT : DAY;
    const told = await soak(plan);
    if (SOAK !== undefined) console.log(`Seed ${seed}: ${JSON.stringify(told)}`);
    expect(told.minutes).toBeGreaterThanOrEqual(leastMinutes);
    const part = told.minutes / plan.minutes;
    const least = SOAK === undefined ? 500 : 100_000;
    expect(told.presses).toBeGreaterThanOrEqual(least * part);
    expect(told.stationKills).toBeGreaterThanOrEqual(Math.floor(plan.kills * part));
    expect(told.turboKills).toBeGreaterThanOrEqual(Math.floor(plan.kills * part));
  },
);
