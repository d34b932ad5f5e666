import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { Task } from '#shared/api/task.ts';
import { addArticle, onHand } from '../../helpers/articles.ts';
import {
  act,
  getBatch,
  handsOf,
  OTHER_PLACE,
  PLACE,
  shownAt,
  SLOT_A1,
  SLOT_A2,
  slotsOf,
  tryTo,
} from '../../helpers/batches.ts';
import { itemsOf, litDevices, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';
import { addGoods, addWall, owed, said, scan, sort, startWithWall, waitingIn } from '../../helpers/walls.ts';

// Contract, section 21: bulk picking followed by sorting, walls with two people, restarts after a kill, and stopped orders.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startWithWall();
  await station.post('/api/carts/', {
    name: 'Cart 1',
    code: 'CART-1',
    rows: 1,
    columns: 1,
    slots: [{ slot: 'A1', code: 'C1-A1' }],
  });
  await addArticle(station, 'CT-200', [{ location: 'A-1-1', on_hand: 100 }]);
  await addArticle(station, 'SC-1', [{ location: 'A-2-1', on_hand: 100 }]);
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-1-1' });
  await station.post(`/api/device/${OTHER_PLACE}/`, { locationoverride: 'A-2-1' });
  for (const name of ['Anna', 'Ben'])
    await station.post('/api/users/', { username: name, password: 'Correct horse 7', role: 'picker' });
});
afterEach(() => station.stop());

/** Starts a bulk batch with two orders, for 2 and 3 pieces of one article and for 1 piece each of a second article. */
async function bulk(given: object = {}): Promise<void> {
  await addGoods(station, 'SO-1', { 'CT-200': 2, 'SC-1': 1 });
  await addGoods(station, 'SO-2', { 'CT-200': 3, 'SC-1': 1 });
  await sort(station, ['SO-1', 'SO-2'], { cart: 2, ...given });
}

test('a freed slot is not restored while the cart of its batch is in another batch', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await sort(station, ['SO-1'], { cart: 2 });
  await press(station, PLACE);
  await scan(station, 'CT-200', { quantity: 2 });
  await act(station, 'put/', { all: true });
  expect((await act(station, 'free/')).state).toBe('done');
  await addWall(station, { name: 'Wall 2', code: 'WALL-2', slots: [] });
  await addGoods(station, 'SO-2', { 'CT-200': 1 });
  await sort(station, ['SO-2'], { wall: 3, cart: 2 });
  const { status, body } = await tryTo(station, '1/slots/A1/free/undo/');
  expect([status, body]).toMatchObject([
    409,
    { detail: 'The cart has been loaded again since. Nothing was changed. GET /api/batches/2/ shows it.' },
  ]);
});

/** Starts a second station on a copy of the disk, as after a kill. */
async function afterKill(check: (again: TestStation) => Promise<void>): Promise<void> {
  const { updated_time: _, ...was } = await getBatch(station);
  const dataFolder = join(mkdtempSync(join(tmpdir(), 'pickstation-killed-')), 'data');
  cpSync(station.dataFolder, dataFolder, { recursive: true, filter: (path) => !path.includes('lock.sqlite') });
  const again = await startTestStation({ dataFolder });
  try {
    await again.clock.advance(15_000);
    const { updated_time: __, ...kept } = await getBatch(again);
    expect(kept).toEqual(was);
    await check(again);
  } finally {
    await again.stop();
    rmSync(join(dataFolder, '..'), { recursive: true, force: true });
  }
}

const toPutBack = async () =>
  (await station.get<Task[]>('/api/tasks/?state=open&kind=put_back')).map(
    ({ order, location, quantity }) => `${order} ${location} ${quantity}`,
  );

