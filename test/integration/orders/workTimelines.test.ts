import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import type { DeliveryTimeline, OrderTimeline } from '#shared/api/history.ts';
import type { Order } from '#shared/api/order.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, START_MS, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(5_000);
  await station.patch('/api/settings/', { callback_url: receiver.url, ordernonce: '{order}' });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const ITEM = { name: 'M8 nut', deviceid: ONE, ordered_quantity: 4 };

async function launched(items: readonly object[] = [ITEM], seconds = 0): Promise<Order> {
  await station.post('/api/orders/', { order_number: '7001', items, seconds });
  const order = await station.post<Order>('/api/orders/7001/launch/', {});
  await station.clock.advance(2_000);
  return order;
}

const timeline = () => station.get<OrderTimeline>('/api/history/orders/7001/');

/** Returns each step's time in seconds since the start of the test day, with its event. */
function told({ steps }: Pick<OrderTimeline, 'steps'>): [number, string][] {
  return steps.map(({ at, kind }) => [(Date.parse(at) - START_MS) / 1_000, kind]);
}

test('the timeline of an order runs from its creation to the delivery of its callbacks', async () => {
  await station.post('/api/orders/', { order_number: '7001', items: [ITEM] });
  await station.clock.advance(3_000);
  await station.post('/api/orders/7001/launch/', {});
  await station.clock.advance(2_000);
  await station.press(ONE);
  await station.clock.advance(1_000);
  const found = await timeline();
  expect(told(found)).toEqual([
    [5, 'order_created'],
    [8, 'order_launched'],
    [8, 'shown'],
    [10, 'acknowledged'],
    [10, 'order_fulfilled'],
    [10, 'delivered'],
    [10, 'delivered'],
    [10, 'delivered'],
  ]);
  expect(found).toMatchObject({ order_number: '7001', state: 'fulfilled', callbacks_kept: true, complete: true });
  expect(found.steps[1]).toMatchObject({ by: 'API key', detail: '1 lit.' });
  expect(found.steps[3]).toMatchObject({ by: 'device', item: 'M8 nut', deviceid: ONE, location: 'A-1' });
  expect(found.callbacks.map(({ acknack }) => acknack)).toEqual(['device_ack', 'item_added', 'order_fulfilled']);
  const { command_id: id = '' } = found.steps[3] ?? {};
  expect(await station.get(`/api/history/commands/${id}/`)).toMatchObject({ deviceid: ONE, state: 'acknowledged' });
});

test('the timeline of a lit order lists its lights and corrections', async () => {
  const order = await launched([ITEM, { name: 'Cable tie', deviceid: TWO, ordered_quantity: 2 }]);
  await station.patch(`/api/orders/7001/items/${order.items?.[0]?.id}/`, { quantity_fulfilled: 1, reason: 'damaged' });
  await station.clock.advance(1_000);
  const found = await timeline();
  expect(found.state).toBe('in_progress');
  // The correction lights the first item again with a different quantity.
  expect(found.steps.flatMap(({ kind, item }) => (kind === 'shown' ? [item] : []))).toEqual([
    'M8 nut',
    'Cable tie',
    'M8 nut',
  ]);
  expect(found.steps.find(({ kind }) => kind === 'order_corrected')).toMatchObject({
    item: 'M8 nut',
    location: 'A-1',
    detail: '1 counted, 0 before. damaged',
  });
});

test('a deleted order keeps its timeline, and a new order with the same number starts a new one', async () => {
  await launched();
  await station.request('DELETE', '/api/orders/7001/');
  const removed = await timeline();
  expect(removed.state).toBe('removed');
  expect(removed.steps.map(({ kind }) => kind)).toEqual(['order_launched', 'shown', 'killed', 'order_removed']);
  await station.post('/api/orders/', { order_number: '7001', items: [ITEM] });
  expect((await timeline()).steps.map(({ kind }) => kind)).toEqual(['order_created']);
  await station.request('DELETE', '/api/orders/7001/');
  expect((await timeline()).steps.map(({ kind }) => kind)).toEqual(['order_removed']);
});

test('a long timeline keeps its newest entries and says that older ones are missing', async () => {
  const order = await launched();
  const path = `/api/orders/7001/items/${order.items?.[0]?.id}/`;
  // Each correction adds two entries: the correction, and the command that its new quantity replaces.
  const correct = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) await station.patch(path, { quantity_fulfilled: (turn + 1) % 2 });
  };
  await correct(98);
  expect(await timeline()).toMatchObject({ complete: true });
  await correct(4);
  const found = await timeline();
  expect(found.complete).toBe(false);
  expect(found.steps.filter(({ kind }) => kind === 'order_corrected')).toHaveLength(100);
  expect(found.steps.some(({ kind }) => kind === 'order_launched')).toBe(false);
});

test('answers 404 for an unknown order', async () => {
  const answer = await station.request('GET', '/api/history/orders/none/');
  expect(answer.status).toBe(404);
  expect(answer.body).toMatchObject({ detail: expect.stringContaining('There is no order none') });
});

async function deliveryOf(event: string): Promise<DeliveryTimeline> {
  const deliveries = await station.get<Delivery[]>('/api/callbacks/');
  const found = deliveries.find(({ payload }) => Object.values(payload).includes(event));
  return station.get<DeliveryTimeline>(`/api/history/deliveries/${found?.id}/`);
}

test('the timeline of a delivery begins with the request that caused it', async () => {
  await launched();
  await station.press(ONE);
  await station.clock.advance(1_000);
  const found = await deliveryOf('item_added');
  expect(told(found)).toEqual([
    [5, 'requested'],
    [5, 'first'],
    [5, 'sent'],
    [5, 'shown'],
    [7, 'pressed'],
    [7, 'acknowledged'],
    [7, 'committed'],
    [7, 'callback_created'],
    [7, 'delivered'],
  ]);
  expect(found).toMatchObject({ event: 'item_added', state: 'delivered', order_number: '7001', sequenceid: null });
  expect(found.callbacks).toMatchObject([{ id: found.id, state: 'delivered', attempts: 1, last_status: 200 }]);
  expect(found.steps[5]).toMatchObject({ item: 'M8 nut', location: 'A-1', command_id: found.command_id });
});

test('the timeline of a delivery that no command caused begins with its event', async () => {
  const order = await launched();
  receiver.reply(500);
  await station.patch(`/api/orders/7001/items/${order.items?.[0]?.id}/`, { quantity_fulfilled: 1 });
  await station.clock.advance(1_000);
  const found = await deliveryOf('item_added');
  expect(found.steps.map(({ kind }) => kind)).toEqual(['order_corrected', 'callback_created', 'failed']);
  expect(found).toMatchObject({ state: 'pending', command_id: null, order_number: '7001' });
  expect(found.steps.at(-1)?.detail).toContain('500');
});

test('answers 404 for an unknown delivery', async () => {
  expect((await station.request('GET', '/api/history/deliveries/msg_none_1/')).status).toBe(404);
});
