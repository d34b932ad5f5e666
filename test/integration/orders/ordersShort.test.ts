import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Item, ItemWithPlaces, ShortResult } from '#shared/api/order.ts';
import {
  addOrder,
  anItem,
  correct,
  expectCountsRight,
  getOrder,
  itemsOf,
  launch,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
  THIRD,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 16: closing an item with the quantity found, and reopening it.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const told = () => receiver.payloads().map(({ order_event: event, quantity }) => [event, quantity]);

async function act(what: 'short' | 'reopen', number: string, index: number, body: object): Promise<Answer> {
  const id = (await itemsOf(station, number))[index]?.id ?? 0;
  const answer = await station.request('POST', orderPath(number, `items/${id}/${what}/`), body);
  await station.clock.advance(3_000);
  return answer;
}

const missing = { reason: 'missing' };

test('a short closes the item with the quantity found, turns its light off and completes the order, without a device_ack', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })], { ordernonce: 'done' });
  await launch(station, 'SO-1');
  const answer = await act('short', 'SO-1', 0, { quantity_fulfilled: 3, reason: 'damaged' });
  expect(answer).toMatchObject({ status: 200, body: { state: 'short', quantity_fulfilled: 3, elsewhere: [] } });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short)');
  expect(await litDevices(station)).toEqual([]);
  expect(told()).toEqual([
    ['item_added', 3],
    ['order_fulfilled', undefined],
  ]);
  const [row] = await station.get<object[]>('/api/history/?kind=order_short');
  expect(row).toMatchObject({
    qty: 3,
    reason: 'damaged',
    order_number: 'SO-1',
    item: { name: 'Cable tie', before: 0 },
  });
  await expectCountsRight(station, 'SO-1');
});

test('a short with 0 pieces does not send a callback, one with all pieces completes the item, and plus and minus set its quantity', async () => {
  await addOrder(station, 'SO-1', [
    anItem(),
    anItem({ deviceid: THIRD }),
    anItem({ deviceid: THREE_BUTTONS, ordered_quantity: 5 }),
  ]);
  await launch(station, 'SO-1');
  expect(await act('short', 'SO-1', 0, missing)).toMatchObject({ body: { state: 'short', quantity_fulfilled: 0 } });
  expect(told()).toEqual([]);
  expect(await act('short', 'SO-1', 1, { ...missing, quantity_fulfilled: 2 })).toMatchObject({
    body: { state: 'done' },
  });
  await press(station, THREE_BUTTONS, 'minus');
  expect(await act('short', 'SO-1', 2, missing)).toMatchObject({ body: { state: 'short', quantity_fulfilled: 4 } });
  expect(told()).toEqual([
    ['item_added', 2],
    ['item_added', 4],
  ]);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short done short)');
});

test('refuses a short without a known reason, for a closed item or below the picked quantity, and changes nothing', async () => {
  await addOrder(station, 'SO-1', [
    anItem({ ordered_quantity: 5, quantity_fulfilled: 2 }),
    anItem({ deviceid: THIRD }),
  ]);
  await launch(station, 'SO-1');
  expect(await act('short', 'SO-1', 0, { reason: 'bored' })).toMatchObject({
    status: 400,
    body: {
      errors: [{ path: '/reason', message: 'The reason has to be one of missing, damaged, wrong_item, other.' }],
    },
  });
  expect(await act('short', 'SO-1', 0, {})).toMatchObject({ status: 400, body: { errors: [{ path: '/reason' }] } });
  expect(await act('short', 'SO-1', 0, { ...missing, quantity_fulfilled: 1 })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/quantity_fulfilled' }] },
  });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active active)');
  await press(station, THIRD);
  expect(await act('short', 'SO-1', 1, missing)).toMatchObject({ status: 409 });
  expect((await station.request('POST', orderPath('SO-1', 'items/999/short/'), missing)).status).toBe(404);
  await station.patch('/api/settings/', { short_reasons: ['lost', { key: 'other', text: 'Something else' }] });
  const reasons = [{ key: 'lost' }, { key: 'other', text: 'Something else' }, { key: 'missing' }];
  const all = [...reasons, { key: 'damaged' }, { key: 'wrong_item' }];
  expect(await station.get('/api/short-reasons/')).toEqual(all);
  expect(await station.get('/api/settings/')).toMatchObject({ short_reasons: all });
  for (const wrong of [['lost', { key: 'lost' }], [{ text: 'No key' }], []]) {
    const { status } = await station.request('PATCH', '/api/settings/', { short_reasons: wrong });
    expect(status, JSON.stringify(wrong)).toBe(400);
  }
  expect(await act('short', 'SO-1', 0, { reason: 'lost' })).toMatchObject({ status: 200 });
});

