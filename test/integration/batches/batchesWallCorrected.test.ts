import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { HistoryEntry, OrderTimeline } from '#shared/api/history.ts';
import type { Movement } from '#shared/api/stock.ts';
import { addArticle, onHand } from '../../helpers/articles.ts';
import { act, getBatch, shownAt, SLOT_A1, slotsOf, tryTo } from '../../helpers/batches.ts';
import { itemsOf, orderPath, press, statesOf } from '../../helpers/orders.ts';
import type { TestStation } from '../../helpers/startTestStation.ts';
import { addGoods, owed, said, scan, sort, startWithWall } from '../../helpers/walls.ts';

// Contract, section 21: undo, shorts and discarded scans at a wall without picking.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startWithWall();
});
afterEach(() => station.stop());

test('undoing a put returns the piece to the hand and lights its slot; reopening the item undoes the pick', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200', { quantity: 2 });
  await press(station, SLOT_A1);
  await act(station, 'put/undo/', { slot: 'A1', item_id: 1, quantity: 1 });
  expect(await slotsOf(station)).toEqual(['A1 open 1+1/2']);
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 1');
  await station.post(orderPath('SO-1', 'items/1/reopen/'));
  await station.clock.advance(3_000);
  expect(await slotsOf(station)).toEqual(['A1 open 1+0/2']);
  expect(await shownAt(station, SLOT_A1)).toBe('dark');
  expect((await itemsOf(station, 'SO-1'))[0]?.quantity_fulfilled).toBe(1);
  expect(owed(station).filter((each) => each.startsWith('item_'))).toEqual([
    `item_added SO-1 ${SLOT_A1} 2`,
    'item_removed SO-1  1',
  ]);
  expect(await said(station, 'CT-200')).toBe('put, A1 1');
});

test('after a program undoes a put, the next scan asks to put that piece first', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 1, 'SC-1': 1 });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200');
  await press(station, SLOT_A1);
  await act(station, 'put/undo/', { slot: 'A1', item_id: 1 });
  expect((await getBatch(station)).hands).toMatchObject([{ by: '' }]);
  expect(await said(station, 'CT-200')).toBe('press_first, A1 1');
  await press(station, SLOT_A1);
  expect(await slotsOf(station)).toEqual(['A1 open 1+0/1 0+0/1']);
});

test('scanned pieces can be set aside without being booked', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200');
  await act(station, 'hand/', { do: 'set_aside' });
  expect(await shownAt(station, SLOT_A1)).toBe('dark');
  expect(owed(station)).toEqual([]);
  expect((await tryTo(station, '1/hand/', { do: 'set_aside' })).status).toBe(409);
  expect(await said(station, 'CT-200')).toBe('put, A1 1');
});

test('one request closes all missing articles with one completion per order, or closes nothing', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2, 'SC-1': 1 });
  await addGoods(station, 'SO-2', { 'SC-1': 2 });
  await sort(station, ['SO-1', 'SO-2']);
  await scan(station, 'CT-200');
  await act(station, 'put/', { all: true });
  const before = owed(station).length;
  const [one, two] = [await itemsOf(station, 'SO-1'), await itemsOf(station, 'SO-2')];
  const items = [...one, ...two].map(({ id }) => id);
  for (const [wrong, says] of [
    [{ items: [...items, 99], reason: 'missing' }, 'This line is not in Wall 1. GET /api/batches/1/ lists its items.'],
    [{ items, reason: 'nonsense' }, 'The reason has to be one of'],
  ] as const) {
    const { status, body } = await tryTo(station, '1/short/', wrong);
    expect(status).toBe(400);
    expect((body as { detail: string }).detail).toContain(says);
    expect(await statesOf(station, 'SO-2')).toBe('in_progress: in_progress(active)');
  }
  const closed = await act<Batch & { warnings?: string[] }>(station, 'short/', {
    items,
    reason: 'missing',
    key: 'no more',
  });
  expect(closed.slots.filter(({ state }) => state !== 'free').map(({ state }) => state)).toEqual([
    'complete',
    'complete',
  ]);
  expect(closed).not.toHaveProperty('warnings');
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(short short)');
  expect(await statesOf(station, 'SO-2')).toBe('fulfilled: fulfilled(short)');
  expect((await itemsOf(station, 'SO-1')).map((item) => item.quantity_fulfilled)).toEqual([1, 0]);
  expect(owed(station).slice(before).toSorted()).toEqual(['order_fulfilled SO-1', 'order_fulfilled SO-2']);
  const again = await act<Batch & { warnings?: string[] }>(station, 'short/', { items, reason: 'damaged' });
  expect(again.warnings).toEqual([
    'Name of CT-200 and Name of SC-1 have no missing pieces. Nothing was changed there.',
  ]);
  const { steps } = await station.get<OrderTimeline>('/api/history/orders/SO-2/');
  expect(steps.flatMap(({ kind, detail }) => (kind === 'order_short' ? [detail] : []))).toEqual([
    expect.stringContaining('missing'),
  ]);
});

