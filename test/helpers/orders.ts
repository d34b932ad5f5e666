import { expect } from 'vitest';
import type { Item, Order } from '#shared/api/order.ts';
import type { Answer, TestStation } from './startTestStation.ts';

/** DeviceIDs of simulated devices. `ONE` has one button, `THREE_BUTTONS` also has plus and minus. */
export const ONE = '51D000:000001';
export const THREE_BUTTONS = '51D000:000002';
export const THIRD = '51D000:000003';
export const FOURTH = '51D000:000004';

/** Returns the path of an order with `rest` appended. */
export function orderPath(orderNumber: string, rest = ''): string {
  return `/api/orders/${encodeURIComponent(orderNumber)}/${rest}`;
}

/** Returns an item with quantity 2 at the first device, unless `given` overrides it. */
export function anItem(given: object = {}): object {
  return { name: 'Cable tie', ordered_quantity: 2, deviceid: ONE, ...given };
}

/** Creates an order with one shipment. */
export async function addOrder(
  station: TestStation,
  orderNumber: string,
  items: readonly object[],
  given: object = {},
): Promise<Order> {
  return station.post<Order>('/api/orders/', { order_number: orderNumber, items, ...given });
}

/** Launches an order and waits until the lit devices show it. */
export async function launch(station: TestStation, orderNumber: string): Promise<Order> {
  const order = await station.post<Order>(orderPath(orderNumber, 'launch/'));
  await station.clock.advance(5_000);
  return order;
}

export function getOrder(station: TestStation, orderNumber: string): Promise<Order> {
  return station.get<Order>(orderPath(orderNumber));
}

export async function itemsOf(station: TestStation, orderNumber: string): Promise<Item[]> {
  return (await getOrder(station, orderNumber)).shipments.flatMap(({ items }) => items);
}

/** Summarizes the states of an order, its shipments and its items. */
export async function statesOf(station: TestStation, orderNumber: string): Promise<string> {
  const { state, shipments } = await getOrder(station, orderNumber);
  const parts = shipments.map((shipment) => `${shipment.state}(${shipment.items.map((item) => item.state).join(' ')})`);
  return `${state}: ${parts.join(' ')}`;
}

/** Presses a button and waits until the next screen is shown. */
export async function press(
  station: TestStation,
  deviceId: string,
  button?: 'front' | 'plus' | 'minus',
): Promise<void> {
  await station.press(deviceId, button);
  await station.clock.advance(3_000);
}

export function correct(station: TestStation, orderNumber: string, id: number, body: object): Promise<Answer> {
  return station.request('PATCH', orderPath(orderNumber, `items/${id}/`), body);
}

/** Checks that the counts of the order, its shipments and its progress match the items. */
export async function expectCountsRight(station: TestStation, orderNumber: string): Promise<void> {
  const items = await itemsOf(station, orderNumber);
  const { unassigned } = await getOrder(station, orderNumber);
  const all = await station.get<{ order_number: string }[]>('/api/order-progress/');
  const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
  const inState = (...states: string[]): number => items.filter(({ state }) => states.includes(state)).length;
  expect(all.find(({ order_number: number }) => number === orderNumber)).toMatchObject({
    item_count: items.length,
    done_count: inState('done', 'short'),
    short_count: inState('short'),
    active_count: inState('active'),
    unassigned_count: unassigned.length,
    ordered_quantity: sum(items.map((item) => item.ordered_quantity)),
    quantity_fulfilled: sum(items.map((item) => item.quantity_fulfilled)),
  });
}

/** Lists the DeviceIDs with shown or queued commands. */
export async function litDevices(station: TestStation): Promise<string[]> {
  const rows = station.rows<{ device_id: string }>('SELECT device_id FROM commands ORDER BY device_id, position');
  return rows.map(({ device_id: deviceId }) => deviceId);
}
