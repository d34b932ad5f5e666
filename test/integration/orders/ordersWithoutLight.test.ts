import type { ShortReason } from '#shared/lib/orders/shortReasons.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Item, OrderProgress } from '#shared/api/order.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { NextOrder, WorkLine } from '#shared/api/picking.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
  getOrder,
  itemsOf,
  litDevices,
  ONE,
  orderPath,
  press,
  statesOf,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, sections 8 and 16: lines without a device.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 4, refreshMs: 0 });
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  }
  await station.patch('/api/settings/', { callback_url: receiver.url, ordernonce: 'o-{order}' });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const DARK = { ordered_quantity: 3, deviceid: undefined, warehouse_location: 'C-9' };

/** Creates an order with a line of 2 pieces at the first device, and a line of 3 pieces without a device. */
const addTwo = (number: string) => addOrder(station, number, [anItem(), anItem(DARK)]);

async function act(number: string, what: string, body?: object): Promise<Answer> {
  const answer = await station.request('POST', orderPath(number, `${what}/`), body);
  await station.clock.advance(3_000);
  return answer;
}

async function item(number: string, index = 1): Promise<Item> {
  const found = (await itemsOf(station, number))[index];
  if (found === undefined) throw new Error(`${number} has no item ${index}.`);
  return found;
}

const actOn = async (number: string, what: string, body?: object): Promise<Answer> =>
  act(number, `items/${(await item(number)).id}/${what}`, body);
const work = (query = ''): Promise<WorkLine[]> => station.get(`/api/work/${query}`);
const told = () => receiver.payloads().map(({ order_event: event, acknack }) => event ?? acknack);
const alerts = () => station.rows("SELECT id FROM alerts WHERE kind = 'order_attention' AND ended_at IS NULL");

test('a line without a device is work for its picker, and the order is incomplete until it is confirmed', async () => {
  await addTwo('SO-1');
  const launched = await act('SO-1', 'launch', { picker: 'Anna' });
  expect(launched).toMatchObject({ status: 200, body: { state: 'in_progress', unassigned: [], attention: [] } });
  expect(await work('?picker=anna&order=SO-1')).toMatchObject([
    { light: true, deviceid: ONE, quantity: 2 },
    {
      light: false,
      deviceid: null,
      command_id: null,
      location: 'C-9',
      quantity: 3,
      quantity_fulfilled: 0,
      order_number: 'SO-1',
      picker: 'Anna',
      color: 'blue',
    },
  ]);
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done active)');
  await expectCountsRight(station, 'SO-1');
  expect(told()).toEqual(['device_ack', 'item_added']);

  expect(await actOn('SO-1', 'confirm', { quantity: 2 })).toMatchObject({ status: 400, body: { code: 'invalid' } });
  const body = { key: 'tablet/1' };
  expect(await actOn('SO-1', 'confirm', body)).toMatchObject({ status: 200, body: { state: 'done', picker: 'Anna' } });
  expect(await actOn('SO-1', 'confirm', body)).toMatchObject({ status: 200, body: { quantity_fulfilled: 3 } });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  expect(told()).toEqual(['device_ack', 'item_added', 'item_added', 'order_fulfilled']);
  expect(receiver.payloads()[2]).toMatchObject({ device: '', deviceid: '', location: 'C-9', quantity: 3 });
  expect(await work()).toEqual([]);
  const history = await station.get<HistoryEntry[]>('/api/history/?kind=order_confirmed');
  expect(history).toMatchObject([{ qty: 3, location: 'C-9', deviceid: '', item: { before: 0 } }]);
  expect(await actOn('SO-1', 'confirm')).toMatchObject({ status: 409 });
});

test('confirming fewer pieces is a short with a reason; a lit line cannot be confirmed by hand', async () => {
  await addTwo('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  const lit = await item('SO-1', 0);
  const refused = await act('SO-1', `items/${lit.id}/confirm`);
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('is lit: press its light.') as string },
  });
  expect(await act('SO-1', `items/${lit.id}/dismiss`)).toMatchObject({ status: 409 });
  const [{ key: reason } = { key: '' }] = await station.get<ShortReason[]>('/api/short-reasons/');
  expect(await actOn('SO-1', 'confirm', { quantity: 1, reason: 'no such reason' })).toMatchObject({ status: 400 });
  expect(await actOn('SO-1', 'confirm', { quantity: 1, reason })).toMatchObject({
    status: 200,
    body: { state: 'short' },
  });
  expect(await station.get('/api/history/?kind=order_confirmed')).toMatchObject([{ reason, qty: 1 }]);
});