test('a repeated key closes the item once and gets the first answer again, even after a restart', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  const body = { ...missing, quantity_fulfilled: 3, key: 'tablet-1/7' };
  const first = await act('short', 'SO-1', 0, body);
  await act('reopen', 'SO-1', 0, {});
  expect(await act('short', 'SO-1', 0, body)).toMatchObject({ status: 200, body: first.body as object });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  await station.restart();
  expect(await act('short', 'SO-1', 0, body)).toMatchObject({ status: 200, body: first.body as object });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  await act('short', 'SO-1', 0, { ...body, key: 'tablet-1/8' });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short)');
});

test('an acknowledgement with a repeated key counts once', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 }), anItem({ ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  const [item] = await itemsOf(station, 'SO-1');
  const body = { command_id: item?.command_id, qty: 4, key: 'a' };
  for (const _ of [1, 2]) {
    expect(await station.request('POST', `/api/device/${ONE}/acknowledge/`, body)).toMatchObject({
      status: 200,
      body: { qty: 4 },
    });
  }
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(short active)');
});

test('reopening an item sets the given quantity, reopens its order and lights the rest', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5, quantity_fulfilled: 1 })]);
  await launch(station, 'SO-1');
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  const reopened = await act('reopen', 'SO-1', 0, { quantity_fulfilled: 1 });
  expect(reopened).toMatchObject({
    status: 200,
    body: { state: 'active', quantity_fulfilled: 1, quantity_remaining: 4 },
  });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  expect(told().slice(-1)).toEqual([['item_removed', 1]]);
  expect((await station.device(ONE)).commands).toMatchObject([{ quantity: 4 }]);
  expect(await act('reopen', 'SO-1', 0, {})).toMatchObject({ status: 409 });
  await press(station, ONE);
  expect(await act('reopen', 'SO-1', 0, { quantity_fulfilled: 5 })).toMatchObject({ status: 400 });
  // Reopening removes the pieces that the press counted; the earlier piece stays.
  expect(await act('reopen', 'SO-1', 0, {})).toMatchObject({ body: { quantity_fulfilled: 1 } });
  await expectCountsRight(station, 'SO-1');
});

test('a short offers other devices with the SKU as label or alias, and moves the rest there', async () => {
  await station.post(`/api/device/${THIRD}/`, { locationoverride: 'CT-200' });
  await station.post('/api/location-aliases/', { name: 'ct-200', deviceid: THREE_BUTTONS, deviceIs: 'Above' });
  await addOrder(station, 'SO-1', [anItem({ SKU: 'CT-200', ordered_quantity: 5 })], { ordernonce: 'done' });
  await launch(station, 'SO-1');
  const answer = await act('short', 'SO-1', 0, { ...missing, quantity_fulfilled: 2, elsewhere: THIRD });
  expect((answer.body as ShortResult).elsewhere.map(({ deviceid }) => deviceid)).toEqual([THREE_BUTTONS]);
  expect(answer).toMatchObject({ status: 200, body: { state: 'active', quantity_fulfilled: 2, deviceid: THIRD } });
  expect(await litDevices(station)).toEqual([THIRD]);
  expect((await station.device(THIRD)).commands).toMatchObject([{ quantity: 3 }]);
  expect(told()).toEqual([['item_added', 2]]);
  await press(station, THIRD);
  expect((await getOrder(station, 'SO-1')).state).toBe('fulfilled');
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({
    state: 'done',
    quantity_fulfilled: 5,
  } satisfies Partial<Item>);
});

