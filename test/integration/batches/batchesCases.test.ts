import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import { addArticle } from '../../helpers/articles.ts';
import {
  act,
  addBatch,
  addCart,
  addTies,
  getBatch,
  handsOf,
  OTHER_PLACE,
  PLACE,
  shownAt,
  slotsOf,
  tryTo,
} from '../../helpers/batches.ts';
import { addOrder, itemsOf, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';
import { addWall, sort } from '../../helpers/walls.ts';

// Cases found in the issue trackers of other programs.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
  await addCart(station);
});
afterEach(() => station.stop());

test('with two orders of one customer, one line can be reduced by a correction and the other closed short', async () => {
  await addTies(station, 'SO-1', 5, { customer: 'Meyer' });
  await addTies(station, 'SO-2', 3, { customer: 'Meyer' });
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/', { color: 'blue' });
  expect(await shownAt(station, PLACE)).toContain('8 ');
  await press(station, PLACE);
  await station.patch(orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 4, reason: 'damaged' });
  await station.post(orderPath('SO-2', 'items/2/reopen/'), {});
  await station.post(orderPath('SO-2', 'items/2/short/'), { reason: 'missing' });
  await station.post(orderPath('SO-1', 'items/1/short/'), { reason: 'damaged' });
  await station.clock.advance(3_000);
  expect(await handsOf(station)).toEqual({ '': 4 });
  expect(await slotsOf(station)).toEqual(['A1 open 0+4/5', 'A2 complete 0+0/3']);
  await act(station, 'put/', { all: true });
  expect([await statesOf(station, 'SO-1'), await statesOf(station, 'SO-2')]).toEqual([
    'fulfilled: fulfilled(short)',
    'fulfilled: fulfilled(short)',
  ]);
  expect((await itemsOf(station, 'SO-1'))[0]?.quantity_fulfilled).toBe(4);
});

test.each(['cart', 'wall'] as const)(
  'with two articles of the same name in a %s batch, scanning the name books nothing',
  async (kind) => {
    if (kind === 'wall') await addWall(station, { slots: [] });
    await addArticle(station, 'LOT-A', [], { name: 'Batch 7' });
    await addArticle(station, 'LOT-B', [], { name: 'Batch 7' });
    const lineOf = (SKU: string, deviceid: string) => [{ name: 'Batch 7', SKU, ordered_quantity: 2, deviceid }];
    await addOrder(station, 'SO-1', lineOf('LOT-A', PLACE));
    await addOrder(station, 'SO-2', lineOf('LOT-B', OTHER_PLACE));
    if (kind === 'wall') await sort(station, ['SO-1', 'SO-2'], { wall: 2 });
    else await addBatch(station, ['SO-1', 'SO-2']);
    if (kind === 'cart') await act(station, 'launch/', { color: 'blue' });
    const scan = (given: object) =>
      station.post<ScanResult>('/api/scan/', { code: 'Batch 7', batch: 1, act: true, ...given });
    const { result, candidates } = await scan({});
    expect([result, candidates.map(({ item_id: id }) => id)]).toEqual(['ambiguous', [1, 2]]);
    expect(await getBatch(station)).toMatchObject({ hands: [], scanned: [] });
    if (kind === 'wall') expect(await scan({ item_id: 2 })).toMatchObject({ result: 'put', order_number: 'SO-2' });
  },
);

test('a line in a batch cannot be moved by hand', async () => {
  await addTies(station, 'SO-1', 2);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  const path = orderPath('SO-1', 'items/1/short/');
  const moved = await station.request('POST', path, { reason: 'missing', elsewhere: OTHER_PLACE });
  const says =
    'Order SO-1 is in Cart 1. Pick it there, or remove it from its slot first. GET /api/batches/1/ lists its pieces.';
  expect(moved).toMatchObject({ status: 409, body: { detail: says } });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
});

