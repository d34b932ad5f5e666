import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BatchAct, BatchPieces } from '../../../renderer/src/station/outbox/actions.ts';
import {
  act,
  addBatch,
  addCart,
  addTies,
  handsOf,
  OTHER_PLACE,
  PLACE,
  SLOT_A1,
  slotsOf,
} from '../../helpers/batches.ts';
import { addOrder, itemsOf, press } from '../../helpers/orders.ts';
import { openPageOutbox, type PageOutbox } from '../../helpers/pageOutbox.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// What the page of a picker did at a cart while the station was away. Every entry ends by one touch, and says what the hands have to do.
let station: TestStation;
let page: PageOutbox;

beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
  page = await openPageOutbox(station, 'Anna');
});
afterEach(() => station.stop());

/** Loads orders for these quantities of one article at one place, for Anna. `place` has no light. */
async function load(quantities: readonly number[], place?: string): Promise<void> {
  for (const [index, quantity] of quantities.entries()) {
    const dark = { name: 'Cable tie', SKU: 'CT-200', ordered_quantity: quantity, warehouse_location: place };
    if (place === undefined) await addTies(station, `SO-${index + 1}`, quantity);
    else await addOrder(station, `SO-${index + 1}`, [dark]);
  }
  await addBatch(
    station,
    quantities.map((_, index) => `SO-${index + 1}`),
    { put_confirmation: 'each' },
  );
  await act(station, 'launch/', { picker: 'Anna' });
}

const piece = (index: number, quantity: number): BatchPieces => ({
  slot: `A${index}`,
  order_number: `SO-${index}`,
  item_id: index,
  quantity,
  quantity_fulfilled: 0,
});
const NO_LIGHT = { deviceid: null, command_id: null };
/** Pieces that a page shows as picked. */
const pickedPiece = (index: number, quantity: number): BatchPieces => ({
  ...piece(index, quantity),
  quantity_fulfilled: quantity,
});
const pickOf = (...quantities: number[]): BatchAct => ({
  does: 'pick',
  deviceid: null,
  command_id: null,
  quantity: quantities.reduce((sum, each) => sum + each, 0),
  shares: quantities.map((quantity, index) => piece(index + 1, quantity)),
});

let keys = 0;
function add(given: BatchAct): void {
  keys += 1;
  const about = { order_number: '', item_id: 0, place: 'A-1', batch: 1 };
  page.outbox.add({ kind: 'cart', key: `${given.does}${keys}`, ...about, act: given });
}
const refused = () => page.outbox.state().refused.map(({ action, remedy }) => ({ key: action.key, remedy }));
const remedies = () => expect.poll(() => refused().map(({ remedy }) => remedy), { timeout: 5_000 });
const booked = async (order: string) => (await itemsOf(station, order)).map(({ quantity_fulfilled: count }) => count);
/** The touch of Book, or of Try again. */
const touchBook = (reason?: string) => page.outbox.bookAnyway(refused()[0]?.key ?? '', reason);
/** The touch of Done. */
function touchDone(): void {
  for (const { key } of refused()) page.outbox.returned(key);
}

test('one touch at a place without a light for nine orders is one request and one commit, also if it waited', async () => {
  const nine = Array.from({ length: 9 }, () => 2);
  await station.request('PUT', '/api/carts/1/', { name: 'Cart 1', code: 'CART-1', rows: 3, columns: 3, slots: [] });
  await load(nine, 'Q-1-1');
  const last = () => Number(station.rows('SELECT MAX(revision) AS last FROM commits')[0]?.['last']);
  const shares = nine.map((quantity, index) => ({
    ...piece(index + 1, quantity),
    slot: `${'ABC'[Math.floor(index / 3)]}${(index % 3) + 1}`,
  }));
  await page.setAway(true);
  add({ ...pickOf(), does: 'pick', deviceid: null, command_id: null, quantity: 18, shares });
  expect(page.outbox.state()).toMatchObject({ waiting: 1 });
  const before = last();
  page.requests.length = 0;
  await page.setAway(false);
  expect(page.requests).toEqual(['POST /api/batches/1/acts/']);
  const changes = station.rows(`SELECT facts FROM commits WHERE revision > ${before} AND facts LIKE '%order.item%'`);
  expect(changes).toHaveLength(1);
  expect(await handsOf(station)).toEqual({ Anna: 18 });
});

