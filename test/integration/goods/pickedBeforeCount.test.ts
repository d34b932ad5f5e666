import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Task } from '#shared/api/task.ts';
import { addArticle, movedOf, movementsOf, placeOf, postOne } from '../../helpers/articles.ts';
import { addOrder, anItem, itemsOf, launch, ONE, orderPath, press } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 20: a pick that was made before a count but arrives after it lowers nothing.
const TWO = '51D000:000002';
const MINUTE_MS = 60_000;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await addArticle(station, 'X', [{ location: 'A-1', on_hand: 10, minimum: 1 }, { location: 'Q-1' }]);
  await station.clock.advance(MINUTE_MS);
});
afterEach(() => station.stop());

const now = (): string => new Date(station.clock.now()).toISOString();
/** Returns the movements after the initial count. */
const moved = async (): Promise<unknown[]> => (await movedOf(station)).slice(1);
const count = (pieces: number, location = 'A-1') => postOne(station, { sku: 'X', location, count: pieces });

/** Launches an order with one line of 3 pieces. Returns the id of the line. */
async function order(number: string, item: object = {}): Promise<number> {
  await addOrder(station, number, [anItem({ SKU: 'X', ordered_quantity: 3, ...item })]);
  await station.post(orderPath(number, 'launch/'), { picker: 'admin' });
  await station.clock.advance(5_000);
  return (await itemsOf(station, number))[0]?.id ?? 0;
}

async function acknowledge(body: object): Promise<void> {
  const [command] = (await station.device(ONE)).commands;
  await station.post(`/api/device/${ONE}/acknowledge/`, { command_id: command?.command_id, qty: 3, ...body });
}

test('a press that its turbo held until after the count is booked and taken back in one commit', async () => {
  await launch(station, (await order('SO-1'), 'SO-1'));
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.press(ONE);
  await station.clock.advance(MINUTE_MS);
  await count(1);
  const { revision } = await station.get<{ revision: number }>('/api/station/');
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(5_000);
  expect(await moved()).toEqual([
    ['count', 'A-1', -9, 1],
    ['pick', 'A-1', -3, -2],
    ['adjust', 'A-1', 3, 1],
  ]);
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 3, state: 'done' });
  expect((await movementsOf(station)).at(-1)).toMatchObject({ order: 'SO-1', reason: 'picked before the count' });
  const commits = station
    .rows<{ facts: string }>('SELECT facts FROM commits WHERE revision > ?', revision)
    .filter(({ facts }) => facts.includes('"type":"movement"'));
  expect(commits).toHaveLength(1);
});

test.each<[string, object, (id: number, confirmed_at: string) => Promise<unknown>]>([
  ['an acknowledgement', {}, (_, confirmed_at) => acknowledge({ confirmed_at, seen: 0 })],
  [
    'a scan of the place',
    {},
    (_, confirmed_at) => station.post('/api/scan/', { code: 'A-1', order_number: 'SO-1', act: true, confirmed_at }),
  ],
  [
    'a scan that counts pieces',
    {},
    (_, confirmed_at) =>
      station.post('/api/scan/', { code: 'X', order_number: 'SO-1', act: true, quantity: 3, confirmed_at }),
  ],
  [
    'a short',
    { ordered_quantity: 4 },
    (id, confirmed_at) =>
      station.post(orderPath('SO-1', `items/${id}/short/`), { quantity_fulfilled: 3, reason: 'other', confirmed_at }),
  ],
])('%s that was made before the count lowers nothing, and opens no task', async (_, item, confirm) => {
  const id = await order('SO-1', item);
  const confirmed_at = now();
  await station.clock.advance(MINUTE_MS);
  await count(2);
  await confirm(id, confirmed_at);
  await station.clock.advance(3_000);
  expect((await moved()).slice(1, 3)).toEqual([
    ['pick', 'A-1', -3, -1],
    ['adjust', 'A-1', 3, 2],
  ]);
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 2 });
  expect(await station.get<Task[]>('/api/tasks/?state=open')).toEqual([]);
});

test('a line without a light that was confirmed before the count lowers nothing', async () => {
  const id = await order('SO-1', { deviceid: undefined, warehouse_location: 'Q-1' });
  const confirmed_at = now();
  await station.clock.advance(MINUTE_MS);
  await count(7, 'Q-1');
  await station.post(orderPath('SO-1', `items/${id}/confirm/`), { confirmed_at, picker: 'admin' });
  expect(await placeOf(station, 'X', 'Q-1')).toMatchObject({ on_hand: 7 });
});