/** Launches a batch with one order of two shipments and puts the pieces of the first one, which then is complete. */
async function completeFirstShipment(): Promise<void> {
  const ties = (shipment_number: string, quantity: number, deviceid: string) => ({
    shipment_number,
    items: [{ name: 'Cable tie', SKU: `CT-${shipment_number}`, ordered_quantity: quantity, deviceid }],
  });
  await station.post('/api/orders/', {
    order_number: 'SO-1',
    shipments: [ties('S-1', 2, PLACE), ties('S-2', 3, OTHER_PLACE)],
  });
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
}

test('undoing a freed slot restores its shipment while another shipment of the order is still open', async () => {
  await completeFirstShipment();
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 open 0+0/3']);
  await act(station, 'slots/A1/free/');
  expect(await slotsOf(station)).toEqual(['A2 open 0+0/3']);
  await act(station, 'slots/A1/free/undo/');
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 open 0+0/3']);
  expect(await shownAt(station, OTHER_PLACE)).toContain('3 ');
  // The order never left the batch, so it was not loaded again.
  expect(await station.get('/api/history/?kind=order_loaded')).toHaveLength(2);
  // The order is still in the batch, so its other shipment is picked there.
  await press(station, OTHER_PLACE);
  await act(station, 'put/', { all: true });
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done) fulfilled(done)');
  const freed = await act(station, 'free/');
  expect(freed.state).toBe('done');
  // Both slots have been freed. Undoing one of them leaves the other free.
  await act(station, 'slots/A2/free/undo/');
  expect(await slotsOf(station)).toEqual(['A2 complete 3+0/3']);
});

test('a freed slot cannot be restored once its order was removed from the batch', async () => {
  await completeFirstShipment();
  await act(station, 'slots/A1/free/');
  expect((await tryTo(station, '1/slots/A2/', undefined, 'DELETE')).status).toBe(204);
  const undo = await tryTo(station, '1/slots/A1/free/undo/');
  expect([undo.status, undo.body]).toMatchObject([
    409,
    { code: 'conflict', detail: 'Order SO-1 was removed from Cart 1. Nothing was changed.' },
  ]);
  expect(await slotsOf(station)).toEqual([]);
  expect(await getBatch(station)).toMatchObject({ state: 'done' });
});

test('an undone freeing does not restore a tote that another slot has now', async () => {
  for (const number of ['SO-1', 'SO-2', 'SO-3']) await addTies(station, number, 1);
  await addBatch(station, [], {
    slots: [{ order_number: 'SO-1', tote: 'T-7' }, { order_number: 'SO-2' }],
    put_confirmation: 'none',
  });
  await act(station, 'launch/');
  await press(station, PLACE);
  await act(station, 'slots/A1/free/');
  await act(station, 'slots/', { order_number: 'SO-3', slot: 'B1', tote: 'T-7' });
  const { slots } = await act(station, 'slots/A1/free/undo/');
  const held = slots.filter(({ state }) => state !== 'free').map(({ slot, tote }) => [slot, tote]);
  expect(held).toEqual([
    ['A1', null],
    ['A2', null],
    ['B1', 'T-7'],
  ]);
});

test('an item whose slot was freed cannot be reopened or corrected to fewer pieces until the freeing is undone', async () => {
  await completeFirstShipment();
  await act(station, 'slots/A1/free/');
  const correct = () =>
    station.request('PATCH', orderPath('SO-1', 'items/1/'), { quantity_fulfilled: 1, reason: 'damaged' });
  const refused = await correct();
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { detail: 'Slot A1 of order SO-1 was freed. Undo that, or remove the order from Cart 1 first.' },
  ]);
  expect((await station.request('POST', orderPath('SO-1', 'items/1/reopen/'), {})).status).toBe(409);
  expect([await shownAt(station, PLACE), await statesOf(station, 'SO-1')]).toEqual([
    'dark',
    'in_progress: fulfilled(done) in_progress(active)',
  ]);
  await act(station, 'slots/A1/free/undo/');
  expect((await correct()).status).toBe(200);
  await station.clock.advance(3_000);
  expect(await slotsOf(station)).toEqual(['A1 open 1+0/2', 'A2 open 0+0/3']);
  expect(await shownAt(station, PLACE)).toContain('1 ');
});

