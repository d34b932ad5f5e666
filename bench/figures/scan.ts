/** How long a picker waits after a scan, among many lit devices. */
import { median, quantile, type Goal } from '../goals.ts';
import { commitsOf, deviceId, loadBareRoute, timed, untilQuiet } from '../load/loads.ts';
import { startBareServer, startStation, type Workplace } from '../load/processes.ts';
import { openConnection } from '../load/wire.ts';

const DEVICES = 1_000;
const ORDERS = 20;
const LINES = 50;
const BARE_MS = 1_000;

/** Scans places and articles. Each scan confirms a line. At the start, every device has a lit line. */
export async function measureScan(place: Workplace, rounds: number): Promise<Goal[]> {
  const right: Goal = { name: 'scan to answer, median / a bare route', unit: 'x', values: [], atMost: 8 };
  const wrong: Goal = { name: 'wrong scan to answer, median / a bare route', unit: 'x', values: [], atMost: 8 };
  const commits: Goal = { name: 'commits of a scan', unit: '', values: [], atMost: 1.2 };
  const p99: Goal = { name: 'scan to answer, p99', unit: 'ms', values: [] };
  const bare = await startBareServer(place.folder());
  for (let round = 0; round < rounds; round += 1) {
    const station = await startStation(place.folder(), DEVICES);
    const connection = await openConnection(station.url);
    const numbers = Array.from({ length: ORDERS }, (_, order) => `order-${order}`);
    for (const [order, number] of numbers.entries()) {
      const items = Array.from({ length: LINES }, (_, line) => ({
        name: `Article ${line}`,
        SKU: `SKU-${order}-${line}`,
        ordered_quantity: 2,
        deviceid: deviceOf(order, line),
      }));
      await connection.request('POST', '/api/orders/', JSON.stringify({ order_number: number, items }));
      await connection.request('POST', `/api/orders/${number}/launch/`, '{}');
    }
    await untilQuiet(station);
    const scan = (code: string, order: number): Promise<number> => {
      const body = JSON.stringify({ code, order_number: numbers[order], act: true, key: `${order}-${code}` });
      return timed(station, () => connection.request('POST', '/api/scan/', body));
    };
    const [missed, times]: [number[], number[]] = [[], []];
    const before = await commitsOf(connection);
    for (let order = 0; order < ORDERS; order += 1) {
      for (let line = 0; line < LINES; line += 1) {
        if (line % 5 === 0) missed.push(await scan(deviceOf((order + 1) % ORDERS, line), order));
        times.push(await scan(line % 2 === 0 ? deviceOf(order, line) : `SKU-${order}-${line}`, order));
      }
    }
    await untilQuiet(station);
    commits.values.push(((await commitsOf(connection)) - before) / (times.length + missed.length));
    connection.close();
    const { p50 } = await loadBareRoute(bare, BARE_MS);
    right.values.push(median(times) / p50);
    wrong.values.push(median(missed) / p50);
    p99.values.push(quantile(times, 0.99));
    await station.stop();
  }
  await bare.stop();
  return [right, wrong, commits, p99];
}

function deviceOf(order: number, line: number): string {
  return deviceId(order * LINES + line + 1);
}
