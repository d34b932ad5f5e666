/**
 * Sends random files to a station and prints the worst that they do: README.md. `FILES_SEED=7 FILES_LEAST=1 FILES_MINUTES=0` repeats the
 * round of seed 7.
 */
import buildStation from '../helpers/buildStation.ts';
import { createFiles } from './fuzz/files.ts';
import { type Measured, startMeasured } from './measuredStation.ts';

const SEED = Number(process.env['FILES_SEED'] ?? 1);
const MINUTES = Number(process.env['FILES_MINUTES'] ?? 10);
const LEAST = Number(process.env['FILES_LEAST'] ?? 200);
/** Files between two measurements. Each of these rounds has its own seed. */
const ROUND = 40;
/** After these rounds, the station has its usual size. */
const WARM_UP_ROUNDS = 3;
const LONGEST_TURN_MS = 50;
/** How often a round over that limit is repeated, because processor time can be ten times as long by chance: README.md. */
const MOST_REPEATED = 2;
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
const worst = { turnMs: 0, turnWithGcMs: 0, pressMs: 0, sideBytes: 0, residentBytes: 0 };
const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`;

/** Sends the files of a round. */
async function measureRound(seed: number): Promise<Measured> {
  const next = createFiles(seed);
  let sent = 0;
  const measuring = station.measure(async ({ request }) => {
    for (; sent < ROUND; sent += 1) {
      const { query, type, content } = next();
      const { status } = await request('POST', `/api/imports/?${query}`, content, { 'content-type': type });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      files += 1;
    }
  });
  return measuring.catch((error: unknown) => {
    throw new Error(`seed ${seed}, file ${sent}`, { cause: error });
  });
}

for (let round = 0; round < Math.ceil(LEAST / ROUND) || performance.now() < until; round += 1) {
  const seed = SEED + round;
  const measured = await measureRound(seed);
  for (let again = 0; again < MOST_REPEATED && measured.turnMs > LONGEST_TURN_MS; again += 1) {
    const { turnMs, turnWithGcMs } = await measureRound(seed);
    if (turnMs < measured.turnMs) Object.assign(measured, { turnMs, turnWithGcMs });
  }
  if (round < WARM_UP_ROUNDS) usual = Math.max(usual, measured.residentBytes);
  const isOver =
    measured.turnMs > LONGEST_TURN_MS ||
    measured.sideBytes > MOST_SIDE_BYTES ||
    measured.residentBytes > usual + MOST_BYTES;
  if (isOver) failed += 1;
  if (isOver)
    console.log(
      `seed ${seed}: OVER, longest turn ${measured.turnMs.toFixed(1)} ms (with GC ${measured.turnWithGcMs.toFixed(1)} ms), station ${megabytes(measured.residentBytes)}, side process ${megabytes(measured.sideBytes)}`,
    );
  for (const key of Object.keys(worst) as (keyof typeof worst)[]) worst[key] = Math.max(worst[key], measured[key]);
}
await station.stop();
const answers = [...statuses]
  .toSorted(([one], [other]) => one - other)
  .map(([status, count]) => `${count} × ${status}`);
console.log(
  `${files} files (${answers.join(', ')}): longest turn ${worst.turnMs.toFixed(1)} ms (with GC ${worst.turnWithGcMs.toFixed(1)} ms), worst press ${worst.pressMs.toFixed(1)} ms, station from ${megabytes(usual)} to ${megabytes(worst.residentBytes)}, side process ${megabytes(worst.sideBytes)}`,
);
process.exit(failed === 0 ? 0 : 1);
