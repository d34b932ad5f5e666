/** A file of orders in the inbox folder: how long its import takes, and what presses wait meanwhile. */
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Goal } from './goals.ts';
import { loadLoop, makeEager } from './loads.ts';
import { API_KEY, startStation, type Workplace } from './processes.ts';

const ORDERS = 5_000;
const LINES = 2;
const DEVICES = 10;
const BESIDE_MS = 100;
const QUIET_MS = 1_500;
const LOOK_EVERY_MS = 5;

export async function measureFolders(place: Workplace, rounds: number): Promise<Goal[]> {
  const station = await startStation(place.folder(), DEVICES);
  const inbox = join(place.folder(), 'inbox');
  mkdirSync(inbox, { recursive: true });
  await fetch(new URL('/api/settings/', station.url), {
    method: 'PATCH',
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ inbox_folder: inbox }),
  });
  await makeEager(station, DEVICES);
  const press = (durationMs: number) => loadLoop(station, { connections: 1, durationMs, readers: 0, devices: DEVICES });
  await press(QUIET_MS);
  const what = `${ORDERS.toLocaleString('en')} orders`;
  const alone: Goal = { name: `import of a file of ${what}`, unit: 's', values: [], atMost: 3 };
  const beside: Goal = { name: `import of a file of ${what} beside presses`, unit: 's', values: [] };
  const waits: Goal = { name: `a press waits longer beside a file of ${what}`, unit: 'ms', values: [], atMost: 20 };
  for (let round = 0; round < rounds; round += 1) {
    alone.values.push(await importFile(inbox, `alone-${round}`));
    waits.values.push(await pressBeside(inbox, `beside-${round}`, press, beside));
  }
  await station.stop();
  return [alone, beside, waits];
}

async function pressBeside(
  inbox: string,
  name: string,
  press: (durationMs: number) => ReturnType<typeof loadLoop>,
  goal: Goal,
): Promise<number> {
  const { worstMs: without } = await press(QUIET_MS);
  const over = new AbortController();
  const imported = importFile(inbox, name).finally(() => over.abort());
  let worstMs = 0;
  while (!over.signal.aborted) worstMs = Math.max(worstMs, (await press(BESIDE_MS)).worstMs);
  goal.values.push(await imported);
  return worstMs - without;
}

/** Seconds from the end of a file of one order, which is complete at the same time, to the end of the large one. */
async function importFile(inbox: string, name: string): Promise<number> {
  const rows = (orders: number, mark: string): string =>
    Array.from({ length: orders * LINES }, (_, row) => {
      const order = Math.floor(row / LINES);
      return `${mark}${name}-${order};SKU-${row};Article ${row};A-${row % 20}-${row % 7};${1 + (row % 9)}\n`;
    }).join('');
  const head = 'order_number;SKU;name;warehouse_location;ordered_quantity\n';
  const [first, large] = [`${name}-first.csv`, `${name}.csv`];
  for (const [file, content] of [
    [first, rows(1, 'F')],
    [large, rows(ORDERS, 'L')],
  ] as const) {
    writeFileSync(join(inbox, `${file}.tmp`), head + content);
  }
  const now = Date.now() / 1_000;
  for (const [file, at] of [
    [first, now - 10],
    [large, now - 5],
  ] as const) {
    utimesSync(join(inbox, `${file}.tmp`), at, at);
    renameSync(join(inbox, `${file}.tmp`), join(inbox, file));
  }
  const isDone = (file: string): boolean => existsSync(join(inbox, 'done', file));
  while (!isDone(first)) await pause(LOOK_EVERY_MS);
  const startedAt = performance.now();
  while (!isDone(large)) await pause(LOOK_EVERY_MS);
  return (performance.now() - startedAt) / 1_000;
}