test('a line confirmed by a colleague in the same order counts for that colleague', async () => {
  await addOrder(station, 'SO-1', [anItem(DARK), anItem({ ...DARK, SKU: 'T-1' }), anItem(DARK), anItem(DARK)]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'join', { picker: 'Ben' });
  const pickers = async () => (await itemsOf(station, 'SO-1')).map(({ picker }) => picker);
  expect(await pickers()).toEqual(['Anna', 'Anna', 'Ben', 'Ben']);
  const ids = (await itemsOf(station, 'SO-1')).map(({ id }) => id);
  for (const index of [0, 2, 3]) await act('SO-1', `items/${ids[index]}/confirm`, { picker: ' ben' });
  const scan = { code: 'T-1', order_number: 'SO-1', picker: 'Ben', act: true, quantity: 3 };
  expect(await station.post('/api/scan/', scan)).toMatchObject({ result: 'acknowledged' });
  expect(await pickers()).toEqual(['Ben', 'Ben', 'Ben', 'Ben']);
  // The history records both names. A person who does not pick the order is not credited.
  await addOrder(station, 'SO-2', [anItem(DARK)]);
  await act('SO-2', 'launch', { picker: 'Anna' });
  await act('SO-2', `items/${(await item('SO-2', 0)).id}/confirm`, { picker: 'Cleo' });
  expect((await item('SO-2', 0)).picker).toBe('Anna');
  const rows = await station.get<HistoryEntry[]>('/api/history/?kind=order_confirmed');
  expect(rows.map(({ by, for: whom, item_id: id }) => [by, whom.trim(), id])).toEqual([
    ['API key', 'Cleo', (await item('SO-2', 0)).id],
    ...[ids[3], ids[2], ids[0]].map((id) => ['API key', 'ben', id]),
  ]);
});

test('launching an order without any light gets 409 without a picker, but is work for a picker', async () => {
  await addOrder(station, 'SO-1', [anItem(DARK), anItem({ ...DARK, warehouse_location: undefined })]);
  expect(await station.get<NextOrder>('/api/work/next/')).toMatchObject({
    order: { order_number: 'SO-1' },
    waiting: 1,
  });
  expect(await act('SO-1', 'launch')).toMatchObject({ status: 409 });
  expect(await statesOf(station, 'SO-1')).toBe('open: open(open open)');
  expect(await act('SO-1', 'launch', { picker: 'Anna' })).toMatchObject({
    status: 200,
    body: { state: 'in_progress' },
  });
  expect((await work()).map(({ location }) => location)).toEqual(['C-9', '']);
  await addOrder(station, 'SO-2', [anItem({ ordered_quantity: 0 })]);
  expect(await act('SO-2', 'launch', { picker: 'Ben' })).toMatchObject({ status: 409 });
});

test('pause, abort and handover work as for lit lines; when the last picker leaves, the line is unassigned again', async () => {
  await addTwo('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'pause', { picker: 'Anna' });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(open open)');
  expect(await work()).toEqual([]);
  expect(await actOn('SO-1', 'confirm')).toMatchObject({ status: 409 });
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'handover', { picker: 'Ben' });
  expect((await work('?picker=Ben')).map(({ light }) => light)).toEqual([true, false]);
  await press(station, ONE);
  // The only open line has no picker now, but leaving an order does not complete it.
  const left = await act('SO-1', 'leave', { picker: 'Ben' });
  expect(left.body).toMatchObject({ state: 'in_progress', pickers: [], attention: ['unassigned'] });
  expect(left.body).toMatchObject({ unassigned: [{ state: 'open', picker: null }] });
  expect(alerts()).toHaveLength(1);
  expect(await station.get('/api/work/next/')).toMatchObject({ order: { order_number: 'SO-1' } });
  await act('SO-1', 'join', { picker: 'Anna' });
  expect(await item('SO-1')).toMatchObject({ state: 'active', picker: 'Anna' });
  await act('SO-1', 'pause', { picker: 'Anna' });
  await act('SO-1', 'leave', { picker: 'Anna' });
  expect(await getOrder(station, 'SO-1')).toMatchObject({ attention: ['unassigned'] });
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-1', 'abort');
  expect(await statesOf(station, 'SO-1')).toBe('aborted: aborted(done cancelled)');
  expect(await work()).toEqual([]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  expect(await work()).toMatchObject([{ light: false }]);
  expect(told()).toEqual(['device_ack', 'item_added']);
  await expectCountsRight(station, 'SO-1');
});

