/** Waiting times for a cart of 24 orders with 20 lines each, and for a wall of 24 orders. */
import { median, quantile, type Goal } from '../goals.ts';
import { deviceId, loadBareRoute, longestAnswer, timed, untilQuiet } from '../load/loads.ts';
import { startBareServer, startStation, type ServerProcess, type Workplace } from '../load/processes.ts';
import { openConnection } from '../load/wire.ts';

const ROWS = 4;
const COLUMNS = 6;
const ORDERS = ROWS * COLUMNS;
const LINES = 20;
const PICKS = 60;
/** Number of devices: one for each line, followed by one for each slot. */
const DEVICES = ORDERS * LINES + ORDERS;
const BARE_MS = 1_000;

type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Compares launching a cart with launching one order that has as many lines, and compares puts and sorting scans with a bare route. */
export async function measureBatches(place: Workplace, rounds: number): Promise<Goal[]> {
  const lines = ORDERS * LINES;
  const launch: Goal = { name: `launch of a cart / of one order, ${lines} lines`, unit: 'x', values: [], atMost: 3 };
  const launched: Goal = { name: `launch of a cart of ${lines} lines`, unit: 'ms', values: [] };
  const wait: Goal = { name: 'longest answer to another request meanwhile', unit: 'ms', values: [] };
  const put: Goal = { name: 'put into a slot to answer, median / a bare route', unit: 'x', values: [], atMost: 16 };
  const p99: Goal = { name: 'put into a slot to answer, p99', unit: 'ms', values: [] };
  const sort: Goal = { name: 'scan at a wall to answer, median / a bare route', unit: 'x', values: [], atMost: 40 };
  const sortP99: Goal = { name: 'scan at a wall to answer, p99', unit: 'ms', values: [] };
  const bare = await startBareServer(place.folder());
  for (let round = 0; round < rounds; round += 1) {
    const station = await startStation(place.folder(), DEVICES);
    const connection = await openConnection(station.url);
    const ask = async <T>(method: string, path: string, body: object = {}): Promise<T> =>
      JSON.parse((await connection.request(method, path, JSON.stringify(body))) || 'null') as T;
    const aloneMs = await launchOrder(station, connection);
    const cart = await addCarrier(connection, 'carts');
    await addOrders(connection, 'cart', (order, line) => ({ deviceid: deviceId(order * LINES + line + 1) }));
    const { id } = await ask<{ id: number }>('POST', '/api/batches/', { mode: 'cart', cart, slots: loadOf('cart') });
    await untilQuiet(station);
    const over = new AbortController();
    const waiting = longestAnswer(station, over.signal);
    const launchMs = await timed(station, () => connection.request('POST', `/api/batches/${id}/launch/`, '{}'));
    over.abort();
    wait.values.push(await waiting);
    launched.values.push(launchMs);
    launch.values.push(launchMs / aloneMs);
    await untilQuiet(station);
    const puts: number[] = [];
    const work = await ask<{ deviceid: string; command_id: string }[]>('GET', `/api/work/?batch=${id}`);
    for (const { deviceid, command_id } of work.slice(0, PICKS)) {
      await ask('POST', `/api/device/${deviceid}/acknowledge/`, { command_id });
      puts.push(
        await timed(station, () =>
          connection.request('POST', `/api/batches/${id}/put/`, JSON.stringify({ all: true })),
        ),
      );
    }
    const wall = await addCarrier(connection, 'walls');
    await addOrders(connection, 'wall', (_, line) => ({ SKU: `SKU-${line % 5}` }));
    const sorting = await ask<{ id: number }>('POST', '/api/batches/', { mode: 'wall', wall, slots: loadOf('wall') });
    await ask('POST', `/api/batches/${sorting.id}/launch/`);
    const scans: number[] = [];
    for (let scan = 0; scan < PICKS; scan += 1) {
      const code = { code: `SKU-${scan % 5}`, batch: sorting.id, act: true, key: `scan-${scan}` };
      scans.push(await timed(station, () => connection.request('POST', '/api/scan/', JSON.stringify(code))));
      await ask('POST', `/api/batches/${sorting.id}/put/`, { all: true });
    }
    connection.close();
    const { p50 } = await loadBareRoute(bare, BARE_MS);
    put.values.push(median(puts) / p50);
    p99.values.push(quantile(puts, 0.99));
    sort.values.push(median(scans) / p50);
    sortP99.values.push(quantile(scans, 0.99));
    await station.stop();
  }
  await bare.stop();
  return [launch, launched, wait, put, p99, sort, sortP99];
}

/** Launches an order with as many lines as the cart, and then deletes the order. Resolves to the duration of the launch in milliseconds. */
async function launchOrder(station: ServerProcess, connection: Connection): Promise<number> {
  const items = Array.from({ length: ORDERS * LINES }, (_, line) => ({
    name: `Article ${line}`,
    ordered_quantity: 1,
    deviceid: deviceId(line + 1),
  }));
  await connection.request('POST', '/api/orders/', JSON.stringify({ order_number: 'alone', items }));
  await untilQuiet(station);
  const ms = await timed(station, () => connection.request('POST', '/api/orders/alone/launch/', '{}'));
  await connection.request('DELETE', '/api/orders/alone/', '');
  await untilQuiet(station);
  return ms;
}

async function addCarrier(connection: Connection, kind: 'carts' | 'walls'): Promise<number> {
  const slots = Array.from({ length: ORDERS }, (_, at) => ({
    slot: `${'ABCD'[Math.floor(at / COLUMNS)]}${(at % COLUMNS) + 1}`,
    // A device can serve only one slot, so only the wall gets devices.
    ...(kind === 'walls' ? { deviceid: deviceId(ORDERS * LINES + at + 1) } : {}),
  }));
  const body = { name: kind, rows: ROWS, columns: COLUMNS, slots };
  return (JSON.parse(await connection.request('POST', `/api/${kind}/`, JSON.stringify(body))) as { id: number }).id;
}

async function addOrders(
  connection: Connection,
  name: string,
  itemOf: (order: number, line: number) => object,
): Promise<void> {
  for (let order = 0; order < ORDERS; order += 1) {
    const items = Array.from({ length: LINES }, (_, line) => ({
      name: `Article ${line}`,
      ordered_quantity: 1,
      ...itemOf(order, line),
    }));
    await connection.request('POST', '/api/orders/', JSON.stringify({ order_number: `${name}-${order}`, items }));
  }
}

function loadOf(name: string): { order_number: string }[] {
  return Array.from({ length: ORDERS }, (_, order) => ({ order_number: `${name}-${order}` }));
}
