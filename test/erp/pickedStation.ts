import type { Device } from '#shared/api/device.ts';
import type { Item, Order } from '#shared/api/order.ts';
import { API_KEY, spawnStation, type StationProcess } from '../shells/stationProcess.ts';

const LABELS = ['A-1-1', 'A-1-2', 'A-2-1', 'A-2-2'];
const REASON = 'missing';

export type PickedStation = {
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
  findOrder(number: string): Promise<Order | undefined>;
  /** Returns the number of lit commands on all devices. */
  lit(): Promise<number>;
  /**
   * Handles every lit item once: presses, or reports the number of pieces if `found` returns one. Returns whether any device was lit.
   * Rejects while the station is offline.
   */
  pick(found: (order: Order, item: Item) => number | undefined): Promise<boolean>;
};

/** Creates a station that runs as a separate process, with four bins and a worker. */
export function createPickedStation(dataFolder: string): PickedStation {
  let station: StationProcess | undefined;
  let url = 'http://127.0.0.1:0/';

  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async function pickItem(order: Order, item: Item, pieces: number | undefined): Promise<void> {
    if (pieces !== undefined) {
      const path = `/api/orders/${order.order_number}/items/${item.id}/short/`;
      await ask('POST', path, { reason: REASON, quantity_fulfilled: pieces, key: `${order.id} ${item.id}` });
      return;
    }
    const [first] = (await ask<Device>('GET', `/api/device/${item.deviceid}/`)).commands;
    const isShown = first?.command_id === item.command_id && first?.state === 'shown';
    if (isShown) await ask('POST', `/api/simulator/devices/${item.deviceid}/press/`);
  }

  return {
    get url() {
      return url;
    },
    async start() {
      const port = Number(new URL(url).port);
      station = spawnStation({ dataFolder, simulate: LABELS.length, port });
      url = await station.ready;
      const devices = await ask<string[]>('GET', '/api/device/');
      for (const deviceid of devices) await ask('PATCH', `/api/simulator/devices/${deviceid}/`, { refresh_ms: 0 });
      if (port !== 0) return;
      const labels = devices.map((deviceid, index) => ({ deviceid, locationoverride: LABELS[index] }));
      await ask('POST', '/api/devices/', labels);
    },
    kill: async () => station?.kill(),
    ask,
    async findOrder(number) {
      const answer = await fetch(new URL(`/api/orders/${number}/`, url), { headers: { 'api-key': API_KEY } });
      return answer.status === 404 ? undefined : ((await answer.json()) as Order);
    },
    async lit() {
      const ids = await ask<string[]>('GET', '/api/device/');
      const devices = await Promise.all(ids.map((id) => ask<Device>('GET', `/api/device/${id}/`)));
      return devices.reduce((sum, { commands }) => sum + commands.length, 0);
    },
    async pick(found) {
      const orders = await ask<Order[]>('GET', '/api/orders/?state=in_progress');
      const lit = orders.flatMap((order) =>
        order.shipments.flatMap(({ items }) =>
          items.filter(({ state }) => state === 'active').map((item) => ({ order, item })),
        ),
      );
      for (const { order, item } of lit) await pickItem(order, item, found(order, item));
      return lit.length > 0;
    },
  };
}