test('a bulk batch picks the sum of all orders and then sorts it; callbacks for each order are sent at the pick', async () => {
  await bulk();
  expect(await getBatch(station)).toMatchObject({ state: 'picking', cart: 2, cart_name: 'Cart 1', wall: 1 });
  expect(await shownAt(station, PLACE)).toContain(' 5 ');
  await press(station, PLACE);
  expect((await getBatch(station)).state).toBe('picking');
  // Sorting has not started, so the scan is not a put.
  expect((await scan(station, 'SC-1')).result).not.toBe('put');
  await press(station, OTHER_PLACE);
  expect((await getBatch(station)).state).toBe('sorting');
  expect(await handsOf(station)).toEqual({ '': 7 });
  expect(await onHand(station, 'CT-200')).toEqual({ 'A-1-1': 95 });
  const told = owed(station);
  expect(told.filter((each) => each.startsWith('item_added'))).toHaveLength(4);
  // Pieces in hand are not lit; a scan shows where they go.
  expect([await shownAt(station, SLOT_A1), await shownAt(station, SLOT_A2)]).toEqual(['dark', 'dark']);
  const lines = await station.get<WorkLine[]>('/api/work/?batch=1');
  expect(lines.map(({ text, quantity }) => `${text} ${quantity}`)).toEqual(['Name of CT-200 5', 'Name of SC-1 2']);
  expect(await said(station, 'CT-200', { quantity: 9 })).toBe('put, A1 2, A2 3, left 4');
  await press(station, SLOT_A2);
  expect(await slotsOf(station)).toEqual(['A1 open 2+0/2 0+1/1', 'A2 open 3+0/3 0+1/1']);
  expect(await said(station, 'CT-200')).toBe('all_done, left 1');
  expect(await said(station, 'SC-1')).toBe('put, A1 1');
  await press(station, SLOT_A1);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  await said(station, 'SC-1');
  await press(station, SLOT_A2);
  expect(owed(station).filter((each) => !told.includes(each))).toEqual([
    'order_fulfilled SO-1',
    'order_fulfilled SO-2',
  ]);
  expect(await onHand(station, 'CT-200')).toEqual({ 'A-1-1': 95 });
  await act(station, 'free/');
  expect((await getBatch(station)).state).toBe('done');
});

test('if pieces are missing, whole orders are filled first, and the slot of an incomplete order shows COMPLETE, SHORT', async () => {
  await bulk();
  const [command] = (await station.device(PLACE)).commands;
  await station.post(`/api/device/${PLACE}/acknowledge/`, {
    command_id: command?.command_id,
    qty: 4,
    reason: 'missing',
  });
  await press(station, OTHER_PLACE);
  expect((await getBatch(station)).state).toBe('sorting');
  expect(await said(station, 'CT-200', { quantity: 4 })).toBe('put, A1 2, A2 2');
  await act(station, 'put/', { all: true });
  await scan(station, 'SC-1', { quantity: 2 });
  await act(station, 'put/', { all: true });
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2 1+0/1', 'A2 complete 2+0/3 1+0/1']);
  expect(await shownAt(station, SLOT_A2)).toContain('COMPLETE, SHORT');
});

test('a bulk batch can pick more orders than the wall has slots; the rest wait for a slot', async () => {
  for (const number of [1, 2, 3, 4, 5]) await addGoods(station, `SO-${number}`, { 'CT-200': 2 });
  await sort(station, ['SO-1', 'SO-2', 'SO-3', 'SO-4', 'SO-5'], { cart: 2 });
  expect(await shownAt(station, PLACE)).toContain(' 10 ');
  await press(station, PLACE);
  expect(await said(station, 'CT-200', { quantity: 10 })).toBe('put, A1 2, A2 2, B1 2, B2 2, left 2');
  await act(station, 'put/', { all: true });
  expect(await waitingIn(station)).toEqual(['SO-5']);
  expect(await said(station, 'CT-200')).toBe('wall_full');
  await station.post('/api/batches/1/slots/B1/free/');
  await station.clock.advance(10_000);
  expect(await said(station, 'CT-200', { quantity: 2 })).toBe('put, B1 2');
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-5')).toBe('fulfilled: fulfilled(done)');
});

test('a single-piece order is picked in bulk with the others, and booked once', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 1 });
  await addGoods(station, 'SO-2', { 'CT-200': 2 });
  await sort(station, ['SO-1', 'SO-2'], { cart: 2 });
  await press(station, PLACE);
  const told = owed(station);
  expect(await said(station, 'CT-200')).toBe('single');
  expect(owed(station).filter((each) => !told.includes(each))).toEqual(['order_fulfilled SO-1']);
  expect(await handsOf(station)).toEqual({ '': 2 });
  const id = (await itemsOf(station, 'SO-1'))[0]?.id ?? 0;
  await act(station, 'put/undo/', { item_id: id });
  expect(await handsOf(station)).toEqual({ '': 3 });
  expect(owed(station).filter((each) => each.startsWith('item_removed'))).toEqual([]);
  expect(await said(station, 'CT-200')).toBe('single');
});

test('the cart and the wall of a bulk batch cannot be in another batch, and their codes find the batch', async () => {
  await bulk();
  expect((await station.request('POST', '/api/batches/', { mode: 'cart', cart: 2 })).status).toBe(409);
  expect((await station.request('DELETE', '/api/carts/2/')).status).toBe(409);
  expect(await scan(station, 'CART-1')).toMatchObject({ result: 'cart', batch: 1 });
  expect(await scan(station, 'WALL-1')).toMatchObject({ result: 'wall', batch: 1 });
  // The batch uses the wall's slots, so the cart's slot codes are unknown.
  expect((await scan(station, 'C1-A1')).result).toBe('unknown');
});