// Other ways to book a pick.
test.each<[string, object, (id: number, confirmed_at: string) => Promise<unknown>]>([
  [
    'a correction by a program',
    {},
    (id, confirmed_at) => station.patch(orderPath('SO-1', `items/${id}/`), { quantity_fulfilled: 3, confirmed_at }),
  ],
  [
    'a late confirmation of a lit line',
    { ordered_quantity: 5 },
    (id, confirmed_at) =>
      station.post(orderPath('SO-1', `items/${id}/confirm/`), { quantity: 3, late: true, confirmed_at }),
  ],
  [
    'an order that follows a press for another line',
    {},
    async (id, confirmed_at) => {
      await addOrder(station, 'SO-2', [anItem({ name: 'Bolt', deviceid: TWO })]);
      await launch(station, 'SO-2');
      await press(station, TWO);
      const [bolt] = await itemsOf(station, 'SO-2');
      await station.post(orderPath('SO-2', `items/${bolt?.id}/reopen/`), { instead: id, confirmed_at });
    },
  ],
])('%s that was made before the count lowers nothing', async (_, item, confirm) => {
  const id = await order('SO-1', item);
  const confirmed_at = now();
  await station.clock.advance(MINUTE_MS);
  await count(2);
  await confirm(id, confirmed_at);
  await station.clock.advance(3_000);
  expect((await moved()).slice(1)).toEqual([
    ['pick', 'A-1', -3, -1],
    ['adjust', 'A-1', 3, 2],
  ]);
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 3 });
});

test('a late confirmation keeps its time, even after more than an hour', async () => {
  const id = await order('SO-1');
  const confirmed_at = now();
  await station.clock.advance(2 * 60 * MINUTE_MS);
  await count(2);
  const confirm = (body: object) =>
    station.request('POST', orderPath('SO-1', `items/${id}/confirm/`), { quantity: 3, confirmed_at, ...body });
  expect((await confirm({})).status).toBe(409);
  expect((await confirm({ late: true })).status).toBe(200);
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 2 });
});

test('a late short keeps its time, even after more than an hour', async () => {
  const id = await order('SO-1');
  const confirmed_at = now();
  await station.clock.advance(2 * 60 * MINUTE_MS);
  await count(2);
  const short = (body: object) =>
    station.request('POST', orderPath('SO-1', `items/${id}/short/`), {
      quantity_fulfilled: 1,
      reason: 'missing',
      confirmed_at,
      ...body,
    });
  expect(await short({})).toMatchObject({ status: 409, body: { code: 'outdated' } });
  expect((await short({ late: true })).status).toBe(200);
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 2 });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 1, state: 'short' });
});

test.each<[string, (id: number, confirmed_at: string) => Promise<unknown>]>([
  ['an undo', (id, confirmed_at) => station.post(orderPath('SO-1', `items/${id}/reopen/`), { confirmed_at })],
  [
    'a correction',
    (id, confirmed_at) => station.patch(orderPath('SO-1', `items/${id}/`), { quantity_fulfilled: 0, confirmed_at }),
  ],
  [
    'a correction because of damage',
    (id, confirmed_at) =>
      station.patch(orderPath('SO-1', `items/${id}/`), { quantity_fulfilled: 0, reason: 'damaged', confirmed_at }),
  ],
])('%s before the count returns pieces that the count has seen, and raises nothing', async (_, undo) => {
  const id = await order('SO-1');
  await press(station, ONE);
  const confirmed_at = now();
  await station.clock.advance(MINUTE_MS);
  await count(10);
  await undo(id, confirmed_at);
  await station.clock.advance(3_000);
  expect((await moved()).slice(2)).toEqual([
    ['pick', 'A-1', 3, 13],
    ['adjust', 'A-1', -3, 10],
  ]);
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 0 });
});

test('a number that replaces that of a press, both before the count, changes no stock', async () => {
  const id = await order('SO-1');
  await press(station, ONE);
  const confirmed_at = now();
  await station.clock.advance(MINUTE_MS);
  await count(8);
  await station.post(orderPath('SO-1', `items/${id}/reopen/`), { instead: id, instead_quantity: 2, confirmed_at });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 8 });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 2 });
});