test.each([
  ['with a light', undefined],
  ['without a light', 'Q-1-1'],
] as const)(
  'the undo of a sum of nine orders at a place %s is one request and one commit, also if it waited',
  async (_, place) => {
    const nine = Array.from({ length: 9 }, () => 2);
    await station.request('PUT', '/api/carts/1/', { name: 'Cart 1', code: 'CART-1', rows: 3, columns: 3, slots: [] });
    await load(nine, place);
    const last = () => Number(station.rows('SELECT MAX(revision) AS last FROM commits')[0]?.['last']);
    const changes = (since: number) =>
      station.rows(`SELECT facts FROM commits WHERE revision > ${since} AND facts LIKE '%order.item%'`);
    const pieces = nine.map((quantity, index) => pickedPiece(index + 1, quantity));
    for (const isAway of [false, true]) {
      add(pickOf(...nine));
      await page.outbox.settled();
      await station.clock.advance(3_000);
      expect(await handsOf(station)).toEqual({ Anna: 18 });
      if (isAway) await page.setAway(true);
      const before = last();
      page.requests.length = 0;
      add({ does: 'unpick', pieces, press: true });
      if (isAway) await page.setAway(false);
      await page.outbox.settled();
      expect(page.requests).toHaveLength(1);
      expect(changes(before)).toHaveLength(1);
      expect(await handsOf(station)).toEqual({});
    }
  },
);

test('of a sum that waited, the shares that are still open are booked, and only the others are asked about', async () => {
  await load([2, 3], 'Q-1-1');
  await page.setAway(true);
  add(pickOf(2, 3));
  await station.post('/api/orders/SO-2/abort/');
  await page.setAway(false);
  await remedies().toEqual([{ kind: 'putBack', quantity: 3 }]);
  expect([await booked('SO-1'), await booked('SO-2')]).toEqual([[2], [0]]);
  touchDone();
  await page.outbox.settled();
  expect(refused()).toEqual([]);
  expect(await station.get('/api/history/?kind=order_returned')).toMatchObject([{ order_number: 'SO-2', qty: 3 }]);
});

test('the Undo of a sum that is booked in part takes back that part', async () => {
  await load([2, 3], 'Q-1-1');
  await station.post('/api/orders/SO-2/abort/');
  const about = { kind: 'cart', order_number: '', item_id: 0, place: 'A-1', batch: 1 } as const;
  page.outbox.add({ ...about, key: 'pick', act: pickOf(2, 3) });
  const pieces = [pickedPiece(1, 2), pickedPiece(2, 3)];
  page.outbox.add({ ...about, key: 'undo', act: { does: 'unpick', pieces, press: true }, takesBack: 'pick' });
  await page.outbox.settled();
  expect(page.sent).toMatchObject([{ outcome: 'refused' }, { outcome: 'taken' }]);
  expect([await booked('SO-1'), refused()]).toEqual([[0], []]);
});

test('Book of fewer pieces than a share needs asks for the reason, which then is all that it takes', async () => {
  await load([4], 'Q-1-1');
  await page.setAway(true);
  // The page showed a smaller quantity, which was raised meanwhile.
  add(pickOf(3));
  await page.setAway(false);
  await remedies().toEqual([{ kind: 'open', asks: 'reason' }]);
  await touchBook('missing');
  expect([refused(), await booked('SO-1')]).toEqual([[], [3]]);
});

test('a put that waited ends by one touch: booked, already booked, or with what the hands have to do', async () => {
  await load([2, 3]);
  await press(station, '51D000:000001');
  await page.setAway(true);
  add({ does: 'put', pieces: [piece(1, 2), piece(2, 3)] });
  // The light at A1 books it first, and order 2 is stopped.
  await press(station, SLOT_A1);
  await station.post('/api/orders/SO-2/abort/');
  await page.setAway(false);
  await remedies().toEqual([
    { kind: 'hands', does: 'nothing' },
    { kind: 'hands', does: 'takeOut' },
  ]);
  expect(page.sent).toMatchObject([{ outcome: 'refused', hasWaited: true }]);
  expect(page.outbox.state().refused.map(({ action }) => action.kind === 'cart' && action.act)).toEqual([
    { does: 'put', pieces: [piece(1, 2)] },
    { does: 'put', pieces: [piece(2, 3)] },
  ]);
  touchDone();
  expect(refused()).toEqual([]);
});

