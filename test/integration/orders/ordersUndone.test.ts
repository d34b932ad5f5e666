import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Item, ShortResult } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import {
  addOrder,
  anItem,
  expectCountsRight,
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

// Contract, section 16: an undo is not a launch, and the reason for a short can be given after its press.
let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  for (const username of ['Anna', 'Ben']) {
    await station.post('/api/users/', { username, password: 'long enough', role: 'picker' });
  }
  await station.patch('/api/settings/', { callback_url: receiver.url, ordernonce: 'o', shipmentnonce: 's' });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

const told = () => receiver.payloads().map(({ order_event: event }) => event);

async function act(number: string, what: string, body: object = {}): Promise<Answer> {
  const answer = await station.request('POST', orderPath(number, `${what}/`), body);
  await station.clock.advance(3_000);
  return answer;
}

async function item(number: string, index = 0): Promise<Item> {
  const found = (await itemsOf(station, number))[index];
  if (found === undefined) throw new Error(`${number} has no item ${index}.`);
  return found;
}

const actOn = async (number: string, index: number, what: string, body?: object): Promise<Answer> =>
  act(number, `items/${(await item(number, index)).id}/${what}`, body);

test('an undone line is lit again, and the completion of the order is reported only once per launch', async () => {
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, ONE);
  await press(station, THREE_BUTTONS);
  const complete = ['shipment_fulfilled', 'order_fulfilled'];
  expect(told().slice(-2)).toEqual(complete);
  receiver.requests.length = 0;

  expect(await actOn('SO-1', 1, 'reopen')).toMatchObject({ status: 200, body: { state: 'active', picker: 'Anna' } });
  expect((await station.device(THREE_BUTTONS)).commands).toMatchObject([{ quantity: 2, color: 'blue' }]);
  // A launch that ends a pause does not count as a new launch either.
  await act('SO-1', 'pause', { picker: 'Anna' });
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, THREE_BUTTONS);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  expect(told()).toEqual(['item_removed', 'device_ack', 'item_added']);
  await expectCountsRight(station, 'SO-1');

  await actOn('SO-1', 0, 'reopen');
  await act('SO-1', 'abort');
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, ONE);
  expect(told().slice(-2)).toEqual(complete);
});

test('an undone line is lit on its previous device, even if its place has another device now, but stays dark while the order is paused or aborted', async () => {
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  const place = { deviceid: undefined, warehouse_location: 'A-1' };
  await addOrder(station, 'SO-1', [anItem(place), anItem({ deviceid: THREE_BUTTONS })]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, ONE);
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'B-1' });
  await station.post(`/api/device/${THIRD}/`, { locationoverride: 'A-1' });
  await actOn('SO-1', 0, 'reopen');
  expect(await litDevices(station)).toEqual([ONE, THREE_BUTTONS]);
  await press(station, ONE);
  await act('SO-1', 'pause', { picker: 'Anna' });
  expect(await actOn('SO-1', 0, 'reopen')).toMatchObject({ body: { state: 'open' } });
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, THREE_BUTTONS);
  await act('SO-1', 'abort');
  expect(await actOn('SO-1', 1, 'reopen')).toMatchObject({ body: { state: 'open' } });
  expect(await litDevices(station)).toEqual([]);
});

test('undoing an item clears its last confirmation, and undoing a short keeps the quantity found', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 }), anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  await station.patch(orderPath('SO-1', `items/${(await item('SO-1')).id}/`), { quantity_fulfilled: 2 });
  await station.clock.advance(3_000);
  await press(station, ONE);
  expect(await actOn('SO-1', 0, 'reopen')).toMatchObject({ body: { state: 'active', quantity_fulfilled: 2 } });
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  expect(await actOn('SO-1', 1, 'reopen')).toMatchObject({ body: { state: 'active', quantity_fulfilled: 1 } });
});