test.each([
  ['fewer', 2],
  ['more', 5],
])('a number that replaces that of a press before the count changes no stock: %s', async (_, pieces) => {
  const id = await order('SO-1');
  await press(station, ONE);
  await station.clock.advance(MINUTE_MS);
  await count(8);
  await station.clock.advance(MINUTE_MS);
  for (const instead_quantity of [pieces, 1])
    await station.post(orderPath('SO-1', `items/${id}/reopen/`), {
      instead: id,
      instead_quantity,
      confirmed_at: now(),
    });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 8 });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 1 });
});

test('an exchanged press changes the stock of each place, except where a count has followed the press', async () => {
  const own = await order('SO-1', { deviceid: undefined, warehouse_location: 'Q-1' });
  await addOrder(station, 'SO-2', [anItem({ SKU: 'X', deviceid: ONE, ordered_quantity: 4 })]);
  await launch(station, 'SO-2');
  await count(7, 'Q-1');
  await press(station, ONE);
  await station.clock.advance(MINUTE_MS);
  await count(10);
  await station.clock.advance(MINUTE_MS);
  const [booked] = await itemsOf(station, 'SO-2');
  await station.post(orderPath('SO-2', `items/${booked?.id}/reopen/`), { instead: own });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 10 });
  expect(await placeOf(station, 'X', 'Q-1')).toMatchObject({ on_hand: 4 });
});

test('a press that its turbo held until after the count, and a number that replaces it, change no stock', async () => {
  const id = await order('SO-1');
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.press(ONE);
  await station.clock.advance(MINUTE_MS);
  await count(8);
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(5_000);
  await station.post(orderPath('SO-1', `items/${id}/reopen/`), { instead: id, instead_quantity: 2 });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 8 });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 2 });
});

test('a confirmation after the count lowers the stock, and one without a time counts as made now', async () => {
  await order('SO-1');
  await count(8);
  await station.clock.advance(MINUTE_MS);
  await acknowledge({ confirmed_at: now() });
  await station.clock.advance(3_000);
  await order('SO-2');
  await press(station, ONE);
  expect((await moved()).slice(1)).toEqual([
    ['pick', 'A-1', -3, 5],
    ['pick', 'A-1', -3, 2],
  ]);
});

test('pieces taken before the place was found empty lower nothing, and an older report does not empty it again', async () => {
  await order('SO-1');
  const confirmed_at = now();
  await station.clock.advance(MINUTE_MS);
  const other = await order('SO-2');
  await station.post(orderPath('SO-2', `items/${other}/short/`), { reason: 'missing' });
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'admin' });
  await station.clock.advance(5_000);
  const [line] = await itemsOf(station, 'SO-1');
  const shortOf = (body: object) => station.post(orderPath('SO-1', `items/${line?.id}/short/`), body);
  await shortOf({ quantity_fulfilled: 1, reason: 'other', confirmed_at });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 0 });
  await count(6);
  await shortOf({ reason: 'missing', confirmed_at });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 6 });
});

test('an uncounted place that was found empty stays empty', async () => {
  const first = await order('SO-1', { deviceid: undefined, warehouse_location: 'Q-1' });
  const confirmed_at = now();
  await station.clock.advance(MINUTE_MS);
  const second = await order('SO-2', { deviceid: undefined, warehouse_location: 'Q-1' });
  await station.post(orderPath('SO-2', `items/${second}/short/`), { reason: 'missing' });
  expect(await placeOf(station, 'X', 'Q-1')).toMatchObject({ on_hand: null, empty: true });
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'admin' });
  await station.clock.advance(5_000);
  await station.post(orderPath('SO-1', `items/${first}/confirm/`), { confirmed_at, picker: 'admin' });
  expect(await placeOf(station, 'X', 'Q-1')).toMatchObject({ on_hand: null, empty: true });
});

test('after the report of an empty place is undone, an older pick lowers the stock again', async () => {
  await order('SO-1');
  const confirmed_at = now();
  await station.clock.advance(MINUTE_MS);
  const other = await order('SO-2');
  await station.post(orderPath('SO-2', `items/${other}/short/`), { reason: 'missing' });
  await station.post(orderPath('SO-2', `items/${other}/reopen/`), {});
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 10 });
  await station.post(orderPath('SO-1', 'launch/'), { picker: 'admin' });
  await station.clock.advance(5_000);
  await acknowledge({ confirmed_at });
  expect(await placeOf(station, 'X', 'A-1')).toMatchObject({ on_hand: 7 });
});