test('when two people sort at once, each puts their own pieces, and a press at a shared slot counts for the person who scanned first', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 3, 'SC-1': 9 });
  await addGoods(station, 'SO-2', { 'CT-200': 3, 'SC-1': 9, X: 1 });
  await sort(station, ['SO-1', 'SO-2']);
  expect(await said(station, 'CT-200', { picker: 'Anna' })).toBe('put, A1 1');
  // Slots lit by another person come last only among otherwise equal slots, and A1 has fewer missing pieces.
  expect(await said(station, 'CT-200', { picker: 'Ben' })).toBe('put, A1 1');
  expect(await said(station, 'SC-1', { picker: 'Anna' })).toBe('press_first, A1 1');
  await press(station, SLOT_A1);
  expect((await getBatch(station)).scanned.map(({ by }) => by)).toEqual(['Ben']);
  expect(await slotsOf(station)).toEqual(['A1 open 1+0/3 0+0/9', 'A2 open 0+0/3 0+0/9 0+0/1']);
  expect(await said(station, 'SC-1', { picker: 'Anna', quantity: 2 })).toBe('put, A1 2');
  await act(station, 'put/', { slot: 'A1', picker: 'Anna' });
  expect((await getBatch(station)).scanned.map(({ by }) => by)).toEqual(['Ben']);
  expect((await scan(station, 'W1-A2', { picker: 'Ben' })).result).toBe('wrong_slot');
  await act(station, 'put/', { slot: 'A1', picker: 'Ben' });
  expect(await slotsOf(station)).toEqual(['A1 open 2+0/3 2+0/9', 'A2 open 0+0/3 0+0/9 0+0/1']);
});

test("one request reports the pieces in everyone's hands as missing; repeating it changes nothing", async () => {
  await bulk();
  await press(station, PLACE);
  await act(station, 'hand/', { by: '', do: 'take', picker: 'Anna' });
  await press(station, OTHER_PLACE);
  expect(Object.keys(await handsOf(station)).toSorted()).toEqual(['', 'Anna']);
  const lost = await act<Batch & { warnings?: string[] }>(station, 'hand/', { all: true, do: 'missing' });
  expect([lost.hands, lost.state, lost.warnings]).toEqual([[], 'picking', undefined]);
  const again = await act<Batch & { warnings?: string[] }>(station, 'hand/', { all: true, do: 'missing' });
  expect(again.warnings).toEqual(['Nothing is in hand. Nothing was done.']);
  expect(again.slots).toEqual(lost.slots);
  // The lost pieces can be picked again.
  await press(station, PLACE);
  await press(station, OTHER_PLACE);
  expect((await getBatch(station)).state).toBe('sorting');
});

test("when nothing is scanned, setting everyone's scans aside warns about scans rather than hands", async () => {
  await bulk();
  await press(station, PLACE);
  await act(station, 'hand/', { by: '', do: 'take', picker: 'Anna' });
  const none = await act<Batch & { warnings?: string[] }>(station, 'hand/', { all: true, do: 'set_aside' });
  expect(none.warnings).toEqual(['Nothing is scanned. Nothing was done.']);
  expect(await tryTo(station, '1/hand/', { by: 'Anna', do: 'set_aside' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/^Anna has scanned nothing at Wall 1 that is still to be put\./) as string },
  });
  expect(Object.keys(await handsOf(station))).toEqual(['Anna']);
});

test('among equally good slots, those lit by another person come last', async () => {
  for (const number of [1, 2]) await addGoods(station, `SO-${number}`, { 'CT-200': 2 });
  await sort(station, ['SO-1', 'SO-2']);
  expect(await said(station, 'CT-200', { picker: 'Anna' })).toBe('put, A1 1');
  expect(await said(station, 'CT-200', { picker: 'Ben' })).toBe('put, A2 1');
  // Ben goes home, so Anna takes his piece.
  await act(station, 'hand/', { by: 'Ben', do: 'take', picker: 'Anna' });
  await act(station, 'put/', { all: true, picker: 'Anna' });
  expect(await slotsOf(station)).toEqual(['A1 open 1+0/2', 'A2 open 1+0/2']);
});

