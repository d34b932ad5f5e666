/**
 * Sends random files to a station and prints the worst that they do: README.md. `FILES_SEED=7 FILES_LEAST=1 FILES_MINUTES=0` repeats the
 * round of seed 7.
 */
import buildStation from '../helpers/buildStation.ts';
import { createFiles } from './fuzz/files.ts';
import { startMeasured } from './measuredStation.ts';

const SEED = Number(process.env['FILES_SEED'] ?? 1);
const MINUTES = Number(process.env['FILES_MINUTES'] ?? 10);
const LEAST = Number(process.env['FILES_LEAST'] ?? 200);
/** Files between two measurements. Each of these rounds has its own seed. */
const ROUND = 40;
/** After these rounds, the station has its usual size. */
const WARM_UP_ROUNDS = 3;
const LONGEST_TURN_MS = 50;
const MOST_BYTES = 100 * 1_000_000;
/** Memory limit of a side process, plus the size of its program. */
const MOST_SIDE_BYTES = 600 * 1_000_000;

await buildStation();
const station = await startMeasured();
const until = performance.now() + MINUTES * 60_000;
const statuses = new Map<number, number>();
let files = 0;
let failed = 0;
let usual = 0;
const worst = { turnMs: 0, pressMs: 0, sideBytes: 0, residentBytes: 0 };
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`;

for (let round = 0; round < Math.ceil(LEAST / ROUND) || performance.now() < until; round += 1) {
  const seed = SEED + round;
  const next = createFiles(seed);
  const measuring = station.measure(async ({ request }) => {
    for (let sent = 0; sent < ROUND; sent += 1) {
      const { query, type, content } = next();
      const { status } = await request('POST', `/api/imports/?${query}`, content, { 'content-type': type });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      files += 1;
    }
  });
  const measured = await measuring.catch((error: unknown) => {
    throw new Error(`seed ${seed}, file ${files % ROUND}`, { cause: error });
  });
  if (round < WARM_UP_ROUNDS) usual = Math.max(usual, measured.residentBytes);
  const isOver =
    measured.turnMs > LONGEST_TURN_MS ||
    measured.sideBytes > MOST_SIDE_BYTES ||
    measured.residentBytes > usual + MOST_BYTES;
  if (isOver) failed += 1;
  if (isOver)
    console.log(
      `seed ${seed}: OVER, longest turn ${measured.turnMs.toFixed(1)} ms, station ${megabytes(measured.residentBytes)}, side process ${megabytes(measured.sideBytes)}`,
    );
  for (const key of Object.keys(worst) as (keyof typeof worst)[]) worst[key] = Math.max(worst[key], measured[key]);
}
await station.stop();
const answers = [...statuses]
  .toSorted(([one], [other]) => one - other)
  .map(([status, count]) => `${count} × ${status}`);
console.log(
  `${files} files (${answers.join(', ')}): longest turn ${worst.turnMs.toFixed(1)} ms, worst press ${worst.pressMs.toFixed(1)} ms, station from ${megabytes(usual)} to ${megabytes(worst.residentBytes)}, side process ${megabytes(worst.sideBytes)}`,
);
process.exit(failed === 0 ? 0 : 1);