test('a correction of a quantity that has changed since it was seen is refused and changes nothing', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
  await launch(station, 'SO-1');
  await press(station, ONE);
  const path = orderPath('SO-1', `items/${(await item('SO-1')).id}/`);
  const refused = await station.request('PATCH', path, { quantity_fulfilled: 3, seen: 0 });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'outdated' }]);
  expect(await item('SO-1')).toMatchObject({ state: 'done', quantity_fulfilled: 5 });
  expect(await station.patch(path, { quantity_fulfilled: 3, seen: 5 })).toMatchObject({ quantity_fulfilled: 3 });
});

test('a launch that ends the pause of an undone line does not report the completion again', async () => {
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await press(station, ONE);
  await press(station, THREE_BUTTONS);
  await actOn('SO-1', 0, 'reopen');
  for (const body of [{}, { picker: 'Anna' }]) {
    await act('SO-1', 'pause', { picker: 'Anna' });
    await act('SO-1', 'launch', body);
    expect(await litDevices(station)).toEqual([ONE]);
  }
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  expect(told().filter((event) => event === 'order_fulfilled')).toHaveLength(1);
});

test('undoing a pick of too many pieces reopens the item, and an item with quantity 0 cannot be reopened', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 }), anItem({ ordered_quantity: 0 })]);
  await launch(station, 'SO-1');
  const { id } = await item('SO-1');
  for (const quantity_fulfilled of [7, 8])
    await station.patch(orderPath('SO-1', `items/${id}/`), { quantity_fulfilled });
  // Undoing only the last correction (one piece) would leave 7 of 5, which is still complete.
  expect(await actOn('SO-1', 0, 'reopen')).toMatchObject({ body: { state: 'active', quantity_fulfilled: 0 } });
  expect(await actOn('SO-1', 1, 'reopen')).toMatchObject({ status: 409 });
});

test('"It was mine" is refused if the other line has ended, and nothing is undone', async () => {
  await addOrder(station, 'SO-1', [anItem(), anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  await press(station, ONE);
  await press(station, THREE_BUTTONS);
  expect(await actOn('SO-1', 0, 'reopen', { instead: (await item('SO-1', 1)).id })).toMatchObject({
    status: 409,
    body: { detail: 'Both are booked. Nothing was changed.' },
  });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
});

test('"It was mine" for a line of an order that was aborted meanwhile says what to do with the pieces', async () => {
  await addOrder(station, 'SO-1', [anItem()]);
  await addOrder(station, 'SO-2', [anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  await launch(station, 'SO-2');
  await press(station, ONE);
  const { id, name } = await item('SO-2', 0);
  await station.post(orderPath('SO-2', 'abort/'));
  expect(await actOn('SO-1', 0, 'reopen', { instead: id })).toMatchObject({
    status: 409,
    body: { detail: `Order SO-2 no longer needs ${name}: put back what you took. Nothing was changed.` },
  });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
});

test('"It was mine" books the rest of the other line, not the quantity of the booked one', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 })]);
  await addOrder(station, 'SO-2', [anItem({ ordered_quantity: 4 }), anItem({ deviceid: THREE_BUTTONS })]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-2', 'launch', { picker: 'Ben' });
  await press(station, ONE);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  receiver.requests.length = 0;
  const other = (await item('SO-2')).id;
  expect(await actOn('SO-1', 0, 'reopen', { instead: 99 })).toMatchObject({ status: 400 });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  const body = { instead: other, key: 'mine' };
  expect(await actOn('SO-1', 0, 'reopen', body)).toMatchObject({ body: { state: 'active', quantity_fulfilled: 0 } });
  await actOn('SO-1', 0, 'reopen', body);
  expect(await item('SO-2')).toMatchObject({ state: 'done', quantity_fulfilled: 4, picker: 'Ben' });
  expect((await station.device(ONE)).commands).toMatchObject([{ order_number: 'SO-1', quantity: 3 }]);
  expect(receiver.payloads()).toMatchObject([
    { order_event: 'item_removed', order: 'SO-1' },
    { order_event: 'item_added', order: 'SO-2', deviceid: ONE },
  ]);
});

