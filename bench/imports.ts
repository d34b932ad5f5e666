/** Imports of large and of hostile files: how long they take, and what presses and small requests wait meanwhile. */
import { MAX_ORDER_ROWS } from '#shared/api/imports.ts';
import { untilQuiet } from './bulks.ts';
import type { Goal } from './goals.ts';
import { API_KEY, startStation, type ServerProcess, type Workplace } from './processes.ts';
import { openPresser, PRESSED } from './steadyStream.ts';

/** Longest import, in seconds, and longest delay of a press, in milliseconds. */
const IMPORT_S = 4;
const DELAY_MS = 20;
const IDLE_MS = 1_500;
const MAX_BYTES = 16 * 1024 * 1024;
const HEAD = 'order;sku;qty\n';
const CORRECTIONS = 5;

type Import = { id: number | null; counts: { new: number; refused: number } };

/** A file of as many rows as an import can have, each an order. */
function ordersOf(mark: string): string {
  const rows = Array.from({ length: MAX_ORDER_ROWS }, (_, row) => `${mark}-${row};SKU-${row % 997};${1 + (row % 9)}\n`);
  return HEAD + rows.join('');
}

const filled = (text: string): string => HEAD + text.repeat(Math.floor((MAX_BYTES - 100) / text.length));

/** Files that nobody exports. */
const HOSTILE: Readonly<Record<string, string>> = {
  quotes: filled('"'),
  'column names': HEAD.repeat(300_000),
  'rows of totals': HEAD + 'Total;;\n'.repeat(200_000),
  'rows of totals, as many as are read': HEAD + 'Total;;\n'.repeat(99_000),
  'rows of one order': HEAD + '1;M8;2\n'.repeat(99_000),
  comments: '<!---->'.repeat(100_000),
};

export async function measureImports(place: Workplace, rounds: number): Promise<Goal[]> {
  const station = await startStation(place.folder(), PRESSED);
  await untilQuiet(station);
  const presser = await openPresser(station);
  const what = `${MAX_ORDER_ROWS.toLocaleString('en')} orders`;
  const took: Goal = { name: `import of a file of ${what}`, unit: 's', values: [], atMost: IMPORT_S };
  const work: Goal = { name: 'processor time of it, with the presses', unit: 's', values: [] };
  const press: Goal = { name: 'press during it: worst delay', unit: 'ms', values: [], atMost: DELAY_MS };
  const preview: Goal = {
    name: `press during the preview of ${what}: worst delay`,
    unit: 'ms',
    values: [],
    atMost: DELAY_MS,
  };
  const corrected: Goal = {
    name: 'press during its corrections: worst delay',
    unit: 'ms',
    values: [],
    atMost: DELAY_MS,
  };
  const cost: Goal = { name: 'processor time of a correction', unit: 'ms', values: [] };
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await presser.during(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
    const csv = ordersOf(`R${round}`);
    const imported = await presser.during(async () => {
      const [startedAt, before] = [performance.now(), station.cpuMs()];
      await send(station, csv, '');
      took.values.push((performance.now() - startedAt) / 1_000);
      work.values.push((station.cpuMs() - before) / 1_000);
    });
    press.values.push(imported.worst - quiet.median);
    let id: number | null = null;
    const previewed = await presser.during(async () => {
      ({ id } = await send(station, ordersOf(`P${round}`), '?dry_run=true'));
    });
    preview.values.push(previewed.worst - quiet.median);
    const before = station.cpuMs();
    for (let line = 2; line < 2 + CORRECTIONS; line += 1) await correct(station, id, line);
    cost.values.push((station.cpuMs() - before) / CORRECTIONS);
    const corrections = await presser.during(() => correct(station, id, 2 + CORRECTIONS));
    corrected.values.push(corrections.worst - quiet.median);
  }
  const hostile = await measureHostile(station, presser, rounds);
  presser.close();
  await station.stop();
  return [took, work, press, preview, corrected, cost, ...hostile];
}

type Presser = Awaited<ReturnType<typeof openPresser>>;

async function measureHostile(station: ServerProcess, presser: Presser, rounds: number): Promise<Goal[]> {
  const goals = new Map(
    Object.keys(HOSTILE).map((name) => [
      name,
      { name: `press during a file of ${name}: worst delay`, unit: 'ms', values: [] as number[], atMost: DELAY_MS },
    ]),
  );
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await presser.during(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
    for (const [name, csv] of Object.entries(HOSTILE)) {
      const { worst } = await presser.during(() => send(station, csv, '?dry_run=true'));
      goals.get(name)?.values.push(worst - quiet.median);
    }
  }
  return [...goals.values()];
}

/** Imports a file or creates its preview. Refusals are expected of hostile files. */
async function send(station: ServerProcess, csv: string, query: string): Promise<Import> {
  const answer = await fetch(new URL(`/api/imports/${query}`, station.url), {
    method: 'POST',
    headers: { 'api-key': API_KEY, 'content-type': 'text/csv' },
    body: csv,
  });
  // The schema of the station.
  return (await answer.json()) as Import;
}

async function correct(station: ServerProcess, id: number | null, line: number): Promise<void> {
  const answer = await fetch(new URL(`/api/imports/${id}/rows/${line}/`, station.url), {
    method: 'PATCH',
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ cells: { ordered_quantity: '7' } }),
  });
  if (!answer.ok) throw new Error(`The correction of line ${line} was refused: ${answer.status}`);
  await answer.arrayBuffer();
}