test('an item cannot be corrected to fewer pieces once its slot holds another order', async () => {
  await completeFirstShipment();
  await act(station, 'slots/A1/free/');
  await station.clock.advance(10_000);
  await addTies(station, 'SO-2', 1);
  await act(station, 'slots/', { order_number: 'SO-2', slot: 'A1' });
  const correction = { quantity_fulfilled: 1, reason: 'damaged' };
  const { status, body } = await station.request('PATCH', orderPath('SO-1', 'items/1/'), correction);
  expect([status, body]).toMatchObject([
    409,
    { detail: 'The slot that held these pieces of order SO-1 was freed. Remove the order from Cart 1 first.' },
  ]);
  expect((await tryTo(station, '1/orders/SO-1/', undefined, 'DELETE')).status).toBe(204);
  expect((await station.request('PATCH', orderPath('SO-1', 'items/1/'), correction)).status).toBe(200);
});

test('pieces in hand cannot be given to an order whose slot was freed', async () => {
  await addTies(station, 'SO-1', 2);
  await addTies(station, 'SO-2', 2);
  await addOrder(station, 'SO-3', [{ name: 'Screw', ordered_quantity: 1, deviceid: OTHER_PLACE }]);
  await addBatch(station, ['SO-1', 'SO-2', 'SO-3']);
  await act(station, 'launch/');
  const [command] = (await station.device(PLACE)).commands;
  await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id: command?.command_id, qty: 2 });
  await act(station, 'slots/A2/free/');
  const shares = [
    { item_id: 1, quantity: 1 },
    { item_id: 2, quantity: 1 },
  ];
  expect((await tryTo(station, '1/shares/', { shares })).status).toBe(409);
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2', 'B1 open 0+0/1']);
});

test('an order that was emptied short and joins the batch again is picked only for its missing pieces', async () => {
  await addTies(station, 'SO-1', 3);
  await addOrder(station, 'SO-2', [{ name: 'Screw', ordered_quantity: 1, deviceid: OTHER_PLACE }]);
  await addBatch(station, ['SO-1', 'SO-2']);
  await act(station, 'launch/');
  const [command] = (await station.device(PLACE)).commands;
  const found = { command_id: command?.command_id, qty: 2, reason: 'other' };
  await station.post(`/api/device/${PLACE}/acknowledge/`, found);
  await act(station, 'put/', { slot: 'A1' });
  await act(station, 'slots/A1/free/');
  await station.post(orderPath('SO-1', 'items/1/reopen/'), {});
  await act(station, 'slots/', { order_number: 'SO-1' });
  expect(await slotsOf(station)).toEqual(['A2 open 0+0/1', 'B1 open 0+0/1']);
  expect((await itemsOf(station, 'SO-1'))[0]?.quantity_fulfilled).toBe(2);
  await station.post(orderPath('SO-1', 'items/1/short/'), { reason: 'other' });
  await station.post(orderPath('SO-1', 'items/1/reopen/'), {});
  await station.clock.advance(3_000);
  expect(await shownAt(station, PLACE)).toContain('1 ');
  await press(station, PLACE);
  await act(station, 'put/', { slot: 'B1' });
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 3, state: 'done' });
  expect(await slotsOf(station)).toEqual(['A2 open 0+0/1', 'B1 complete 1+0/1']);
  const undo = await tryTo(station, '1/slots/A1/free/undo/');
  expect([undo.status, undo.body]).toMatchObject([
    409,
    { detail: 'Order SO-1 has been loaded again into Cart 1. Nothing was changed.' },
  ]);
});
