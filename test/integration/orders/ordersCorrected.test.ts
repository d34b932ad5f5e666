import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addOrder,
  anItem,
  correct,
  expectCountsRight,
  itemsOf,
  launch,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 8: correcting the quantity of an item.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const told = () =>
  station
    .rows<{ payload: string }>('SELECT payload FROM outbox ORDER BY id')
    .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
const firstId = async (number: string): Promise<number> => (await itemsOf(station, number))[0]?.id ?? 0;
/** Corrects the first item of the order and returns the answer. */
const set = async (number: string, quantity_fulfilled: number, reason?: string) =>
  (await correct(station, number, await firstId(number), { quantity_fulfilled, reason })).body;

test('a correction to the full quantity turns the light off and completes the item, shipment and order', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  const items = [anItem(), anItem({ name: 'behind' })];
  await addOrder(station, 'full', items, { ordernonce: 'o' });
  await launch(station, 'full');
  expect(await set('full', 2)).toMatchObject({ state: 'done', quantity_fulfilled: 2, quantity_remaining: 0 });
  expect((await station.device(ONE)).commands).toMatchObject([{ line1: 'behind' }]);
  expect(told()).toMatchObject([
    { order_event: 'item_added', quantity: 2, location: 'A-1', device: ONE, deviceid: ONE },
  ]);
  const [, second] = await itemsOf(station, 'full');
  await correct(station, 'full', second?.id ?? 0, { quantity_fulfilled: 7 });
  expect(await litDevices(station)).toEqual([]);
  expect(await statesOf(station, 'full')).toBe('fulfilled: fulfilled(done done)');
  expect(told().slice(1)).toMatchObject([
    { order_event: 'item_added', quantity_fulfilled: 7, quantity_remaining: 0 },
    { order_event: 'order_fulfilled', nonce: 'o' },
  ]);
  await expectCountsRight(station, 'full');
});

test('a correction of a lit item updates the quantity on the display, and a press counts the new quantity', async () => {
  await addOrder(station, 'follow', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 9 })]);
  await launch(station, 'follow');
  const before = await itemsOf(station, 'follow');
  const corrected = await set('follow', 4);
  expect(corrected).toMatchObject({ state: 'active', quantity_fulfilled: 4, quantity_remaining: 5 });
  expect(corrected).not.toMatchObject({ command_id: before[0]?.command_id });
  await station.clock.advance(3_000);
  expect((await station.device(THREE_BUTTONS)).commands).toMatchObject([{ quantity: 5, state: 'shown' }]);
  await press(station, THREE_BUTTONS);
  expect(await itemsOf(station, 'follow')).toMatchObject([{ state: 'done', quantity_fulfilled: 9 }]);
});

test('a correction reports the alias that lit the item, or else the label of its device', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post('/api/location-aliases/', { name: 'A-1-left', deviceid: ONE, deviceIs: 'to the Right of' });
  await addOrder(station, 'alias', [anItem({ deviceid: undefined, warehouse_location: 'A-1-left' })]);
  await launch(station, 'alias');
  await set('alias', 1);
  expect(told().at(-1)).toMatchObject({ order_event: 'item_added', location: 'A-1-left', deviceid: ONE });
  await press(station, ONE);
  await set('alias', 1);
  expect(told().at(-1)).toMatchObject({ order_event: 'item_removed', location: 'A-1', deviceid: ONE });
});

test('a correction updates an item that waits in the queue without changing its position', async () => {
  await station.post(`/api/device/${ONE}/`, { line1: 'first' });
  await addOrder(station, 'behind', [anItem({ ordered_quantity: 3 })]);
  await launch(station, 'behind');
  await station.post(`/api/device/${ONE}/`, { line1: 'last' });
  await set('behind', 1);
  const { commands } = await station.device(ONE);
  expect(commands.map(({ line1, quantity }) => [line1, quantity])).toEqual([
    ['first', null],
    ['Cable tie', 2],
    ['last', null],
  ]);
});

test('a downward correction reports item_removed and reopens the item, and a launch lights the rest', async () => {
  await addOrder(station, 'down', [anItem({ ordered_quantity: 3 })]);
  await launch(station, 'down');
  await press(station, ONE);
  expect(await statesOf(station, 'down')).toBe('fulfilled: fulfilled(done)');
  expect(await set('down', 1, 'damaged')).toMatchObject({ state: 'open', quantity_remaining: 2 });
  expect(told().at(-1)).toMatchObject({
    order_event: 'item_removed',
    quantity: 1,
    quantity_remaining: 2,
    deviceid: ONE,
  });
  expect(await statesOf(station, 'down')).toBe('in_progress: in_progress(open)');
  expect(await station.get(orderPath('down'))).toMatchObject({ fulfilled_time: null });
  await launch(station, 'down');
  expect((await station.device(ONE)).commands).toMatchObject([{ quantity: 2 }]);
  await expectCountsRight(station, 'down');
});

