import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle, onHand, postOne } from '../../helpers/articles.ts';
import { act, addBatch, addCart, addTies, PLACE } from '../../helpers/batches.ts';
import { addOrder, itemsOf, orderPath, press } from '../../helpers/orders.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { addGoods, addWall, scan, sort } from '../../helpers/walls.ts';

// Contract, section 20: what was picked or returned before a count, but is booked after it, changes no stock at carts and walls either.
const MINUTE_MS = 60_000;
const LIT = 'A-1';
const DARK = 'Q-1';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await station.post(`/api/device/${PLACE}/`, { locationoverride: LIT });
  await addArticle(station, 'CT-200', [{ location: LIT, on_hand: 20 }]);
  await addArticle(station, 'M8', [{ location: DARK, on_hand: 20 }]);
  await station.clock.advance(MINUTE_MS);
});
afterEach(() => station.stop());

const now = (): string => new Date(station.clock.now()).toISOString();

/** Launches a cart whose two orders need 3 and 2 pieces at a light, and one order 4 at a place without a light. */
async function launchCart(): Promise<void> {
  await addCart(station);
  await addTies(station, 'SO-1', 3);
  await addTies(station, 'SO-2', 2);
  await addOrder(station, 'SO-3', [{ name: 'Bolt', SKU: 'M8', ordered_quantity: 4, warehouse_location: DARK }]);
  await addBatch(station, ['SO-1', 'SO-2', 'SO-3']);
  await act(station, 'launch/');
}

const idOf = async (order: string): Promise<number> => (await itemsOf(station, order))[0]?.id ?? 0;
async function fulfilled(...orders: string[]): Promise<number[]> {
  const pieces: number[] = [];
  for (const order of orders) pieces.push((await itemsOf(station, order))[0]?.quantity_fulfilled ?? 0);
  return pieces;
}
const pick = (acted_at: string, lines: object[], more: object = {}) =>
  act(station, 'acts/', { acts: [{ key: acted_at + JSON.stringify(lines), act: 'pick', acted_at, lines, ...more }] });

/** Counts both places a minute later. Returns the time before. */
async function countBoth(): Promise<string> {
  const before = now();
  await station.clock.advance(MINUTE_MS);
  await postOne(station, { sku: 'CT-200', location: LIT, count: 7 });
  await postOne(station, { sku: 'M8', location: DARK, count: 7 });
  return before;
}

const stock = async (): Promise<number[]> => [
  (await onHand(station, 'CT-200'))[LIT] ?? NaN,
  (await onHand(station, 'M8'))[DARK] ?? NaN,
];

test('a press of a cart that its turbo held until after the count lowers nothing', async () => {
  await launchCart();
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.press(PLACE);
  await countBoth();
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(5_000);
  expect([await fulfilled('SO-1', 'SO-2'), await stock()]).toEqual([
    [3, 2],
    [7, 7],
  ]);
});

test('acts and a confirmation in a cart before the count lower nothing', async () => {
  await launchCart();
  const before = await countBoth();
  // Fewer pieces than the light asks for, shared in another way than the station does.
  await pick(before, [
    { item_id: await idOf('SO-1'), quantity: 2, seen: 0 },
    { item_id: await idOf('SO-2'), quantity: 2, seen: 0 },
  ]);
  await station.post(orderPath('SO-3', `items/${await idOf('SO-3')}/confirm/`), { quantity: 4, confirmed_at: before });
  expect([await fulfilled('SO-1', 'SO-2', 'SO-3'), await stock()]).toEqual([
    [2, 2, 4],
    [7, 7],
  ]);
});

test.each<[string, (before: string) => Promise<unknown>]>([
  ['a scan', (confirmed_at) => station.post('/api/scan/', { code: LIT, batch: 1, act: true, confirmed_at })],
  [
    'an acknowledgement',
    async (confirmed_at) => {
      const [command] = (await station.device(PLACE)).commands;
      return station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: command?.command_id, confirmed_at });
    },
  ],
  [
    'a correction by a program',
    async (confirmed_at) => {
      const body = { quantity_fulfilled: 3, confirmed_at };
      await station.patch(orderPath('SO-1', `items/${await idOf('SO-1')}/`), body);
    },
  ],
])('%s at a cart before the count lowers nothing', async (_, book) => {
  await launchCart();
  const before = await countBoth();
  await book(before);
  await station.clock.advance(3_000);
  expect([(await fulfilled('SO-1'))[0], await stock()]).toEqual([3, [7, 7]]);
});

