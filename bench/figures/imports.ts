/** Order imports: the processor time per row, and how long other requests wait during an import, its undo and redo. */
import { MAX_ORDER_ROWS } from '#shared/api/imports.ts';
import type { Goal } from '../goals.ts';
import { longestAnswer, untilQuiet } from '../load/loads.ts';
import { API_KEY, startStation, type ServerProcess, type Workplace } from '../load/processes.ts';

const FEW_ROWS = 1_000;
const CORRECTIONS = 5;

/** Imports the largest possible file and a small one. */
export async function measureImports(place: Workplace, rounds: number): Promise<Goal[]> {
  const station = await startStation(place.folder(), 10);
  const what = `${MAX_ORDER_ROWS.toLocaleString('en')} orders`;
  const ratio: Goal = {
    name: `import of ${what}, processor time of a row / of a file with ${FEW_ROWS.toLocaleString('en')}`,
    unit: 'x',
    values: [],
    atMost: 2.5,
  };
  const redone: Goal = {
    name: `undo and redo of ${what}, processor time / of their import`,
    unit: 'x',
    values: [],
    atMost: 2.5,
  };
  const took: Goal = { name: `import of a file of ${what}`, unit: 's', values: [] };
  const wait: Goal = { name: 'longest answer to another request meanwhile', unit: 'ms', values: [] };
  const correction: Goal = { name: `processor time of a correction among ${what}`, unit: 'ms', values: [] };
  for (let round = 0; round < rounds; round += 1) {
    await untilQuiet(station);
    const few = await cpuOf(station, () => send(station, ordersOf(`F${round}`, FEW_ROWS), ''));
    const over = new AbortController();
    const waiting = longestAnswer(station, over.signal);
    const startedAt = performance.now();
    let last: Import = { id: null };
    const many = await cpuOf(station, async () => {
      last = await send(station, ordersOf(`M${round}`, MAX_ORDER_ROWS), '');
    });
    took.values.push((performance.now() - startedAt) / 1_000);
    const back = await cpuOf(station, async () => {
      for (const action of ['undo', 'redo'])
        await ask(station, 'POST', `/api/imports/${last.id}/${action}/`, 'application/json', '');
    });
    redone.values.push(back / many);
    over.abort();
    wait.values.push(await waiting);
    ratio.values.push(many / MAX_ORDER_ROWS / (few / FEW_ROWS));
    const { id } = await send(station, ordersOf(`P${round}`, MAX_ORDER_ROWS), '?dry_run=true');
    const corrected = await cpuOf(station, async () => {
      for (let line = 2; line < 2 + CORRECTIONS; line += 1) await correct(station, id, line);
    });
    correction.values.push(corrected / CORRECTIONS);
  }
  await station.stop();
  return [ratio, redone, took, wait, correction];
}

/** Returns a CSV file with one order per row. */
function ordersOf(mark: string, count: number): string {
  const rows = Array.from({ length: count }, (_, row) => `${mark}-${row};SKU-${row % 997};${1 + (row % 9)}\n`);
  return `order;sku;qty\n${rows.join('')}`;
}

/** Resolves to the station's processor time during `run`, in milliseconds. */
async function cpuOf(station: ServerProcess, run: () => Promise<unknown>): Promise<number> {
  const before = station.cpuMs();
  await run();
  return station.cpuMs() - before;
}

type Import = { id: number | null };

/** Sends a CSV file. `query` decides whether the file is imported or only previewed. */
async function send(station: ServerProcess, csv: string, query: string): Promise<Import> {
  return (await ask(station, 'POST', `/api/imports/${query}`, 'text/csv', csv)) as Import;
}

async function correct(station: ServerProcess, id: number | null, line: number): Promise<void> {
  const body = JSON.stringify({ cells: { ordered_quantity: '7' } });
  await ask(station, 'PATCH', `/api/imports/${id}/rows/${line}/`, 'application/json', body);
}

async function ask(station: ServerProcess, method: string, path: string, type: string, body: string): Promise<unknown> {
  const headers = { 'api-key': API_KEY, 'content-type': type };
  const answer = await fetch(new URL(path, station.url), { method, headers, body });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