test('a correction can leave a short item short, complete it, or reopen it', async () => {
  await addOrder(station, 'short', [anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 3 }), anItem()], {
    seconds: 0,
  });
  await launch(station, 'short');
  for (const button of ['minus', 'minus', 'front'] as const) await press(station, THREE_BUTTONS, button);
  expect(await set('short', 2)).toMatchObject({ state: 'short' });
  expect(await set('short', 3)).toMatchObject({ state: 'done' });
  expect(await set('short', 1)).toMatchObject({ state: 'open' });
  await expectCountsRight(station, 'short');
});

test('corrections complete and reopen an order that has never been launched', async () => {
  await addOrder(station, 'by hand', [anItem({ deviceid: null })], { ordernonce: 'o' });
  await set('by hand', 2);
  expect(await statesOf(station, 'by hand')).toBe('fulfilled: fulfilled(done)');
  expect(told()).toMatchObject([
    { order_event: 'item_added', deviceid: '', location: '' },
    { order_event: 'order_fulfilled' },
  ]);
  await set('by hand', 1);
  expect(await statesOf(station, 'by hand')).toBe('open: open(open)');
});

test('a correction does not light an aborted order, and fulfills it when nothing is missing', async () => {
  await addOrder(station, 'aborted', [anItem({ ordered_quantity: 3 })]);
  await launch(station, 'aborted');
  await station.post(orderPath('aborted', 'abort/'));
  await set('aborted', 1);
  expect(await statesOf(station, 'aborted')).toBe('aborted: aborted(cancelled)');
  await set('aborted', 3);
  expect(await statesOf(station, 'aborted')).toBe('fulfilled: fulfilled(done)');
  expect(await litDevices(station)).toEqual([]);
});

test('records the reason and author of a correction in the history, but not in callbacks', async () => {
  await addOrder(station, 'why', [anItem({ SKU: 'CT' })]);
  await set('why', 1, 'damaged');
  const [entry] = await station.get<object[]>('/api/history/?kind=order_corrected');
  expect(entry).toMatchObject({
    order_number: 'why',
    deviceid: ONE,
    qty: 1,
    reason: 'damaged',
    by: 'API key',
    item: { id: await firstId('why'), name: 'Cable tie', before: 0 },
  });
  expect(JSON.stringify(told())).not.toContain('damaged');
});

test('a correction to the same quantity changes nothing, sends no callback and is not recorded in the history', async () => {
  await addOrder(station, 'same', [anItem({ quantity_fulfilled: 1 })]);
  const before = station.rows('SELECT * FROM items');
  expect(await set('same', 1, 'counted again')).toMatchObject({ quantity_fulfilled: 1 });
  expect(station.rows('SELECT * FROM items')).toEqual(before);
  expect([...told(), ...station.rows('SELECT id FROM history')]).toEqual([]);
});

test('refuses an unknown order, an unknown item and a quantity out of range', async () => {
  await addOrder(station, 'A', [anItem()]);
  await addOrder(station, 'B', [anItem()]);
  const id = await firstId('A');
  expect(await correct(station, 'none', id, { quantity_fulfilled: 1 })).toMatchObject({ status: 404 });
  expect(await correct(station, 'B', id, { quantity_fulfilled: 1 })).toMatchObject({
    status: 404,
    body: { detail: 'The line is not in order B. GET /api/orders/{order_number}/ says the id of each.' },
  });
  for (const quantity_fulfilled of [-1, 2.5, '2.5', 'two', null, 1_000_000_001]) {
    expect(await correct(station, 'A', id, { quantity_fulfilled })).toMatchObject({
      status: 400,
      body: { code: 'invalid' },
    });
  }
  expect(await correct(station, 'A', id, { quantity_fulfilled: '2' })).toMatchObject({ status: 200 });
  expect(await correct(station, 'A', 9_999, { quantity_fulfilled: 1 })).toMatchObject({ status: 404 });
  expect(await station.request('PATCH', orderPath('A', 'items/x/'), { quantity_fulfilled: 1 })).toMatchObject({
    status: 400,
  });
});

test('a correction made on the page is recorded with the name of the user', async () => {
  await station.post('/api/users/', { username: 'Paula', password: 'harbour street', role: 'control' });
  await addOrder(station, 'window', [anItem()]);
  const session = await openSession(station, { username: 'Paula', password: 'harbour street' });
  const path = orderPath('window', `items/${await firstId('window')}/`);
  const answer = await station.request('PATCH', path, JSON.stringify({ quantity_fulfilled: 1 }), {
    ...session.write,
    'content-type': 'application/json',
  });
  expect(answer).toMatchObject({ status: 200, body: { quantity_fulfilled: 1 } });
  expect(await station.get('/api/history/')).toMatchObject([{ kind: 'order_corrected', by: 'Paula' }]);
});