test('aborting an order removes it from the wall: its lit slots turn off, and its pieces must be put back', async () => {
  await bulk();
  await press(station, PLACE);
  await press(station, OTHER_PLACE);
  await scan(station, 'CT-200', { quantity: 2 });
  await act(station, 'put/', { slot: 'A1' });
  await scan(station, 'SC-1');
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 1');
  await station.post(orderPath('SO-1', 'abort/'));
  await station.clock.advance(3_000);
  expect((await getBatch(station)).scanned).toEqual([]);
  expect(await shownAt(station, SLOT_A1)).toContain('STOPPED');
  // The piece in hand must be put back immediately; the pieces in the slot only once the slot is freed.
  expect(await toPutBack()).toEqual(['SO-1 A-2-1 1']);
  await act(station, 'slots/A1/free/');
  expect((await toPutBack()).toSorted()).toEqual(['SO-1 A-1-1 2', 'SO-1 A-2-1 1']);
  expect(await handsOf(station)).toEqual({ '': 4 });
});

test('a waiting order can be aborted at a wall without picking; aborting the batch releases the waiting orders', async () => {
  for (const number of [1, 2, 3, 4, 5, 6]) await addGoods(station, `SO-${number}`, { 'CT-200': 2 });
  await sort(station, ['SO-1', 'SO-2', 'SO-3', 'SO-4', 'SO-5', 'SO-6']);
  await station.post(orderPath('SO-5', 'abort/'));
  expect(await waitingIn(station)).toEqual(['SO-6']);
  await scan(station, 'CT-200');
  await act(station, 'abort/');
  expect(await getBatch(station)).toMatchObject({ state: 'done', waiting: [], scanned: [] });
  expect(await litDevices(station)).toEqual([]);
  const again = await station.request('POST', '/api/batches/', {
    mode: 'wall',
    wall: 1,
    slots: [{ order_number: 'SO-6' }],
  });
  expect(again.status).toBe(201);
});

test('closing the remaining pieces as short completes the slot of the order', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2, 'SC-1': 1 });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200');
  await act(station, 'put/', { all: true });
  await scan(station, 'SC-1');
  await station.post(orderPath('SO-1', 'items/1/short/'), { reason: 'missing' });
  await station.post(orderPath('SO-1', 'items/2/short/'), { reason: 'missing' });
  await station.clock.advance(3_000);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short short)');
  expect(await shownAt(station, SLOT_A1)).not.toContain('SO-1 1');
  expect((await itemsOf(station, 'SO-1')).map((item) => item.quantity_fulfilled)).toEqual([1, 0]);
  await station.post(orderPath('SO-1', 'items/2/reopen/'));
  expect(await said(station, 'SC-1')).toBe('put, A1 1');
});

test('each put verifies its article, even if the rest is closed short without a scan', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 3 }, { scan_required: true });
  await sort(station, ['SO-1'], { cart: 2 });
  await press(station, PLACE);
  await scan(station, 'CT-200');
  await press(station, SLOT_A1);
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ verified: true, state: 'active' });
  await act(station, 'hand/', { do: 'missing' });
  await station.post(orderPath('SO-1', 'items/1/short/'), { reason: 'missing' });
  expect(await slotsOf(station)).toEqual(['A1 complete 1+0/3']);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short)');
});

test('a line at a wall without picking cannot be confirmed at its place', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await sort(station, ['SO-1']);
  const { status } = await station.request('POST', orderPath('SO-1', 'items/1/confirm/'), {});
  expect(status).toBe(409);
  expect((await tryTo(station, '1/put/', { slot: 'A1' })).status).toBe(409);
});

test('a station killed between any two steps continues where it stopped', { timeout: 60_000 }, async () => {
  await bulk({ put_confirmation: 'each' });
  await press(station, PLACE);
  await afterKill(async (again) => {
    await press(again, OTHER_PLACE);
    expect((await getBatch(again)).state).toBe('sorting');
  });
  await press(station, OTHER_PLACE);
  await scan(station, 'CT-200', { quantity: 5, picker: 'Anna' });
  await afterKill(async (again) => {
    expect((await scan(again, 'SC-1', { picker: 'Anna' })).result).toBe('press_first');
    await press(again, SLOT_A2);
    expect(await slotsOf(again)).toEqual(['A1 open 0+2/2 0+1/1', 'A2 open 3+0/3 0+1/1']);
  });
  await press(station, SLOT_A1);
  await station.post(orderPath('SO-2', 'abort/'));
  await afterKill(async (again) => {
    expect((await getBatch(again)).scanned).toEqual([]);
    expect(await said(again, 'SC-1')).toBe('put, A1 1');
    await press(again, SLOT_A1);
    expect(await statesOf(again, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  });
});
