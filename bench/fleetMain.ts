/**
 * Measures a fleet: the clients of many stations at one mosquitto, and a station that shows them. `npm run bench:fleet`
 * prints the figures; `--check` exits 1 if a goal is missed; `--stations N` (1,000), `--seconds S` of steady load (60),
 * `--every S` seconds between two picks of a station (1), `--no-page` without Chromium, `--harsh` also with a receiver that
 * is away and a broker that is killed, `--save FILE` adds the figures to a file for `bench/fleetTable.ts`.
 */
import { appendFileSync } from 'node:fs';
import { EOL } from 'node:os';
import { parseArgs } from 'node:util';
import { goalsOfFleet, goalsOfPage } from './fleetGoals.ts';
import { openFleetPage, type FleetPage } from './fleetPage.ts';
import { runFleet } from './fleetRun.ts';
import type { SavedFleet } from './fleetTable.ts';
import { isMet } from './goals.ts';
import { reportRun } from './history.ts';
import { openWorkplace } from './processes.ts';

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    stations: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    every: { type: 'string', default: '1' },
    page: { type: 'boolean', default: true },
    harsh: { type: 'boolean', default: false },
    save: { type: 'string' },
  },
  allowNegative: true,
});
const plan = {
  stations: Number(options.stations),
  seconds: Number(options.seconds),
  everyMs: Number(options.every) * 1_000,
  isHarsh: options.harsh,
};
const workplace = openWorkplace();
let page: FleetPage | undefined;
try {
  process.stdout.write(`${plan.stations} stations, a pick each in ${plan.everyMs / 1_000} s\n\n`);
  const figures = await runFleet(workplace, plan, async (watcher) => {
    if (options.page) page = await openFleetPage(watcher);
    return page?.onlooker ?? {};
  });
  const goals = [...goalsOfFleet(figures), ...(page === undefined ? [] : goalsOfPage(page.figures, figures))];
  reportRun(goals);
  const saved: SavedFleet = { plan, hasPage: options.page, figures, goals };
  if (options.save !== undefined) appendFileSync(options.save, JSON.stringify(saved) + EOL);
  const missed = goals.filter((goal) => !isMet(goal));
  if (missed.length > 0) process.stdout.write(`\nMissed: ${missed.map((goal) => goal.name).join('; ')}\n`);
  if (options.check && missed.length > 0) process.exitCode = 1;
} finally {
  await page?.close();
  workplace.remove();
}
