/**
 * Writes the tables of docs/scaling.md from what `npm run bench:fleet -- --save FILE` saved:
 * `node tools/node-runtime/run.mjs bench/fleetTable.ts FILE`. A column for each line of the file; the first one is extrapolated.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { FleetFigures } from './fleetRun.ts';
import type { FleetPlan } from './fleetScene.ts';
import { median, type Goal } from './goals.ts';

export type SavedFleet = { plan: FleetPlan; hasPage: boolean; figures: FleetFigures; goals: Goal[] };

const PAGE = join(import.meta.dirname, '..', 'docs', 'scaling.md');
const SHOPS = 100_000;
/** Seconds between two picks of a shop: the worst hour, and an ordinary day. */
const PACES = [1, 10];
/** Filters of the commands that each station subscribes to. */
const FILTERS = 3;
/** Stations that one page of a fleet shows. */
const SHOWN = 2_000;
/** Of its own test with QoS 1 on four cores at 75 percent: messages in and out, a second and core. Read, not run. */
const EMQX_PER_CORE = 10_000;

/** Figures for people who work on the bench. */
const LEFT_OUT = [
  'came late',
  'packets',
  'saved by',
  'its body',
  'nobody booked',
  'the same by the clock',
  'objects of the script',
  'nobody picks',
  'an empty page',
];

const [file = ''] = process.argv.slice(2);
const runs = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SavedFleet);
const [first] = runs;
if (first === undefined) throw new Error(`${file} is empty`);
write('measured', [machine(), '', ...measured()]);
write('extrapolated', extrapolated(first));

function write(mark: string, lines: readonly string[]): void {
  const text = readFileSync(PAGE, 'utf8');
  const block = new RegExp(`(<!-- ${mark} -->\n).*?(\n<!-- /${mark} -->)`, 's');
  if (!block.test(text)) throw new Error(`${PAGE} has no place for ${mark}`);
  writeFileSync(
    PAGE,
    text.replace(block, (_, begin: string, end: string) => `${begin}\n${lines.join('\n')}\n${end}`),
  );
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `On ${cpus().length} cores (${cpu?.model.trim()}) with ${memory} GB of memory, which everything shared: mosquitto, the stations' clients, the receiver, the station with the page, and Chromium without a graphics card.`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), row(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(row)];
}

function measured(): string[] {
  const head = runs.map(({ plan, hasPage }) => `a pick each in ${plan.everyMs / 1_000} s${hasPage ? '' : ', no page'}`);
  const goals = new Map(runs.flatMap((run) => run.goals.map((goal) => [goal.name, goal])));
  const rows = [...goals.values()]
    .filter(({ name }) => !LEFT_OUT.some((part) => name.includes(part)))
    .map(({ name, atMost }) => [
      name,
      ...runs.map((run) => cellOf(run.goals.find((goal) => goal.name === name))),
      atMost === undefined ? '' : `≤ ${atMost}`,
    ]);
  return table([`${written(plannedStations())} stations`, ...head, 'Goal'], rows);
}

function plannedStations(): number {
  const counts = new Set(runs.map(({ plan }) => plan.stations));
  if (counts.size !== 1) throw new Error('The runs have different numbers of stations');
  return Math.max(...counts);
}

/** The median, and the worst if there are several. */
function cellOf(goal: Goal | undefined): string {
  if (goal === undefined) return '';
  const middle = median(goal.values);
  const worst = Math.max(...goal.values);
  const unit = goal.unit === '' || goal.unit === '/s' ? goal.unit : ` ${goal.unit}`;
  return `${written(middle)}${worst > middle ? ` to ${written(worst)}` : ''}${unit}`;
}

function written(value: number): string {
  const digits = Math.abs(value) >= 20 || Number.isInteger(value) ? 0 : Math.abs(value) >= 2 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Two digits: more would not be true. */
function roughly(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}

function extrapolated({ plan, figures }: SavedFleet): string[] {
  const { picksPerSecond, published, perSecond, cores, savedBytes, retained } = figures;
  const stored = retained / plan.stations;
  const ofPick = (perS: number): number => perS / picksPerSecond;
  const atPace = (everyS: number): string[] => {
    const picks = SHOPS / everyS;
    const toBroker = picks * ofPick(published);
    const fromBroker = picks * ofPick(perSecond.packetsOut - published);
    return [
      written(picks),
      roughly(toBroker),
      roughly(fromBroker),
      `${roughly((picks * ofPick(perSecond.bytesIn)) / 1e6)} MB/s`,
      `${roughly((picks * ofPick(perSecond.bytesOut)) / 1e6)} MB/s`,
      roughly((picks * ofPick(cores.mosquitto)) / 100),
      roughly((toBroker + fromBroker) / EMQX_PER_CORE),
    ];
  };
  const names = [
    'Callbacks a second',
    'Messages to the broker a second',
    'Messages from the broker a second, each station watched by one page',
    'To the broker, with acknowledgements',
    'From the broker, with acknowledgements',
    'Cores, if the work of mosquitto here were shared out',
    "Cores, by EMQX' own test (read)",
  ];
  const columns = PACES.map(atPace);
  const both = (name: string, value: string): string[] => [name, ...PACES.map(() => value)];
  return table(
    ['100,000 shops', ...PACES.map((pace) => `a pick each in ${pace} s`)],
    [
      both('Connections', written(SHOPS)),
      both('Subscriptions of the stations', written(SHOPS * FILTERS)),
      both('Retained messages', written(SHOPS * Math.floor(stored))),
      both(
        'Their size, as mosquitto saves them',
        `${roughly((SHOPS * Math.floor(stored) * savedBytes) / retained / 1e9)} GB`,
      ),
      both('Groups of stations, one prefix and page each', written(SHOPS / SHOWN)),
      ...names.map((name, index) => [name, ...columns.map((column) => column[index] ?? '')]),
    ],
  );
}