test('an undo of a put and of a pick that waited end by one touch', async () => {
  await load([2, 3]);
  await press(station, '51D000:000001');
  await act(station, 'put/', { slot: 'A1', item_id: 1, quantity: 2, picker: 'Anna' });
  await page.setAway(true);
  // The person takes A1 out and brings A2 back, but SO-1 leaves the batch, and somebody puts A2.
  add({ does: 'takeOut', pieces: [piece(1, 2)] });
  add({ does: 'unpick', pieces: [pickedPiece(2, 3)] });
  await station.request('DELETE', '/api/batches/1/slots/A1/');
  await act(station, 'put/', { slot: 'A2', item_id: 2, quantity: 3, picker: 'Anna' });
  await page.setAway(false);
  await remedies().toEqual([
    { kind: 'hands', does: 'putIn' },
    { kind: 'hands', does: 'takeAgain' },
  ]);
  touchDone();
  expect([refused(), await slotsOf(station)]).toEqual([[], ['A1 stopped 2+0/2', 'A2 complete 3+0/3']]);
});

test('an action that the station refuses twice is not offered a third time', async () => {
  await load([2, 3]);
  await press(station, '51D000:000001');
  await page.setAway(true);
  add({ does: 'reassign', shares: [piece(1, 1), piece(2, 3)], reason: 'missing' });
  // Pieces can be reassigned only until the next confirmation.
  await act(station, 'put/', { slot: 'A2', item_id: 2, quantity: 3, picker: 'Anna' });
  await page.setAway(false);
  await remedies().toEqual([{ kind: 'open' }]);
  await touchBook();
  expect(refused()).toMatchObject([{ remedy: { kind: 'hands', does: 'nothing' } }]);
  touchDone();
  expect(refused()).toEqual([]);
});

test.each([
  ['fewer pieces, with a reason', [2, 1], 'missing', ['A1 open 0+2/2', 'A2 open 0+1/3']],
  ['as many pieces', [2, 3], undefined, ['A1 open 0+2/2', 'A2 open 0+3/3']],
] as const)('a press that booked the sum of two orders is booked again: %s', async (_, pieces, reason, slots) => {
  await load([2, 3]);
  await press(station, '51D000:000001');
  add({ does: 'unpick', pieces: [pickedPiece(1, 2), pickedPiece(2, 3)], press: true });
  add({ ...pickOf(...pieces), ...(reason === undefined ? {} : { reason }) });
  await expect.poll(() => page.sent.map(({ outcome }) => outcome), { timeout: 5_000 }).toEqual(['taken', 'taken']);
  expect([refused(), await slotsOf(station)]).toEqual([[], slots]);
});

test('a press that cannot be taken back is refused as one entry', async () => {
  await load([2, 3]);
  await press(station, '51D000:000001');
  await act(station, 'put/', { slot: 'A1', item_id: 1, quantity: 2, picker: 'Anna' });
  await act(station, 'put/', { slot: 'A2', item_id: 2, quantity: 3, picker: 'Anna' });
  add({ does: 'unpick', pieces: [pickedPiece(1, 2), pickedPiece(2, 3)], press: true });
  await expect.poll(() => page.sent, { timeout: 5_000 }).toMatchObject([{ outcome: 'refused', hasWaited: false }]);
  expect(page.outbox.state().refused.map(({ action }) => action.kind === 'cart' && action.act)).toEqual([
    { does: 'unpick', pieces: [pickedPiece(1, 2), pickedPiece(2, 3)], press: true },
  ]);
});

test('an undo that waited takes back the sum although its first order was aborted, and asks about an item that has changed since', async () => {
  await load([2, 3, 1]);
  await press(station, '51D000:000001');
  await page.setAway(true);
  add({ does: 'unpick', pieces: [pickedPiece(1, 2), pickedPiece(2, 3), pickedPiece(3, 1)], press: true });
  await station.post('/api/orders/SO-1/abort/');
  await page.setAway(false);
  expect([refused(), await booked('SO-2'), await booked('SO-3')]).toEqual([[], [0], [0]]);
  await station.clock.advance(3_000);
  await press(station, '51D000:000001');
  expect(await booked('SO-2')).toEqual([3]);
  // Somebody takes a piece back that the page still shows as picked.
  await page.setAway(true);
  add({ does: 'unpick', pieces: [pickedPiece(2, 3)] });
  await station.request('PATCH', `/api/orders/SO-2/items/2/`, { quantity_fulfilled: 2 });
  await page.setAway(false);
  await remedies().toEqual([{ kind: 'open' }]);
  expect(await booked('SO-2')).toEqual([2]);
});