test('a single-piece shipment sent to packing can be undone until the wall is in a new batch, even if it ended its own batch', async () => {
  await addArticle(station, 'CT-200', [{ location: 'A-1-1', on_hand: 5 }]);
  await addGoods(station, 'SO-1', { 'CT-200': 1 });
  await sort(station, ['SO-1']);
  expect(await said(station, 'CT-200')).toBe('single');
  expect((await getBatch(station)).state).toBe('done');
  expect(await onHand(station, 'CT-200')).toEqual({ 'A-1-1': 4 });
  const before = owed(station).length;
  const id = (await itemsOf(station, 'SO-1'))[0]?.id ?? 0;
  expect(await act(station, 'put/undo/', { item_id: id, key: 'oops' })).toMatchObject({
    state: 'sorting',
    hands: [],
    scanned: [],
    waiting: [{ order_number: 'SO-1', picked: 0, put: 0, state: 'open' }],
  });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(active)');
  expect(await onHand(station, 'CT-200')).toEqual({ 'A-1-1': 5 });
  expect(owed(station).slice(before)).toEqual(['item_removed SO-1  0']);
  const [undone] = await station.get<HistoryEntry[]>('/api/history/?kind=order_corrected');
  expect(undone).toMatchObject({ by: 'API key', qty: 0 });
  expect((await station.get<Movement[]>('/api/movements/')).map(({ delta, by }) => [delta, by])).toContainEqual([
    1,
    'API key',
  ]);
  expect((await tryTo(station, '1/put/undo/', { item_id: id })).status).toBe(409);
  // The correct piece completes the order again without a second callback.
  expect(await said(station, 'CT-200')).toBe('single');
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(owed(station).filter((each) => each.startsWith('order_fulfilled'))).toEqual(['order_fulfilled SO-1']);
  await station.request('DELETE', '/api/batches/1/');
  await addGoods(station, 'SO-2', { 'CT-200': 2 });
  await sort(station, ['SO-2']);
  const refused = await tryTo(station, '1/put/undo/', { item_id: id });
  expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
    409,
    'The wall has been loaded again since. Nothing was changed. GET /api/batches/2/ shows it.',
  ]);
});

test('a single-piece shipment cannot be undone after its order changed, nor can pieces in a slot without naming the slot', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 1 });
  await addGoods(station, 'SO-2', { 'SC-1': 2 });
  await sort(station, ['SO-1', 'SO-2']);
  await scan(station, 'CT-200');
  const id = (await itemsOf(station, 'SO-1'))[0]?.id ?? 0;
  await station.post(orderPath('SO-1', `items/${id}/reopen/`));
  const undo = async (item_id: number) => (await tryTo(station, '1/put/undo/', { item_id })).body as { detail: string };
  expect((await undo(id)).detail).toBe('Order SO-1 has since changed, or was deleted. Nothing was changed.');
  await scan(station, 'SC-1', { quantity: 2 });
  await act(station, 'put/', { all: true });
  const other = (await itemsOf(station, 'SO-2'))[0]?.id ?? 0;
  expect((await undo(other)).detail).toContain('did not go straight to packing. Choose the slot');
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2']);
});

test('the answer to a scanned stack names the item for each slot', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2, 'SC-1': 1 });
  await addGoods(station, 'SO-2', { 'CT-200': 3, 'SC-1': 1 });
  await sort(station, ['SO-1', 'SO-2'], { put_confirmation: 'none' });
  const { shares = [] } = await scan(station, 'CT-200', { quantity: 4 });
  const ids = [(await itemsOf(station, 'SO-1'))[0]?.id, (await itemsOf(station, 'SO-2'))[0]?.id];
  expect(shares).toEqual([
    { slot: 'A1', order_number: 'SO-1', item_id: ids[0], quantity: 2 },
    { slot: 'A2', order_number: 'SO-2', item_id: ids[1], quantity: 2 },
  ]);
  for (const { slot, item_id, quantity } of shares) await act(station, 'put/undo/', { slot, item_id, quantity });
  expect(await slotsOf(station)).toEqual(['A1 open 0+2/2 0+0/1', 'A2 open 0+2/3 0+0/1']);
});
