import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BatchProgress } from '#shared/api/batch.ts';
import { act, addBatch, addCart, addTies, getBatch, PLACE, slotsOf, tryTo } from '../../helpers/batches.ts';
import { press } from '../../helpers/orders.ts';
import { type TestStation, startTestStation } from '../../helpers/startTestStation.ts';
import { addGoods, addWall, sort, waitingIn } from '../../helpers/walls.ts';

// Contract, section 21: batch settings, orders that leave a batch, and how long batches are kept.
const DAY = 86_400_000;
let station: TestStation & AsyncDisposable;
beforeEach(async () => (station = await startTestStation({ simulate: 6, refreshMs: 0 })));
afterEach(() => station.stop());

test('a new batch uses the settings put_confirmation and singles, unless its request overrides them', async () => {
  await addCart(station);
  await station.patch('/api/settings/', { put_confirmation: 'none', singles: false });
  await addTies(station, 'SO-1', 2);
  expect((await addBatch(station, ['SO-1'])).put_confirmation).toBe('none');
  await act(station, 'launch/');
  await press(station, PLACE);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2']);
  await addWall(station, { slots: [] });
  await addGoods(station, 'SO-5', { X: 1 });
  const given = { wall: 2, put_confirmation: 'each' };
  const own = await sort(station, ['SO-5'], given);
  expect([own.put_confirmation, own.singles, own.waiting]).toEqual(['each', false, []]);
  await station.request('DELETE', `/api/batches/${own.id}/`);
  const other = await sort(station, ['SO-5'], { ...given, singles: true });
  expect([other.singles, other.waiting.map(({ order_number: number }) => number)]).toEqual([true, ['SO-5']]);
});

test('a waiting order can be removed from a batch by its number and picked separately; the others stay', async () => {
  await addWall(station, { rows: 1, columns: 1, slots: [] });
  await addGoods(station, 'SO-1', { X: 2 });
  await addGoods(station, 'SO-2', { X: 3 });
  await sort(station, ['SO-1', 'SO-2']);
  expect(await waitingIn(station)).toEqual(['SO-2']);
  const remove = (number: string) => tryTo(station, `1/orders/${number}/`, undefined, 'DELETE');
  expect((await remove('SO-2')).status).toBe(204);
  expect([await waitingIn(station), (await getBatch(station)).state]).toEqual([[], 'sorting']);
  expect((await remove('SO-2')).status).toBe(404);
  expect((await tryTo(station, '1/slots/', { order_number: 'SO-2' })).status).toBe(201);
  expect((await remove('SO-1')).status).toBe(204);
  expect(await slotsOf(station)).toEqual([]);
  expect((await tryTo(station, '1/slots/', { order_number: 'SO-1' })).status).toBe(201);
});

test('an order with pieces in hand cannot be removed from the batch', async () => {
  await addCart(station);
  await addTies(station, 'SO-1', 2);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  await press(station, PLACE);
  expect((await tryTo(station, '1/orders/SO-1/', undefined, 'DELETE')).status).toBe(409);
});

test('an ended batch is deleted after history_days, or order_days if that is less', async () => {
  await addCart(station);
  await station.patch('/api/settings/', { history_days: 30, order_days: 10 });
  await addTies(station, 'SO-1', 2);
  await addBatch(station, ['SO-1']);
  await act(station, 'launch/');
  await press(station, PLACE);
  await act(station, 'put/', { all: true });
  expect((await act(station, 'free/')).state).toBe('done');
  const ids = async () => (await station.get<BatchProgress[]>('/api/batches/')).map(({ id }) => id);
  await station.clock.advance(9 * DAY);
  await addTies(station, 'SO-2', 1);
  await addBatch(station, ['SO-2']);
  expect(await ids()).toEqual([2, 1]);
  await station.clock.advance(2 * DAY);
  // A batch's age is counted from the newest work, so create work today.
  await act(station, 'launch/', undefined, 2);
  await station.clock.advance(2 * 3_600_000);
  expect(await ids()).toEqual([2]);
  expect((await tryTo(station, '1/', undefined, 'GET')).status).toBe(404);
  for (const table of ['batch_shares', 'batch_slots', 'batch_picks'])
    expect(station.rows(`SELECT 1 FROM ${table} WHERE batch_id = 1`), table).toEqual([]);
});
