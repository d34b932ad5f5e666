import { afterEach, beforeEach, expect, test } from 'vitest';
import { act, addBatch, addCart, addTies } from '../../helpers/batches.ts';
import { addOrder, anItem, correct, itemsOf, launch, ONE, orderPath, press } from '../../helpers/orders.ts';
import { startBroker } from '../../helpers/servers/broker.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 9: the callback family `order_state`.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 5, refreshMs: 0 });
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  const callback_families = { device: false, order: false, order_state: true };
  await station.patch('/api/settings/', { callback_url: receiver.url, callback_families, backup_every: 0 });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

async function told(): Promise<Record<string, unknown>[]> {
  for (let turn = 0; turn < 4; turn += 1) await station.clock.advance(600);
  const payloads = receiver.payloads();
  receiver.requests.length = 0;
  return payloads;
}

const firstItem = async (number = 'SO-1') => (await itemsOf(station, number))[0]?.id ?? 0;
const short = async (body: object) => station.post(orderPath('SO-1', `items/${await firstItem()}/short/`), body);

test('a launch, a change, an abort and a removal of an order send one callback each', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })], { ordernonce: 'so-1' });
  const order = { order: 'SO-1', quantity_fulfilled: 0, ordered_quantity: 5, nonce: 'so-1' };
  await launch(station, 'SO-1');
  expect(await told()).toEqual([{ order_state: 'launched', state: 'in_progress', ...order, picker: 'API key' }]);
  await station.post(orderPath('SO-1', 'launch/'), {});
  await station.patch(orderPath('SO-1'), { priority: 2 });
  await station.patch(orderPath('SO-1'), { priority: 2 });
  expect(await told()).toEqual([{ order_state: 'changed', state: 'in_progress', ...order, picker: 'API key' }]);
  await station.post(orderPath('SO-1', 'abort/'));
  await station.post(orderPath('SO-1', 'abort/'));
  expect(await told()).toEqual([{ order_state: 'aborted', state: 'aborted', ...order, picker: 'API key' }]);
  await station.request('DELETE', orderPath('SO-1'));
  expect(await told()).toEqual([{ order_state: 'removed', state: 'aborted', ...order, picker: 'API key' }]);
});

test('an order that a file ends or marks, or that somebody continues, sends one callback each time, with the reason', async () => {
  const importFile = (rows: string) => station.post('/api/imports/', { csv: `order,sku,qty,location,status\n${rows}` });
  await importFile(`SO-1,M8,2,,open\nSO-2,M8,3,${ONE},open\n`);
  await launch(station, 'SO-2');
  await told();
  await importFile(`SO-1,M8,2,,canceled\nSO-2,M8,3,${ONE},canceled\n`);
  const reason = 'An imported file says that it is canceled.';
  const marked = { order_state: 'changed', state: 'in_progress', order: 'SO-2' };
  expect(await told()).toMatchObject([
    { order_state: 'aborted', state: 'aborted', order: 'SO-1', reason, picker: 'API key' },
    { ...marked, reason: 'An imported file says that it or a part of it is canceled.', picker: 'API key' },
  ]);
  await station.patch(orderPath('SO-2'), { continue: true });
  await station.patch(orderPath('SO-2'), { continue: true });
  const continued = await told();
  expect(continued).toMatchObject([marked]);
  expect(continued[0]).not.toHaveProperty('reason');
});

test('a fulfilled order and its removal send none, a launch for a person names the person, and a pause does not count as one', async () => {
  await addOrder(station, 'SO-1', [anItem()]);
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'Anna' });
  expect(await told()).toMatchObject([{ order_state: 'launched', order: 'SO-1', picker: 'Anna' }]);
  await station.post(orderPath('SO-1', 'pause/'), { picker: 'Anna' });
  await station.post(orderPath('SO-1', 'join/'), { picker: 'Anna' });
  await press(station, ONE);
  await station.request('DELETE', orderPath('SO-1'));
  expect(await told()).toEqual([]);
});

