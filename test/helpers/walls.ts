import type { NewBatchResult } from '#shared/api/batch.ts';
import type { CarrierResult } from '#shared/api/carrier.ts';
import type { ItemCallback } from '#shared/api/callback.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import { getBatch, SLOT_A1, SLOT_A2 } from './batches.ts';
import { addOrder } from './orders.ts';
import { startTestStation, type TestStation } from './startTestStation.ts';

/** DeviceID of the device at the back of slot A1. */
export const BACK_A1 = '51D000:000005';

/** Starts a station with a wall, devices at its slots, and a callback address without a receiver. */
export async function startWithWall(): Promise<TestStation & AsyncDisposable> {
  const station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addWall(station);
  await station.patch('/api/settings/', {
    callback_url: 'http://127.0.0.1:9/',
    callback_nonce: 'item-{order}',
    ordernonce: 'order-{order}',
  });
  return station;
}

/** Creates a wall with two rows of two slots. Slot A1 has a device on both sides, A2 only at the front. */
export function addWall(station: TestStation, given: object = {}): Promise<CarrierResult> {
  return station.post<CarrierResult>('/api/walls/', {
    name: 'Wall 1',
    code: 'WALL-1',
    rows: 2,
    columns: 2,
    slots: [
      { slot: 'A1', code: 'W1-A1', deviceid: SLOT_A1, back_deviceid: BACK_A1 },
      { slot: 'A2', code: 'W1-A2', deviceid: SLOT_A2 },
      { slot: 'B1', code: 'W1-B1' },
    ],
    ...given,
  });
}

/** Creates an order for pieces of articles, by SKU. */
export function addGoods(station: TestStation, number: string, goods: object, given: object = {}): Promise<unknown> {
  const items = Object.entries(goods).map(([SKU, ordered_quantity]) => ({
    name: `Name of ${SKU}`,
    SKU,
    ordered_quantity,
  }));
  return addOrder(station, number, items, given);
}

/** Loads orders onto the wall, each into the next free slot, and launches the batch. */
export async function sort(
  station: TestStation,
  orders: readonly string[],
  given: object = {},
): Promise<NewBatchResult> {
  const batch = await station.post<NewBatchResult>('/api/batches/', {
    mode: 'wall',
    wall: 1,
    slots: orders.map((order_number) => ({ order_number })),
    ...given,
  });
  await station.post(`/api/batches/${batch.id}/launch/`);
  await station.clock.advance(3_000);
  return batch;
}

/** Scans an article and gives the devices 3 s to show the result. */
export async function scan(station: TestStation, code: string, given: object = {}): Promise<ScanResult> {
  const answer = await station.post<ScanResult>('/api/scan/', { code, batch: 1, act: true, ...given });
  await station.clock.advance(3_000);
  return answer;
}

/** Summarizes a scan: the result, the slots with pieces, and the number of pieces left over. */
export async function said(station: TestStation, code: string, given: object = {}): Promise<string> {
  const { result, puts = [], left_over: left = 0 } = await scan(station, code, given);
  const slots = puts.map(({ slot, quantity }) => `${slot} ${quantity}`);
  return [result, ...slots, ...(left > 0 ? [`left ${left}`] : [])].join(', ');
}

/** Lists undelivered order callbacks with event, order, device and fulfilled quantity. */
export function owed(station: TestStation): string[] {
  return station
    .rows<{ payload: string }>('SELECT payload FROM outbox ORDER BY id')
    .map(({ payload }) => JSON.parse(payload) as Partial<ItemCallback>)
    .filter((payload) => payload.order_event !== undefined)
    .map(({ order_event: event, order, deviceid = '', quantity_fulfilled: fulfilled = '' }) =>
      `${event} ${order} ${deviceid} ${fulfilled}`.trim(),
    );
}

/** Lists the batch's orders that have no slot yet, or do not need one. */
export async function waitingIn(station: TestStation): Promise<string[]> {
  return [...new Set((await getBatch(station)).waiting.map(({ order_number: number }) => number))];
}
