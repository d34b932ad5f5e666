/** What a picker waits for after a scan, among many lit devices. */
import { spreadOf, untilQuiet } from './bulks.ts';
import type { Goal } from './goals.ts';
import { deviceId, loadBareRoute } from './loads.ts';
import { startBareServer, startStation, type Workplace } from './processes.ts';
import { openConnection } from './wire.ts';

const DEVICES = 1_000;
const ORDERS = 20;
const LINES = 50;
const BARE_MS = 1_000;
/** Above a bare route. */
const GOAL_MS = 5;

/** Scans of places that acknowledge a line each, with as many lit lines as devices at the beginning. */
export async function measureScan(place: Workplace, rounds: number): Promise<Goal[]> {
  const above: Goal = { name: 'scan to answer above a bare route, median', unit: 'ms', values: [], atMost: GOAL_MS };
  const p99: Goal = { name: 'scan to answer, p99', unit: 'ms', values: [] };
  const wrong: Goal = {
    name: 'wrong scan to answer above a bare route, median',
    unit: 'ms',
    values: [],
    atMost: GOAL_MS,
  };
  const bare = await startBareServer(place.folder());
  for (let round = 0; round < rounds; round += 1) {
    const station = await startStation(place.folder(), DEVICES);
    const connection = await openConnection(station.url);
    for (let order = 0; order < ORDERS; order += 1) {
      const items = Array.from({ length: LINES }, (_, line) => ({
        name: `Article ${line}`,
        SKU: `SKU-${order}-${line}`,
        ordered_quantity: 2,
        deviceid: deviceId(order * LINES + line + 1),
      }));
      const number = `order-${order}`;
      await connection.request('POST', '/api/orders/', JSON.stringify({ order_number: number, items }));
      await connection.request('POST', `/api/orders/${number}/launch/`, '{}');
    }
    await untilQuiet(station);
    const scan = async (code: string, order: number): Promise<number> => {
      const waitedMs = station.waitedMs();
      const startedAt = performance.now();
      const body = JSON.stringify({ code, order_number: `order-${order}`, act: true, key: code });
      await connection.request('POST', '/api/scan/', body);
      return performance.now() - startedAt - (station.waitedMs() - waitedMs);
    };
    const missed: number[] = [];
    const times: number[] = [];
    for (let order = 0; order < ORDERS; order += 1) {
      for (let line = 0; line < LINES; line += 1) {
        if (line % 5 === 0) missed.push(await scan(deviceId(((order + 1) % ORDERS) * LINES + line + 1), order));
        times.push(await scan(line % 2 === 0 ? deviceId(order * LINES + line + 1) : `SKU-${order}-${line}`, order));
      }
    }
    connection.close();
    const { p50Ms } = await loadBareRoute(bare, 1, BARE_MS);
    above.values.push(spreadOf(times).p50 - p50Ms);
    p99.values.push(spreadOf(times).p99);
    wrong.values.push(spreadOf(missed).p50 - p50Ms);
    await station.stop();
  }
  await bare.stop();
  return [above, p99, wrong];
}