test('the undo of a sum of which nothing was found opens all its orders again in one request', async () => {
  await load([2, 3]);
  add({ does: 'pick', ...NO_LIGHT, quantity: 0, shares: [piece(1, 0), piece(2, 0)], reason: 'missing' });
  await page.outbox.settled();
  expect(await station.get('/api/work/?batch=1')).toEqual([]);
  page.requests.length = 0;
  add({ does: 'unpick', pieces: [pickedPiece(1, 0), pickedPiece(2, 0)], press: true });
  await page.outbox.settled();
  expect([refused(), page.requests]).toEqual([[], ['POST /api/orders/SO-1/items/1/reopen/']]);
  expect(await station.get('/api/work/?batch=1')).toMatchObject([{ quantity: 5 }]);
});

test('an item in two slots is reopened once', async () => {
  await load([4]);
  await press(station, '51D000:000001');
  await act(station, 'put/', { slot: 'A1', item_id: 1, quantity: 1, picker: 'Anna' });
  await act(station, 'slots/A1/full/', undefined);
  await act(station, 'put/undo/', { slot: 'A1', item_id: 1, picker: 'Anna' });
  const pieces = [
    { ...pickedPiece(1, 1), quantity_fulfilled: 4 },
    { ...pickedPiece(1, 3), slot: 'A2', quantity_fulfilled: 4 },
  ];
  page.requests.length = 0;
  add({ does: 'unpick', pieces });
  await page.outbox.settled();
  expect([refused(), page.requests, await booked('SO-1')]).toEqual([
    [],
    ['POST /api/orders/SO-1/items/1/reopen/'],
    [0],
  ]);
});

test('a refused action without pieces is one entry, and does not block the next action', async () => {
  await load([2, 3]);
  add({ does: 'pick', deviceid: null, command_id: null, quantity: 0, shares: [] });
  add(pickOf(2, 3));
  await expect.poll(() => page.sent.map(({ outcome }) => outcome), { timeout: 5_000 }).toEqual(['refused', 'taken']);
  expect(refused()).toHaveLength(1);
});

test('"It was mine" at a slot puts as many pieces as the person has set, in one step', async () => {
  await station.post('/api/users/', { username: 'Carl', password: 'Correct horse 7', role: 'picker' });
  const items = [PLACE, OTHER_PLACE].map((deviceid, at) => ({
    name: `Part ${at}`,
    ordered_quantity: 2 + at,
    deviceid,
  }));
  await addOrder(station, 'SO-1', items);
  await addBatch(station, ['SO-1'], { put_confirmation: 'each' });
  await act(station, 'launch/', { picker: 'Carl' });
  await act(station, 'join/', { picker: 'Anna' });
  for (const place of [PLACE, OTHER_PLACE]) await press(station, place);
  const [first] = await itemsOf(station, 'SO-1');
  await press(station, SLOT_A1);
  add({ does: 'exchange', slot: 'A1', item_id: first?.id ?? 0, quantity: 1 });
  await expect.poll(() => page.sent.map(({ outcome }) => outcome), { timeout: 5_000 }).toEqual(['taken']);
  expect(await handsOf(station)).toEqual({ Anna: 2, Carl: 2 });
});

test('two touches of Book send a refused action once', async () => {
  await load([2, 3]);
  await press(station, '51D000:000001');
  await page.setAway(true);
  add({ does: 'reassign', shares: [piece(1, 1), piece(2, 3)], reason: 'missing' });
  await act(station, 'put/', { slot: 'A2', item_id: 2, quantity: 3, picker: 'Anna' });
  await page.setAway(false);
  await remedies().toEqual([{ kind: 'open' }]);
  const before = page.requests.length;
  await Promise.all([touchBook(), touchBook()]);
  expect(page.requests.slice(before).filter((request) => !request.startsWith('GET'))).toHaveLength(1);
});