test.each([
  [2, { state: 'short', quantity_fulfilled: 2 }],
  [4, { state: 'done', quantity_fulfilled: 4 }],
  [0, { state: 'short', quantity_fulfilled: 0 }],
])('"It was mine" books %i pieces if the person says so', async (pieces, expected) => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 })]);
  await addOrder(station, 'SO-2', [anItem({ ordered_quantity: 4 })]);
  await launch(station, 'SO-1');
  await launch(station, 'SO-2');
  await press(station, ONE);
  await actOn('SO-1', 0, 'reopen', { instead: (await item('SO-2')).id, instead_quantity: pieces });
  expect(await item('SO-1')).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
  expect(await item('SO-2')).toMatchObject(expected);
});

test.each([
  ['fewer', 2, 5, { state: 'short', quantity_fulfilled: 2 }, ['item_removed', 'item_added']],
  ['none', 0, 5, { state: 'short', quantity_fulfilled: 0 }, ['item_removed']],
  ['more than requested', 7, 5, { state: 'done', quantity_fulfilled: 7 }, ['item_removed', 'item_added']],
])(
  'a number replaces what a press of the same line booked, in one step: %s',
  async (_, pieces, seen, expected, events) => {
    await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5 })]);
    await act('SO-1', 'launch', { picker: 'Anna' });
    await press(station, ONE);
    receiver.requests.length = 0;
    const { id } = await item('SO-1');
    const body = { instead: id, instead_quantity: pieces, seen, key: 'typed' };
    expect(await actOn('SO-1', 0, 'reopen', body)).toMatchObject({ status: 200, body: expected });
    await actOn('SO-1', 0, 'reopen', body);
    expect(await item('SO-1')).toMatchObject(expected);
    expect(told()).toEqual(events);
    expect([await litDevices(station), (await station.get<{ state: string }>(orderPath('SO-1'))).state]).toEqual([
      [],
      'fulfilled',
    ]);
    await expectCountsRight(station, 'SO-1');
    const [figures] = await station.get<unknown[]>(
      '/api/history/people/?from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z',
    );
    expect(figures).toMatchObject({ picker: 'Anna', lines: 1, units: pieces, shorts: pieces < 5 ? 1 : 0 });
    // Undo takes back all of it.
    expect(await actOn('SO-1', 0, 'reopen', { press: true })).toMatchObject({ body: { quantity_fulfilled: 0 } });
  },
);

test('an item as its own `instead` needs its number, and nothing changes without it', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 5, deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  expect(await actOn('SO-1', 0, 'reopen', { instead: (await item('SO-1')).id })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/instead_quantity' }] },
  });
  expect(await item('SO-1')).toMatchObject({ state: 'short', quantity_fulfilled: 4 });
});

test.each<[string, (id: number) => Promise<unknown>]>([
  [
    'a press without pieces',
    async () => {
      for (let pieces = 3; pieces > 0; pieces -= 1) await press(station, THREE_BUTTONS, 'minus');
      await press(station, THREE_BUTTONS);
    },
  ],
  [
    'a short without pieces',
    (id) => station.post(orderPath('SO-1', `items/${id}/short/`), { quantity_fulfilled: 2, reason: 'other' }),
  ],
  [
    'no pieces instead of those of a press',
    async (id) => {
      await press(station, THREE_BUTTONS);
      await actOn('SO-1', 0, 'reopen', { instead: id, instead_quantity: 0 });
    },
  ],
])('a number after %s replaces nothing that was counted before', async (_, close) => {
  await station.post('/api/articles/', { sku: 'X', name: 'Bolt' });
  await addOrder(station, 'SO-1', [anItem({ SKU: 'X', ordered_quantity: 5, deviceid: THREE_BUTTONS })]);
  await act('SO-1', 'launch', { picker: 'admin' });
  const { id } = await item('SO-1');
  await station.post('/api/scan/', { code: 'X', order_number: 'SO-1', act: true, quantity: 2 });
  await station.clock.advance(3_000);
  await close(id);
  expect(await item('SO-1')).toMatchObject({ state: 'short', quantity_fulfilled: 2 });
  // A reason that is given afterwards books nothing either.
  await actOn('SO-1', 0, 'short', { reason: 'other' });
  expect(await actOn('SO-1', 0, 'reopen', { instead: id, instead_quantity: 3 })).toMatchObject({
    body: { state: 'done', quantity_fulfilled: 5 },
  });
  await actOn('SO-1', 0, 'reopen', { instead: id, instead_quantity: 1 });
  await actOn('SO-1', 0, 'short', { reason: 'other' });
  expect(await actOn('SO-1', 0, 'reopen', { press: true })).toMatchObject({ body: { quantity_fulfilled: 2 } });
});

