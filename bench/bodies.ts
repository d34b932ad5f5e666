/** What hostile request bodies cost others: waiting time of presses, and memory. */
import { request } from 'node:http';
import type { Goal } from './goals.ts';
import { loadLoop, makeEager } from './loads.ts';
import { API_KEY, startStation, type ServerProcess, type Workplace } from './processes.ts';

const MB = 1_000_000;
const DEVICES = 10;
/** Requests per body; presses continue until all are answered. */
const SENT = 3;
const BESIDE_MS = 400;
const QUIET_MS = 1_500;
const LOOK_EVERY_MS = 50;

type Hostile = { path: string; type?: string; method?: string; make: () => string };

const times = (count: number, make: (index: number) => string, between = ','): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);
const hex = (index: number) => index.toString(16).toUpperCase().padStart(6, '0');
const fields = (count: number, mark = 'f') => times(count, (index) => `"${mark}${index}":1`);

/** Beyond a limit, or just within all of them. */
const BODIES: Readonly<Record<string, Hostile>> = {
  'keys beyond number': { path: '/api/devices/', make: () => `{${fields(900_000)}}` },
  'levels beyond number': { path: '/api/devices/', make: () => '['.repeat(10 * MB) },
  'elements beyond number': { path: '/api/devices/', make: () => `[${times(5 * MB, () => '1')}]` },
  'one long text': { path: '/api/devices/', make: () => `[{"line1":"${'a'.repeat(10 * MB)}"}]` },
  escapes: { path: '/api/devices/', make: () => `[{"line1":"${'\\u0041'.repeat(1.6 * MB)}"}]` },
  'commands with unknown fields': {
    path: '/api/devices/',
    make: () => `[${times(1_000, () => `{"deviceid":"x",${fields(450)}}`)}]`,
  },
  'empty commands': { path: '/api/devices/', make: () => `[${times(10_000, () => '{}')}]` },
  'an order with unknown fields': {
    path: '/api/orders/',
    make: () =>
      `{"order_number":"x","items":[${times(200, () => `{"name":"a","ordered_quantity":-1,${fields(450)}}`)}]}`,
  },
  'XML with many elements': {
    path: '/api/devices/',
    type: 'application/xml',
    make: () => `<list>${'<a><b>1</b></a>'.repeat(0.6 * MB)}</list>`,
  },
  'a file of wide rows': {
    path: '/api/location-aliases/import/',
    make: () => JSON.stringify({ csv: `alias,deviceid\n${`a,b${',c'.repeat(500)}\n`.repeat(9_000)}`, dry_run: true }),
  },
  'a file of quotes': {
    path: '/api/order-import/',
    make: () => JSON.stringify({ csv: `order_number,name\n${'"a""b","c"\n'.repeat(0.5 * MB)}`, dry_run: true }),
  },
  'a map of unknown places': {
    path: '/api/map/',
    method: 'PUT',
    make: () =>
      `{"racks":[],"places":[${times(10_000, (index) => `{"deviceid":"51D0FF:${hex(index)}","shelf":"${'s'.repeat(50)}","column":1,${fields(40)}}`)}]}`,
  },
};

export async function measureBodies(place: Workplace, rounds: number): Promise<Goal[]> {
  const station = await startStation(place.folder(), DEVICES);
  await makeEager(station, DEVICES);
  const press = (durationMs: number) => loadLoop(station, { connections: 1, durationMs, readers: 0, devices: DEVICES });
  await press(QUIET_MS);
  const memory: Goal = { name: 'memory while hostile bodies arrive, at most', unit: 'MB', values: [], atMost: 400 };
  const goals: Goal[] = [];
  for (const [name, hostile] of Object.entries(BODIES)) {
    const body = Buffer.from(hostile.make());
    const goal: Goal = { name: `a press waits longer beside ${name}`, unit: 'ms', values: [], atMost: 50 };
    goals.push(goal);
    for (let round = 0; round < rounds; round += 1) {
      const without = await press(BESIDE_MS);
      const stop = watch(station);
      const over = new AbortController();
      const sent = sendAll(station, hostile, body).finally(() => over.abort());
      let worstMs = 0;
      while (!over.signal.aborted) worstMs = Math.max(worstMs, (await press(BESIDE_MS)).worstMs);
      const statuses = await sent;
      if (round === 0) process.stdout.write(`${name}: ${body.length} bytes, ${statuses.join(' ')}\n`);
      memory.values.push(stop() / MB);
      goal.values.push(worstMs - without.worstMs);
    }
  }
  await station.stop();
  return [...goals, memory];
}

/** Sends one after another; returns the statuses. */
async function sendAll(station: ServerProcess, { path, method, type }: Hostile, body: Buffer): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < SENT; sent += 1) {
    const headers = { 'api-key': API_KEY, 'content-type': type ?? 'application/json', 'content-length': body.length };
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    request(new URL(path, station.url), { method: method ?? 'POST', headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    })
      .once('error', reject)
      .end(body);
    statuses.push(await promise);
  }
  return statuses;
}

/** Samples the memory until stopped; returns the maximum in bytes. */
function watch(station: ServerProcess): () => number {
  let most = station.residentBytes();
  const timer = setInterval(() => (most = Math.max(most, station.residentBytes())), LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}
