/**
 * Measures a fleet: the clients of many stations at one mosquitto, and a station that shows them. `npm run bench:fleet`
 * prints the figures; `--check` exits 1 if a goal is missed; `--stations N` (1,000), `--seconds S` of steady load (60),
 * `--every S` seconds between two picks of a station (1).
 */
import { parseArgs } from 'node:util';
import { runFleet, type FleetFigures } from './fleetRun.ts';
import { isMet, report, type Goal } from './goals.ts';
import { openWorkplace } from './processes.ts';

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    stations: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    every: { type: 'string', default: '1' },
  },
});
const plan = {
  stations: Number(options.stations),
  seconds: Number(options.seconds),
  everyMs: Number(options.every) * 1_000,
};
const workplace = openWorkplace();
try {
  process.stdout.write(`${plan.stations} stations, a pick each in ${plan.everyMs / 1_000} s\n\n`);
  const goals = goalsOf(await runFleet(workplace, plan));
  report(goals);
  const missed = goals.filter((goal) => !isMet(goal));
  if (missed.length > 0) process.stdout.write(`\nMissed: ${missed.map((goal) => goal.name).join('; ')}\n`);
  if (options.check && missed.length > 0) process.exitCode = 1;
} finally {
  workplace.remove();
}

function goalsOf(figures: FleetFigures): Goal[] {
  const { perSecond, cores, memory, verdict, restart, delayMs, answer } = figures;
  const figure = (name: string, unit: string, value: number): Goal => ({ name, unit, values: [value] });
  const none = (name: string, value: number): Goal => ({ name, unit: '', values: [value], atMost: 0 });
  return [
    figure('picks', '/s', figures.picksPerSecond),
    figure('a pick came late by at most', 'ms', figures.lateMs),
    figure('messages of the stations', '/s', figures.published),
    figure('packets to the broker', '/s', perSecond.packetsIn),
    figure('packets from the broker', '/s', perSecond.packetsOut),
    figure('bytes to the broker', 'kB/s', perSecond.bytesIn / 1_000),
    figure('bytes from the broker', 'kB/s', perSecond.bytesOut / 1_000),
    none('messages that the broker dropped', figures.dropped),
    figure('retained messages', '', figures.retained),
    figure('saved by the broker', 'MB', figures.savedBytes / 1e6),
    figure('processor: mosquitto', '%', cores.mosquitto),
    figure('processor: the station that watches', '%', cores.watcher),
    figure('processor: the clients of the stations', '%', cores.clients),
    figure('memory: mosquitto', 'MB', memory.mosquitto / 1e6),
    figure('memory: the station that watches', 'MB', memory.watcher / 1e6),
    figure('press → receiver, median', 'ms', delayMs.p50),
    figure('press → receiver, p99', 'ms', delayMs.p99),
    { name: 'light → GET /api/fleet/', unit: 'ms', values: figures.ageMs },
    { name: 'GET /api/fleet/', unit: 'ms', values: answer.ms },
    figure('its body', 'kB', answer.bytes / 1_000),
    figure('restart of the broker', 's', restart.brokerMs / 1_000),
    figure('then the living half is back, the other shown away', 's', restart.backMs / 1_000),
    figure('the other half started again, all shown', 's', restart.returnedMs / 1_000),
    figure('callbacks', '', verdict.booked),
    none('callbacks lost', verdict.lost),
    none('picks with two ids', verdict.doubled),
    none('callbacks that nobody booked', verdict.invented),
    figure('callbacks received again with their id', '', figures.repeated),
    none('stations that are shown wrong at rest', figures.wrong),
  ];
}
