import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Item } from '#shared/api/order.ts';
import type { Station } from '#shared/api/station.ts';
import {
  addOrder,
  anItem,
  correct,
  itemsOf,
  launch,
  ONE,
  orderPath,
  press,
  THREE_BUTTONS,
} from '../../helpers/orders.ts';
import { startReceiver, type Received, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ORDER = 'SO-1';

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

const eventOf = ({ headers }: Received) => ({
  revision: Number(headers['pickstation-revision']),
  time: headers['pickstation-time'],
  picked: Number(headers['pickstation-picked']),
});

/** Returns the event, total and added quantity of each callback. */
const booked = (): unknown[] =>
  receiver.requests.map((request) => {
    const { order_event, quantity } = JSON.parse(request.body) as { order_event?: string; quantity?: number };
    return [order_event, quantity, eventOf(request).picked];
  });

/** Sums the added quantities per item, counting a repeated webhook id only once. */
function sums(): Map<string, number> {
  const seen = new Set<unknown>();
  const totals = new Map<string, number>();
  for (const request of receiver.requests) {
    const { headers, body } = request;
    if (seen.has(headers['webhook-id'])) continue;
    seen.add(headers['webhook-id']);
    const { nonce } = JSON.parse(body) as { nonce: string };
    totals.set(nonce, (totals.get(nonce) ?? 0) + eventOf(request).picked);
  }
  return totals;
}

async function idOf(index = 0): Promise<number> {
  const item = (await itemsOf(station, ORDER))[index];
  return item?.id ?? 0;
}

const act = (id: number, what: string, body: object): Promise<Item> =>
  station.post<Item>(orderPath(ORDER, `items/${id}/${what}/`), body);

test('the callback of a press contains the revision, time and added quantity, and the quantity in its device_ack is 0', async () => {
  await addOrder(station, ORDER, [anItem()]);
  await launch(station, ORDER);
  const pressedAt = station.clock.now();
  await station.press(ONE);
  await station.clock.advance(0);
  expect(booked()).toEqual([
    ['device_ack', 2, 0],
    ['item_added', 2, 2],
  ]);
  const { revision } = await station.get<Station>('/api/station/');
  for (const request of receiver.requests) {
    const { revision: mine, time } = eventOf(request);
    expect(mine).toBe(revision);
    expect(Math.abs(Date.parse(time as string) - pressedAt)).toBeLessThan(1_000);
  }
});

test('the revision increases with each event, even after a restart', async () => {
  for (let count = 0; count < 3; count += 1) {
    await station.press(ONE, 'front', 'long');
    await station.clock.advance(1_000);
  }
  await station.restart();
  await station.clock.advance(5_000);
  await station.press(ONE, 'front', 'long');
  await receiver.received(4);
  const revisions = receiver.requests.map((request) => eventOf(request).revision);
  expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
  expect(booked()).toEqual(Array.from({ length: 4 }, () => [undefined, undefined, 0]));
});

test('callbacks about counts, short lines, undo and corrections contain only the quantity of that change', async () => {
  await addOrder(station, ORDER, [anItem({ ordered_quantity: 5, deviceid: THREE_BUTTONS, callback_nonce: 'a' })]);
  await launch(station, ORDER);
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS, 'minus');
  await press(station, THREE_BUTTONS);
  const id = await idOf();
  await act(id, 'reopen', { quantity_fulfilled: 1 });
  await correct(station, ORDER, id, { quantity_fulfilled: 4 });
  await station.clock.advance(3_000);
  await press(station, THREE_BUTTONS);
  await correct(station, ORDER, id, { quantity_fulfilled: 2 });
  await station.clock.advance(0);
  expect(booked()).toEqual([
    ['device_ack', 3, 0],
    ['item_added', 3, 3],
    ['item_removed', 1, -2],
    ['item_added', 4, 3],
    ['device_ack', 5, 0],
    ['item_added', 5, 1],
    ['item_removed', 2, -3],
  ]);
  const [item] = await itemsOf(station, ORDER);
  expect(sums()).toEqual(new Map([['a', item?.quantity_fulfilled]]));
});

test('changes in one commit have separate quantities', async () => {
  await addOrder(station, ORDER, [anItem({ ordered_quantity: 9, callback_nonce: 'a' })]);
  await launch(station, ORDER);
  const id = await idOf();
  const answers = await Promise.all([2, 5, 1].map((to) => correct(station, ORDER, id, { quantity_fulfilled: to })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await receiver.received(3);
  const [item] = await itemsOf(station, ORDER);
  expect(sums()).toEqual(new Map([['a', item?.quantity_fulfilled]]));
});

test('a retry, a replay and an attempt after a restart repeat the event headers of the first attempt', async () => {
  receiver.reply(500);
  await addOrder(station, ORDER, [anItem()]);
  await launch(station, ORDER);
  await press(station, ONE);
  await correct(station, ORDER, await idOf(), { quantity_fulfilled: 1 });
  await station.clock.advance(60_000);
  await station.restart();
  await station.clock.advance(200_000);
  receiver.reply(200);
  await station.clock.advance(3_600_000);
  const [, delivery] = await station.get<{ id: string }[]>('/api/callbacks/');
  await station.post(`/api/callbacks/${delivery?.id}/replay/`);
  await station.clock.advance(1_000);
  const said = Map.groupBy(receiver.requests, ({ headers }) => headers['webhook-id']);
  expect(said.size).toBe(3);
  for (const attempts of said.values()) {
    expect(attempts.length).toBeGreaterThan(2);
    for (const attempt of attempts) expect(eventOf(attempt)).toEqual(eventOf(attempts[0] as Received));
  }
  expect([...sums().values()]).toEqual([1]);
});

test('the callback of a late press has the time of the press', async () => {
  await station.post(`/api/device/${ONE}/`, { line1: 'x', nonce: 'late', seconds: 0 });
  await addOrder(station, ORDER, [anItem({ deviceid: THREE_BUTTONS })]);
  await launch(station, ORDER);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  const pressedAt = station.clock.now();
  for (const device of [ONE, THREE_BUTTONS])
    await station.request('POST', `/api/simulator/devices/${device}/press/`, { button: 'front' });
  await station.clock.advance(40_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(10_000);
  expect(receiver.payloads().map(({ acknack, order_event }) => acknack ?? order_event)).toEqual([
    'ack',
    'device_ack',
    'item_added',
  ]);
  for (const request of receiver.requests) {
    const { time } = eventOf(request);
    expect(Math.abs(Date.parse(time as string) - pressedAt)).toBeLessThan(2_000);
  }
});

test('the test callback has the event headers, with a quantity of 0', async () => {
  await station.post('/api/callbacks/test/');
  const [sample] = receiver.requests.map(eventOf);
  const { revision } = await station.get<Station>('/api/station/');
  expect(sample).toMatchObject({ revision, picked: 0, time: expect.stringMatching(/Z$/) as string });
});

test("additional headers cannot replace the station's own headers", async () => {
  for (const name of ['Host', 'webhook-id', 'Webhook-Timestamp', 'pickstation-picked', 'Pickstation-Anything']) {
    const answer = await station.request('PATCH', '/api/settings/', { callback_headers: { [name]: '7' } });
    expect(answer, name).toMatchObject({ status: 400 });
  }
});
