/** Search among many devices and items. */
import { openDatabase } from '../electron/server/db/database.ts';
import { createRepositories } from '../electron/server/db/repositories.ts';
import { spreadOf, untilQuiet } from './bulks.ts';
import type { Goal } from './goals.ts';
import { deviceId, loadBareRoute } from './loads.ts';
import { startBareServer, startStation, type ServerProcess, type Workplace } from './processes.ts';
import { openConnection } from './wire.ts';

const DEVICES = 10_000;
const ORDERS = 1_000;
const ITEMS_PER_ORDER = 100;
const BULK = 1_000;
const SEARCHES = 300;
const BARE_MS = 1_000;
const GOAL_MS = 20;

const ARTICLES = [
  'Cable tie',
  'Wood screw',
  'Washer',
  'Hex nut',
  'Dübel',
  'Bracket',
  'Sensor',
  'Lamp',
  'Fuse',
  'Relay',
];
const articleOf = (index: number) => ARTICLES[index % ARTICLES.length] ?? '';
/** In many texts, in few, in one, and in none. */
const ASKED = ['cable', 'shelf', 'sku-4711', 'A-12-3', 'order-999', '51d000:0012', 'dü', 'zzqq', 'no such thing'];

export async function measureFind(place: Workplace, rounds: number): Promise<Goal[]> {
  const folder = place.folder();
  await (await startStation(folder, DEVICES)).stop();
  addTexts(folder);
  const among = `among ${DEVICES.toLocaleString('en')} devices and ${(ORDERS * ITEMS_PER_ORDER).toLocaleString('en')} items`;
  const p50: Goal = { name: `find ${among}, median`, unit: 'ms', values: [], atMost: GOAL_MS };
  const p99: Goal = { name: `find ${among}, p99`, unit: 'ms', values: [], atMost: GOAL_MS };
  const ratio: Goal = { name: `find ${among}, p99 / bare p99`, unit: 'x', values: [] };
  const first: Goal = { name: `the first find after a start, ${among}`, unit: 'ms', values: [] };
  const bare = await startBareServer(place.folder());
  for (let round = 0; round < rounds; round += 1) {
    const station = await startStation(folder, DEVICES);
    if (round === 0) {
      await addOrders(station);
      await lightAll(station);
    }
    await untilQuiet(station);
    first.values.push(...(await timeFinds(station, 1)));
    await timeFinds(station, SEARCHES);
    const found = spreadOf(await timeFinds(station, SEARCHES));
    const { p99Ms } = await loadBareRoute(bare, 1, BARE_MS);
    p50.values.push(found.p50);
    p99.values.push(found.p99);
    ratio.values.push(found.p99 / p99Ms);
    await station.stop();
  }
  await bare.stop();
  return [p50, p99, ratio, first];
}

/** Labels and statics in the folder of a stopped station. */
function addTexts(folder: string): void {
  const database = openDatabase(folder);
  const { devices } = createRepositories(database.writer);
  database.writer.transaction(() => {
    for (const [index, row] of devices.list().entries()) {
      const label = `A-${Math.floor(index / 20)}-${index % 20}`;
      devices.update({ ...row, label, statica: `${articleOf(index)} ${index}`, staticb: 'keep the shelf full' });
    }
  })();
  database.close();
}

async function addOrders(station: ServerProcess): Promise<void> {
  const connection = await openConnection(station.url);
  for (let order = 0; order < ORDERS; order += 1) {
    const items = Array.from({ length: ITEMS_PER_ORDER }, (_, item) => {
      const index = order * ITEMS_PER_ORDER + item;
      return {
        ordered_quantity: 1,
        name: `${articleOf(index)} ${index % 977} mm`,
        SKU: `SKU-${index % 5_000}`,
        UPC: String(4_000_000_000_000 + index * 37),
        description: `From shelf ${index % 313}, ${articleOf(index * 7)}`,
        warehouse_location: `A-${index % 500}-${index % 20}`,
      };
    });
    const body = JSON.stringify({ order_number: `order-${order}`, items });
    await connection.request('POST', '/api/orders/', inAscii(body));
  }
  connection.close();
}

/** The connection counts characters, not bytes. */
function inAscii(json: string): string {
  return json.replaceAll('ü', String.raw`\u00fc`);
}

/** Lights every device, so that there are lit lines to search. */
async function lightAll(station: ServerProcess): Promise<void> {
  const connection = await openConnection(station.url);
  for (let from = 0; from < DEVICES; from += BULK) {
    const bodies = Array.from({ length: BULK }, (_, index) => ({
      deviceid: deviceId(from + index + 1),
      line1: `${articleOf(index)} ${from + index}`,
      seconds: 0,
    }));
    await connection.request('POST', '/api/devices/', inAscii(JSON.stringify(bodies)));
  }
  connection.close();
}

/** Milliseconds of each search to its whole answer, minus the processor time of other programs. */
async function timeFinds(station: ServerProcess, count: number): Promise<number[]> {
  const connection = await openConnection(station.url);
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const waitedMs = station.waitedMs();
    const startedAt = performance.now();
    const q = encodeURIComponent(ASKED[index % ASKED.length] ?? '');
    await connection.request('GET', `/api/find/?q=${q}`, '');
    times.push(performance.now() - startedAt - (station.waitedMs() - waitedMs));
  }
  connection.close();
  return times;
}
