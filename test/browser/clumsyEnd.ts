import { expect } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { Order } from '#shared/api/order.ts';
import type { Receiver } from '../helpers/servers/receiver.ts';
import { until } from '../shells/until.ts';
import { type ClumsyOrder, endOf, eventsOf, historyOf } from './clumsyPlan.ts';
import type { useShop } from './shop.ts';

type Shop = ReturnType<typeof useShop>;

/** Returns the state of an order, with the state and count of each item. */
export async function orderNow(shop: Shop, number: string): Promise<{ state: string; ends: Map<string, string> }> {
  const { state, shipments } = await shop.call<Order>('GET', `/api/orders/${number}/`);
  const items = shipments.flatMap((shipment) => shipment.items);
  return { state, ends: new Map(items.map((item) => [item.name ?? '', `${item.state} ${item.quantity_fulfilled}`])) };
}

export const endsOf = async (shop: Shop, number: string) => (await orderNow(shop, number)).ends;

/** Checks that the receiver, the orders and the history report exactly what the picker's hands did. */
export async function checkEnd(shop: Shop, receiver: Receiver, orders: readonly ClumsyOrder[]): Promise<void> {
  const lines = orders.flatMap((order) => order.lines);
  const listed = await shop.call<Order[]>('GET', '/api/orders/');
  expect(listed.map(({ state, order_number: number }) => `${number} ${state}`).toSorted()).toEqual(
    orders.map(({ number }) => `${number} fulfilled`).toSorted(),
  );
  for (const { number, lines: own } of orders)
    expect([...(await endsOf(shop, number))]).toEqual(own.map((line) => [line.name, endOf(line)]));

  type Told = { order_event?: string; order?: string; item?: string; quantity_fulfilled?: number };
  const told = (): Told[] => {
    const once = new Map(receiver.requests.map(({ headers, body }) => [headers['webhook-id'], body]));
    return [...once.values()].map((body) => JSON.parse(body) as Told);
  };
  const count = lines.flatMap(eventsOf).length + orders.length;
  const events = () => told().filter(({ order_event: event }) => event !== undefined);
  await until('the receiver to be told', () => events().length >= count);
  const ofItem = (name: string) =>
    events()
      .filter(({ item }) => item === name)
      .map(({ order_event: event, quantity_fulfilled: quantity }) => `${event} ${quantity}`)
      // Several events are sent at the same time and can arrive in any order.
      .toSorted();
  expect(Object.fromEntries(lines.map(({ name }) => [name, ofItem(name)]))).toEqual(
    Object.fromEntries(lines.map((line) => [line.name, eventsOf(line).toSorted()])),
  );
  const complete = events().flatMap(({ order_event: event, order = '' }) =>
    event === 'order_fulfilled' ? [order] : [],
  );
  expect(complete.toSorted()).toEqual(orders.map(({ number }) => number).toSorted());

  for (const order of orders) {
    const kinds = historyOf(order);
    const entries = await shop.call<HistoryEntry[]>('GET', `/api/history/?limit=1000&order_number=${order.number}`);
    const counted = Object.keys(kinds).map((kind) => [kind, entries.filter((entry) => entry.kind === kind).length]);
    expect({ order: order.number, ...Object.fromEntries(counted) }).toEqual({ order: order.number, ...kinds });
  }
}
