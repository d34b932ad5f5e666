/** Article imports: the duration of the largest import, and how long other requests wait during an import. */
import type { Goal } from '../goals.ts';
import { longestAnswer, untilQuiet } from '../load/loads.ts';
import { API_KEY, startStation, type ServerProcess, type Workplace } from '../load/processes.ts';

const ARTICLES = 5_000;

/** Imports a file of articles with stock, first as new articles and then with different stock. */
export async function measureArticles(place: Workplace, rounds: number): Promise<Goal[]> {
  const what = `${ARTICLES.toLocaleString('en')} articles`;
  const took: Goal = { name: `import of ${what} with stock`, unit: 's', values: [], atMost: 3 };
  const cpu: Goal = { name: 'processor time of it', unit: 's', values: [] };
  const wait: Goal = { name: 'longest answer to another request meanwhile', unit: 'ms', values: [] };
  for (let round = 0; round < rounds; round += 1) {
    const station = await startStation(place.folder(), 10);
    for (const stock of [1, 2]) {
      await untilQuiet(station);
      const over = new AbortController();
      const waiting = longestAnswer(station, over.signal);
      const before = station.cpuMs();
      const startedAt = performance.now();
      await send(station, fileOf(stock));
      took.values.push((performance.now() - startedAt) / 1_000);
      cpu.values.push((station.cpuMs() - before) / 1_000);
      over.abort();
      wait.values.push(await waiting);
    }
    await station.stop();
  }
  return [took, cpu, wait];
}

function fileOf(stock: number): string {
  const rows = Array.from(
    { length: ARTICLES },
    (_, row) => `SKU-${row};Article ${row};4006${String(row).padStart(6, '0')};A-${row % 50};5;${(row % 40) + stock}\n`,
  );
  return `sku;name;barcode;location;minimum;on_hand\n${rows.join('')}`;
}

async function send(station: ServerProcess, csv: string): Promise<void> {
  const headers = { 'api-key': API_KEY, 'content-type': 'text/csv' };
  const address = new URL('/api/imports/?kind=articles&stock=true', station.url);
  const answer = await fetch(address, { method: 'POST', headers, body: csv });
  const { counts } = (await answer.json()) as { counts?: { new: number; changed: number } };
  if (counts === undefined || counts.new + counts.changed < ARTICLES) throw new Error('Articles are missing.');
}
