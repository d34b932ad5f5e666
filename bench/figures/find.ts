/** Searches among many devices and items. */
import { openDatabase } from '../../electron/server/db/database.ts';
import { createRepositories } from '../../electron/server/db/repositories.ts';
import { median, quantile, type Goal } from '../goals.ts';
import { deviceId, timed, untilQuiet } from '../load/loads.ts';
import { startStation, type ServerProcess, type Workplace } from '../load/processes.ts';
import { openConnection } from '../load/wire.ts';

type Shop = { devices: number; orders: number };

const SMALL: Shop = { devices: 10, orders: 2 };
const LARGE: Shop = { devices: 1_000, orders: 200 };
const ITEMS_PER_ORDER = 100;
const SEARCHES = 300;

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
/** Search texts with many, few, one or no matches. */
const ASKED = ['cable', 'shelf', 'sku-4711', 'A-12-3', 'order-999', '51d000:0012', 'dü', 'zzqq', 'no such thing'];

export async function measureFind(place: Workplace, rounds: number): Promise<Goal[]> {
  const [small, large] = [await openShop(place.folder(), SMALL), await openShop(place.folder(), LARGE)];
  const among = `among ${LARGE.devices.toLocaleString('en')} devices and ${(LARGE.orders * ITEMS_PER_ORDER).toLocaleString('en')} items`;
  const ratio: Goal = {
    name: `find ${among}, median / among a hundredth`,
    unit: 'x',
    values: [],
    atMost: 8,
  };
  const p50: Goal = { name: `find ${among}, median`, unit: 'ms', values: [] };
  const p99: Goal = { name: `find ${among}, p99`, unit: 'ms', values: [] };
  for (const station of [small, large]) await timeFinds(station, SEARCHES);
  for (let round = 0; round < rounds; round += 1) {
    const few = await timeFinds(small, SEARCHES);
    const many = await timeFinds(large, SEARCHES);
    ratio.values.push(median(many) / median(few));
    p50.values.push(median(many));
    p99.values.push(quantile(many, 0.99));
  }
  await small.stop();
  await large.stop();
  return [ratio, p50, p99];
}

/** Starts a station with labels and statics, open orders, and a command on each device. */
async function openShop(folder: string, { devices, orders }: Shop): Promise<ServerProcess> {
  await (await startStation(folder, devices)).stop();
  addTexts(folder);
  const station = await startStation(folder, devices);
  await addOrders(station, orders);
  await lightAll(station, devices);
  await untilQuiet(station);
  return station;
}

/** Writes labels and statics into the database of a stopped station. */
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

async function addOrders(station: ServerProcess, orders: number): Promise<void> {
  const connection = await openConnection(station.url);
  for (let order = 0; order < orders; order += 1) {
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

/** Escapes umlauts, because the content-length is counted in characters rather than bytes. */
function inAscii(json: string): string {
  return json.replaceAll('ü', String.raw`\u00fc`);
}

/** Lights every device, so that searches also find lit lines. */
async function lightAll(station: ServerProcess, devices: number): Promise<void> {
  const connection = await openConnection(station.url);
  const bodies = Array.from({ length: devices }, (_, index) => ({
    deviceid: deviceId(index + 1),
    line1: `${articleOf(index)} ${index}`,
    seconds: 0,
  }));
  await connection.request('POST', '/api/devices/', inAscii(JSON.stringify(bodies)));
  connection.close();
}

/** Resolves to the milliseconds from each search to its complete answer, excluding the time that the station waited for the processor. */
async function timeFinds(station: ServerProcess, count: number): Promise<number[]> {
  const connection = await openConnection(station.url);
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const q = encodeURIComponent(ASKED[index % ASKED.length] ?? '');
    times.push(await timed(station, () => connection.request('GET', `/api/find/?q=${q}`, '')));
  }
  connection.close();
  return times;
}