test('a short at a cart before the count lowers nothing, and does not empty the place', async () => {
  await launchCart();
  const before = await countBoth();
  await pick(before, [{ item_id: await idOf('SO-3'), quantity: 1, seen: 0 }], { reason: 'missing' });
  expect([await fulfilled('SO-3'), await stock()]).toEqual([[1], [7, 7]]);
});

test('a pick of a cart that a person checked keeps its time, even after more than an hour', async () => {
  await launchCart();
  const before = now();
  await station.clock.advance(2 * 60 * MINUTE_MS);
  await countBoth();
  const lines = [{ item_id: await idOf('SO-3'), quantity: 1, seen: 0 }];
  const acts = (more: object) => [{ key: JSON.stringify(more), act: 'pick', acted_at: before, lines, ...more }];
  const refused = await station.request('POST', '/api/batches/1/acts/', { acts: acts({ reason: 'missing' }) });
  expect(refused.body).toMatchObject({ outcomes: [{ result: 'refused', problem: { code: 'outdated' } }] });
  await act(station, 'acts/', { acts: acts({ reason: 'missing', late: true }) });
  expect([await fulfilled('SO-3'), await stock()]).toEqual([[1], [7, 7]]);
});

test('a press at a wall that was meant for other pieces is exchanged with its own time', async () => {
  for (const username of ['Anna', 'Ben'])
    await station.post('/api/users/', { username, password: 'Correct horse 7', role: 'picker' });
  await addWall(station);
  await addGoods(station, '10418', { M8: 2, 'CT-200': 3 });
  await sort(station, ['10418']);
  await scan(station, 'M8', { quantity: 2, picker: 'Anna' });
  await scan(station, 'CT-200', { quantity: 3, picker: 'Ben' });
  await press(station, '51D000:000003');
  const itemId = await idOf('10418');
  expect(await stock()).toEqual([20, 18]);
  // Both hands took their pieces before the count.
  await countBoth();
  await act(station, 'put/undo/', { slot: 'A1', item_id: itemId, instead: true, picker: 'Ben' });
  expect((await itemsOf(station, '10418')).map((item) => item.quantity_fulfilled)).toEqual([2, 3]);
  expect(await stock()).toEqual([7, 7]);
});

test('an undo at a cart before the count raises nothing', async () => {
  await launchCart();
  await press(station, PLACE);
  const before = await countBoth();
  await station.post(orderPath('SO-1', `items/${await idOf('SO-1')}/reopen/`), { press: true, confirmed_at: before });
  expect([await fulfilled('SO-1', 'SO-2'), await stock()]).toEqual([
    [0, 0],
    [7, 7],
  ]);
});

test('pieces that change their order after the count change no stock', async () => {
  await launchCart();
  const before = await countBoth();
  await pick(before, [
    { item_id: await idOf('SO-1'), quantity: 2, seen: 0 },
    { item_id: await idOf('SO-2'), quantity: 2, seen: 0 },
  ]);
  await act(station, 'shares/', {
    shares: [
      { item_id: await idOf('SO-1'), quantity: 3 },
      { item_id: await idOf('SO-2'), quantity: 1 },
    ],
  });
  expect([await fulfilled('SO-1', 'SO-2'), await stock()]).toEqual([
    [3, 1],
    [7, 7],
  ]);
});

test('a press at a wall that its turbo held until after the count lowers nothing', async () => {
  await addWall(station);
  await addGoods(station, '10418', { M8: 2 });
  await sort(station, ['10418']);
  await scan(station, 'M8', { quantity: 2 });
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
  await station.press('51D000:000003');
  await countBoth();
  await station.patch('/api/simulator/turbos/SIM-1/', { connected: true });
  await station.clock.advance(5_000);
  expect([await fulfilled('10418'), await stock()]).toEqual([[2], [7, 7]]);
});
