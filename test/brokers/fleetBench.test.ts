import { expect, test } from 'vitest';
import { runFleet } from '../../bench/fleetRun.ts';
import { openWorkplace } from '../../bench/processes.ts';

const STATIONS = 50;

test('a broker restarts and half of fifty stations are killed: no callback is lost, none has two ids, and the fleet shows it', async () => {
  const place = openWorkplace();
  try {
    const seen: number[] = [];
    const figures = await runFleet(place, { stations: STATIONS, seconds: 2, everyMs: 1_000 }, async () => ({
      seesAway: (count) => Promise.resolve(void seen.push(count)),
    }));
    expect(figures.verdict).toEqual({ booked: expect.any(Number), lost: 0, doubled: 0, invented: 0 });
    expect(figures.verdict.booked).toBeGreaterThan(STATIONS);
    expect(figures.wrong).toBe(0);
    expect(seen).toEqual([STATIONS / 2, 0]);
  } finally {
    place.remove();
  }
}, 300_000);