test('"It was mine" returns what the press booked, even if the press found too few', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3, deviceid: THREE_BUTTONS })]);
  await addOrder(station, 'SO-2', [anItem({ ordered_quantity: 4 })]);
  await launch(station, 'SO-1');
  await launch(station, 'SO-2');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  expect(await item('SO-1')).toMatchObject({ state: 'short', quantity_fulfilled: 2 });
  // What the press booked is on disk.
  await station.restart();
  await actOn('SO-1', 0, 'reopen', { instead: (await item('SO-2')).id });
  expect(await item('SO-1')).toMatchObject({ state: 'active', quantity_fulfilled: 0 });
  expect(await item('SO-2')).toMatchObject({ state: 'done', quantity_fulfilled: 4 });
});

test('a line that is opened again waits unlit if its picker has started another order', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3 })]);
  await addOrder(station, 'SO-2', [anItem({ ordered_quantity: 4 })]);
  await addOrder(station, 'SO-3', [anItem({ deviceid: THREE_BUTTONS })]);
  await act('SO-1', 'launch', { picker: 'Anna' });
  await act('SO-2', 'launch', { picker: 'Ben' });
  await press(station, ONE);
  await act('SO-3', 'launch', { picker: 'Anna' });
  await actOn('SO-1', 0, 'reopen', { instead: (await item('SO-2')).id });
  expect(await item('SO-1')).toMatchObject({ state: 'open', quantity_fulfilled: 0, picker: 'Anna' });
  expect((await station.device(ONE)).commands).toEqual([]);
  expect(await station.get('/api/work/next/?picker=Anna')).toMatchObject({ order: { order_number: 'SO-1' } });
  expect(await statesOf(station, 'SO-3')).toBe('in_progress: in_progress(active)');
});

test('a reason for missing pieces can be given after the press, without a callback', async () => {
  await addOrder(station, 'SO-1', [anItem({ ordered_quantity: 3, deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  expect(await item('SO-1')).toMatchObject({ state: 'short', quantity_fulfilled: 2 });
  receiver.requests.length = 0;
  expect(await actOn('SO-1', 0, 'short', { reason: 'missing' })).toMatchObject({
    status: 200,
    body: { state: 'short', quantity_fulfilled: 2 },
  });
  expect(await actOn('SO-1', 0, 'short', { reason: 'missing', quantity_fulfilled: 1 })).toMatchObject({ status: 409 });
  expect(told()).toEqual([]);
  expect(await station.get('/api/history/?kind=order_short')).toMatchObject([{ reason: 'missing', qty: 2 }]);
});

test('the answer to an acknowledgement of fewer pieces than requested lists places for the rest', async () => {
  await station.post('/api/location-aliases/', { name: 'CT-1', deviceid: THIRD, deviceIs: 'Below' });
  await addOrder(station, 'SO-1', [anItem({ SKU: 'CT-1' }), anItem({ SKU: 'CT-1', deviceid: THREE_BUTTONS })]);
  await launch(station, 'SO-1');
  const [first, second] = await station.get<WorkLine[]>('/api/work/');
  const acknowledge = (line: WorkLine | undefined, qty: number) =>
    station.post<Pick<ShortResult, 'elsewhere'>>(`/api/device/${line?.deviceid}/acknowledge/`, {
      command_id: line?.command_id,
      qty,
    });
  expect((await acknowledge(first, 1)).elsewhere).toEqual([{ deviceid: THIRD, location: 'CT-1' }]);
  expect((await acknowledge(second, 2)).elsewhere).toEqual([]);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short done)');
});