test('refuses a move to an unknown device, and changes nothing', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  expect(await act('short', 'SO-1', 0, { ...missing, elsewhere: '51D000:0000FF' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/elsewhere' }] },
  });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
});

test('a short with the full quantity is done, and does not move anything', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  const body = { ...missing, quantity_fulfilled: 5, elsewhere: THIRD };
  expect(await act('short', 'SO-1', 0, body)).toMatchObject({ body: { state: 'done', quantity_fulfilled: 5 } });
  expect(await litDevices(station)).toEqual([]);
});

test('a short without a quantity uses the quantity counted on the page', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  const [command] = (await station.device(ONE)).commands;
  await station.post(`/api/device/${ONE}/adjust/`, { command_id: command?.command_id, quantity: 2 });
  await station.clock.advance(3_000);
  expect(await act('short', 'SO-1', 0, missing)).toMatchObject({ body: { state: 'short', quantity_fulfilled: 2 } });
});

test('a short without a quantity after a correction uses the corrected quantity', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  const [item] = await itemsOf(station, 'SO-1');
  await correct(station, 'SO-1', item?.id ?? 0, { quantity_fulfilled: 1 });
  expect(await act('short', 'SO-1', 0, missing)).toMatchObject({ body: { state: 'short', quantity_fulfilled: 1 } });
  expect(told()).toEqual([['item_added', 1]]);
});

test('the moved rest is lit immediately in the order that it reopens, unless its picker is paused', async () => {
  await station.post('/api/users/', { username: 'Anna', password: 'long enough', role: 'picker' });
  const nowhere = { deviceid: undefined, warehouse_location: 'nowhere' };
  await addOrder(station, 'SO-1', [anItem(), anItem(nowhere)]);
  await launch(station, 'SO-1');
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done open)');
  expect(await act('short', 'SO-1', 1, { ...missing, elsewhere: THIRD })).toMatchObject({ body: { state: 'active' } });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done active)');
  await addOrder(station, 'SO-2', [anItem()]);
  for (const what of ['launch', 'pause']) await station.post(orderPath('SO-2', `${what}/`), { picker: 'Anna' });
  expect(await act('short', 'SO-2', 0, { ...missing, elsewhere: THREE_BUTTONS })).toMatchObject({
    body: { state: 'open' },
  });
  expect(await litDevices(station)).toEqual([THIRD]);
  await station.post(orderPath('SO-2', 'launch/'), { picker: 'Anna' });
  expect((await itemsOf(station, 'SO-2'))[0]).toMatchObject({ state: 'active', deviceid: THREE_BUTTONS });
});

test('an item without a device that was closed as short can be reopened, and is lit once its place is known', async () => {
  await addOrder(station, 'SO-1', [anItem(), { name: 'Fuse', SKU: 'F-10', ordered_quantity: 2 }]);
  await launch(station, 'SO-1');
  await act('short', 'SO-1', 1, { reason: 'missing' });
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done short)');
  await act('reopen', 'SO-1', 1, {});
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done open)');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ attention: ['unassigned'] });
  await station.post(`/api/device/${THIRD}/`, { locationoverride: 'F-10' });
  await launch(station, 'SO-1');
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done active)');
});

test('an item names the other places of its article before it is closed as short', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await station.post(`/api/device/${THIRD}/`, { locationoverride: 'A-3' });
  await station.post('/api/articles/', { sku: 'CT-200', places: [{ location: 'A-1' }, { location: 'A-3' }] });
  await addOrder(station, 'SO-1', [{ SKU: 'ct-200', ordered_quantity: 5 }]);
  const [item] = (await launch(station, 'SO-1')).items ?? [];
  const path = orderPath('SO-1', `items/${item?.id}/`);
  expect(await station.get<ItemWithPlaces>(path)).toMatchObject({
    id: item?.id,
    state: 'active',
    deviceid: ONE,
    elsewhere: [{ deviceid: THIRD, location: 'A-3' }],
  });
  expect(await station.request('GET', orderPath('SO-1', 'items/999999/'))).toMatchObject({ status: 404 });
});