test('once a device serves the place of a line, a launch lights the line', async () => {
  await addTwo('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'C-9' });
  expect(await act('SO-1', 'launch', { picker: 'Anna' })).toMatchObject({ status: 200 });
  expect(await work()).toMatchObject([{ light: true, deviceid: THREE_BUTTONS }, { light: true }]);
  await press(station, ONE);
  await press(station, THREE_BUTTONS);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
});

test('without a picker, a line without a device does not block its order, and is listed without an alert until it is handled', async () => {
  const numbers = ['SO-1', 'SO-2', 'SO-3', 'SO-4'];
  for (const number of numbers) {
    await addTwo(number);
    await act(number, 'launch');
    await press(station, ONE);
    expect(await statesOf(station, number)).toBe('fulfilled: fulfilled(done open)');
    expect(await getOrder(station, number)).toMatchObject({ attention: ['unassigned'] });
  }
  expect(alerts()).toEqual([]);
  const waiting = async () =>
    (await station.get<OrderProgress[]>('/api/order-progress/?attention=1')).map(({ order_number: number }) => number);
  expect(await waiting()).toEqual(numbers);
  receiver.requests.length = 0;
  expect(await actOn('SO-1', 'confirm')).toMatchObject({ body: { state: 'done' } });
  expect(await actOn('SO-2', 'dismiss', { reason: 'from the supplier' })).toMatchObject({
    body: { state: 'cancelled' },
  });
  const [{ key: reason } = { key: '' }] = await station.get<ShortReason[]>('/api/short-reasons/');
  expect(await actOn('SO-3', 'short', { reason })).toMatchObject({ body: { state: 'short' } });
  expect(await waiting()).toEqual(['SO-4']);
  await station.clock.advance(1_000);
  expect(told()).toEqual(['item_added']);
  expect(await act('SO-2', 'launch', { picker: 'Anna' })).toMatchObject({ status: 409 });

  // Once a line has a place, a launch works as usual and the completion is reported again.
  expect(await act('SO-4', 'launch')).toMatchObject({ status: 409 });
  expect(await statesOf(station, 'SO-4')).toBe('fulfilled: fulfilled(done open)');
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'C-9' });
  expect(await act('SO-4', 'launch')).toMatchObject({ status: 200, body: { state: 'in_progress' } });
  await press(station, THREE_BUTTONS);
  expect(told()).toEqual(['item_added', 'device_ack', 'item_added', 'order_fulfilled']);
});

test('a scan that counts pieces of a line without a light returns its place', async () => {
  await addTwo('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  const scan = { code: 'C-9', act: true, picker: 'Anna' };
  expect(await station.post('/api/scan/', { ...scan, quantity: 1 })).toMatchObject({ result: 'counted' });
  expect(await station.post('/api/scan/', { ...scan, quantity: 2 })).toMatchObject({ location: 'C-9' });
  await station.clock.advance(1_000);
  expect(receiver.payloads()).toMatchObject([
    { order_event: 'item_added', deviceid: '', location: 'C-9', quantity: 1 },
    { order_event: 'item_added', deviceid: '', location: 'C-9', quantity: 3 },
  ]);
});

test('a dismissed item does not hold up its order, and a launch skips it', async () => {
  await addTwo('SO-1');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await actOn('SO-1', 'dismiss', { key: 'd' });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active cancelled)');
  await act('SO-1', 'abort');
  await station.post(`/api/device/${THREE_BUTTONS}/`, { locationoverride: 'C-9' });
  await act('SO-1', 'launch', { picker: 'Anna' });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active cancelled)');
  expect(await litDevices(station)).toEqual([ONE]);
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done cancelled)');
  expect(await getOrder(station, 'SO-1')).toMatchObject({ attention: [] });
  expect(await station.get('/api/history/?kind=order_dismissed')).toMatchObject([{ by: 'API key', qty: 0 }]);
});

test('an order with only lines without a light can stall too', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 0 }), anItem(DARK)]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await station.clock.advance(15 * 60_000);
  expect(await getOrder(station, 'SO-1')).toMatchObject({ attention: ['stalled'] });
  await actOn('SO-1', 'confirm');
  expect(alerts()).toEqual([]);
});