test('an acknowledgment of 0, a reason that follows, a new opening, a correction and a dismissed line are reported', async () => {
  await addOrder(station, 'SO-1', [anItem({ name: 'Nut', SKU: 'N-1', ordered_quantity: 3, callback_nonce: 'line-1' })]);
  await launch(station, 'SO-1');
  await told();
  const [command] = (await station.device(ONE)).commands;
  await station.post(`/api/device/${ONE}/acknowledge/`, { command_id: command?.command_id, qty: 0 });
  const [order] = await station.get<{ shipments: { shipment_number: string }[] }[]>('/api/orders/');
  const line = {
    order: 'SO-1',
    shipment: order?.shipments[0]?.shipment_number,
    item: 'Nut',
    SKU: 'N-1',
    ordered_quantity: 3,
    nonce: 'line-1',
  };
  const empty = { ...line, order_state: 'item_short', state: 'short', quantity_fulfilled: 0 };
  expect(await told()).toEqual([empty]);
  await short({ reason: 'missing' });
  expect(await told()).toEqual([{ ...empty, reason: 'missing' }]);
  await station.post(orderPath('SO-1', `items/${await firstItem()}/reopen/`), {});
  expect(await told()).toMatchObject([{ ...line, order_state: 'item_reopened', state: 'open', quantity_fulfilled: 0 }]);
  await short({ reason: 'damaged', quantity_fulfilled: 1 });
  expect(await told()).toEqual([{ ...empty, reason: 'damaged', quantity_fulfilled: 1 }]);
  await correct(station, 'SO-1', await firstItem(), { quantity_fulfilled: 3 });
  expect(await told()).toEqual([{ ...line, order_state: 'item_reopened', state: 'done', quantity_fulfilled: 3 }]);
  await addOrder(station, 'SO-2', [anItem(), { name: 'Cap', ordered_quantity: 2 }]);
  await launch(station, 'SO-2');
  await told();
  const cap = (await itemsOf(station, 'SO-2'))[1]?.id ?? 0;
  await station.post(orderPath('SO-2', `items/${cap}/dismiss/`), { reason: 'discontinued' });
  expect(await told()).toMatchObject([
    { order_state: 'item_dismissed', state: 'cancelled', order: 'SO-2', item: 'Cap', reason: 'discontinued' },
  ]);
});

test('a batch that ends is reported, and its orders name it', async () => {
  await addCart(station);
  await addTies(station, 'S-1', 2);
  await addBatch(station, ['S-1']);
  await act(station, 'launch/', { picker: 'Anna' });
  expect(await told()).toMatchObject([{ order_state: 'launched', order: 'S-1', batch: 1 }]);
  await act(station, 'abort/');
  expect(await told()).toEqual([{ order_state: 'batch_done', state: 'done', picker: 'API key', batch: 1 }]);
});

test('further receivers and the broker get the family, which is off by default', async () => {
  const other = await startReceiver();
  const broker = await startBroker();
  const { callback_families: given } = await station.patch<{ callback_families: Record<string, boolean> }>(
    '/api/settings/',
    { callback_families: { order_state: false } },
  );
  expect(given['order_state']).toBe(false);
  await station.post('/api/callback-receivers/', { name: 'A', url: other.url, families: { order_state: true } });
  await addOrder(station, 'SO-1', [anItem()]);
  await launch(station, 'SO-1');
  expect(await told()).toEqual([]);
  expect(other.payloads()).toMatchObject([{ order_state: 'launched' }]);
  await station.patch('/api/settings/', { mqtt_url: broker.url, callback_families: { order_state: true } });
  await station.post(orderPath('SO-1', 'abort/'));
  const { mqtt_station: id } = await station.get<{ mqtt_station: string }>('/api/settings/');
  const sent = () => broker.at(`pickstation/${id}/callbacks/order_state`);
  await expect
    .poll(
      async () => {
        await station.clock.advance(600);
        return sent().length;
      },
      { interval: 2 },
    )
    .toBe(1);
  expect(JSON.parse(sent()[0] ?? '')).toMatchObject({ order_state: 'aborted', order: 'SO-1', picked: 0 });
  await other.stop();
  await broker.stop();
});
